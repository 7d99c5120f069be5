"""Does the cache never run ahead of the journal, and never lose what the journal holds?"""

import asyncio
from random import Random

import pytest

from lastcard_server.errors import Reason, Refusal
from lastcard_server.matches.folding import replay
from lastcard_server.matches.match import Stage, log_of
from lastcard_server.matches.turns import TurnClose
from tests.matches.hall import (
    FrailJournal,
    Player,
    answer_to,
    hall,
    play_on,
)
from tests.matches.table import KEYS, ManualClock, accepted, refused, seal, setup_of
from tests.matches.wild import picture

OWNER = "key:creator"


async def test_nothing_is_told_before_it_is_durable() -> None:
    """While the journal stalls no outcome, no news and no read comes back."""
    clock, dice = ManualClock(), Random(1)
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        match = await matches.create(OWNER, "r", setup_of(2))
        player = Player()
        await matches.subscribe("key:0", player)
        player.opened.clear()
        journal.open_gate.clear()
        answer = answer_to(match, match.turns[0], dice, clock)
        answering = [asyncio.ensure_future(matches.submit([answer])) for _ in range(2)]
        reading = asyncio.ensure_future(matches.get(match.match_id))
        asking = asyncio.ensure_future(matches.open_turns("key:1"))
        await asyncio.sleep(0.02)
        assert not any(task.done() for task in (*answering, reading, asking))
        assert player.closed == []
        journal.open_gate.set()
        (first,), (again,) = await asyncio.gather(*answering)
        read, turns = await reading, await asking
        assert accepted(first).version == accepted(again).version == 2
        assert read.version == 2
        assert [turn.seat for _, turn in turns] == [1]
        assert player.closed == [(match.match_id, 0, 1, TurnClose.ANSWERED)]


async def test_a_cancelled_caller_takes_nothing_with_him() -> None:
    """A call that is given up while the journal stalls neither stops the write nor the others."""
    clock, dice = ManualClock(), Random(1)
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        match = await matches.create(OWNER, "r", setup_of(2))
        journal.open_gate.clear()
        answers = [answer_to(match, match.turns[seat], dice, clock) for seat in (0, 1)]
        gone, stays = (asyncio.ensure_future(matches.submit([answer])) for answer in answers)
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.sleep(0.01)
        journal.open_gate.set()
        accepted((await stays)[0])
        accepted((await matches.submit(answers[:1]))[0])
        assert (await matches.get(match.match_id)).stage is Stage.RUNNING


async def test_a_store_that_fails_changes_nothing_and_can_recover() -> None:
    """The outcome is STORE_UNAVAILABLE, the match is as it was, the same answer counts later."""
    clock, dice = ManualClock(), Random(1)
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        match = await matches.create(OWNER, "r", setup_of(2))
        player = Player()
        await matches.subscribe("key:0", player)
        before = picture(match)
        answers = [answer_to(match, match.turns[seat], dice, clock) for seat in (0, 1)]
        journal.broken = True
        for outcome in await matches.submit(answers):
            assert refused(outcome).reason is Reason.STORE_UNAVAILABLE
        with pytest.raises(Refusal) as caught:
            await matches.create(OWNER, "r2", setup_of(2))
        assert caught.value.reason is Reason.STORE_UNAVAILABLE
        journal.broken = False
        assert picture(await matches.get(match.match_id)) == before
        assert player.closed == []
        for outcome in await matches.submit(answers):
            accepted(outcome)
        assert (await matches.get(match.match_id)).stage is Stage.RUNNING


async def test_one_message_is_one_append() -> None:
    """Commands of one message, whatever their matches, are appended in one call."""
    clock, dice = ManualClock(), Random(1)
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        created = [await matches.create(OWNER, f"r{n}", setup_of(4)) for n in range(20)]
        calls = journal.calls
        commands = [
            answer_to(match, turn, dice, clock)
            for match in created
            for turn in match.turns.values()
        ]
        for outcome in await matches.submit(commands):
            accepted(outcome)
        assert journal.calls == calls + 1
        assert {match.stage for match in created} == {Stage.RUNNING}


