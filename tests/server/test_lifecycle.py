"""Does a server forget what is over? Everything is played in every way, then nothing is left."""

import asyncio
import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CoroutineType, FunctionType, GeneratorType, ModuleType
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from lastcard.v1 import contest_service_pb2, match_service_pb2, play_service_pb2, rules_pb2
from lastcard_engine.state import State
from lastcard_server.fragments import Kept
from lastcard_server.holders import Held, Holder
from lastcard_server.hub import Waiting
from lastcard_server.matches.alarms import MOST_STALE
from lastcard_server.matches.match import Match, Occupant
from lastcard_server.matches.slots import Slot
from lastcard_server.matches.turns import OpenTurn
from tests.postgres import running_server
from tests.server.edge import (
    OPEN,
    Edge,
    answer,
    gauge,
    house,
    metadata,
    play_out,
    reserved,
    running,
)

OF_MATCHES = (Match, Occupant, Slot, State, OpenTurn, Held, Holder, Waiting)
"""What stands for a match, a seat, or somebody who hears of them."""
GAUGES = (
    "matches_in_memory",
    "matches_remembered",
    "seats_in_memory",
    "subscriptions",
    "streams",
    "stream_pending_bytes",
    "messages_waiting",
)
"""What is as it was before anything was played."""
MOST_KEPT = 4_096
"""How many entries a table may have: it is to be full before many matches have been played."""
MOST_LIVE = 10
"""How many matches one round has at once."""


async def by_stream(edge: Edge) -> list[str]:
    """Play against bots of the house over Play, with a spectator."""
    key_id, key = await edge.key()
    match = await edge.create(reserved(key_id), house("adviser"), house("random"))
    request = match_service_pb2.WatchMatchRequest(match_id=match.match_id)
    table: Any = edge.matches.WatchMatch(request, metadata=metadata(edge.organiser))
    await table.read()
    await play_out(edge, match, key)
    while await table.read() is not grpc.aio.EOF:
        pass
    return [match.match_id]


async def by_seat_token(edge: Edge) -> list[str]:
    """Join with a key, play the seat by its token, and hear of the end by another stream of it."""
    match = await edge.create(OPEN, house())
    token = (await edge.join(match.match_id)).seat_token
    hello = play_service_pb2.Hello(instance="w", max_open_turns=1)
    seats: Any = edge.plays.WatchSeats(
        play_service_pb2.WatchSeatsRequest(hello=hello), metadata=metadata(token)
    )
    await seats.read()
    await by_polling(edge, match.match_id, token)
    message = await seats.read()
    while not message.matches_over:
        message = await seats.read()
    seats.cancel()
    return [match.match_id]


async def by_polling(edge: Edge, match_id: str, credential: str) -> None:
    """Play a seat by unary calls to its end."""
    known: list[play_service_pb2.TurnRef] = []
    while True:
        request = play_service_pb2.WaitTurnsRequest(
            known=known, match_ids=[match_id], wait_duration=Duration(seconds=5)
        )
        found = await edge.call(edge.plays.WaitTurns, request, credential)
        if found.matches_over:
            return
        for turn in found.turns:
            act = play_service_pb2.ActRequest(answer=answer(turn))
            await edge.call(edge.plays.Act, act, credential)


async def called_off(edge: Edge) -> list[str]:
    """Cancel a match before its start and one in the midst of it, turns and all."""
    key_id, key = await edge.key()
    waiting, begun = await edge.create(OPEN, OPEN), await edge.create(reserved(key_id), house())
    player = edge.play(key)
    await player.hello()
    await player.send(answer(await player.turn()))
    await player.turn()
    for match in (waiting, begun):
        request = match_service_pb2.CancelMatchRequest(match_id=match.match_id)
        await edge.call(edge.matches.CancelMatch, request)
    assert await player.until("matches_over")
    await player.end()
    return [waiting.match_id, begun.match_id]


async def by_contest(edge: Edge) -> list[str]:
    """Let bots of the house play a contest."""
    spec = contest_service_pb2.ContestSpec(
        name="cup",
        rules=rules_pb2.RulesChoice(preset="duel_no"),
        entrants=[
            contest_service_pb2.Entrant(name=name, house_strategy=strategy)
            for name, strategy in (("ann", "random"), ("bob", "greedy"))
        ],
        seat_count=2,
        schedule=contest_service_pb2.SCHEDULE_ROUND_ROBIN,
        block_count=3,
    )
    create = contest_service_pb2.CreateContestRequest(spec=spec, request_id=str(id(spec)))
    made = (await edge.call(edge.contests.CreateContest, create)).contest
    start = contest_service_pb2.StartContestRequest(contest_id=made.contest_id)
    await edge.call(edge.contests.StartContest, start)
    watch = contest_service_pb2.WatchContestRequest(contest_id=made.contest_id)
    stream: Any = edge.contests.WatchContest(watch, metadata=metadata(edge.organiser))
    while await stream.read() is not grpc.aio.EOF:
        pass
    return []


