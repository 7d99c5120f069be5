"""
What if one of two servers on one database dies, or stands still? The other goes on, and both agree.

Bots have a stream to each of two pods and send the same answers to both at once; reads go to
either. One pod is killed and started again, in turn; or stopped past a deadline while the other
lives, and let go on with all that it believes.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

from google.protobuf.duration_pb2 import Duration

from lastcard.v1 import match_service_pb2
from tests.faults.fleet import Fleet, judged
from tests.faults.outcome import Outcome, Progress, Scenario
from tests.faults.pauses import pause
from tests.faults.servers import Nursery, Server, folder_of
from tests.postgres import needed_programs, no_programs, started_server

_COPIES: Final = (1, 3)
_APART_SECONDS: Final = (0.3, 2.5)
"""Between two kills; a pod is taken for dead after two seconds, so that some find both alive."""
LIMIT_SECONDS: Final = 5
DEFAULT_CLOCKS: Final = match_service_pb2.MatchSettings(
    move_limit_duration=Duration(seconds=LIMIT_SECONDS),
    reaction_limit_duration=Duration(seconds=LIMIT_SECONDS),
    max_rounds=1,
)
"""Within these another pod takes over the turns of one that stands still."""
_PAUSE_SECONDS: Final = (LIMIT_SECONDS + 0.5, LIMIT_SECONDS + 2)
LEAST: Final = 10
"""Acknowledged answers a fault, at least, or the run is invalid."""


class Pods(NamedTuple):
    """Two servers on one database, and who plays there."""

    servers: tuple[Server, Server]
    fleet: Fleet


async def two_pods(nursery: Nursery, folder: Path, seed: int, *options: str) -> Pods:
    """Start two pods with these options, which name their store."""
    one, two = (Server(nursery, folder, *options, name=name) for name in ("one", "two"))
    await one.started()
    await two.started()
    return Pods((one, two), Fleet([one.address, two.address], one.key, one.keys, seed))


@asynccontextmanager
async def _pods(folder: Path, seed: int) -> AsyncIterator[Pods]:
    """Run a database and two pods."""
    with started_server(needed_programs()) as database, Nursery() as nursery:
        yield await two_pods(nursery, folder, seed, "--store", database.address())


def killed(times: int, seed: int, progress: Progress) -> Outcome:
    """Kill one of two pods that often."""
    return asyncio.run(_killed(times, seed, progress))


async def _killed(times: int, seed: int, progress: Progress) -> Outcome:
    with folder_of("pods") as folder:
        async with _pods(folder, seed) as (servers, fleet):
            dice, copies = random.Random(seed), random.Random(f"{seed} copies")
            went_on = True
            async with fleet.playing(copies=lambda: copies.randint(*_COPIES), reads=2):
                for number in range(times):
                    progress(number, f"kills, {fleet.acknowledged:,} acknowledged")
                    went_on &= await fleet.acknowledge(2 * LEAST)
                    server = dice.choice(servers)
                    server.kill()
                    await asyncio.sleep(dice.uniform(*_APART_SECONDS))
                    await server.started()
                went_on &= await fleet.acknowledge(LEAST)
            for server in servers:
                server.kill()
            return await judged(
                "kill -9 of one of two pods",
                times,
                fleet,
                servers[0],
                least=times * LEAST,
                valid=went_on,
                note=_again(fleet),
            )


def stopped(times: int, seed: int, progress: Progress) -> Outcome:
    """Let one of two pods stand still that often."""
    return asyncio.run(_stopped(times, seed, progress))


async def _stopped(times: int, seed: int, progress: Progress) -> Outcome:
    with folder_of("pods") as folder:
        async with _pods(folder, seed) as (servers, fleet):
            dice = random.Random(seed)

            async def stop(number: int) -> None:
                progress(number, f"pauses, {fleet.acknowledged:,} acknowledged")
                await pause(dice.choice(servers), dice.uniform(*_PAUSE_SECONDS))

            fault = "SIGSTOP of one of two pods past a deadline"
            return await disturbed(fault, Pods(servers, fleet), times, LEAST, stop)


async def disturbed(
    fault: str, pods: Pods, times: int, least: int, disturb: Callable[[int], Awaitable[None]]
) -> Outcome:
    """
    Disturb pods that often while bots play by the default clocks, and judge what came of it.

    Args:
        fault: its name.
        pods: they are killed at the end.
        times: how often.
        least: answers that each of the two acknowledges before each disturbance, on the average.
        disturb: does it for the nth time, from 0 on.

    """
    servers, fleet = pods
    went_on = True
    async with fleet.playing(settings=DEFAULT_CLOCKS, reads=2):
        for number in range(times):
            went_on &= await fleet.acknowledge(2 * least)
            await disturb(number)
        went_on &= await fleet.acknowledge(2 * least)
    for server in servers:
        server.kill()
    least *= times
    return await judged(fault, times, fleet, servers[0], in_time=True, least=least, valid=went_on)


def _again(fleet: Fleet) -> str:
    again = len(fleet.records.acknowledged) - fleet.acknowledged
    return f"{again:,} answers were acknowledged by both or again"


SCENARIOS: Final = (
    Scenario("pods-killed", killed, times=30, few=2, missing=no_programs),
    Scenario("pods-stopped", stopped, times=6, few=1, missing=no_programs),
)