async def test_two_servers_on_one_journal_conflict_cleanly() -> None:
    """An answer decided on an old cache is decided anew; nobody's accepted answer is lost."""
    clock, dice = ManualClock(), Random(3)
    journal = FrailJournal(clock, shared=True)
    async with hall(journal, clock, pod="a") as one, hall(journal, clock, pod="b") as two:
        match_id = (await one.create(OWNER, "r", setup_of(3))).match_id
        await two.get(match_id)
        servers, seen = [one, two], []
        for step in range(400):
            match = await servers[step % 2].get(match_id)
            if match.over:
                break
            commands = [answer_to(match, turn, dice, clock) for turn in match.turns.values()]
            clock.advance(3)
            answers = await asyncio.gather(*[server.submit(commands) for server in servers])
            for own, other in zip(*answers, strict=True):
                both = [own.version, other.version]
                assert both[0] == both[1]
                seen.append(both[0])
        entries = await journal.read(log_of(match_id))
        final = replay(match_id, entries, KEYS, seal())
        assert final.over
        assert seen
        for server in servers:
            with pytest.raises(Refusal):
                await server.cancel(match_id, OWNER)


async def test_a_turn_from_ahead_of_the_cache_is_looked_up_in_a_shared_journal() -> None:
    """A client that was told of a turn elsewhere can answer it here at once."""
    clock, dice = ManualClock(), Random(3)
    journal = FrailJournal(clock, shared=True)
    async with hall(journal, clock, pod="a") as one, hall(journal, clock, pod="b") as two:
        match_id = (await one.create(OWNER, "r", setup_of(2))).match_id
        await two.get(match_id)
        await play_on(one, [match_id], clock, dice, rounds=4)
        match = await one.get(match_id)
        turn = next(iter(match.turns.values()))
        command = answer_to(match, turn, dice, clock)
        command.history = b""
        accepted((await two.submit([command]))[0])


async def test_a_lost_history_freezes_the_match(caplog: pytest.LogCaptureFixture) -> None:
    """A store that went back in time is found out by the first client that knew more."""
    clock, dice = ManualClock(), Random(1)
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        match_id = (await matches.create(OWNER, "r", setup_of(2))).match_id
        await play_on(matches, [match_id], clock, dice, rounds=3)
        match = await matches.get(match_id)
        ahead = match.history()
        old = replay(match_id, (await journal.read(log_of(match_id)))[:4], KEYS, seal())
    restored = FrailJournal(clock)
    entries = (await journal.read(log_of(match_id)))[:4]
    async with hall(restored, clock) as matches:
        fresh = await matches.create(OWNER, "r", setup_of(2))
        assert fresh.match_id == match_id
        player = Player()
        await matches.subscribe("key:0", player)
        command = answer_to(fresh, fresh.turns[0], dice, clock)
        command.history = ahead
        refusal = refused((await matches.submit([command]))[0])
        assert refusal.reason is Reason.HISTORY_LOST
        frozen = await matches.get(match_id)
        assert frozen.stage is Stage.FROZEN
        assert player.over == [match_id]
        assert len(matches) == 0
        refused((await matches.submit([command]))[0])
        assert matches.counts.histories_lost == 1
        command.history = b""
        assert refused((await matches.submit([command]))[0]).reason is Reason.MATCH_OVER
    told = [record.message for record in caplog.records if record.levelname == "ERROR"]
    assert told == [f"the store has lost a part of match {match_id}"]
    assert old.version == len(entries) == 4


async def test_a_match_that_is_over_leaves_memory_and_can_still_be_read() -> None:
    """The end is told once, the cache is empty after it, repeats still get their first outcome."""
    clock, dice = ManualClock(), Random(2)
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        match_id = (await matches.create(OWNER, "r", setup_of(3))).match_id
        watcher = Player()
        await matches.subscribe_match(match_id, watcher)
        await play_on(matches, [match_id], clock, dice)
        assert watcher.over == [match_id]
        assert watcher.opened == []
        assert len(matches) == 0
        match = await matches.get(match_id)
        assert match.stage is Stage.FINISHED
        assert len(matches) == 0
        chain = [(update.after, update.version) for _, update in watcher.updates]
        assert [after for after, _ in chain[1:]] == [version for _, version in chain[:-1]]
        assert chain[-1][1] == match.version


