"""Does time do its work by itself: in memory, out of memory, and after the server was away?"""

from random import Random

import pytest

from lastcard_engine.actions import DRAW
from lastcard_engine.record import EntryKind
from lastcard_server.journal.port import StoreUnavailable
from lastcard_server.matches.alarms import MOST_STALE
from lastcard_server.matches.match import Stage, log_of
from tests.matches.hall import (
    FrailJournal,
    Player,
    answer_to,
    hall,
    pass_time,
    play_on,
    until_durable,
)
from tests.matches.table import ManualClock, accepted, refused, setup_of

OWNER = "key:creator"


async def test_timeouts_fire_by_alarm_and_play_goes_on() -> None:
    """Nobody answers: the match plays itself to its end by its defaults."""
    clock = ManualClock()
    async with hall(FrailJournal(clock), clock) as matches:
        match_id = (await matches.create(OWNER, "r", setup_of(2, action_cap=30))).match_id
        for _ in range(2000):
            match = await matches.get(match_id)
            if match.over:
                break
            due_us = match.due_us()
            assert due_us is not None
            await pass_time(matches, clock, due_us)
        assert match.stage is Stage.FINISHED
        assert match.seats[0].faults.keys() == {"absent"}


async def test_an_answer_that_is_decided_late_is_on_time_by_its_stamp() -> None:
    """Received before the deadline, decided after it, but before the timeout was written."""
    clock, dice = ManualClock(), Random(1)
    async with hall(FrailJournal(clock), clock) as matches:
        match_id = (await matches.create(OWNER, "r", setup_of(2))).match_id
        await play_on(matches, [match_id], clock, dice, rounds=1)
        match = await matches.get(match_id)
        (turn,) = match.turns.values()
        command = answer_to(match, turn, dice, clock)
        command.reply = DRAW
        command.received_us = turn.deadline_us
        clock.us = turn.deadline_us + 80_000
        accepted((await matches.submit([command]))[0])


async def faults_after(player_of: dict[int, str], seats: int = 3) -> list[dict[str, int]]:
    """Return the faults of all seats when the ready turns run out, by what each player did."""
    clock, dice = ManualClock(), Random(1)
    async with hall(FrailJournal(clock), clock) as matches:
        match = await matches.create(OWNER, "r", setup_of(seats))
        for seat, doing in player_of.items():
            sink = Player()
            await matches.subscribe(f"key:{seat}", sink, connection=doing != "polled and left")
            if doing != "stays":
                matches.unsubscribe(f"key:{seat}", sink)
            if doing == "erred":
                command = answer_to(match, match.turns[seat], dice, clock)
                command.reply = 5
                await matches.submit([command])
        await pass_time(matches, clock, clock.us + 11_000_000)
        return [occupant.faults for occupant in (await matches.get(match.match_id)).seats]


async def test_the_kind_of_a_fault_is_told_by_the_connection() -> None:
    """Silent: late; gone: crashed; never heard of: absent; whoever erred: illegal."""
    faults = await faults_after({0: "stays", 1: "left", 2: "erred", 3: "polled and left"}, 5)
    assert faults[:5] == [
        {"late": 1},
        {"crashed": 1},
        {"illegal": 1},
        {"absent": 1},
        {"absent": 1},
    ]


async def test_a_due_match_that_is_not_in_memory_is_taken_up() -> None:
    """After a restart nobody has to ask: the patrol finds what falls due."""
    clock = ManualClock()
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        match_id = (await matches.create(OWNER, "r", setup_of(2))).match_id
    async with hall(journal, clock) as matches:
        assert len(matches) == 0
        await pass_time(matches, clock, clock.us + 11_000_000)
        await matches._runtime.patrol.take_up_due()
        assert len(matches) == 1
        await until_durable(matches)
        assert (await matches.get(match_id)).stage is Stage.RUNNING


async def test_downtime_is_given_back_before_anything_runs_out() -> None:
    """A server that was away for an hour extends the open turn by what it has lost."""
    clock, dice = ManualClock(), Random(1)
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        match_id = (await matches.create(OWNER, "r", setup_of(2))).match_id
        await play_on(matches, [match_id], clock, dice, rounds=1)
        match = await matches.get(match_id)
        (turn,) = match.turns.values()
        await pass_time(matches, clock, clock.us + 2_000_000)
    left_us = turn.deadline_us - clock.us
    clock.us += 3_600_000_000
    async with hall(journal, clock) as matches:
        await until_durable(matches)
        match = await matches.get(match_id)
        (again,) = match.turns.values()
        assert (again.turn, again.deadline_us - clock.us) == (turn.turn, left_us)
        last = (await journal.read(log_of(match_id)))[-1]
        assert last.kind == EntryKind.CLOCK_EXTENDED
        command = answer_to(match, again, dice, clock)
        command.reply, command.received_us = DRAW, clock.us + left_us
        await pass_time(matches, clock, clock.us + left_us)
        accepted((await matches.submit([command]))[0])
        assert match.seats[again.seat].last_answer_ms == 5000


