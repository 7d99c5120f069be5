"""Does what a contest does next follow from its log alone, whoever wrote it and when?"""

import json
from random import Random

import pytest

from lastcard_server.contests.contest import (
    Contest,
    End,
    Ending,
    Kind,
    Result,
    Stage,
    StartBlock,
    decide,
    log_name,
    next_steps,
)
from lastcard_server.contests.ledger import line, read
from lastcard_server.contests.schedule import Slot
from lastcard_server.contests.spec import Spec, from_plain, plain
from lastcard_server.journal.entry import Entry, chained, genesis
from tests.contests.fakes import a_spec

CONTEST = "c" * 26


class Log:
    """A log and the contest folded from it."""

    def __init__(self, spec: Spec) -> None:
        self.entries: list[Entry] = []
        self.contest = Contest(CONTEST)
        self.add(Kind.CREATED, {"creator": "key:k", "spec": plain(spec)})
        self.add(Kind.STARTED, {})

    def add(self, kind: Kind, body: object) -> None:
        """Append an entry and fold it."""
        head = self.entries[-1].head if self.entries else genesis(log_name(CONTEST))
        entry = chained(head, kind, 1_000_000 + head.version, body=json.dumps(body))
        self.entries.append(entry)
        self.contest.fold(entry)

    def end(self, *endings: Ending) -> None:
        """Write down endings of games."""
        for kind, body in decide(self.contest, endings):
            self.add(kind, body)

    def read_again(self) -> Contest:
        """Return what another server makes of the log."""
        contest = Contest(CONTEST)
        for entry in self.entries:
            contest.fold(entry)
        return contest


def won(slot: Slot, attempt: int = 0, winner: int = 0) -> Ending:
    """Return an ending in which one seat wins 30 points."""
    seats = range(len(slot.seats))
    result = Result(
        match=f"m{slot.game}.{attempt}",
        places=tuple(1 if seat == winner else 2 for seat in seats),
        points=tuple(30 if seat == winner else 0 for seat in seats),
        actions=44,
        decisions=40,
        faults=tuple({} for _ in seats),
        end_us=5,
        record="5a" * 32,
    )
    return Ending(slot, attempt, result)


def test_nothing_is_done_before_the_start() -> None:
    """A contest that is only created has no steps."""
    log = Log(a_spec())
    fresh = Contest(CONTEST)
    fresh.fold(log.entries[0])
    assert fresh.stage is Stage.CREATED
    assert next_steps(fresh) == ()


@pytest.mark.parametrize(
    ("concurrency", "blocks"), [(4, 1), (7, 1), (8, 2), (11, 2), (16, 4), (4096, 6)]
)
def test_the_first_blocks_that_fit_are_started(concurrency: int, blocks: int) -> None:
    """As many blocks run as leave no more games unfinished than may run at once."""
    log = Log(a_spec(blocks=6, concurrency=concurrency))
    assert next_steps(log.contest) == tuple(StartBlock(block, 0) for block in range(blocks))


def test_a_finished_leg_makes_room_only_when_a_block_fits() -> None:
    """Blocks are started whole: with eight games at once the third waits for four endings."""
    log = Log(a_spec(blocks=3, concurrency=8))
    for block, leg in [(0, 0), (1, 3), (1, 0)]:
        log.end(won(list(log.contest.plan.block(block))[leg]))
        assert len(next_steps(log.contest)) == 2
    log.end(won(list(log.contest.plan.block(0))[1]))
    assert next_steps(log.contest) == tuple(StartBlock(block, 0) for block in range(3))


def test_games_count_by_whole_block_in_schedule_order() -> None:
    """A later block that is complete waits for the earlier one; the ledger is in schedule order."""
    log = Log(a_spec(blocks=2, concurrency=8))
    first, second = (list(log.contest.plan.block(block)) for block in range(2))
    log.end(*map(won, second))
    assert (log.contest.finished_games, log.contest.counted_blocks) == (4, 0)
    log.end(*map(won, first[1:]))
    assert (log.contest.finished_games, log.contest.counted_blocks) == (7, 0)
    log.end(won(first[0]))
    assert (log.contest.finished_games, log.contest.counted_blocks) == (8, 2)
    assert [row.game.game for row in log.contest.ledger] == list(range(8))
    assert next_steps(log.contest) == (End(),)
    log.add(Kind.ENDED, {})
    assert next_steps(log.contest) == ()


