"""Do snapshots reach the journal beside the play, never before what they tell of is durable?"""

import asyncio
import logging
from collections.abc import Sequence
from random import Random

import pytest

from lastcard_engine.record import EntryKind
from lastcard_server.errors import Refusal
from lastcard_server.journal.entry import Entry
from lastcard_server.journal.port import Snapshot, StoreUnavailable
from lastcard_server.matches import saving, snapshots
from lastcard_server.matches.folding import replay
from lastcard_server.matches.match import Match, log_of
from lastcard_server.matches.registry import Leg, Matches
from lastcard_server.matches.snapshots import taken
from tests.matches.hall import FrailJournal, answer_to, hall, play_on, until_durable
from tests.matches.table import KEYS, ManualClock, seal, setup_of
from tests.matches.wild import picture

OWNER = "key:creator"
SETUP = setup_of(3, rounds=6, overrides={"scoring": "winner_takes", "target_points": 5000})


@pytest.fixture(autouse=True)
def _at_every_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a snapshot before nearly every round."""
    monkeypatch.setattr(snapshots, "EVERY", 1)


class KeepingJournal(FrailJournal):
    """A journal that notes which snapshots it was given and from where it was read."""

    def __init__(self, clock: ManualClock, *, shared: bool = False) -> None:
        super().__init__(clock, shared=shared)
        self.saved: list[Snapshot] = []
        self.has_saved = asyncio.Event()
        self.full = False
        self.reads: list[int] = []

    async def save_snapshot(self, log: str, snapshot: Snapshot) -> None:
        """Save and note, unless full."""
        if self.full:
            raise StoreUnavailable("no space is left")
        self.saved.append(snapshot)
        self.has_saved.set()
        await super().save_snapshot(log, snapshot)

    async def read(self, log: str, after: int = 0) -> list[Entry]:
        """Note after which version is read."""
        self.reads.append(after)
        return await super().read(log, after)


def whole(match_id: str, log: Sequence[Entry]) -> Match:
    """Return the match that a whole log tells of."""
    return replay(match_id, log, KEYS, seal())


def newest(log: Sequence[Entry]) -> int:
    """Return the version of the newest snapshot of a log: each takes a quarter more entries."""
    kept = 0
    for entry in log:
        before = entry.version - 1
        if entry.kind == EntryKind.ROUND_STARTED and before - kept >= before // 4:
            kept = before
    return kept


async def to_round(matches: Matches, match_id: str, clock: ManualClock, number: int) -> Match:
    """Play until a round of this number is under way."""
    dice = Random(number)
    for _ in range(500):
        match = await matches.get(match_id)
        if match.state is not None and match.state.round_number >= number:
            return match
        await play_on(matches, [match_id], clock, dice, rounds=1)
    raise AssertionError("the round never comes")


async def test_a_server_goes_on_from_the_snapshot_of_another() -> None:
    """It reads what came after it, and plays to the same end as the log tells."""
    clock = ManualClock()
    journal = KeepingJournal(clock)
    async with hall(journal, clock) as matches:
        match_id = (await matches.create(OWNER, "r", SETUP)).match_id
        await to_round(matches, match_id, clock, 3)
        await matches._runtime.custody.snapshots.save()
    snapshot = await journal.snapshot(log_of(match_id))
    assert snapshot is not None
    log = await journal.read(log_of(match_id))
    before = whole(match_id, log[: snapshot.version])
    assert before.state is not None
    assert snapshot.version == newest(log)
    assert snapshot == taken(before, before.state)
    journal.reads.clear()
    async with hall(journal, clock) as matches:
        match = await matches.get(match_id)
        assert journal.reads == [snapshot.version - 1]
        assert picture(match) == picture(whole(match_id, log))
        await play_on(matches, [match_id], clock, Random(1))
        over = await matches.get(match_id)
        assert picture(over) == picture(whole(match_id, await journal.read(log_of(match_id))))
        assert await matches.record(match_id)


async def test_nothing_is_kept_of_what_is_not_durable() -> None:
    """While the append is under way nothing is handed over, and after a lost one nothing either."""
    clock = ManualClock()
    journal = KeepingJournal(clock)
    async with hall(journal, clock) as matches:
        match_id = (await matches.create(OWNER, "r", SETUP)).match_id
        match = await to_round(matches, match_id, clock, 1)
        await matches._runtime.custody.snapshots.save()
        journal.saved.clear()
        journal.open_gate.clear()
        pending = []
        while match.snapshot is None:
            turn = next(iter(match.turns.values()))
            command = answer_to(match, turn, Random(match.version), clock)
            pending.append(asyncio.create_task(matches.submit([command])))
            await asyncio.sleep(0)
        await matches._runtime.custody.snapshots.save()
        assert journal.saved == []
        journal.broken = True
        journal.open_gate.set()
        await asyncio.gather(*pending)
        await until_durable(matches)
        await matches._runtime.custody.snapshots.save()
        assert journal.saved == []
        journal.broken = False
        await to_round(matches, match_id, clock, 2)
        await matches._runtime.custody.snapshots.save()
        assert len(journal.saved) == 1


async def test_a_store_that_keeps_no_snapshots_disturbs_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What could not be saved is forgotten; play goes on, and the next one is saved."""
    caplog.set_level(logging.INFO)
    clock = ManualClock()
    journal = KeepingJournal(clock)
    async with hall(journal, clock) as matches:
        match_id = (await matches.create(OWNER, "r", SETUP)).match_id
        journal.full = True
        await to_round(matches, match_id, clock, 2)
        await matches._runtime.custody.snapshots.save()
        assert "a snapshot could not be saved: no space is left" in caplog.text
        assert journal.saved == []
        journal.full = False
        await matches._runtime.custody.snapshots.save()
        assert journal.saved == []
        await to_round(matches, match_id, clock, 4)
        await matches._runtime.custody.snapshots.save()
        assert len(journal.saved) == 1
        assert not matches.broken.is_set()


