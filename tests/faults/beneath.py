"""
Do whole servers keep what they told their clients while the database beneath them fails?

The faults are those of `databases`. Bots have a stream to each of two pods on the database and play
on through them; what they saw is compared with the journal in the end. Whoever holds what an
asynchronous standby has lost is told: its match is frozen.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from tests.faults.databases import Fault, scenarios
from tests.faults.fleet import judged
from tests.faults.outcome import Outcome, Progress, Promise, Run
from tests.faults.pods import Pods, two_pods
from tests.faults.servers import Nursery, folder_of

LEAST: Final = 20
"""Acknowledged answers before every fault and after the last, at least, or the run is invalid."""
_UNTIL_SECONDS: Final = 30.0
_TOLD_SECONDS: Final = 4.0
"""Servers look every second for what their store has lost, and then tell it."""


class _Players:
    """
    Bots that play on two pods: users of a database.

    Args:
        nursery: starts the pods.
        folder: their working directory.
        seed: of every choice of the bots.

    """

    def __init__(self, nursery: Nursery, folder: Path, seed: int) -> None:
        self._nursery = nursery
        self._folder = folder
        self._seed = seed
        self._pods: Pods | None = None
        self._went_on = True

    @asynccontextmanager
    async def writing(self, address: str) -> AsyncIterator[None]:
        """Run the pods on a database and let bots play while the context lasts."""
        options = ("--store", address, "--unsafe-store")
        self._pods = await two_pods(self._nursery, self._folder, self._seed, *options)
        servers, fleet = self._pods
        async with fleet.playing(reads=2):
            yield
            await self.traffic(_TOLD_SECONDS)
        for server in servers:
            server.kill()

    async def traffic(self, seconds: float) -> None:
        """Wait for enough answers that were not acknowledged before, and so many seconds on."""
        assert self._pods is not None
        fleet = self._pods.fleet
        goal = fleet.acknowledged + LEAST
        while self._went_on and (missing := goal - fleet.acknowledged) > 0:
            self._went_on = await fleet.acknowledge(missing, _UNTIL_SECONDS)
        await asyncio.sleep(seconds)

    async def outcome(
        self, _address: str, fault: str, times: int, promise: Promise = Promise.KEEPS
    ) -> Outcome:
        """Compare what the clients saw with what the database holds in the end."""
        assert self._pods is not None
        (server, _), fleet = self._pods
        tells = promise is Promise.TELLS
        outcome = await judged(
            f"{fault}, beneath two servers",
            times,
            fleet,
            server,
            in_time=True,
            promise=promise,
            least=times * LEAST,
            valid=self._went_on,
            note=f"of {len(fleet.records.told)} matches a loss was told" if tells else "",
        )
        return outcome._replace(valid=outcome.valid and (outcome.lost > 0 or not tells))


def _played(fault: Fault) -> Run:
    """Return a run in which a fault happens beneath servers, in an event loop of its own."""

    def run(times: int, seed: int, progress: Progress) -> Outcome:
        with folder_of("beneath") as folder, Nursery() as nursery:
            return asyncio.run(fault(_Players(nursery, folder, seed), times, seed, progress))

    return run


SCENARIOS: Final = scenarios(_played, "-beneath")
