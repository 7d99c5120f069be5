"""
How are the finished games of a contest written down so that nobody can change one unnoticed?

A ledger is JSON lines, one a game, in schedule order. Each line carries the SHA-256 over the chain
hash of the line before and its own canonical text. Standard library and engine only, so that a
bare installation can check a ledger; the file must never know how games are played.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from lastcard_engine.record_fields import (
    LATEST_US,
    Reader,
    listed,
    octets,
    read_fields,
    read_name,
    table,
    text,
    whole,
)

GENESIS_DOMAIN = "lastcard ledger 1\n"


class Game(NamedTuple):
    """One game of a ledger. Sequences are in seat order."""

    contest: str
    """The contest's identifier."""
    game: int
    """Its place in the schedule, 0-based."""
    block: int
    """Its block, 0-based."""
    leg: int
    """The rotation in the block, 0-based."""
    attempt: int
    """How often its block was started anew, 0-based."""
    match: str
    """Its match."""
    seats: tuple[str, ...]
    """Names of the entrants."""
    places: tuple[int, ...]
    """Place of each seat, 1 is best; equal numbers share a place."""
    points: tuple[int, ...]
    """The winner_takes value of the rounds each seat won; a void round counts 0."""
    actions: int
    """Turn actions played."""
    faults: tuple[Mapping[str, int], ...]
    """Faults of each seat by kind, only kinds that occurred."""
    end_us: int
    """When it ended, Unix time in microseconds."""
    record: str
    """SHA-256 of its record in hex."""


class LedgerError(ValueError):
    """A ledger that is not what was written; `line` is the first wrong one, 1-based."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


def genesis(contest: str) -> bytes:
    """Return the chain hash before the first game of a contest, 32 bytes."""
    return hashlib.sha256(f"{GENESIS_DOMAIN}{contest}".encode()).digest()


def _canonical(value: Mapping[str, Any]) -> str:
    """Return the one text that stands for a value: keys sorted, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def chained(previous: bytes, game: Game) -> bytes:
    """Return the chain hash of a game after that of the game before, 32 bytes."""
    return hashlib.sha256(previous + _canonical(game._asdict()).encode()).digest()


def line(game: Game, chain: bytes) -> str:
    """Return a game's line, without line feed."""
    return _canonical({**game._asdict(), "chain": chain.hex()})


def read(lines: Iterable[str]) -> Iterator[Game]:
    """
    Yield the games of a ledger, each once its line is found to follow from the lines before.

    Raises:
        LedgerError: a line is no game, is not the game that comes next in the schedule, is of a
            match that stands above, or does not carry the chain hash that follows from it.

    """
    previous = contest = None
    matches: set[str] = set()
    for number, written in enumerate(lines, start=1):
        try:
            game, chain = _parse(written)
        except (RecursionError, ValueError):
            raise LedgerError(number, "is no game of a ledger") from None
        if previous is None or contest is None:
            contest, previous = game.contest, genesis(game.contest)
        if game.contest != contest:
            raise LedgerError(number, f"belongs to contest {game.contest}, not {contest}")
        if game.game != number - 1:
            raise LedgerError(number, f"holds game {game.game} where game {number - 1} is due")
        if game.match in matches:
            raise LedgerError(number, f"game {game.game} is match {game.match} once more")
        matches.add(game.match)
        previous = chained(previous, game)
        if chain != previous:
            raise LedgerError(number, f"game {game.game} does not match its chain hash")
        yield game


_COUNT: Final = whole(0, 10**9)
_IDENTIFIER: Final = text(r"[A-Za-z0-9._-]{1,64}", "1 to 64 letters, digits, `.`, `-` and `_`")
_KIND: Final = text(r"[ -~]{1,64}", "1 to 64 printable ASCII characters")


def _read_faults(kinds: Mapping[str, object]) -> dict[str, int]:
    """Return the faults of one seat."""
    return {_KIND(kind): _COUNT(count) for kind, count in kinds.items()}


_FIELDS: Final[Mapping[str, Reader]] = {
    "contest": _IDENTIFIER,
    "game": _COUNT,
    "block": _COUNT,
    "leg": _COUNT,
    "attempt": _COUNT,
    "match": _IDENTIFIER,
    "seats": listed(read_name, 2, 10),
    "places": listed(_COUNT, 0, 10),
    "points": listed(_COUNT, 0, 10),
    "actions": _COUNT,
    "faults": listed(table(_read_faults), 0, 10),
    "end_us": whole(0, LATEST_US),
    "record": text(r"[0-9a-f]{64}", "32 bytes in lower-case hex"),
    "chain": octets(0, 32),
}
"""What each field of a line may hold."""


def _parse(written: str) -> tuple[Game, bytes]:
    """Return the game and the chain hash a line holds; keys must be exactly those of a game."""
    fields = read_fields(json.loads(written), _FIELDS, _FIELDS)
    chain = fields.pop("chain")
    return Game(**fields), chain
