"""Does a match end, for everybody and without harm, whose log was changed in a store that lasts?"""

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.entry import Entry, Head
from lastcard_server.journal.port import Journal, LogCorrupt, StoreUnavailable
from lastcard_server.journal_check import check
from lastcard_server.matches import saving, snapshots
from lastcard_server.matches.commands import Accepted
from lastcard_server.matches.match import Match, Stage, log_of
from tests.journal.stores import DURABLE
from tests.matches.durable import Shelf, a_clock, entries_of, eventually, play_to_a_snapshot
from tests.matches.hall import Player, answer_to
from tests.matches.pods import Bot, Pod, until
from tests.matches.table import refused, setup_of

OWNER = "key:creator"
SETUP = setup_of(2, start_limit_ms=3_600_000, move_limit_ms=3_600_000)
LONG = setup_of(2, rounds=6, action_cap=4000, start_limit_ms=3_600_000, move_limit_ms=3_600_000)


@pytest.fixture(params=DURABLE)
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Shelf:
    """Return a store of each kind that lasts."""
    return Shelf(request.param, tmp_path)


@pytest.fixture
def database(tmp_path: Path) -> Shelf:
    """Return a store that servers share."""
    return Shelf("postgres", tmp_path)


async def begun(pod: Pod[Journal], actions: int = 3) -> Match:
    """Return a match with a few answers."""
    match = await pod.matches.create(OWNER, "r", SETUP)
    for seat in range(2):
        await pod.matches.submit([answer_to(match, match.turns[seat], Random(seat), a_clock(pod))])
    for _ in range(actions):
        turn = next(iter(match.turns.values()))
        await pod.matches.submit([answer_to(match, turn, Random(1), a_clock(pod))])
    return match


async def kept(pod: Pod[Journal], monkeypatch: pytest.MonkeyPatch) -> Match:
    """Return a match that was played until a snapshot of it was kept."""
    monkeypatch.setattr(snapshots, "EVERY", 1)
    monkeypatch.setattr(saving, "EVERY_SECONDS", 0.001)
    match = await pod.matches.create(OWNER, "r", LONG)
    await play_to_a_snapshot(pod, match.match_id)
    return match


async def look(pod: Pod[Journal], times: int = 1) -> None:
    """Let a server look after everything."""
    for _ in range(times):
        await pod.matches._runtime.patrol.look()


async def reason_of(pod: Pod[Journal], match_id: str) -> Reason:
    """Return why a server does not return a match."""
    with pytest.raises(Refusal) as refusal:
        await pod.matches.get(match_id)
    return refusal.value.reason


