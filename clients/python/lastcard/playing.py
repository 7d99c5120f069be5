"""How does a program play with a bot? `play(bot, NAME)` one match, `play(bot)` until stopped."""

import re
import secrets
import sys
from contextlib import closing
from hashlib import sha256
from typing import NamedTuple, overload

from lastcard.answer import Bot
from lastcard.client import Client
from lastcard.connection import connection
from lastcard.errors import BadSetting, Error, Interrupted
from lastcard.player import Player
from lastcard.table import match_at
from lastcard.v1 import event_pb2, turn_pb2
from lastcard.v1 import match_service_pb2 as match_pb2

NAME = re.compile(r"[A-Za-z0-9 _.-]{1,32}")
TABLE = re.compile(r"[A-Za-z0-9_-]{1,60}")
INTERRUPTED = 130
"""The exit code of a program that Ctrl-C ended, by the custom of shells."""
REASON = "MATCH_END_REASON_"


class Result(NamedTuple):
    """
    How a match ended for one seat.

    Attributes:
        match_id: The match.
        seat: The own seat, 0-based.
        reason: Why it ended: `played`, `last_standing`, `cancelled` or `frozen`.
        places: Place of each seat in seat order, 1 = first, equal places are shared; empty where
            the match has no result.
        points: Points of each seat in seat order under the scoring in force.
    """

    match_id: str
    seat: int
    reason: str
    places: tuple[int, ...]
    points: tuple[int, ...]

    @property
    def won(self) -> bool:
        """Whether the own seat came first."""
        return bool(self.places) and self.places[self.seat] == 1

    def __str__(self) -> str:
        """Say it in one line."""
        if not self.places:
            return f"match {self.match_id}: {self.reason}"
        return f"match {self.match_id}: place {self.places[self.seat]} of {len(self.places)}"


class Tally(NamedTuple):
    """
    What a bot did until it was stopped.

    Attributes:
        matches: Matches that ended.
        answered: Answers accepted.
        refused: Answers refused, by reason.
    """

    matches: int
    answered: int
    refused: dict[str, int]

    def __str__(self) -> str:
        """Say it in one line."""
        refused = "".join(f", {reason}: {count}" for reason, count in sorted(self.refused.items()))
        return f"matches: {self.matches}, answers: {self.answered}{refused}"


@overload
def play(
    bot: Bot,
    table: str,
    *,
    rules: str = ...,
    seats: int = ...,
    name: str = ...,
    address: str | None = ...,
    key: str | None = ...,
    events: bool = ...,
    patience: float = ...,
) -> Result: ...


@overload
def play(
    bot: Bot,
    table: None = ...,
    *,
    address: str | None = ...,
    key: str | None = ...,
    instance: str = ...,
    events: bool = ...,
    patience: float = ...,
) -> Tally: ...


def play(  # noqa: PLR0913 - the whole of the SDK's settings, all with defaults
    bot: Bot,
    table: str | None = None,
    *,
    rules: str = "standard_no",
    seats: int = 2,
    name: str = "",
    address: str | None = None,
    key: str | None = None,
    instance: str = "",
    events: bool = False,
    patience: float = 60.0,
) -> Result | Tally:
    """
    Play one match at a table, or without one every match of the key until Ctrl-C.

    All who name the same table with the same key, rules and number of seats meet in one match. A
    stream that ends is opened anew, for `patience` seconds in vain at most. A line on standard
    error says that others are missing at the table.

    Args:
        bot: Is asked each turn and returns the index of a legal action, the action in notation, or
            a `Reply`. UNO is called for it unless the reply says otherwise.
        table: 1 to 60 letters, digits, `-`, `_`. None = all seats of the key.
        rules: The preset of a table that is not there yet.
        seats: Its number of seats, 2 to 10.
        name: The name shown. A bot that gives one takes its seat again when it is started anew;
            without one every start is another player.
        address: `HOST:PORT`, `https://HOST:PORT`, `unix:PATH`; default LASTCARD_ADDRESS, else a
            server on this machine.
        key: An API key; default LASTCARD_KEY, else the organiser key of a server started here.
        instance: Names this process among those of one key; a newer stream of the same instance
            replaces the older. Default: a name of its own.
        events: Whether `Turn.events` tells what happened since the seat's last turn, and
            `Turn.message.rules` the rules in force.
        patience: Seconds.

    Returns:
        The result of the match; without a table, what was done until Ctrl-C.

    Raises:
        Error: What could not be done and why, see `lastcard.errors`; its traceback starts here.
            What the bot raises passes through.
        Interrupted: Ctrl-C at a table.
    """
    try:
        if table is None:
            caller = connection(address, key)
            player = Player(bot, caller, instance=instance, events=events, patience=patience)
            return _until_interrupted(player)
        if not TABLE.fullmatch(table):
            raise BadSetting(f"{table!r} is no table: 1 to 60 letters, digits, `-` or `_` are")
        with Client(address, key, patience=patience) as client:
            seat, token = _sit(client, table, rules, seats, name or _name(bot), _request_id(name))
        caller = client.connection._replace(key=token, origin="the seat token")
        with closing(Player(bot, caller, events=events, patience=patience).matches()) as matches:
            return _result(next(matches), seat)
    except Error as error:
        raise error.with_traceback(None) from None
    except KeyboardInterrupt:
        raise Interrupted(INTERRUPTED) from None


def _sit(
    client: Client, table: str, rules: str, seats: int, name: str, request_id: str
) -> tuple[int, str]:
    """Take a seat at a table and return it with its token; say so while others are missing."""
    match = match_at(client, table, rules=rules, seats=seats)
    joined = client.join(match.match_id, name, request_id)
    if joined.match.state == match_pb2.MATCH_STATE_OPEN:
        print(f"waiting for others at {table!r}", file=sys.stderr)
    return joined.seat, joined.seat_token


def _until_interrupted(player: Player) -> Tally:
    """Play until Ctrl-C; that is no error here but how one stops."""
    count = 0
    try:
        for _ in player.matches():
            count += 1
    except KeyboardInterrupt:
        player.stop()
    return Tally(count, player.answered, dict(player.refused))


def _name(bot: Bot) -> str:
    """Return a name to show for a bot that has none."""
    name = getattr(bot, "__name__", "bot")
    return name if NAME.fullmatch(name) else "bot"


def _request_id(name: str) -> str:
    """Return what makes joining twice one seat: the name given, or else this very call."""
    return sha256(name.encode()).hexdigest()[:32] if name else secrets.token_hex(16)


def _result(over: turn_pb2.MatchOver, seat: int) -> Result:
    """Return a result from the contract's message."""
    reason = event_pb2.MatchEndReason.Name(over.result.reason).removeprefix(REASON).lower()
    places, points = tuple(over.result.places), tuple(over.result.total_points)
    return Result(over.match_id, seat, reason, places, points)
