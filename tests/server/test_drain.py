"""A program that is told to stop while everything is going on: who hears what, and what is kept."""

import asyncio
import json
import signal
import time
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Self

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from grpc_health.v1 import health_pb2, health_pb2_grpc

from lastcard.v1 import match_service_pb2, play_service_pb2, turn_pb2
from lastcard_server.journal.open_store import open_store
from lastcard_server.outbox import MOST_BYTES
from lastcard_server.serving import Exit
from tests.processes import ServerProcess
from tests.server.edge import Edge, Player, answer, end_of, house, metadata, reserved
from tests.server.test_flood import flood

SEATS = 2
MATCHES = 8
GRACE_SECONDS = 20
DRAIN = "CLOSING_REASON_DRAIN"
FULL = 4 * MOST_BYTES
"""What is pending for a stream that the server has given up to fill."""
Ref = tuple[str, int, int]


def ref(message: Any) -> Ref:
    """Return the turn that a message is about."""
    return message.match_id, message.seat, message.turn


class Bot:
    """Plays all seats of a key and remembers what it was told."""

    def __init__(self, edge: Edge, key: str, seen: list[str]) -> None:
        self.accepted: dict[Ref, int] = {}
        """Answers that were acknowledged, with their version."""
        self.refused: list[Any] = []
        self.over: set[str] = set()
        self.unacknowledged: dict[Ref, turn_pb2.Answer] = {}
        self._edge = edge
        self._key = key
        self._seen = seen

    async def play(self) -> None:
        """Play until the server ends the stream, after sending again what was not acknowledged."""
        player = self._edge.play(self._key)
        await player.hello("bot")
        await player.send(*self.unacknowledged.values())
        with suppress(EOFError, grpc.aio.AioRpcError):  # an answer may meet the end on its way
            while True:
                await self._take(player, await player.read())

    async def _take(self, player: Player, response: play_service_pb2.PlayResponse) -> None:
        for accepted in response.accepted:
            self.accepted[ref(accepted)] = accepted.version
            self.unacknowledged.pop(ref(accepted), None)
        self.refused += response.refused
        self.over |= {over.match_id for over in response.matches_over}
        if response.HasField("closing"):
            self._seen.append(play_service_pb2.ClosingReason.Name(response.closing.reason))
        answers = {ref(turn): answer(turn) for turn in response.turns}
        self.unacknowledged |= answers
        with suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
            await player.send(*answers.values())


@asynccontextmanager
async def reached(process: ServerProcess) -> AsyncIterator[Edge]:
    """Give an organiser's calls to a program."""
    async with grpc.aio.insecure_channel(process.address) as channel:
        yield Edge(None, process.state, channel)  # type: ignore[arg-type]  # it is no object here


async def until_ready(edge: Edge) -> None:
    """Wait for a program that was started anew on the same port."""
    stub: Any = health_pb2_grpc.HealthStub(edge.channel)
    await stub.Check(health_pb2.HealthCheckRequest(), wait_for_ready=True, timeout=30)


async def readiness(edge: Edge, seen: list[str]) -> None:
    """Note what a watcher of health hears, to its end."""
    stub: Any = health_pb2_grpc.HealthStub(edge.channel)
    watch = stub.Watch(health_pb2.HealthCheckRequest())
    with suppress(grpc.aio.AioRpcError):
        while (status := await watch.read()) is not grpc.aio.EOF:
            seen.append(health_pb2.HealthCheckResponse.ServingStatus.Name(status.status))


async def lost(address: str, bots: Iterable[Bot]) -> list[Ref]:
    """Return acknowledged answers that the store of a stopped program does not hold."""
    store = await open_store(address, unsafe=True)
    missing = []
    for bot in bots:
        for turn, version in bot.accepted.items():
            entries = {entry.version: entry for entry in await store.read(f"match/{turn[0]}")}
            if version not in entries or entries[version].seat not in (turn[1], -1):
                missing.append(turn)
    await store.aclose()
    return missing


async def until(condition: Callable[[], bool]) -> None:
    """Look every now and then whether something holds, until it does."""
    while not condition():  # noqa: ASYNC110 - what tests wait for tells nobody
        await asyncio.sleep(0.01)