def left_of(kinds: tuple[type, ...]) -> list[object]:
    """Return the instances of some types that anything still refers to."""
    gc.collect()
    return [found for found in gc.get_objects() if isinstance(found, kinds)]


def texts(root: object, *beside: object) -> Iterator[str]:
    """Yield every text that an object holds, at whatever depth, but for what is told beside it."""
    passed = (ModuleType, type, FunctionType, CoroutineType, GeneratorType, asyncio.Future)
    seen = {id(thing) for thing in beside}
    pending = [root]
    while pending:
        thing = pending.pop()
        if id(thing) in seen or isinstance(thing, passed):
            continue
        seen.add(id(thing))
        if isinstance(thing, str | bytes):
            yield thing if isinstance(thing, str) else thing.decode("latin-1")
        if isinstance(thing, dict):
            pending += thing  # the collector passes over keys that are texts
        pending += gc.get_referents(thing)


def tables() -> list[object]:
    """Return what our modules hold: tables, and functions with what they remember."""
    ours = [module for name, module in sys.modules.items() if name.startswith("lastcard_")]
    return [found for module in ours for found in vars(module).values()]


def names_of(ids: list[str], servers: list[Edge]) -> list[str]:
    """Return the texts with the name of a match that servers hold, but for stores and deadlines."""
    cores = [edge.server._core for edge in servers]
    beside = [each for core in cores for each in (core.journal, core.clock, alarms_of(core))]
    held = " ".join(ids)
    kept = [text for text in texts([*cores, *tables()], *beside) if len(text) > 9]
    return [text for text in kept if text in held or any(i in text for i in ids)]


def alarms_of(core: Any) -> Any:
    """Return the deadlines of a server."""
    return core.matches._runtime.custody.timers.alarms


async def until(probe: Callable[[], object], wanted: object) -> None:
    """Wait until something is as it has to be; the last look is the test's."""
    loop = asyncio.get_running_loop()
    late = loop.time() + 10
    while probe() != wanted and loop.time() < late:  # noqa: ASYNC110 - no news
        await asyncio.sleep(0.05)
    assert probe() == wanted


async def started(stack: AsyncExitStack, folder: Path, kind: str) -> list[Edge]:
    """Run a server, of those that share a store two: each then knows of the other's matches."""
    if kind != "postgres":
        store = kind.format(folder)
        return [await stack.enter_async_context(running(folder, store=store))]
    shared: dict[str, Any] = {"unsafe_store": True}
    shared["store"] = await running_server().database(str(folder))
    return [await stack.enter_async_context(running(folder, **shared)) for _ in range(2)]


@pytest.mark.parametrize(
    ("kind", "rounds"), [("memory", 12), ("sqlite:{}/journal.sqlite", 12), ("postgres", 4)]
)
async def test_nothing_is_left_of_matches_that_are_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, rounds: int
) -> None:
    """
    No object of a match stays in memory, and no name of one but in the store.

    Deadlines that were set for them may stay for as long as some that live have, few at a time. On
    a store that is shared they are known for some looks of the patrol, which are hurried here.
    """
    monkeypatch.setattr("lastcard_server.matches.patrol.BEAT_SECONDS", 0.05)
    before = {id(found) for found in left_of(OF_MATCHES)}
    async with AsyncExitStack() as stack:
        servers = await started(stack, tmp_path, kind)
        ids: list[str] = []

        def gauges() -> list[float]:
            return [gauge(edge, name) for edge in servers for name in GAUGES]

        at_first = gauges()
        for _ in range(rounds):
            plays = (by_stream, by_seat_token, called_off, by_contest)
            for played in await asyncio.gather(*(play(servers[0]) for play in plays)):
                ids += played
        await until(gauges, at_first)
        assert [found for found in left_of(OF_MATCHES) if id(found) not in before] == []
        assert len(ids) == 4 * rounds
        for edge in servers:
            most = 2 * MOST_LIVE + MOST_STALE
            assert len(alarms_of(edge.server._core)) == gauge(edge, "deadlines") <= most
        await until(lambda: names_of(ids, servers), [])


def test_no_table_grows_for_long() -> None:
    """What is remembered by arguments is soon full; where it never is there are few arguments."""
    gc.unfreeze()  # a server that was started in this process hides what there was before
    found = gc.get_objects()
    sizes = {id(table): table._most for table in found if isinstance(table, Kept)}
    for function in found:
        if isinstance(function, _lru_cache_wrapper) and function.__module__.startswith("lastcard_"):
            sizes[id(function)] = function.cache_parameters()["maxsize"] or 0
    assert len(sizes) > 20
    assert max(sizes.values()) <= MOST_KEPT
