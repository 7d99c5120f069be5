"""Do records prove what was played, and stay closed as long as they have to?"""

from random import Random

import pytest

from lastcard_engine.errors import RecordError
from lastcard_engine.record import read_record, replay, verify
from lastcard_server.errors import Reason, Refusal
from lastcard_server.matches import folding, seating
from lastcard_server.matches.record import open_record, record_of
from tests.matches.hall import FrailJournal, hall, play_on
from tests.matches.table import KEYS, ManualClock, Table, seal, setup_of
from tests.matches.test_groups import GROUP, IDS, LEGS, OWNER
from tests.matches.wild import SETUPS, last, wild


@pytest.mark.parametrize("name", SETUPS)
def test_the_record_of_any_match_verifies_and_replays_to_the_same_state(name: str) -> None:
    """Whatever happened at the table, the engine alone comes to the same end from the record."""
    table = last(wild(SETUPS[name], 6))
    record = record_of(table.match, table.saved(), 0)
    final = verify(record)
    assert table.match.state is not None
    assert final.totals == table.match.state.totals
    assert [step.entry.version for step in replay(record)] == list(range(1, len(table.log) + 1))


def test_a_record_with_one_action_changed_is_refused_at_that_entry_or_after_it() -> None:
    """Another card laid cannot lead to what follows."""
    table = last(wild(SETUPS["polled"], 6))
    record = record_of(table.match, table.saved(), 0)
    at = next(n for n, entry in enumerate(record.entries) if entry.kind == "action")
    dropped = record.entries[:at] + record.entries[at + 1 :]
    with pytest.raises(RecordError):
        verify(record.__class__(**{**vars(record), "entries": dropped}))


async def test_a_record_opens_with_the_end_of_a_lone_match() -> None:
    """Before it RECORD_CLOSED; after it the text verifies."""
    clock, dice = ManualClock(), Random(4)
    async with hall(FrailJournal(clock), clock) as matches:
        match_id = (await matches.create(OWNER, "r", setup_of(3))).match_id
        with pytest.raises(Refusal) as caught:
            await matches.record(match_id)
        assert caught.value.reason is Reason.RECORD_CLOSED
        await play_on(matches, [match_id], clock, dice)
        record = read_record((await matches.record(match_id)).decode())
        assert (record.match_id, record.group, record.leg) == (match_id, "", 0)
        assert verify(record).over


async def test_the_log_says_whether_a_match_is_over() -> None:
    """What ended in memory alone, since its log was damaged, may go on: its hands stay hidden."""
    clock = ManualClock()
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        created = await matches.create(OWNER, "r", setup_of(3))
        entries = await journal.read(created.log)
        torso = folding.replay(created.match_id, entries, KEYS, seal())
        seating.freeze(torso, clock.now_us())
        assert torso.over
        with pytest.raises(Refusal) as caught:
            await open_record(journal, torso)
        assert caught.value.reason is Reason.RECORD_CLOSED


async def test_the_records_of_a_group_open_with_its_last_leg() -> None:
    """As long as one leg runs the records of all are closed; then each tells its leg."""
    clock, dice = ManualClock(), Random(4)
    async with hall(FrailJournal(clock), clock) as matches:
        await matches.create_group(OWNER, GROUP, LEGS)
        for match_id in IDS:
            with pytest.raises(Refusal) as caught:
                await matches.record(IDS[0])
            assert caught.value.reason is Reason.RECORD_CLOSED
            await play_on(matches, [match_id], clock, dice)
        records = [read_record((await matches.record(match_id)).decode()) for match_id in IDS]
        assert [(record.group, record.leg) for record in records] == [(GROUP, n) for n in range(3)]
        assert len({record.secret for record in records}) == 1
        assert all(verify(record).over for record in records)


def test_a_match_cancelled_before_the_start_has_a_record() -> None:
    """Nothing was dealt; the commitment still holds."""
    table = Table(setup_of(3, open_seats=1))
    record = record_of(table.match, table.saved(), 0)
    assert verify(record).round_number == 0
