"""Do the legs of a deal group share one deal, closed until the last of them is over?"""

import dataclasses
from random import Random

import pytest

from lastcard_engine.dealing import commitment
from lastcard_engine.events import RoundEnded
from lastcard_server.errors import Reason, Refusal
from lastcard_server.matches import deals, groups
from lastcard_server.matches.match import Match, Stage
from lastcard_server.matches.registry import Leg, Matches
from lastcard_server.matches.setup import MatchSetup
from lastcard_server.matches.turns import Ready
from tests.matches.hall import (
    FrailJournal,
    Player,
    answer_to,
    hall,
    pass_time,
    play_on,
    until_durable,
)
from tests.matches.table import KEYS, ManualClock, setup_of

OWNER = "key:creator"
GROUP = "contest/0/0"


def leg_setup(row: tuple[int, ...]) -> MatchSetup:
    """Return a leg in which entrant n, who holds key:n, sits where the row says."""
    setup = setup_of(len(row), entrants=row, rounds=2, overrides={"scoring": "winner_takes"})
    seats = [
        dataclasses.replace(seat, owner=f"key:{entrant}", name=f"entrant {entrant}")
        for seat, entrant in zip(setup.seats, row, strict=True)
    ]
    return dataclasses.replace(setup, seats=tuple(seats))


ROWS = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
LEGS = [Leg(KEYS.game_id("c", 0, leg, 0), leg_setup(row)) for leg, row in enumerate(ROWS)]
IDS = [leg.match_id for leg in LEGS]


async def ready(
    matches: Matches, match: Match, nonces: dict[int, bytes], clock: ManualClock
) -> None:
    """Answer the ready turns of a leg, each entrant with its nonce."""
    commands = []
    for turn in match.turns.values():
        command = answer_to(match, turn, Random(1), clock)
        command.reply = Ready(nonces.get(match.setup.entrants[turn.seat], b""))
        commands.append(command)
    await matches.submit(commands)


async def test_all_legs_have_one_deal_under_commitments_of_their_own() -> None:
    """One secret and one key for all legs; commitments and salts differ and hold."""
    clock = ManualClock()
    async with hall(FrailJournal(clock), clock) as matches:
        created = await matches.create_group(OWNER, GROUP, LEGS)
        for match in created:
            await ready(matches, match, {0: b"zero"}, clock)
        await until_durable(matches)
        states = [match.state for match in created]
        assert {match.stage for match in created} == {Stage.RUNNING}
        assert len({state.deal_key for state in states if state}) == 1
        assert {match.nonces for match in created} == {(b"zero", b"", b"")}
        secret = created[0].deal.pool.secret(KEYS)
        assert len({match.commitment for match in created}) == 3
        for match in created:
            assert match.commitment == commitment(secret, match.deal.salt)
        hands = [sorted(map(tuple, state.hands)) for state in states if state]
        assert hands[0] == hands[1] == hands[2]


async def test_the_first_nonce_of_an_entrant_serves_all_legs() -> None:
    """Later nonces are accepted and ignored, whichever leg is ready first."""
    clock = ManualClock()
    async with hall(FrailJournal(clock), clock) as matches:
        one, two, three = await matches.create_group(OWNER, GROUP, LEGS)
        for leg, entrant, nonce in (
            (two, 1, b"first of one"),
            (one, 2, b"first of two"),
            (three, 2, b"second of two"),
        ):
            seat = leg.setup.entrants.index(entrant)
            command = answer_to(leg, leg.turns[seat], Random(1), clock)
            command.reply = Ready(nonce)
            await matches.submit([command])
            clock.advance(5)
        await ready(matches, one, {1: b"second of one"}, clock)
        await until_durable(matches)
        await ready(matches, two, {0: b"too late"}, clock)
        await ready(matches, three, {0: b"too late"}, clock)
        await until_durable(matches)
        used = (b"", b"first of one", b"first of two")
        assert [match.nonces for match in (one, two, three)] == [used] * 3


