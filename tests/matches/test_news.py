"""Do sinks hear what happens, once it is durable, in order and whole?"""

import asyncio
import dataclasses
from random import Random

import pytest

from lastcard_engine.actions import DRAW, KEEP
from lastcard_server.errors import Refusal
from lastcard_server.matches.turns import TurnClose
from tests.matches.hall import FrailJournal, Player, answer_to, hall, until_durable
from tests.matches.table import ManualClock, accepted, setup_of

OWNER = "key:creator"


async def test_news_wait_for_all_that_is_decided_in_their_match() -> None:
    """With a second flight under way the first one's news are held back: sinks see settled ones."""
    clock, dice = ManualClock(), Random(1)
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        match = await matches.create(OWNER, "r", setup_of(3))
        player = Player()
        await matches.subscribe("key:0", player)
        journal.open_gate.clear()
        journal.one_at_a_time = True
        answers = [answer_to(match, match.turns[seat], dice, clock) for seat in (0, 1)]
        first = asyncio.ensure_future(matches.submit(answers[:1]))
        await asyncio.sleep(0.005)
        second = asyncio.ensure_future(matches.submit(answers[1:]))
        await asyncio.sleep(0.005)
        journal.open_gate.set()
        accepted((await first)[0])
        assert not player.updates
        assert not player.closed
        journal.open_gate.set()
        accepted((await second)[0])
        assert [(update.after, update.version) for _, update in player.updates] == [(1, 3)]


async def test_listeners_of_a_match_that_was_dropped_hear_it_anew() -> None:
    """After a failed append sinks get a full view and every open turn again."""
    clock, dice = ManualClock(), Random(1)
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        match = await matches.create(OWNER, "r", setup_of(2))
        player = Player()
        await matches.subscribe("key:0", player)
        player.opened.clear()
        journal.broken = True
        await matches.submit([answer_to(match, match.turns[0], dice, clock)])
        journal.broken = False
        await until_durable(matches)
        assert [(turn.seat, turn.turn) for _, turn in player.opened] == [(0, 1)]
        match = await matches.get(match.match_id)
        await matches.submit([answer_to(match, match.turns[0], dice, clock)])
        told = [(update.after, update.version) for _, update in player.updates]
        assert told == [(0, 1), (1, 2)]


async def test_updates_follow_a_view_that_was_told_anew_after_an_outage() -> None:
    """What a match that is read again gains by that is in the full view, and not told again."""
    clock, dice = ManualClock(), Random(1)
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        match = await matches.create(OWNER, "r", setup_of(2))
        player = Player()
        await matches.subscribe("key:0", player)
        clock.advance(5_000)
        journal.broken = True
        await matches.submit([answer_to(match, match.turns[0], dice, clock)])
        journal.broken = False
        await until_durable(matches)
        match = await matches.get(match.match_id)
        assert match.version == 2
        await matches.submit([answer_to(match, match.turns[0], dice, clock)])
        told = [(update.after, update.version) for _, update in player.updates]
        assert told == [(0, 2), (2, 3)]


async def test_a_turn_that_is_closed_before_it_is_told_is_not_told() -> None:
    """Asked and answered within one message: its seat never hears that it was open."""
    clock = ManualClock()
    async with hall(FrailJournal(clock), clock) as matches:
        setup = setup_of(2)
        both = tuple(dataclasses.replace(seat, owner="key:0") for seat in setup.seats)
        match = await matches.create(OWNER, "r", dataclasses.replace(setup, seats=both))
        player, dice = Player(), Random(1)
        await matches.subscribe("key:0", player)
        ready = [answer_to(match, turn, dice, clock) for turn in match.turns.values()]
        await matches.submit(ready)
        (turn,) = match.turns.values()
        player.opened.clear()
        first = answer_to(match, turn, dice, clock)
        first.reply = DRAW
        blind = dataclasses.replace(first, turn=turn.turn + 1, reply=KEEP)
        outcomes = await matches.submit([first, blind])
        accepted(outcomes[0])
        if isinstance(outcomes[1], Refusal):  # the seat could not draw
            return
        assert turn.turn + 1 not in [told.turn for _, told in player.opened]
        assert [told.turn for _, told in player.opened] == [turn.turn + 2]


async def test_a_sink_that_fails_keeps_no_news_from_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Its failure is logged; the match and the other sinks go on."""

    class Broken(Player):
        def turn_opened(self, match: object, turn: object) -> None:
            raise ValueError("broken")

    clock, dice = ManualClock(), Random(1)
    async with hall(FrailJournal(clock), clock) as matches:
        match = await matches.create(OWNER, "r", setup_of(2))
        player = Player()
        matches._runtime.audience.add("key:0", Broken(), connection=True)
        matches._runtime.audience.add("key:0", player, connection=True)
        matches._runtime.audience.add("key:1", Broken(), connection=True)
        matches._runtime.audience.add("key:1", player, connection=True)
        await matches.submit([answer_to(match, turn, dice, clock) for turn in match.turns.values()])
        assert len(player.opened) == 1
        assert "a sink failed" in caplog.text


async def test_who_leaves_hears_that_his_turn_is_withdrawn() -> None:
    """The news of a seat go to who held it; the cache no longer finds the match under him."""
    clock = ManualClock()
    async with hall(FrailJournal(clock), clock) as matches:
        match = await matches.create(OWNER, "r", setup_of(2, open_seats=1))
        await matches.join(match.match_id, "key:a", "Ada", "j")
        player = Player()
        await matches.subscribe("key:a", player)
        assert [turn.seat for _, turn in player.opened] == [1]
        number = match.turns[1].turn
        await matches.leave(match.match_id, "key:a", 1)
        assert player.closed == [(match.match_id, 1, number, TurnClose.WITHDRAWN)]
        assert matches._runtime.cache.owned("key:a") == []
        await matches.cancel(match.match_id, OWNER)
        assert matches._runtime.cache.owned("key:0") == []
