"""
Do journals in a database keep what they acknowledged when servers die, fail over or are cut off?

Two pods write to the logs of one database and note what was acknowledged; in the end the database
is read. A synchronous pair may lose nothing. An asynchronous one may, but whoever holds the head of
what is lost is told. A primary that is held up, dies, comes back alone and dies again shows its
pods what the standby never had: they may not believe it. Processes die here and the machine lives,
so that the servers need not wait for the disk.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from random import Random
from typing import Final

from tests.faults import network
from tests.faults.outcome import Outcome, Progress, Promise, Scenario
from tests.faults.pair import Pair, Sockets
from tests.faults.writers import PODS, Writers
from tests.postgres import DatabaseServer, needed_programs, no_programs

_QUIET_SECONDS: Final = 30.0
_PAUSE_SECONDS: Final = 0.02
_SEEN_SECONDS: Final = 1.5
"""After which all of a pod's connections have come back, and have read."""


async def _kill(times: int, seed: int, progress: Progress) -> Outcome:
    """Kill the processes of a single server and start it again."""
    random, writers = Random(seed), Writers(race=True)
    server = DatabaseServer(needed_programs())
    try:
        server.create()
        server.start(fsync="off")
        async with writers.writing(server.address()):
            for number in range(times):
                await writers.traffic(random.random() / 2)
                server.crash()
                server.start(fsync="off")
                progress(number + 1, "store kills")
        return await writers.outcome(server.address(), "store kill -9", times)
    finally:
        server.remove()


async def _fail_over(times: int, seed: int, progress: Progress, *, synchronous: bool) -> Outcome:
    """Kill the primary while its standby is held up, every second time twice, and fail over."""
    random, writers = Random(seed), Writers(race=synchronous)
    wire = Sockets()
    pair = Pair(needed_programs(), wire, synchronous=synchronous)
    try:
        await pair.start()
        async with writers.writing(pair.address):
            for number in range(times):
                await writers.traffic(random.random() / 2)
                wire.proxy.swallows_replies = True
                await asyncio.sleep(random.random() / 4)
                pair.primary.crash()
                if number % 2:
                    pair.restart()
                    await _connected(pair.primary)
                    pair.primary.crash()
                await pair.promote()
                await pair.follow()
                progress(number + 1, "failovers")
        kind = "synchronous" if synchronous else "asynchronous"
        return await writers.outcome(pair.address, f"failover, {kind}", times)
    finally:
        await wire.proxy.close()
        pair.remove()


async def _connected(server: DatabaseServer) -> None:
    """Wait until pods have come back to a server, and a moment on."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'lastcard'"
    until = time.monotonic() + _QUIET_SECONDS
    while (await server.ask(query))[0][0] < PODS:
        assert time.monotonic() < until, "the pods do not come back"
        await asyncio.sleep(_PAUSE_SECONDS)
    await asyncio.sleep(_SEEN_SECONDS)


async def _partition(times: int, seed: int, progress: Progress) -> Outcome:
    """Cut the pods, the standby or everybody off from the primary; the last makes a failover."""
    random, writers = Random(seed), Writers(race=True)
    net = network.Namespaces()
    net.open()
    pair = Pair(needed_programs(), net, synchronous=True)
    try:
        await pair.start()
        async with writers.writing(pair.address):
            for number in range(times):
                await writers.traffic(random.random())
                standby = net.place(pair.standby)
                cut_off = ((network.HERE, standby), (network.HERE,), (standby,))[number % 3]
                heal = net.cut(pair.primary, *cut_off)
                await asyncio.sleep(1 + 2 * random.random())
                if len(cut_off) > 1:
                    await pair.promote()
                    await asyncio.sleep(1)
                    heal()  # now there are two that take writes
                    await asyncio.sleep(1)
                    pair.standby.crash()
                    await pair.follow()
                else:
                    heal()
                progress(number + 1, "partitions")
        return await writers.outcome(pair.address, "partition", times)
    finally:
        pair.remove()
        net.close()


def _ran(
    scenario: Callable[[int, int, Progress], Coroutine[None, None, Outcome]],
) -> Callable[[int, int, Progress], Outcome]:
    """Return a scenario that runs in an event loop of its own."""
    return lambda *arguments: asyncio.run(scenario(*arguments))


async def _synchronous(times: int, seed: int, progress: Progress) -> Outcome:
    return await _fail_over(times, seed, progress, synchronous=True)


async def _asynchronous(times: int, seed: int, progress: Progress) -> Outcome:
    outcome = await _fail_over(times, seed, progress, synchronous=False)
    return outcome._replace(promise=Promise.TELLS)


def _no_network() -> str:
    return no_programs() or network.missing()


SCENARIOS: Final = (
    Scenario("store-kills", _ran(_kill), times=20, few=2, missing=no_programs),
    Scenario("failovers", _ran(_synchronous), times=6, few=1, missing=no_programs),
    Scenario("failovers-asynchronous", _ran(_asynchronous), times=6, few=1, missing=no_programs),
    Scenario("partitions", _ran(_partition), times=6, few=1, missing=_no_network),
)