async def test_a_damaged_match_ends_for_everybody(
    shelf: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    """Players, watchers, readers and the organiser get a typed end; operators one line."""
    async with shelf.servers("a") as (pod,):
        match_id = (await begun(pod)).match_id
    await shelf.move_time(match_id, 4, by_us=1)
    async with shelf.servers("b") as (pod,):
        player, watcher = Player(), Player()
        pod.matches._runtime.audience.add_spectator(match_id, watcher)
        await pod.matches.subscribe("key:0", player)
        assert player.reasons == watcher.reasons == ["frozen"]
        found = await pod.matches.get(match_id)
        assert (found.stage, found.version) == (Stage.FROZEN, 3)
        with pytest.raises(Refusal) as refusal:
            await pod.matches.cancel(match_id, OWNER)
        assert refusal.value.reason is Reason.MATCH_OVER
        assert await pod.matches.ends([match_id]) == ([], [match_id])
        await look(pod, 5)
        assert pod.matches.counts.matches_quarantined == 1
        damage = [record for record in caplog.records if record.levelno >= logging.WARNING]
        assert [record.levelname for record in damage] == ["ERROR"]
        assert f"match {match_id} is told as frozen" in damage[0].getMessage()
        told = {finding.log: finding.damage async for finding in check(pod.journal, None)}
        assert "entry 4 does not follow" in told[log_of(match_id)]


async def test_a_damaged_match_that_is_restored_goes_on(shelf: Shelf) -> None:
    """Nothing was written into its log, nor by who hands back the history that was told then."""
    async with shelf.servers("a") as (pod,):
        match = await begun(pod)
        match_id, version = match.match_id, match.version
        turn = next(iter(match.turns.values()))
        answer = answer_to(match, turn, Random(7), a_clock(pod))
        before = await entries_of(pod, match_id)
    await shelf.move_time(match_id, 3, by_us=1)
    async with shelf.servers("b") as (pod,):
        found = await pod.matches.get(match_id)
        told = found.history()
        refusal = refused((await pod.matches.submit([answer]))[0])
        assert refusal.reason is Reason.HISTORY_LOST
        await look(pod, 2)
        assert (await pod.matches.get(match_id)).stage is Stage.FROZEN
    await shelf.move_time(match_id, 3, by_us=-1)
    async with shelf.servers("c") as (pod,):
        assert await entries_of(pod, match_id) == before
        found = await pod.matches.get(match_id)
        assert (found.stage, found.version) == (Stage.RUNNING, version)
        now = a_clock(pod)
        answer = replace(answer, history=told, received_us=now.us)
        (outcome,) = await pod.matches.submit([answer])
        assert isinstance(outcome, Accepted)


async def test_a_server_that_runs_finds_a_log_restored(database: Shelf) -> None:
    """It looks at one of those that are damaged with each look."""
    async with database.servers("a") as (pod,):
        match_id = (await begun(pod)).match_id
        pod.matches._runtime.cache.drop(pod.matches._runtime.cache.slots[match_id])
        await database.move_time(match_id, 4, by_us=1)
        assert (await pod.matches.get(match_id)).stage is Stage.FROZEN
        await database.move_time(match_id, 4, by_us=-1)
        await look(pod)
        assert (await pod.matches.get(match_id)).stage is Stage.RUNNING


async def test_of_a_match_that_is_damaged_from_the_beginning_nothing_is_known_but_its_end(
    shelf: Shelf,
) -> None:
    """Who asks for it hears that its history is lost, and who asks for its end that it has one."""
    async with shelf.servers("a") as (pod,):
        match_id = (await begun(pod)).match_id
    await shelf.move_time(match_id, 1, by_us=1)
    async with shelf.servers("b") as (pod,):
        await pod.matches.subscribe("key:0", Player())
        assert (await pod.matches.ends([match_id])).lost == [match_id]
        assert await reason_of(pod, match_id) is Reason.HISTORY_LOST
        for attempt in (
            pod.matches.cancel(match_id, OWNER),
            pod.matches.create(OWNER, "r", SETUP),
            pod.matches.join(match_id, "key:9", "nine", "r"),
        ):
            with pytest.raises(Refusal) as refusal:
                await attempt
            assert refusal.value.reason is Reason.HISTORY_LOST
        await look(pod, 3)
        assert pod.matches.counts.matches_quarantined == 1


async def test_of_damage_before_the_snapshot_who_asks_for_the_record_hears(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the first that needs the whole log; from then on the match is told as damaged."""
    async with shelf.servers("a") as (pod,):
        match = await kept(pod, monkeypatch)
        match_id = match.match_id
        for seat in range(2):
            await pod.matches.subscribe(f"key:{seat}", Bot(pod, Random(seat)))
        await until(lambda: match.over)
        await shelf.move_time(match_id, 2, by_us=1)
        assert (await pod.matches.get(match_id)).stage is not Stage.FROZEN
        with pytest.raises(Refusal) as refusal:
            await pod.matches.record(match_id)
        assert refusal.value.reason is Reason.HISTORY_LOST
        assert (await pod.matches.get(match_id)).stage is Stage.FROZEN


@pytest.mark.parametrize("text", ["kind = 'play'", "body = {}", "request_id = {}", "seat = NULL"])
async def test_whatever_is_changed_in_a_row_is_damage(shelf: Shelf, text: str) -> None:
    """Also texts that no release could have written."""
    async with shelf.servers("a") as (pod,):
        match_id = (await begun(pod)).match_id
    octets = "x'ff'" if shelf.kind == "sqlite" else "'\\xff'::bytea"
    await shelf.change("entries", match_id, text.format(octets), "version = 3")
    async with shelf.servers("b") as (pod,):
        assert (await pod.matches.get(match_id)).stage is Stage.FROZEN
        assert not pod.matches.broken.is_set()


@pytest.mark.parametrize(
    "error", [LogCorrupt("a bit was flipped on its way"), StoreUnavailable("nobody answers")]
)
async def test_one_reading_that_fails_is_no_damage(
    shelf: Shelf, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log is read once more; a store that does not answer says nothing of any log."""
    async with shelf.servers("a") as (pod,):
        match_id = (await begun(pod)).match_id
    async with shelf.servers("b") as (pod,):
        read, errors = pod.journal.read, [error]

        async def failing(log: str, after: int = 0) -> list[Entry]:
            if errors and log == log_of(match_id):
                raise errors.pop()
            return await read(log, after)

        monkeypatch.setattr(pod.journal, "read", failing)
        if isinstance(error, StoreUnavailable):
            errors.append(error)
            assert await reason_of(pod, match_id) is Reason.STORE_UNAVAILABLE
            errors.clear()
        assert (await pod.matches.get(match_id)).stage is Stage.RUNNING
        assert pod.matches.counts.matches_quarantined == 0
        assert not pod.matches._runtime.cache.damaged


async def test_readings_while_others_append_find_no_damage(database: Shelf) -> None:
    """Each sees the log and its head at one moment."""
    async with database.servers("a", "b") as (one, two):
        match = await begun(one)

        async def play() -> None:
            for step in range(120):
                turn = next(iter(match.turns.values()), None)
                if turn is None:
                    return
                answer = answer_to(match, turn, Random(step), a_clock(one))
                await one.matches.submit([answer])

        playing = asyncio.create_task(play())
        heads: set[Head] = set()
        while not playing.done():
            entries = await entries_of(two, match.match_id)
            heads.add(entries[-1].head)
        await playing
        assert len(heads) > 3


# Several servers


async def test_a_server_that_plays_a_match_hears_that_its_log_is_damaged(database: Shelf) -> None:
    """It looks itself; its players are told, and nothing more is accepted at either."""
    async with database.servers("a", "b") as (one, two):
        player = Player()
        await one.matches.subscribe("key:0", player)
        await one.matches.subscribe("key:1", player)
        match = await begun(one)
        turn = next(iter(match.turns.values()))
        await until(lambda: match.match_id not in two.matches._runtime.cache.slots, 20)
        await database.move_time(match.match_id, 2, by_us=1)
        assert (await one.matches.get(match.match_id)).stage is Stage.RUNNING
        assert (await two.matches.get(match.match_id)).stage is Stage.FROZEN
        await until(lambda: player.reasons == ["frozen"], 10)
        answer = answer_to(match, turn, Random(3), a_clock(one))
        for pod in (one, two):
            assert (await pod.matches.get(match.match_id)).stage is Stage.FROZEN
            assert isinstance((await pod.matches.submit([answer]))[0], Refusal)
            assert pod.matches.counts.matches_quarantined == 1
        await asyncio.sleep(2.5)
        assert len(player.reasons) == 1, "once, however often it is looked after"


async def test_damage_before_the_snapshot_of_a_match_that_is_played_is_heard_of_too(
    database: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not read again from the snapshot, which knows of no damage."""
    async with database.servers("a", "b") as (one, two):
        match = await kept(one, monkeypatch)
        watcher = Player()
        await one.matches.subscribe_match(match.match_id, watcher)
        await until(lambda: match.match_id not in two.matches._runtime.cache.slots, 20)
        await database.move_time(match.match_id, 2, by_us=1)
        assert await two.matches.is_damaged(match.match_id)
        await until(lambda: watcher.reasons == ["frozen"], 10)
        for pod in (one, two):
            assert (await pod.matches.get(match.match_id)).stage is Stage.FROZEN
            assert pod.matches.counts.matches_quarantined == 1


async def test_a_server_that_is_alone_with_its_opinion_ends_nothing(database: Shelf) -> None:
    """What another one says is a reason to look, and no more."""
    async with database.servers("a", "b") as (one, two):
        match = await begun(one)
        await two.matches._runtime.custody._report_damage(match.match_id)
        await asyncio.sleep(1)
        assert (await one.matches.get(match.match_id)).stage is Stage.RUNNING
        assert one.matches.counts.matches_quarantined == 0


# Quarantine


async def frozen_at(pod: Pod[Journal], match_id: str) -> None:
    """Wait until the log of a match ends with `frozen`, and expect a server to tell that."""

    async def is_ended() -> bool:
        return (await entries_of(pod, match_id))[-1].kind == "frozen"

    await eventually(is_ended)
    found = await pod.matches.get(match_id)
    assert (found.stage, found.result and found.result.reason) == (Stage.FROZEN, "frozen")


async def test_a_match_with_a_wrong_state_hash_ends_once_two_servers_say_so(shelf: Shelf) -> None:
    """The first refuses it for itself; one that was started again is a second."""
    async with shelf.servers("a") as (pod,):
        match = await begun(pod, actions=0)
        match_id, entries = match.match_id, await entries_of(pod, match.match_id)
    await shelf.falsify(match_id, entries, bytes(32))
    async with shelf.servers("b") as (pod,):
        assert await reason_of(pod, match_id) is Reason.STORE_UNAVAILABLE
        await asyncio.sleep(0.2)
        assert (await entries_of(pod, match_id))[-1].kind != "frozen"
        assert pod.matches.counts.matches_quarantined == 1
    async with shelf.servers("c") as (pod,):
        assert await reason_of(pod, match_id) is Reason.STORE_UNAVAILABLE
        await frozen_at(pod, match_id)


async def test_two_servers_that_run_end_a_match_with_a_wrong_state_hash(database: Shelf) -> None:
    """Both tell the same, and so does its log."""
    async with database.servers("a", "b") as running:
        match = await begun(running[0], actions=0)
        entries = await entries_of(running[0], match.match_id)
        for pod in running:
            for slot in tuple(pod.matches._runtime.cache.slots.values()):
                pod.matches._runtime.cache.drop(slot)
        await database.falsify(match.match_id, entries, bytes(32))
        for pod in running:
            with suppress(Refusal):  # it may be over by then
                await pod.matches.get(match.match_id)
        for pod in running:
            await frozen_at(pod, match.match_id)


async def test_an_organiser_ends_a_match_with_a_wrong_state_hash(shelf: Shelf) -> None:
    """At the one server that there is."""
    async with shelf.servers("a") as (pod,):
        match = await begun(pod, actions=0)
        match_id, entries = match.match_id, await entries_of(pod, match.match_id)
    await shelf.falsify(match_id, entries, bytes(32))
    async with shelf.servers("b") as (pod,):
        assert (await pod.matches.cancel(match_id, OWNER)).stage is Stage.FROZEN
        assert (await entries_of(pod, match_id))[-1].kind == "frozen"