async def test_a_restart_at_any_moment_changes_nothing_for_the_players() -> None:
    """A crash after every few messages: same turns, same numbers, same deadlines, same end."""
    clock, dice = ManualClock(), Random(8)
    journal = FrailJournal(clock)
    setups = [setup_of(4), setup_of(3, overrides={"jump_in": "identical"}), setup_of(2)]
    async with hall(journal, clock) as matches:
        ids = [
            (await matches.create(OWNER, f"r{n}", setup)).match_id for n, setup in enumerate(setups)
        ]
    for _ in range(100):
        async with hall(journal, clock) as matches:
            pictures = {}
            for match_id in ids:
                pictures[match_id] = picture(await matches.get(match_id))
            await play_on(matches, ids, clock, dice, rounds=6)
            live = {match_id: picture(await matches.get(match_id)) for match_id in ids}
        async with hall(journal, clock) as matches:
            for match_id in ids:
                assert picture(await matches.get(match_id)) == live[match_id]
        if all(pictures[match_id]["result"] for match_id in ids):
            return
    raise AssertionError("the matches do not end")


async def test_unknown_matches_are_not_found() -> None:
    """Every verb says NOT_FOUND of a match that does not exist."""
    clock, dice = ManualClock(), Random(1)
    async with hall(FrailJournal(clock), clock) as matches:
        match = await matches.create(OWNER, "r", setup_of(2))
        command = answer_to(match, match.turns[0], dice, clock)
        command.match_id = "none"
        assert refused((await matches.submit([command]))[0]).reason is Reason.NOT_FOUND
        for call in (
            matches.get("none"),
            matches.cancel("none", OWNER),
            matches.join("none", OWNER, "Ada", "r"),
            matches.leave("none", OWNER, 0),
            matches.subscribe_match("none", Player()),
        ):
            with pytest.raises(Refusal) as caught:
                await call
            assert caught.value.reason is Reason.NOT_FOUND


async def test_joining_returns_the_token_of_the_seat() -> None:
    """The token names match, seat and generation, and acts for the seat until it is left."""
    clock = ManualClock()
    async with hall(FrailJournal(clock), clock) as matches:
        match = await matches.create(OWNER, "r", setup_of(2, open_seats=1))
        taken = await matches.join(match.match_id, "key:a", "Ada", "j")
        assert KEYS.seat_claim(taken.seat_token) == (match.match_id, 1, 0)
        again = await matches.join(match.match_id, "key:a", "Ada", "j")
        assert again.seat_token == taken.seat_token
        owner = f"seat:{match.match_id}:1"
        assert [turn.seat for _, turn in await matches.open_turns(owner)] == [1]
        await matches.leave(match.match_id, owner, 1)
        after = await matches.join(match.match_id, "key:b", "Bo", "j")
        assert KEYS.seat_claim(after.seat_token) == (match.match_id, 1, 1)


async def test_a_server_that_shuts_down_writes_what_is_pending_and_refuses_the_rest() -> None:
    """Pending answers are accepted, later ones refused as DRAINING."""
    clock, dice = ManualClock(), Random(1)
    journal = FrailJournal(clock)
    async with hall(journal, clock) as matches:
        match = await matches.create(OWNER, "r", setup_of(2))
        answers = [answer_to(match, match.turns[seat], dice, clock) for seat in (0, 1)]
        pending = asyncio.ensure_future(matches.submit(answers[:1]))
        await asyncio.sleep(0)
        await matches.aclose()
        accepted((await pending)[0])
        assert refused((await matches.submit(answers[1:]))[0]).reason is Reason.DRAINING
    assert len(await journal.read(log_of(match.match_id))) == 2
