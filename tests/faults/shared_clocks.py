"""
What if the wall clock of the database's machine jumps, on which all pods agree? No deadline moves.

libfaketime shows PostgreSQL another wall clock while two pods play on it; their own stay true.
Each clock is shown once while both pods live, once while one is dead, and once while both are: who
starts anew has the other's word for the time, or what the last heartbeat says.
"""

import asyncio
import math
import time
from collections.abc import Sequence
from typing import Final, TypeVar

from tests.faults.clocks import WALL_CLOCKS, Shown, no_faketime
from tests.faults.fleet import judged
from tests.faults.outcome import Outcome, Progress, Scenario
from tests.faults.pods import DEFAULT_CLOCKS, Pods, two_pods
from tests.faults.servers import Nursery, Server, folder_of
from tests.postgres import DatabaseServer, needed_programs, no_programs, started_server

_Pod = TypeVar("_Pod")
LEAST: Final = 20
"""Acknowledged answers before every jump and after the last, at least, or the run is invalid."""
_NOTICED_SECONDS: Final = 1.5
"""Pods ask for the time once a second; who starts before one has, cannot know of the jump."""
_MOVED_SECONDS: Final = 5.0
"""What a restarted pod or a busy machine explains is less, what a jump does is more."""
_LOOKS: Final = 100
_LOOK_SECONDS: Final = 0.05
_NEWEST: Final = "SELECT max(time_us) FROM lastcard.heartbeats"
_CLOCK: Final = "SELECT extract(epoch FROM clock_timestamp())::bigint"


def shared_clocks(times: int, seed: int, progress: Progress) -> Outcome:
    """Let the wall clock of a database jump that often."""
    return asyncio.run(_shared_clocks(times, seed, progress))


async def _shared_clocks(times: int, seed: int, progress: Progress) -> Outcome:
    with folder_of("shared-clocks") as folder:
        folder.chmod(0o755)  # the database is another user
        shown = Shown(folder / "wall-clock")
        with (
            started_server(needed_programs(), environment=shown.environment) as database,
            Nursery() as nursery,
        ):
            pods = await two_pods(nursery, folder, seed, "--store", database.address())
            return await _run(times, pods, database, shown, progress)


async def _run(
    times: int, pods: Pods, database: DatabaseServer, shown: Shown, progress: Progress
) -> Outcome:
    servers, fleet = pods
    restarts, jumped, moved, went_on = 0, 0, 0, True
    async with fleet.playing(settings=DEFAULT_CLOCKS, reads=2):
        signs = _Signs(database)
        await signs.moved()
        for number in range(times):
            progress(number, f"jumps, {fleet.acknowledged:,} acknowledged")
            went_on &= await fleet.acknowledge(LEAST)
            dead = dead_at(number, servers)
            restarts += len(dead)
            jumped += await _jump(database, shown, number, dead)
            by_seconds = abs(await signs.moved())
            moved += by_seconds > _MOVED_SECONDS and len(dead) < len(servers)
        went_on &= await fleet.acknowledge(LEAST)
    for server in servers:
        server.kill()
    outcome = await judged(
        "the wall clock of the database jumps",
        times,
        fleet,
        servers[0],
        in_time=True,
        least=times * LEAST,
        note=f"{restarts} restarts of a pod across them; {moved} moved the pods' time",
        valid=went_on and jumped == times,
    )
    return outcome._replace(broken=outcome.broken + moved)


class _Signs:
    """The pods' time, as their signs of life say it to the database."""

    def __init__(self, database: DatabaseServer) -> None:
        self._database = database
        self._ahead = 0.0

    async def moved(self) -> float:
        """
        Wait for a new sign; return by how much their time has moved against ours since the last.

        Infinite where it stands still.
        """
        first = await self._newest()
        for _ in range(_LOOKS):
            await asyncio.sleep(_LOOK_SECONDS)
            newest, now = await self._newest(), time.monotonic()
            if newest != first:
                before, self._ahead = self._ahead, newest - now
                return self._ahead - before
        return math.inf

    async def _newest(self) -> float:
        newest: int = (await self._database.ask(_NEWEST))[0][0]
        return newest / 1e6


def dead_at(number: int, servers: tuple[_Pod, _Pod]) -> tuple[_Pod, ...]:
    """Return who is dead during a jump: in so many as there are clocks, a third has each number."""
    dead = (number + number // len(WALL_CLOCKS)) % (len(servers) + 1)
    return (servers[number % 2],) if dead == 1 else servers[:dead]


async def _jump(
    database: DatabaseServer, shown: Shown, number: int, dead: Sequence[Server]
) -> bool:
    """Show the database another wall clock while some pods are dead; return whether it is seen."""

    async def clock() -> int:
        seconds: int = (await database.ask(_CLOCK))[0][0]
        return seconds

    for server in dead:
        server.kill()
    shown.show(WALL_CLOCKS[number % len(WALL_CLOCKS)])
    seen = await shown.seen(clock)
    await asyncio.sleep(_NOTICED_SECONDS)
    for server in dead:
        await server.started()
    return seen


def _missing() -> str:
    return no_faketime() or no_programs()


SCENARIOS: Final = (Scenario("clocks-postgres", shared_clocks, times=18, few=3, missing=_missing),)
"""As often as every clock is shown with none, one and two of the pods dead."""
