"""Do several servers on one journal stand for each other, whatever becomes of one or the store?"""

import asyncio
from contextlib import suppress
from random import Random

import pytest

from lastcard_engine.record import EntryKind
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.entry import Entry
from lastcard_server.matches.commands import Accepted
from lastcard_server.matches.following import IDLE_LOOKS
from lastcard_server.matches.match import Stage, log_of
from lastcard_server.secrets import ServerKeys
from tests.matches.hall import Player, answer_to
from tests.matches.pods import (
    Bot,
    Database,
    Pod,
    PodJournal,
    assert_kept,
    kinds,
    pods,
    start,
    until,
)
from tests.matches.table import ManualClock, refused, setup_of

OWNER = "key:creator"


async def test_a_timeout_is_written_once_by_whichever_server_lives() -> None:
    """Both servers hold the match; one fault and one timeout a silent seat."""
    database = Database()
    async with pods(database, "a", "b") as (one, two):
        players = [Player(), Player()]
        for seat, pod in enumerate((one, two)):
            await pod.matches.subscribe(f"key:{seat}", players[seat])
        await until(lambda: one.matches._runtime.homes.is_connected("key:1"))
        await until(lambda: two.matches._runtime.homes.is_connected("key:0"))
        setup = setup_of(2, start_limit_ms=300, move_limit_ms=60_000)
        match = await one.matches.create(OWNER, "r", setup)
        await until(
            lambda: any(
                turn.kind.value == "play" for _, turn in players[0].opened + players[1].opened
            )
        )
        found = await kinds(database, match.match_id)
        assert found.count(EntryKind.FAULT) == found.count(EntryKind.TIMEOUT) == 2
        entries = await database.core.read(log_of(match.match_id))
        assert {entry.body for entry in entries if entry.kind == EntryKind.FAULT} == {"late"}


async def test_when_a_server_dies_another_tells_its_turns() -> None:
    """Who is connected to both hears the open turn from the one that lives, within seconds."""
    database = Database()
    async with pods(database, "a", "b") as running:
        players = {pod.name: Player() for pod in running}
        for pod in running:
            await pod.matches.subscribe("key:0", players[pod.name])
        await past_freshness(running)
        match = await running[0].matches.create(OWNER, "r", setup_of(2, start_limit_ms=60_000))
        await until(lambda: any(player.opened for player in players.values()))
        teller = next(pod for pod in running if players[pod.name].opened)
        other = next(pod for pod in running if pod is not teller)
        await asyncio.sleep(0.05)
        assert not players[other.name].opened, "one of them tells"
        await teller.die()
        await until(lambda: bool(players[other.name].opened), 5)
        assert [turn.seat for _, turn in players[other.name].opened] == [0]
        assert match.match_id == players[other.name].opened[0][0]


async def past_freshness(running: list[Pod[PodJournal]]) -> None:
    """Let whoever has just connected be an old acquaintance everywhere."""
    for pod in running:
        await pod.matches._runtime._pulse.beat()
    for pod in running:
        homes = pod.matches._runtime.homes
        homes._fresh = dict.fromkeys(homes._fresh, 0)
        await pod.matches._runtime.patrol.look()


async def test_who_takes_leave_is_relieved_at_once() -> None:
    """A server that drains is nobody's home any more as soon as the others look."""
    database = Database()
    async with pods(database, "a", "b") as (one, two):
        players = [Player(), Player()]
        for pod, player in zip((one, two), players, strict=True):
            await pod.matches.subscribe("key:0", player)
        await past_freshness([one, two])
        names = [f"contest {n}" for n in range(20)]
        assert {one.matches.is_home(name) for name in names} == {True, False}
        await one.matches.retire()
        await two.matches._runtime.patrol.look()
        assert all(two.matches.is_home(name) for name in names)
        assert not any(one.matches.is_home(name) for name in names)
        match = await one.matches.create(OWNER, "r", setup_of(2))
        await until(lambda: bool(players[1].opened), 3)
        assert players[1].opened[0][0] == match.match_id