async def test_creating_a_group_again_completes_it_with_the_same_deal() -> None:
    """After a crash in the middle the missing legs get the deal of the others."""
    clock = ManualClock()
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        first = (await matches.create_group(OWNER, GROUP, LEGS))[0]
    for name in IDS[1:]:
        del journal._logs[f"match/{name}"]
    async with hall(journal, clock) as matches:
        again = await matches.create_group(OWNER, GROUP, LEGS)
        assert [match.match_id for match in again] == IDS
        assert {match.deal.pool for match in again} == {first.deal.pool}
        assert again[0].deal == first.deal
        for wrong in (LEGS[:2], [LEGS[0], *LEGS[:0:-1]]):
            with pytest.raises(Refusal) as caught:
                await matches.create_group(OWNER, GROUP, wrong)
            assert caught.value.reason is Reason.REQUEST_ID_REUSED
        changed = [*LEGS[:2], Leg(IDS[2], setup_of(3))]
        with pytest.raises(Refusal) as caught:
            await matches.create_group(OWNER, GROUP, changed)
        assert caught.value.reason is Reason.REQUEST_ID_REUSED


async def test_a_leg_whose_start_was_cut_off_starts_later() -> None:
    """All are ready and the nonces cannot be fixed: the patrol tries again."""
    clock = ManualClock()
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        created = await matches.create_group(OWNER, GROUP, LEGS)
        journal.broken_logs = "group/"
        for match in created[:2]:
            await ready(matches, match, {}, clock)
        await until_durable(matches)
        assert [match.awaits_deal for match in created] == [True, True, False]
        journal.broken_logs = ""
        await matches._runtime.patrol.take_up_due()
        await until_durable(matches)
        assert [match.stage for match in created[:2]] == [Stage.RUNNING] * 2
        journal.broken_logs = "match/"
        await ready(matches, created[2], {}, clock)
    journal.broken_logs = ""
    async with hall(journal, clock) as matches:
        match = await matches.get(IDS[2])
        await ready(matches, match, {}, clock)
        await until_durable(matches)
        assert match.stage is Stage.RUNNING


async def test_hands_stay_closed_and_the_group_is_over_with_its_last_leg() -> None:
    """Legs never show hands when a round is scored; records open when every leg is over."""
    clock, dice = ManualClock(), Random(2)
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        await matches.create_group(OWNER, GROUP, LEGS)
        player = Player()
        await matches.subscribe("key:0", player)
        group = await groups.read(journal, GROUP)
        assert group is not None
        for done, match_id in enumerate(IDS):
            assert not await groups.is_over(journal, group), f"{done} legs over"
            await play_on(matches, [match_id], clock, dice)
        assert await groups.is_over(journal, group)
        ended = [event for event in player.events() if isinstance(event, RoundEnded)]
        assert len(ended) == 6
        assert {event.hands for event in ended} == {()}
        assert all(len(event.values) == 3 for event in ended)


async def test_a_lone_match_shows_hands_when_a_round_is_scored() -> None:
    """Without other legs the remaining hands are shown at scoring (Q72)."""
    clock, dice = ManualClock(), Random(2)
    async with hall(FrailJournal(clock), clock) as matches:
        match_id = (await matches.create(OWNER, "r", setup_of(3))).match_id
        watcher = Player()
        await matches.subscribe_match(match_id, watcher)
        await play_on(matches, [match_id], clock, dice)
        (ended,) = [event for event in watcher.events() if isinstance(event, RoundEnded)]
        assert len(ended.hands) == 3


async def test_no_alarm_rings_for_a_leg_that_waits_for_its_deal() -> None:
    """It is the patrol's: an alarm that is due and brings nothing about would ring for ever."""
    clock = ManualClock()
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        created = await matches.create_group(OWNER, GROUP, LEGS)
        journal.broken_logs = "group/"
        for match in created:
            await ready(matches, match, {}, clock)
        await pass_time(matches, clock, clock.us + 12_000_000)
        assert all(match.awaits_deal for match in created)
        assert matches._runtime.custody.timers.alarms._heap == []


async def test_a_leg_that_is_missing_is_not_over() -> None:
    """A group whose creation was cut off stays closed until it is completed."""
    clock = ManualClock()
    journal = FrailJournal(clock)
    pool = deals.new_pool(KEYS, GROUP)
    group = await groups.create(journal, OWNER, pool, IDS, clock.us)
    assert not await groups.is_over(journal, group)


async def test_a_cancelled_leg_counts_as_over() -> None:
    """A block that is called off opens like one that was played."""
    clock = ManualClock()
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        await matches.create_group(OWNER, GROUP, LEGS)
        group = await groups.read(journal, GROUP)
        assert group is not None
        for match_id in IDS:
            assert not await groups.is_over(journal, group)
            await matches.cancel(match_id, OWNER)
        assert await groups.is_over(journal, group)