async def test_a_machine_that_stood_still_takes_no_time_from_its_seats() -> None:
    """A gap between signs of life in the same process counts like downtime."""
    clock, dice = ManualClock(), Random(1)
    async with hall(FrailJournal(clock), clock) as matches:
        match_id = (await matches.create(OWNER, "r", setup_of(2))).match_id
        await play_on(matches, [match_id], clock, dice, rounds=1)
        await pass_time(matches, clock, clock.us + 1_000_000)
        match = await matches.get(match_id)
        (turn,) = match.turns.values()
        left_us = turn.deadline_us - clock.us
        clock.us += 60_000_000
        command = answer_to(match, turn, dice, clock)
        command.turn -= 1
        assert refused((await matches.submit([command]))[0]).open_turn == turn.turn
        assert turn.deadline_us - clock.us == left_us, "given back with the first call"
        matches._runtime.custody.timers.alarms.fire()
        await until_durable(matches)
        assert match.turns[turn.seat] is turn
        assert turn.deadline_us - clock.us == left_us


async def test_a_pause_of_a_second_is_not_charged_and_costs_no_downtime_given_back() -> None:
    """A process that stood still for 0.8 s gives it back, besides the hour before its start."""
    clock, dice = ManualClock(), Random(1)
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        match_id = (await matches.create(OWNER, "r", setup_of(2))).match_id
        await play_on(matches, [match_id], clock, dice, rounds=1)
        (turn,) = (await matches.get(match_id)).turns.values()
        left_us = turn.deadline_us - clock.us
        clock.us += 800_000
        matches._runtime._pulse.tick()
        await matches.get(match_id)
        assert turn.deadline_us - clock.us == left_us
    clock.us += 3_600_000_000
    async with hall(journal, clock) as matches:
        clock.us += 800_000
        matches._runtime._pulse.tick()
        (again,) = (await matches.get(match_id)).turns.values()
        assert (again.turn, again.deadline_us - clock.us) == (turn.turn, left_us)


async def test_another_server_that_lived_means_that_nothing_was_lost() -> None:
    """A server that starts beside a living one finds no outage."""
    clock = ManualClock()
    journal = FrailJournal(clock, shared=True)
    async with hall(journal, clock, pod="a") as one:
        match_id = (await one.create(OWNER, "r", setup_of(2))).match_id
        clock.us += 2_000_000
        await one._runtime._pulse.beat()
        async with hall(journal, clock, pod="b") as two:
            await two.get(match_id)
            await until_durable(two)
            assert len(await journal.read(log_of(match_id))) == 1


async def test_timeouts_that_cannot_be_written_are_written_later() -> None:
    """A store that is down when time runs out: the match is read again and goes on after it."""
    clock = ManualClock()
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        match_id = (await matches.create(OWNER, "r", setup_of(2))).match_id
        journal.broken = True
        await pass_time(matches, clock, clock.us + 11_000_000)
        with pytest.raises(StoreUnavailable):
            await journal.append([])
        assert len(await journal.read(log_of(match_id))) == 1
        journal.broken = False
        await matches._runtime.patrol.take_up_due()
        await pass_time(matches, clock, clock.us + 2_000_000)
        assert (await matches.get(match_id)).stage is Stage.RUNNING


async def test_deadlines_of_matches_that_are_over_do_not_pile_up() -> None:
    """However many have ended, few are left of them, and those of the living are all there."""
    clock = ManualClock()
    async with hall(FrailJournal(clock), clock) as matches:
        patient = setup_of(2, start_limit_ms=60_000)
        live = [(await matches.create(OWNER, f"l{n}", patient)).match_id for n in range(3)]
        for number in range(3 * MOST_STALE):
            match = await matches.create(OWNER, f"r{number}", patient)
            await matches.cancel(match.match_id, OWNER)
            assert matches.sizes.deadlines <= 2 * (len(live) + 1) + MOST_STALE
        await pass_time(matches, clock, clock.us + 60_000_000)
        await pass_time(matches, clock, clock.us + 1_000_000)
        for match_id in live:
            assert (await matches.get(match_id)).seats[0].faults == {"absent": 1}