class Waiting:
    """Calls that wait for news: a stream of turns, a spectator, a poll."""

    def __init__(self, watch: Any, table: Any, poll: Any) -> None:
        self._watch = watch
        self._table = table
        self._poll = poll

    @classmethod
    async def begun(cls, edge: Edge) -> Self:
        """Begin them; each has been served when this returns, but the poll has no news."""
        key_id, key = await edge.key(name="slow")
        match = await edge.create(reserved(key_id), house())
        seats = play_service_pb2.WatchSeatsRequest(hello=play_service_pb2.Hello(instance="w"))
        watch: Any = edge.plays.WatchSeats(seats, metadata=metadata(key))
        await watch.read()
        seen = match_service_pb2.WatchMatchRequest(match_id=match.match_id)
        table: Any = edge.matches.WatchMatch(seen, metadata=metadata(key))
        await table.read()
        _, idle = await edge.key(name="idle")
        wait = play_service_pb2.WaitTurnsRequest(wait_duration=Duration(seconds=60))
        return cls(watch, table, edge.plays.WaitTurns(wait, metadata=metadata(idle)))

    async def ends(self) -> tuple[str, str, int]:
        """Return why the streams end, and how many turns the poll returns."""
        last = await self._watch.read()
        while not last.HasField("closing"):
            last = await self._watch.read()
        assert await self._watch.read() is grpc.aio.EOF
        reason = play_service_pb2.ClosingReason.Name(last.closing.reason)
        return reason, await end_of(self._table), len((await self._poll).turns)


async def test_a_signal_in_the_midst_of_play_loses_nothing(tmp_path: Path) -> None:
    """
    Readiness goes first; polls, streams and watchers end with a reason; the exit code is 0.

    Every acknowledged answer is in the journal, and after a restart the same bots, sending again
    what was not acknowledged, play every match to its end without one refusal.
    """
    seen: list[str] = []
    with ServerProcess(tmp_path, "--grace", str(GRACE_SECONDS)) as process:
        async with asyncio.timeout(100), reached(process) as edge:
            bots, matches = await players(edge, seen)
            waiting = await Waiting.begun(edge)
            watching = asyncio.create_task(readiness(edge, seen))
            playing = [asyncio.create_task(bot.play()) for bot in bots]
            await until(lambda: "SERVING" in seen and all(len(b.accepted) > 80 for b in bots))
            began = time.monotonic()
            stopping = asyncio.create_task(asyncio.to_thread(process.stop))
            await asyncio.gather(*playing, watching)
            assert await waiting.ends() == (DRAIN, "draining", 0)
            code, _, log = await stopping
            assert code == Exit.STOPPED, log
            assert time.monotonic() - began < GRACE_SECONDS
            assert seen == ["SERVING", "NOT_SERVING", *[DRAIN] * SEATS]
            assert await lost(f"sqlite:{process.state / 'journal.sqlite'}", bots) == []
            assert not all(bot.over >= matches for bot in bots), "everything was over too early"

            process.start()
            await until_ready(edge)
            playing = [asyncio.create_task(bot.play()) for bot in bots]
            await until(lambda: all(bot.over >= matches for bot in bots))
            assert [bot.refused for bot in bots] == [[]] * SEATS
            await asyncio.to_thread(process.stop)
            await asyncio.gather(*playing)


async def players(edge: Edge, seen: list[str]) -> tuple[list[Bot], set[str]]:
    """Make bots and the matches in which they have seats."""
    made = [await edge.key(name=f"bot{number}") for number in range(SEATS)]
    seats = [reserved(key_id) for key_id, _ in made]
    matches = {(await edge.create(*seats)).match_id for _ in range(MATCHES)}
    return [Bot(edge, key, seen) for _, key in made], matches


@asynccontextmanager
async def held_up(*options: str, folder: Path) -> AsyncIterator[ServerProcess]:
    """Run a program with a stream that cannot be sent its end, as its client reads nothing."""
    with ServerProcess(folder, "--store", "memory", "--metrics-port", "0", *options) as process:
        async with asyncio.timeout(100), reached(process) as edge:
            _, key = await edge.key()
            flooding = asyncio.create_task(flood(edge.plays, key, "deaf"))
            url = f"http://{json.loads(process.log.splitlines()[0])['metrics']}/metrics"
            while await asyncio.to_thread(pending_bytes, url) <= FULL:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.05)
            yield process
            flooding.cancel()
            await asyncio.wait([flooding])


def pending_bytes(metrics: str) -> float:
    """Return how much streams have yet to take."""
    with urllib.request.urlopen(metrics) as response:
        lines = response.read().decode().splitlines()
    values = [line.split()[1] for line in lines if line.startswith("lastcard_stream_pending_bytes")]
    return float(values[0])


async def test_what_never_ends_is_cut_at_the_end_of_the_grace(tmp_path: Path) -> None:
    """The exit code says so."""
    async with held_up("--grace", "2", folder=tmp_path) as process:
        began = time.monotonic()
        code, _, log = await asyncio.to_thread(process.stop)
    assert code == Exit.CUT, log
    assert 1.9 < time.monotonic() - began < 20


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_second_signal_ends_the_program_at_once(tmp_path: Path, number: int) -> None:
    """Nobody has to wait for the grace."""
    async with held_up("--grace", "600", folder=tmp_path) as process:
        process.signal(number)
        await until(lambda: "draining" in process.log)
        code, _, log = await asyncio.to_thread(process.stop, number)
    assert code == -number, log
