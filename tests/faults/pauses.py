"""
What if a server stands still past every deadline, as a frozen machine does? Clocks are extended.

It is stopped (SIGSTOP) for longer than any clock and goes on (SIGCONT). Answers that were under way
count, no seat is punished for what it could not help, and the journal says how long it was.
"""

import asyncio
import random
import signal
from typing import Final

from lastcard_engine.record import EntryKind
from tests.faults.fleet import Fleet, judged, read_back
from tests.faults.outcome import Outcome, Progress, Scenario
from tests.faults.punished import LIMIT_SECONDS, TIMED, kinds
from tests.faults.servers import Nursery, Server, folder_of

_LONGER_SECONDS: Final = (0.3, 1.5)
"""A pause is longer than a clock by so much."""
LEAST: Final = 20
"""Acknowledged answers a pause, at least, or the run is invalid."""


def pauses(times: int, seed: int, progress: Progress) -> Outcome:
    """Stop a server that often, and let it go on."""
    return asyncio.run(_pauses(times, seed, progress))


async def _pauses(times: int, seed: int, progress: Progress) -> Outcome:
    with folder_of("pauses") as folder, Nursery() as nursery:
        server, dice = Server(nursery, folder), random.Random(seed)
        await server.started()
        fleet, went_on = Fleet([server.address], server.key, server.keys, seed), True
        async with fleet.playing(settings=TIMED):
            for number in range(times):
                progress(number, f"pauses, {fleet.acknowledged:,} acknowledged")
                went_on &= await fleet.acknowledge(LEAST)
                await pause(server, LIMIT_SECONDS + dice.uniform(*_LONGER_SECONDS))
            went_on &= await fleet.acknowledge(LEAST)
        server.kill()
        extended = kinds(await read_back(server.store))[EntryKind.CLOCK_EXTENDED]
        return await judged(
            "SIGSTOP past every deadline",
            times,
            fleet,
            server,
            in_time=True,
            least=times * LEAST,
            note=f"clocks were extended {extended} times",
            valid=went_on and extended >= times,
        )


async def pause(server: Server, seconds: float) -> None:
    """Let a server stand still."""
    server.signal(signal.SIGSTOP)
    try:
        await asyncio.sleep(seconds)
    finally:
        server.signal(signal.SIGCONT)


SCENARIOS: Final = (Scenario("pauses", pauses, times=12, few=1),)