async def test_the_fault_of_a_silent_seat_goes_by_its_connections_to_all_servers() -> None:
    """Connected elsewhere: late; gone from elsewhere: crashed; never anywhere: absent."""
    database = Database()
    async with pods(database, "a", "b") as (one, two):
        stays, goes = Player(), Player()
        await two.matches.subscribe("key:0", stays)
        await two.matches.subscribe("key:1", goes)
        await until(lambda: one.matches._runtime.homes.is_connected("key:1"), 3)
        two.matches.unsubscribe("key:1", goes)
        await until(lambda: one.matches._runtime.homes.is_gone("key:1"), 3)
        audience = one.matches._runtime.audience
        assert audience.is_connected("key:0")
        assert not audience.is_gone("key:0")
        assert audience.is_gone("key:1")
        assert not audience.is_connected("key:1")
        assert not audience.is_connected("key:2") | audience.is_gone("key:2")


async def test_who_has_left_a_seat_is_remembered_until_the_match_is_over() -> None:
    """Each server knows it of a match that is live, and forgets it where that ends elsewhere."""
    database = Database()
    async with pods(database, "a", "b") as (one, two):
        match = await one.matches.create(OWNER, "r", setup_of(2, open_seats=1))
        goes, owner = Player(), f"seat:{match.match_id}:1"
        audiences = [pod.matches._runtime.audience for pod in (one, two)]

        async def look() -> list[bool]:
            for _ in range(IDLE_LOOKS):
                for pod in (one, two):
                    await pod.matches._runtime.patrol.look()
            return [audience.is_gone(owner) for audience in audiences]

        await two.matches.subscribe(owner, goes)
        await until(lambda: one.matches._runtime.homes.is_connected(owner), 3)
        two.matches.unsubscribe(owner, goes)
        await until(lambda: one.matches._runtime.homes.is_gone(owner), 3)
        assert await look() == [True, True]
        assert len(two.matches) == 0
        await one.matches.cancel(match.match_id, OWNER)
        assert await look() == [False, False]


async def test_a_seat_token_hears_the_end_of_a_match_that_is_not_in_memory() -> None:
    """The end is told with and without hints, once."""
    for deaf in (False, True):
        database = Database()
        database.deaf = deaf
        async with pods(database, "a", "b") as (one, two):
            match = await one.matches.create(OWNER, "r", setup_of(2, open_seats=1))
            player, owner = Player(), f"seat:{match.match_id}:1"
            await two.matches.subscribe(owner, player)
            for slot in tuple(two.matches._runtime.cache.slots.values()):
                two.matches._runtime.cache.drop(slot)
            await one.matches.cancel(match.match_id, OWNER)
            await player.until_over()
            await two.matches._runtime.patrol.look()
            assert player.over == [match.match_id]


# The store


async def test_what_may_have_been_stored_is_refused_as_that_and_counts_when_sent_again() -> None:
    """The answer gets its first outcome."""
    database = Database()
    async with pods(database, "a") as (one,):
        match = await one.matches.create(OWNER, "r", setup_of(2))
        clock = ManualClock(database.core.now_us())
        answer = answer_to(match, match.turns[0], Random(1), clock)
        one.journal.uncertain = True
        refusal = refused((await one.matches.submit([answer]))[0])
        assert refusal.reason is Reason.STORE_UNAVAILABLE
        assert "again" in refusal.message
        assert "nothing was changed" not in refusal.message
        (again,) = await one.matches.submit([answer])
        assert isinstance(again, Accepted)
        assert again.version == 2
        assert len(await kinds(database, match.match_id)) == 2


# Quarantine


def damage(database: Database, match_id: str) -> None:
    """Let the last entry of a match hold something that cannot have come about."""
    entries = database.core._logs[log_of(match_id)].entries
    last: Entry = entries[-1]
    entries[-1] = last._replace(body="99", chain=last.chain)


