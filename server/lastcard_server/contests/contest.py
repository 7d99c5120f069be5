"""
Where does a contest stand, and what has to be done next?

A contest is a log: created, started, one entry a finished game, ended. `Contest` is the fold of its
entries and `next_steps` a pure function of it, so any server that has read the log goes on where
another stopped. Results count by whole blocks in schedule order, whatever order games finish in.
The file must never know a clock, a store or how a match is played.
"""

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from lastcard_server.contests.ledger import Game, chained, genesis
from lastcard_server.contests.schedule import Plan, Slot
from lastcard_server.contests.spec import Spec, from_plain
from lastcard_server.journal.entry import Entry, Head
from lastcard_server.journal.entry import genesis as log_genesis


class Kind(StrEnum):
    """What an entry of a contest says happened."""

    CREATED = "created"
    STARTED = "started"
    GAME = "game"
    BLOCK_VOIDED = "block_voided"
    """A game ended without a result; its whole block is played anew."""
    ENDED = "ended"


class Stage(StrEnum):
    """Where a contest stands."""

    CREATED = "created"
    RUNNING = "running"
    FINISHED = "finished"


class Result(NamedTuple):
    """How a game ended. Sequences are in seat order; see `ledger.Game`."""

    match: str
    places: tuple[int, ...]
    points: tuple[int, ...]
    actions: int
    decisions: int
    """Accepted answers to turns with at least two actions, reactions not counted."""
    faults: tuple[Mapping[str, int], ...]
    end_us: int
    record: str


class StartBlock(NamedTuple):
    """The step: the games of this block have to be running; starting them twice is harmless."""

    block: int
    attempt: int


class End(NamedTuple):
    """The step: every game is finished, the contest has to be ended."""


Step = StartBlock | End


class LedgerRow(NamedTuple):
    """A game of a complete block with its chain hash."""

    game: Game
    chain: bytes


class Contest:
    """
    The fold of a contest's log.

    `ledger` holds the games of complete blocks up to the first incomplete one: what counts.
    """

    def __init__(self, contest_id: str) -> None:
        self.contest_id = contest_id
        self.head: Head = log_genesis(log_name(contest_id))
        self.stage = Stage.CREATED
        self.spec: Spec
        self.plan: Plan
        self.creator = ""
        self.created_us = 0
        self.ledger: list[LedgerRow] = []
        self.waiting: dict[int, tuple[int, Result]] = {}
        """Attempt and result of finished games that do not count yet."""
        self.decisions = 0
        self._attempts: dict[int, int] = {}

    @property
    def finished_games(self) -> int:
        """Games finished, counted or not."""
        return len(self.ledger) + len(self.waiting)

    @property
    def counted_blocks(self) -> int:
        """Complete blocks in schedule order up to the first incomplete one."""
        return len(self.ledger) // self.plan.legs

    def attempt(self, block: int) -> int:
        """Return how often a block was voided."""
        return self._attempts.get(block, 0)

    def wants(self, slot: Slot, attempt: int) -> bool:
        """Tell whether the result of this attempt at a game is still missing."""
        counted = slot.game < len(self.ledger) or slot.game in self.waiting
        return not counted and attempt == self.attempt(slot.block)

    def fold(self, entry: Entry) -> None:
        """Take in the next entry of the log."""
        body = json.loads(entry.body) if entry.body else {}
        match Kind(entry.kind):
            case Kind.CREATED:
                self._create(entry, body)
            case Kind.STARTED:
                self.stage = Stage.RUNNING
            case Kind.GAME:
                self._finish(body)
            case Kind.BLOCK_VOIDED:
                self._void(body["block"])
            case Kind.ENDED:
                self.stage = Stage.FINISHED
        self.head = entry.head

    def _create(self, entry: Entry, body: Mapping[str, Any]) -> None:
        """Take over what is played, and by whom."""
        self.spec = from_plain(body["spec"])
        self.plan = self.spec.plan()
        self.creator = body["creator"]
        self.created_us = entry.time_us

    def _finish(self, body: Mapping[str, Any]) -> None:
        """Note a result, then count every block that is complete and in line."""
        attempt, result = _read_game(body)
        self.waiting[body["game"]] = attempt, result
        self.decisions += result.decisions
        legs = self.plan.legs
        while all(len(self.ledger) + leg in self.waiting for leg in range(legs)):
            for _ in range(legs):
                self._count(len(self.ledger))

    def _count(self, game: int) -> None:
        """Move a game from those waiting into the ledger."""
        attempt, result = self.waiting.pop(game)
        slot = self.plan.slot(game)
        row = Game(
            contest=self.contest_id,
            game=slot.game,
            block=slot.block,
            leg=slot.leg,
            attempt=attempt,
            match=result.match,
            seats=tuple(self.spec.entrants[entrant].name for entrant in slot.seats),
            places=result.places,
            points=result.points,
            actions=result.actions,
            faults=result.faults,
            end_us=result.end_us,
            record=result.record,
        )
        previous = self.ledger[-1].chain if self.ledger else genesis(self.contest_id)
        self.ledger.append(LedgerRow(row, chained(previous, row)))

    def _void(self, block: int) -> None:
        """Forget a block's results; its next attempt is dealt from another secret."""
        self._attempts[block] = self.attempt(block) + 1
        for slot in self.plan.block(block):
            self.waiting.pop(slot.game, None)


def next_steps(contest: Contest) -> tuple[Step, ...]:
    """
    Return what has to be done now; it follows from the log alone.

    The blocks that have to be running are the first incomplete ones in schedule order, as many as
    leave no more games unfinished than may run at once, and at least one.
    """
    if contest.stage is not Stage.RUNNING:
        return ()
    if contest.counted_blocks == contest.plan.block_count:
        return (End(),)
    steps: list[StartBlock] = []
    room = contest.spec.concurrency
    for block in range(contest.counted_blocks, contest.plan.block_count):
        unfinished = sum(slot.game not in contest.waiting for slot in contest.plan.block(block))
        if unfinished > room and steps:
            break
        room -= unfinished
        if unfinished:
            steps.append(StartBlock(block, contest.attempt(block)))
    return tuple(steps)


class Ending(NamedTuple):
    """A game's match is over; without a result where it was cancelled or its history was lost."""

    slot: Slot
    attempt: int
    result: Result | None


def decide(contest: Contest, endings: Iterable[Ending]) -> list[tuple[Kind, dict[str, Any]]]:
    """
    Return the entries, as kind and body, that endings of games lead to.

    Endings that are known already, or belong to an attempt that is void, lead to none.
    """
    news = {e.slot.game: e for e in endings if contest.wants(e.slot, e.attempt)}
    void = {e.slot.block: e.attempt for e in news.values() if e.result is None}
    return [
        *((Kind.BLOCK_VOIDED, {"block": block, "attempt": void[block]}) for block in sorted(void)),
        *(
            (Kind.GAME, {"game": game, "attempt": e.attempt, **e.result._asdict()})
            for game, e in sorted(news.items())
            if e.result is not None and e.slot.block not in void
        ),
    ]


def log_name(contest_id: str) -> str:
    """Return the name of a contest's log."""
    return f"contest/{contest_id}"


def _read_game(body: Mapping[str, Any]) -> tuple[int, Result]:
    """Return attempt and result from the body of a game's entry."""
    result = Result(
        match=body["match"],
        places=tuple(body["places"]),
        points=tuple(body["points"]),
        actions=body["actions"],
        decisions=body["decisions"],
        faults=tuple(body["faults"]),
        end_us=body["end_us"],
        record=body["record"],
    )
    return body["attempt"], result