def test_a_game_without_result_voids_its_block() -> None:
    """All legs of the block are played again under the next attempt; other blocks are untouched."""
    log = Log(a_spec(blocks=2, concurrency=8))
    first, second = (list(log.contest.plan.block(block)) for block in range(2))
    log.end(won(first[0]), won(second[0]))
    log.end(won(first[1]), Ending(first[2], 0, None))
    assert next_steps(log.contest) == (StartBlock(0, 1), StartBlock(1, 0))
    assert log.contest.finished_games == 1
    log.end(won(first[3]), Ending(first[2], 0, None))
    assert log.contest.finished_games == 1, "endings of the void attempt change nothing"
    log.end(*(won(slot, attempt=1) for slot in first))
    assert [row.game.attempt for row in log.contest.ledger] == [1] * 4
    assert [row.game.match for row in log.contest.ledger] == [f"m{game}.1" for game in range(4)]


def test_an_ending_counts_once() -> None:
    """The same ending told twice, at once or later, leads to one entry."""
    log = Log(a_spec())
    slot = log.contest.plan.slot(2)
    assert len(decide(log.contest, [won(slot), won(slot)])) == 1
    log.end(won(slot))
    assert decide(log.contest, [won(slot, winner=1)]) == []
    assert decide(log.contest, [Ending(slot, 0, None)]) == []


@pytest.mark.parametrize("seed", range(12))
def test_any_order_of_endings_gives_the_same_counted_games(seed: int) -> None:
    """
    Whatever order games end in and however often servers change, every game counts once.

    Nothing but the log is carried over, never more games run than may, and what is counted does not
    depend on the order of the endings.
    """
    random = Random(seed)
    entrants, seats = random.choice([(4, 4), (5, 3), (3, 2), (2, 2)])
    spec = a_spec(entrants=entrants, seats=seats, blocks=4, concurrency=seats * 2)
    log = Log(spec)
    contest, steps = log.contest, next_steps(log.contest)
    while steps and steps != (End(),):
        running = [
            (slot, step.attempt)
            for step in steps
            if isinstance(step, StartBlock)
            for slot in contest.plan.block(step.block)
            if contest.wants(slot, step.attempt)
        ]
        assert 0 < len(running) <= spec.concurrency
        slot, attempt = random.choice(running)
        log.end(won(slot, attempt, winner=slot.game % seats))
        contest = log.read_again()
        assert next_steps(contest) == next_steps(log.contest)
        assert contest.ledger == log.contest.ledger
        steps = next_steps(contest)
    rows = contest.ledger
    assert [row.game.game for row in rows] == list(range(contest.plan.game_count))
    assert all(row.game.points[row.game.game % seats] == 30 for row in rows)
    assert list(read(line(*row) for row in rows)) == [row.game for row in rows]


def test_a_spec_is_read_as_it_was_written() -> None:
    """What the first entry holds is the whole spec, seat map included."""
    spec = a_spec(entrants=5, seats=3)
    assert from_plain(json.loads(json.dumps(plain(spec)))) == spec


def test_entrants_keep_their_number_in_all_legs_of_a_block() -> None:
    """A seat's entrant number belongs to the entrant, so that its nonce serves every leg."""
    spec = a_spec(entrants=6, seats=3)
    for block in range(spec.plan().block_count):
        numbers = [
            {seat.name: seat.entrant for seat in spec.setup(slot.seats).seats}
            for slot in spec.plan().block(block)
        ]
        assert all(number == numbers[0] for number in numbers)
        assert sorted(numbers[0].values(), key=str) == [0, 1, 2]
