"""
Do journals in a database keep what they acknowledged when servers die, fail over or are cut off?

Two pods write to the logs of one database and note what was acknowledged; in the end the database
is read. A synchronous pair may lose nothing. An asynchronous one may, but whoever holds the head of
what is lost is told. A primary that is held up, dies, comes back alone and dies again shows its
pods what the standby never had: they may not believe it. Processes die here and the machine lives,
so that the servers need not wait for the disk. `beneath` does the same to whole servers.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from functools import partial
from random import Random
from typing import Any, Final, Protocol

from tests.faults import network
from tests.faults.outcome import Outcome, Progress, Promise, Run, Scenario
from tests.faults.pair import Pair, Sockets
from tests.faults.writers import PODS, Writers
from tests.postgres import DatabaseServer, needed_programs, no_programs

_QUIET_SECONDS: Final = 30.0
_PAUSE_SECONDS: Final = 0.02
_SEEN_SECONDS: Final = 1.5
"""After which all of a pod's connections have come back, and have read."""


class Users(Protocol):
    """Who uses the database that the fault is done to, and notes what was acknowledged."""

    def writing(self, address: str) -> AbstractAsyncContextManager[None]:
        """Write to the database while the context lasts."""

    async def traffic(self, seconds: float) -> None:
        """Wait for enough that is acknowledged, and so many seconds on."""

    async def outcome(
        self, address: str, fault: str, times: int, promise: Promise = Promise.KEEPS
    ) -> Outcome:
        """Compare what was acknowledged with what the database holds in the end."""


Fault = Callable[[Users, int, int, Progress], Coroutine[Any, Any, Outcome]]
"""Does a fault so many times to a database that is used; seed and progress as of a `Scenario`."""


async def _kill(users: Users, times: int, seed: int, progress: Progress) -> Outcome:
    """Kill the processes of a single server and start it again."""
    random = Random(seed)
    server = DatabaseServer(needed_programs())
    try:
        server.create()
        server.start(fsync="off")
        async with users.writing(server.address()):
            for number in range(times):
                await users.traffic(random.random() / 2)
                server.crash()
                await asyncio.sleep(random.random() / 4)
                server.start(fsync="off")
                progress(number + 1, "store kills")
        return await users.outcome(server.address(), "store kill -9", times)
    finally:
        server.remove()


async def _fail_over(
    users: Users, times: int, seed: int, progress: Progress, *, synchronous: bool
) -> Outcome:
    """Kill the primary while its standby is held up, every second time twice, and fail over."""
    random, wire = Random(seed), Sockets()
    pair = Pair(needed_programs(), wire, synchronous=synchronous)
    try:
        await pair.start()
        async with users.writing(pair.address):
            for number in range(times):
                await users.traffic(random.random() / 2)
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
        promise = Promise.KEEPS if synchronous else Promise.TELLS
        return await users.outcome(pair.address, f"failover, {kind}", times, promise)
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


async def _partition(users: Users, times: int, seed: int, progress: Progress) -> Outcome:
    """Cut the pods, the standby or everybody off from the primary; the last makes a failover."""
    random = Random(seed)
    net = network.Namespaces()
    net.open()
    pair = Pair(needed_programs(), net, synchronous=True)
    try:
        await pair.start()
        async with users.writing(pair.address):
            for number in range(times):
                await users.traffic(random.random())
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
        return await users.outcome(pair.address, "partition", times)
    finally:
        pair.remove()
        net.close()


def _no_network() -> str:
    """Return why servers cannot be cut off from one another here; "" where they can."""
    return no_programs() or network.missing()


_fail_over_synchronous: Final[Fault] = partial(_fail_over, synchronous=True)
_fail_over_asynchronous: Final[Fault] = partial(_fail_over, synchronous=False)


def scenarios(run: Callable[[Fault], Run], suffix: str = "") -> tuple[Scenario, ...]:
    """Return a scenario for each fault; `run`: makes a run of it, `suffix`: ends their names."""
    return (
        Scenario(f"store-kills{suffix}", run(_kill), 20, 2, no_programs),
        Scenario(f"failovers{suffix}", run(_fail_over_synchronous), 6, 1, no_programs),
        Scenario(
            f"failovers-asynchronous{suffix}", run(_fail_over_asynchronous), 6, 1, no_programs
        ),
        Scenario(f"partitions{suffix}", run(_partition), 6, 1, _no_network),
    )


def _written(fault: Fault) -> Run:
    """Return a run in which a fault happens to writers, in an event loop of its own."""
    race = fault is not _fail_over_asynchronous  # else others write where something was lost
    return lambda *arguments: asyncio.run(fault(Writers(race=race), *arguments))


SCENARIOS: Final = scenarios(_written)