async def test_a_match_that_two_servers_cannot_follow_ends() -> None:
    """One refuses it for itself; when a second finds the same, it is frozen and both say so."""
    database = Database()
    async with pods(database, "a", "b") as (one, two):
        match = await one.matches.create(OWNER, "r", setup_of(2))
        clock = ManualClock(database.core.now_us())
        await one.matches.submit([answer_to(match, match.turns[0], Random(1), clock)])
        for pod in (one, two):
            for slot in tuple(pod.matches._runtime.cache.slots.values()):
                pod.matches._runtime.cache.drop(slot)
        damage(database, match.match_id)
        with pytest.raises(Refusal) as caught:
            await one.matches.get(match.match_id)
        assert caught.value.reason is Reason.STORE_UNAVAILABLE
        await until(lambda: bool(database.core._logs.get(f"quarantine/{match.match_id}")))
        assert EntryKind.FROZEN not in await kinds(database, match.match_id)
        with suppress(Refusal):  # it may be over by then
            await two.matches.get(match.match_id)
        await until(
            lambda: database.core._logs[log_of(match.match_id)].entries[-1].kind == "frozen"
        )
        for pod in (one, two):
            found = await pod.matches.get(match.match_id)
            assert found.stage is Stage.FROZEN
            assert found.result is not None
            assert found.result.reason == "frozen"
        assert one.matches.counts.matches_quarantined == 1


async def test_a_followed_match_that_diverges_is_told_to_have_ended() -> None:
    """Streams of it hear the end although nobody can follow it, once an organiser ends it."""
    database = Database()
    async with pods(database, "a", "b") as (one, two):
        player = Player()
        await two.matches.subscribe("key:1", player)
        match = await one.matches.create(OWNER, "r", setup_of(2))
        await until(lambda: bool(player.opened))
        database.deaf = True
        clock = ManualClock(database.core.now_us())
        await one.matches.submit([answer_to(match, match.turns[0], Random(1), clock)])
        damage(database, match.match_id)
        await until(lambda: two.matches.counts.matches_quarantined == 1, 3)
        assert player.over == []
        ended = await two.matches.cancel(match.match_id, OWNER)
        assert ended.stage is Stage.FROZEN
        await until(lambda: player.over == [match.match_id], 3)


# Downtime


async def test_downtime_of_all_servers_is_given_back_once() -> None:
    """Two servers that start after an hour find one outage; every match is extended once."""
    clock = ManualClock()
    database = Database()
    database.core.now_us = clock.now_us
    async with pods(database, "a", clock=clock) as (one,):
        match = await one.matches.create(OWNER, "r", setup_of(2))
        left_us = match.turns[0].deadline_us - clock.us
    clock.us += 3_600_000_000
    running = await asyncio.gather(*(start(database, n, clock=clock) for n in ("b", "c")))
    for _ in range(3):
        for pod in running:
            found = await pod.matches.get(match.match_id)
            assert found.turns[0].deadline_us - clock.us == left_us
    assert await kinds(database, match.match_id) == [EntryKind.CREATED, EntryKind.CLOCK_EXTENDED]
    assert len(await database.core.read("outages")) == 1
    for pod in running:
        await pod.die()


async def test_a_server_that_stood_still_beside_a_living_one_gives_nothing_back() -> None:
    """The other has looked after everything meanwhile."""
    clock = ManualClock()
    database = Database()
    database.core.now_us = clock.now_us
    async with pods(database, "a", "b", clock=clock) as (one, two):
        match = await one.matches.create(OWNER, "r", setup_of(2, start_limit_ms=3_600_000))
        clock.us += 60_000_000
        await database.core.heartbeat("b")
        one.matches._runtime._pulse.notice(clock.us)
        before = one.matches._runtime._pulse.sure
        await one.matches.get(match.match_id)
        assert (before, one.matches._runtime._pulse.sure) == (False, True)
        assert await kinds(database, match.match_id) == [EntryKind.CREATED]
        assert two.matches._runtime.homes.pod == "b"


