"""
What if one of two servers cannot reach their database and the other can? What they say is one.

The database lives in a network namespace, with an address for each pod; what goes to and from one
of them is dropped for longer than any clock of a move. The pod behind it lives and has its bots,
which have a stream to the other as well; it may acknowledge, punish and tell nothing meanwhile that
the other one contradicts, and what of it arrives late may change nothing.
"""

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests.faults import network
from tests.faults.fleet import Fleet
from tests.faults.outcome import Outcome, Progress, Scenario
from tests.faults.pods import LIMIT_SECONDS, Pods, disturbed
from tests.faults.servers import Nursery, Server, folder_of
from tests.postgres import DatabaseServer, needed_programs, no_programs

_CUT_SECONDS: Final = (LIMIT_SECONDS + 1.5, LIMIT_SECONDS + 4)
_BACK_SECONDS: Final = 30.0
_LOOK_SECONDS: Final = 0.05
LEAST: Final = 20
"""Answers that the other pod acknowledges in each cut, and that both do between them, at least."""


class Cut(NamedTuple):
    """What was seen of one cut."""

    dropped: int
    """Packets."""
    by_other: int
    """Answers that the pod acknowledged which was not cut off."""
    by_cut_off: int
    """Answers sent since then that the pod acknowledged which could not store them."""
    came_back: bool
    """Whether that one acknowledged answers again afterwards."""

    @property
    def was_done(self) -> bool:
        """Tell whether one pod was cut off while the other was played on."""
        return self.dropped > 0 and self.by_other >= LEAST and self.came_back


class _Stage(NamedTuple):
    """Two pods, each with a door of its own to their database."""

    pods: Pods
    doors: list[str]
    database: DatabaseServer
    net: network.Namespaces

    async def cut(self, number: int, seconds: float) -> Cut:
        """Cut one pod off for so long."""
        (*servers,), fleet = self.pods
        one, other = servers[number], servers[1 - number]
        heal = self.net.shut(self.database, self.doors[number])
        began_ns, served = time.monotonic_ns(), fleet.records.served
        try:
            await asyncio.sleep(seconds)
            by_other, by_cut_off = (
                sum(sent_ns > began_ns for sent_ns in served[server.address])
                for server in (other, one)
            )
        finally:
            dropped = heal()
        return Cut(dropped, by_other, by_cut_off, await _serves(fleet, one))


async def _serves(fleet: Fleet, server: Server) -> bool:
    """Wait until a server acknowledges answers; return whether it does."""
    served = fleet.records.served[server.address]
    goal = len(served) + LEAST
    for _ in range(round(_BACK_SECONDS / _LOOK_SECONDS)):
        fleet.check_tasks()
        if len(served) >= goal:
            return True
        await asyncio.sleep(_LOOK_SECONDS)
    return False


@asynccontextmanager
async def _stage(folder: Path, seed: int) -> AsyncIterator[_Stage]:
    """Run a database in a namespace, and two pods outside of it."""
    net = network.Namespaces()
    net.open()
    database = net.make(needed_programs())
    try:
        database.create()
        net.admit(database)
        doors = net.doors(database, 2)
        database.start(listen_addresses="*")
        stores = [f"postgresql://postgres@{door}/postgres?sslmode=disable" for door in doors]
        with Nursery() as nursery:
            one, two = (
                Server(nursery, folder, "--store", store, name=name)
                for name, store in zip(("one", "two"), stores, strict=True)
            )
            await one.started()
            await two.started()
            fleet = Fleet([one.address, two.address], one.key, one.keys, seed)
            yield _Stage(Pods((one, two), fleet), doors, database, net)
    finally:
        database.remove()
        net.close()


def one_sided(times: int, seed: int, progress: Progress) -> Outcome:
    """Cut one of two pods off from their database that often."""
    return asyncio.run(_one_sided(times, seed, progress))


async def _one_sided(times: int, seed: int, progress: Progress) -> Outcome:
    with folder_of("one-sided") as folder:
        async with _stage(folder, seed) as stage:
            dice, cuts = random.Random(seed), list[Cut]()

            async def cut(number: int) -> None:
                acknowledged = stage.pods.fleet.acknowledged
                progress(number, f"cuts, {acknowledged:,} acknowledged")
                cuts.append(await stage.cut(number % 2, dice.uniform(*_CUT_SECONDS)))

            fault = "partition, one of two servers"
            outcome = await disturbed(fault, stage.pods, times, LEAST, cut)
    return seen(outcome, cuts)


def seen(outcome: Outcome, cuts: list[Cut]) -> Outcome:
    """Return the outcome of a run with what was seen of its cuts."""
    wrong = sum(cut.by_cut_off for cut in cuts)
    done = sum(cut.was_done for cut in cuts)
    note = (
        f"{wrong} acknowledged by a pod that could store nothing, "
        f"{sum(cut.by_other for cut in cuts):,} by the other one meanwhile; {done} cuts were whole"
    )
    return outcome._replace(
        broken=outcome.broken + wrong,
        valid=outcome.valid and done == outcome.times,
        note="; ".join(filter(None, (outcome.note, note))),
    )


def _missing() -> str:
    return no_programs() or network.missing()


SCENARIOS: Final = (Scenario("partitions-one-sided", one_sided, times=6, few=1, missing=_missing),)
