"""
How many decisions a second does a server core serve, in unary echoes of the same grpcio?

A decision is an accepted answer to a turn that offers at least two actions, reaction turns not
counted, over `Play`, with the memory store and everything else on. Each round measures the server
and then the yardstick, an echo that does nothing with messages of the size that an answer and a
turn have on the streams, so that noise hits both alike; what counts is the processor time of the
server's process, which has a core of its own where there are two. Memory and start-up time are
measured besides.
"""

import argparse
import asyncio
import contextlib
import json
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from loadtest.build import build
from loadtest.echo import METHOD
from loadtest.server import Child, Server, running, serving
from loadtest.server_bots import Bots, Table, Tally

IN_FLIGHT = 64
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def _cores() -> tuple[set[int], set[int]]:
    """Return the core for servers and those for whoever calls them; one machine has both."""
    cores = list(range(os.cpu_count() or 1))
    return set(cores[:1]), set(cores[1:] or cores)


def pin(child: Child) -> None:
    """Give a server a core of its own where there are two; whoever calls it keeps the others."""
    server_core, others = _cores()
    for thread in Path(f"/proc/{child.pid}/task").iterdir():
        os.sched_setaffinity(int(thread.name), server_core)
    os.sched_setaffinity(0, others)


def cpu_seconds(child: Child) -> float:
    """Return the processor time a process has used, all threads together."""
    fields = _stat(child, "stat").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def resident_bytes(child: Child) -> int:
    """Return how much memory a process holds."""
    return int(_stat(child, "statm").split()[1]) * PAGE


def _stat(child: Child, name: str) -> str:
    return Path(f"/proc/{child.pid}/{name}").read_text(encoding="ascii")


@contextlib.contextmanager
def lastcard_servers(store: str, count: int) -> Iterator[list[Server]]:
    """Run `lastcard serve` with everything on; `{folder}` in the store is their state directory."""
    ports = ("--metrics-port", "0", "--health-port", "0", "--grace", "1")
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = store.format(folder=folder)
        servers = [stack.enter_context(serving(folder, address, *ports)) for _ in range(count)]
        for server in servers:
            pin(server.child)
        yield servers


@contextlib.contextmanager
def lastcard_server(store: str = "memory") -> Iterator[Server]:
    """Run one."""
    with lastcard_servers(store, 1) as (server,):
        yield server


async def play(server: Server, bots: Bots, seconds: float) -> tuple[Tally, float]:
    """Let the bots play for a while; return what they saw and the server's processor time."""
    bots.tally = tally = Tally()
    began = cpu_seconds(server.child)
    bots.resume()
    await asyncio.sleep(seconds)
    bots.pause()
    await asyncio.sleep(0.2)
    return tally, cpu_seconds(server.child) - began


async def echo(tally: Tally, seconds: float) -> float:
    """Return how many calls a second of processor time the yardstick serves."""
    request = bytes(tally.sent_bytes // tally.answers)
    reply = tally.received_bytes // tally.turns
    calls = 0

    async def call_again(call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]) -> None:
        nonlocal calls
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            await call(request)
            calls += 1

    with running("-m", "loadtest.echo", str(reply)) as server:
        pin(server)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.said}") as channel:
            call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(METHOD)
            await call(request)
            began = cpu_seconds(server)
            await asyncio.gather(*(call_again(call) for _ in range(IN_FLIGHT)))
            return calls / (cpu_seconds(server) - began)


async def throughput(preset: str, matches: int, rounds: int, seconds: float) -> dict[str, float]:
    """Return medians over some rounds, each with the yardstick right behind it."""
    found: dict[str, list[float]] = {"decisions": [], "turns": [], "echo": [], "ratio": []}
    batches: list[float] = []
    with lastcard_server() as server:
        bots = Bots([server.address], server.key, Table(preset))
        await bots.start(matches)
        await play(server, bots, seconds)
        for _ in range(rounds):
            tally, spent = await play(server, bots, seconds)
            calls = await echo(tally, seconds / 2)
            found["decisions"].append(tally.decisions / spent)
            found["turns"].append(tally.turns / spent)
            found["echo"].append(calls)
            found["ratio"].append(tally.decisions / spent / calls)
            batches.append(tally.turns / tally.messages)
            if tally.refused:
                raise SystemExit(f"{tally.refused} answers were refused")
        await bots.stop()
    return {name: statistics.median(values) for name, values in found.items()} | {
        "batch": statistics.median(batches)
    }


async def memory(preset: str, matches: int, seconds: float) -> float:
    """Return how many KiB a live match takes in a server that keeps its journal in a file."""
    with lastcard_server("sqlite:{folder}/journal.sqlite") as server:
        bots = Bots([server.address], server.key, Table(preset))
        await bots.start(64)
        await play(server, bots, seconds)
        before = resident_bytes(server.child)
        await bots.create(matches)
        await play(server, bots, seconds)
        grown = resident_bytes(server.child) - before
        await bots.stop()
    return grown / matches / 1024


async def start_up() -> float:
    """Return after how many seconds a new server answers health."""
    began = time.monotonic()
    with lastcard_server() as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            stub = health_pb2_grpc.HealthStub(channel)
            reply = await stub.Check(health_pb2.HealthCheckRequest(), wait_for_ready=True)
            if reply.status != health_pb2.HealthCheckResponse.SERVING:
                raise SystemExit("the server is not ready")
            return time.monotonic() - began


async def measure(options: argparse.Namespace) -> dict[str, float]:
    """Measure everything."""
    found = await throughput(options.preset, options.matches, options.rounds, options.seconds)
    found["kib_per_match"] = await memory(options.preset, 1_000, options.seconds)
    found["start_seconds"] = statistics.median([await start_up() for _ in range(3)])
    return found


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default="official_se", help="rules of the matches")
    parser.add_argument("--matches", type=int, default=256, help="matches that are live")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each side")
    parser.add_argument("--seconds", type=float, default=4.0, help="length of one measurement")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    found = asyncio.run(measure(options))
    if options.json:
        print(json.dumps(found))
        return
    version = f"{platform.python_implementation()} {platform.python_version()}"
    print(f"{build()} build, {version}, grpcio {grpc.__version__}")
    print(f"Play        {found['decisions']:>9,.0f} decisions a second of server processor time")
    print(f"            {found['turns']:>9,.0f} turns, {found['batch']:.0f} to a message")
    print(f"unary echo  {found['echo']:>9,.0f} calls")
    print(f"ratio       {found['ratio']:>9.1f} x")
    print(f"memory      {found['kib_per_match']:>9.1f} KiB a live match of four seats")
    print(f"start       {found['start_seconds']:>9.2f} s until health answers")


if __name__ == "__main__":
    main()