async def test_while_it_is_not_known_what_was_an_outage_nothing_runs_out() -> None:
    """A server that cannot ask the store refuses and waits; after it the time is given back."""
    clock = ManualClock()
    database = Database()
    database.core.now_us = clock.now_us
    async with pods(database, "a", clock=clock) as (one,):
        match = await one.matches.create(OWNER, "r", setup_of(2))
        one.journal.cut = True
        clock.us += 60_000_000
        one.matches._runtime.custody.timers.alarms.fire()
        answer = answer_to(match, match.turns[0], Random(1), clock)
        refusal = refused((await one.matches.submit([answer]))[0])
        assert refusal.reason is Reason.STORE_UNAVAILABLE
        one.journal.cut = False
        (outcome,) = await one.matches.submit([answer])
        assert isinstance(outcome, Accepted)
        found = await kinds(database, match.match_id)
        assert found == [EntryKind.CREATED, EntryKind.CLOCK_EXTENDED, EntryKind.NONCE]


@pytest.mark.parametrize("kept", [0, 1])
async def test_outages_that_the_store_has_lost_hold_up_nobody(kept: int) -> None:
    """The next one is written behind those that are left, and time is given back for it."""
    clock = ManualClock()
    database = Database()
    database.core.now_us = clock.now_us
    async with pods(database, "a", clock=clock) as (one,), asyncio.timeout(5):
        match = await one.matches.create(OWNER, "r", setup_of(2))
        for _ in range(2):
            clock.us += 60_000_000
            one.matches._runtime._pulse.tick()
            await one.matches._runtime.patrol.look()
        database.roll_back("outages", kept)
        clock.us += 60_000_000
        answer = answer_to(match, match.turns[0], Random(1), clock)
        (outcome,) = await one.matches.submit([answer])
        assert isinstance(outcome, Accepted)
        assert len(await database.core.read("outages")) == kept + 1
        outages = one.matches._runtime._pulse.outages
        assert [until_us - from_us for from_us, until_us in outages] == [60_000_000] * 3
        found = await kinds(database, match.match_id)
        assert found[-2:] == [EntryKind.CLOCK_EXTENDED, EntryKind.NONCE]


async def test_a_bot_whose_server_dies_plays_on_at_another() -> None:
    """Nothing that was accepted is lost, and the match goes to its end."""
    database = Database()
    async with pods(database, "a", "b") as (one, two):
        stays, moves = Bot(two, Random(1)), Bot(one, Random(2))
        await two.matches.subscribe("key:0", stays)
        await one.matches.subscribe("key:1", moves)
        match = await one.matches.create(OWNER, "r", setup_of(2, action_cap=60))
        await until(lambda: len(moves.outcomes) > 5)
        await one.die()
        moves.pod = two
        await two.matches.subscribe("key:1", moves)
        await stays.until_over()
        found = await two.matches.get(match.match_id)
        assert found.stage is Stage.FINISHED
        assert_kept(found, stays, moves)


async def test_servers_with_other_keys_leave_matches_to_those_with_the_right_ones() -> None:
    """They refuse what they would deal other cards for; it is not their word that it is broken."""
    database = Database()
    other = ServerKeys({"k1": bytes(32)})
    async with pods(database, "a") as (one,):
        bots = [Bot(one, Random(1)), Bot(one, Random(2))]
        match = await one.matches.create(OWNER, "r", setup_of(2, start_limit_ms=60_000))
        await one.matches.subscribe("key:0", bots[0])
        wrong = [await start(database, name, keys=other) for name in ("b", "c")]
        for pod in wrong:
            refusal = await refused_by(pod, match.match_id)
            assert refusal.reason is Reason.STORE_UNAVAILABLE
        await one.matches.subscribe("key:1", bots[1])
        await until(lambda: match.stage is Stage.RUNNING)
        for pod in wrong:
            await refused_by(pod, match.match_id)
            assert not pod.matches.counts.matches_quarantined
            assert not pod.matches.broken.is_set()
        await bots[0].until_over()
        assert match.stage is Stage.FINISHED
        for pod in wrong:
            await pod.die()


async def refused_by(pod: Pod[PodJournal], match_id: str) -> Refusal:
    """Return why a server does not show a match."""
    with pytest.raises(Refusal) as raised:
        await pod.matches.get(match_id)
    return raised.value
