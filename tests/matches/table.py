"""Matches for tests: a clock that is set by hand, keys, setups, and a table that plays itself."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from lastcard_engine.actions import Action, Catch
from lastcard_engine.hashing import REVISION
from lastcard_engine.presets import make_rules
from lastcard_engine.settings import Absence, Reactions, Settings
from lastcard_server.errors import Refusal
from lastcard_server.journal.entry import Entry
from lastcard_server.matches import deals, seating
from lastcard_server.matches.commands import Accepted, Answer, Outcome, OutOfTurnAct
from lastcard_server.matches.creation import Creation
from lastcard_server.matches.deciding import decide
from lastcard_server.matches.folding import replay
from lastcard_server.matches.history import HistorySeal
from lastcard_server.matches.match import Match
from lastcard_server.matches.setup import Clocks, MatchSetup, SeatSetup
from lastcard_server.matches.timing import Fault, expire
from lastcard_server.matches.turns import OpenTurn, Ready, TurnKind
from lastcard_server.secrets import ServerKeys

START_US = 1_800_000_000_000_000
KEYS = ServerKeys({"k1": bytes(range(32))})
MATCH_ID = KEYS.match_id("key:creator", "test")


class ManualClock:
    """A clock that moves when it is told to."""

    def __init__(self, now_us: int = START_US) -> None:
        self.us = now_us

    def now_us(self) -> int:
        """Return the time."""
        return self.us

    def advance(self, milliseconds: float) -> int:
        """Move on and return the time."""
        self.us += round(milliseconds * 1000)
        return self.us


def seal() -> HistorySeal:
    """Return a seal as every server with `KEYS` has."""
    return HistorySeal(KEYS.history_key(), 7)


def setup_of(
    seats: int = 4,
    *,
    preset: str = "standard_no",
    overrides: dict[str, Any] | None = None,
    reactions: Reactions = Reactions.POLLED,
    absence: Absence = Absence.PLAY_DEFAULT,
    rounds: int = 0,
    action_cap: int = 250,
    entrants: Sequence[int] | None = None,
    open_seats: int = 0,
    **clocks: int,
) -> MatchSetup:
    """Return a setup whose seats are reserved for key:0, key:1, ...; the last ones may be open."""
    taken = [
        SeatSetup(owner=f"key:{n}", name=f"player {n}", entrant=entrants[n] if entrants else None)
        for n in range(seats - open_seats)
    ]
    return MatchSetup(
        rules=make_rules(preset, overrides or {}),
        preset=preset,
        seats=(*taken, *[SeatSetup()] * open_seats),
        settings=Settings(reactions, absence, action_cap, rounds),
        clocks=Clocks(**clocks),
    )


class Table:
    """A match without a registry, its log so far, and a clock."""

    def __init__(self, setup: MatchSetup, *, match_id: str = MATCH_ID, random: bytes = b"") -> None:
        self.clock = ManualClock()
        self.match = Match(match_id, KEYS, seal())
        self.log: list[Entry] = []
        pool = deals.Pool(match_id, "k1", (random or b"deal").ljust(32, b"."))
        deal = deals.new_deal(KEYS, pool)
        creation = Creation("key:creator", setup, deal, REVISION)
        seating.create(self.match, creation, "test", self.clock.us)

    def saved(self) -> list[Entry]:
        """Take the unsaved entries into the log and return the whole log."""
        self.log += self.match.unsaved
        self.match.unsaved = []
        return self.log

    def replayed(self, upto: int | None = None) -> Match:
        """Return the match that the log tells of, or its first entries."""
        return replay(self.match.match_id, self.saved()[:upto], KEYS, seal())

    def owner(self, seat: int) -> str:
        """Return who holds a seat."""
        return self.match.seats[seat].owner

    def answer(
        self,
        seat: int,
        reply: int | Action | Ready | Refusal = 0,
        *,
        uno: bool = False,
        turn: int | None = None,
        received_us: int | None = None,
        **more: Any,
    ) -> Outcome:
        """Answer the open turn of a seat, or another one, now or at another time."""
        number = self.match.turns[seat].turn if turn is None else turn
        stamp = self.clock.us if received_us is None else received_us
        fields = more if "owner" in more else {"owner": self.owner(seat)} | more
        command = Answer(self.match.match_id, seat, number, reply, uno, received_us=stamp, **fields)
        return decide(self.match, command)

    def act(self, seat: int, action: Action, request_id: str, **more: Any) -> Outcome:
        """Act out of turn in the window that is open."""
        fields: dict[str, Any] = {
            "window": self.match.window,
            "uno": False,
            "owner": self.owner(seat),
            "received_us": self.clock.us,
        }
        fields |= more
        command = OutOfTurnAct(
            match_id=self.match.match_id,
            seat=seat,
            action=action,
            request_id=request_id,
            **fields,
        )
        return decide(self.match, command)

    def expire(self, fault: Fault = Fault.LATE) -> None:
        """Let what is due happen, and move the clock to where it is."""
        due_us = self.match.due_us()
        assert due_us is not None
        self.clock.us = max(self.clock.us, due_us)
        expire(self.match, self.clock.us, lambda _seat: fault)

    def ready(self) -> None:
        """Answer every ready turn."""
        for seat in list(self.match.turns):
            accepted(self.answer(seat, Ready()))

    def step(self, dice: Random) -> None:
        """Let one seat that is asked answer at random, or time pass where nobody is."""
        self.clock.advance(dice.randrange(40))
        if not self.match.turns:
            self.expire()
            return
        seat = dice.choice(sorted(self.match.turns))
        turn = self.match.turns[seat]
        if turn.kind is TurnKind.READY:
            accepted(self.answer(seat, Ready(dice.randbytes(8))))
        else:
            accepted(self.answer(seat, quick_choice(turn, dice), uno=dice.random() < 0.5))

    def play(self, until: Callable[[Match], bool], seed: int = 1) -> Match:
        """Play at random until something is so, and return the match."""
        dice = Random(seed)
        for _ in range(5000):
            if until(self.match):
                return self.match
            assert not self.match.over, "the match ended before"
            self.step(dice)
        raise AssertionError("it never came about")


def quick_choice(turn: OpenTurn, dice: Random) -> int:
    """Return a choice at random, of those that bring the match to an end soon."""
    plays = [n for n, action in enumerate(turn.actions) if not isinstance(action, Catch)]
    return dice.choice(plays[:-1] or plays) if turn.kind is TurnKind.PLAY else dice.choice(plays)


def accepted(outcome: Outcome) -> Accepted:
    """Return an outcome that must be an acceptance."""
    assert isinstance(outcome, Accepted), f"{outcome!r}"
    return outcome


def refused(outcome: Outcome) -> Refusal:
    """Return an outcome that must be a refusal."""
    assert isinstance(outcome, Refusal), f"{outcome!r}"
    return outcome