async def test_a_match_that_is_over_is_not_kept() -> None:
    """Nobody goes on with it."""
    clock = ManualClock()
    journal = KeepingJournal(clock)
    async with hall(journal, clock) as matches:
        match_id = (await matches.create(OWNER, "r", SETUP)).match_id
        match = await to_round(matches, match_id, clock, 2)
        assert len(matches._runtime.custody.snapshots._waiting) == 1
        await matches._runtime.custody.snapshots.save()
        kept = journal.saved.pop()
        await matches.cancel(match_id, OWNER)
        match.snapshot = kept
        matches._runtime.custody.snapshots.landed(match)
        await matches._runtime.custody.snapshots.save()
        assert journal.saved == []
        assert match.snapshot is None


async def test_snapshots_are_saved_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The task of the server sees to it, without anybody's call."""
    monkeypatch.setattr(saving, "EVERY_SECONDS", 0.0)
    clock = ManualClock()
    journal = KeepingJournal(clock)
    async with hall(journal, clock) as matches, asyncio.timeout(20):
        match_id = (await matches.create(OWNER, "r", SETUP)).match_id
        for number in (2, 4):
            journal.has_saved.clear()
            await to_round(matches, match_id, clock, number)
            await journal.has_saved.wait()


async def test_a_leg_of_a_deal_group_goes_on_from_a_snapshot() -> None:
    """It deals what the group's log fixed, and its record stays closed until all legs are over."""
    clock = ManualClock()
    journal = KeepingJournal(clock)
    ids = [KEYS.game_id("c", 0, leg, 0) for leg in range(2)]
    async with hall(journal, clock) as matches:
        await matches.create_group(OWNER, "contest/0/0", [Leg(leg, SETUP) for leg in ids])
        await play_on(matches, ids, clock, Random(2), rounds=1)
        await until_durable(matches)
        await to_round(matches, ids[0], clock, 3)
        await matches._runtime.custody.snapshots.save()
    snapshot = await journal.snapshot(log_of(ids[0]))
    assert snapshot is not None
    assert snapshot.version > 50
    async with hall(journal, clock) as matches:
        journal.reads.clear()
        match = await matches.get(ids[0])
        assert journal.reads == [snapshot.version - 1]
        assert match.grouped
        assert picture(match) == picture(whole(ids[0], await journal.read(log_of(ids[0]))))
        with pytest.raises(Refusal, match="closed until every match"):
            await matches.record(ids[0])
        await play_on(matches, ids, clock, Random(1))
        assert await matches.record(ids[0])
