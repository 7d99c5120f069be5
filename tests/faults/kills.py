"""
What is lost when a server is killed at any instant? Nothing, on a file that is written in full.

Bots play on through hundreds of kills at instants drawn by the seed, during start-up too. The
control run kills a server that acknowledges before it writes: there, the same bots must lose, and
soon have nothing left to play.
"""

import asyncio
import random
from functools import partial
from typing import Final

from tests.faults.fleet import Fleet, judged
from tests.faults.outcome import Outcome, Progress, Promise, Scenario
from tests.faults.servers import FAILING, PROGRAM, Nursery, Server, folder_of

_ANSWERS: Final = (5, 20)
_AFTER_SECONDS: Final = 0.05
"""A kill comes up to so long after so many acknowledgements of a life."""
_STARTING: Final = 0.1
"""Which part of the kills comes while the server starts."""
_EARLY_SECONDS: Final = 0.1
LEAST: Final = 5
"""Acknowledged answers a kill, at least, or the run is invalid."""


def kills(times: int, seed: int, progress: Progress, *, eager: bool = False) -> Outcome:
    """Kill a server that often; `eager`: one that acknowledges before the commit."""
    return asyncio.run(_kills(times, seed, progress, eager=eager))


async def _kills(times: int, seed: int, progress: Progress, *, eager: bool) -> Outcome:
    program, before = (PROGRAM, ()) if not eager else (FAILING, ("--eager",))
    with folder_of("kills") as folder, Nursery(program) as nursery:
        server = Server(nursery, folder, before=before)
        await server.started()
        fleet = Fleet([server.address], server.key, server.keys, seed)
        early = 0
        async with fleet.playing():
            dice = random.Random(seed)
            for number in range(times):
                progress(number, f"kills, {fleet.acknowledged:,} acknowledged")
                early += await _life(server, fleet, dice)
            alive = await server.ready() and await fleet.acknowledge(LEAST)
        server.kill()
        return await judged(
            "kill -9, acknowledged before the commit" if eager else "kill -9",
            times,
            fleet,
            server,
            least=LEAST if eager else times * LEAST,
            valid=alive or eager,
            note=f"{early} while it started",
            promise=Promise.LOSES if eager else Promise.KEEPS,
        )


async def _life(server: Server, fleet: Fleet, dice: random.Random) -> bool:
    """Let a server live until it is killed, start it anew; return whether it died starting."""
    if dice.random() < _STARTING:
        await asyncio.sleep(dice.uniform(0, _EARLY_SECONDS))
    else:
        assert await server.ready(), server.log
        await fleet.acknowledge(dice.randint(*_ANSWERS))
        await asyncio.sleep(dice.uniform(0, _AFTER_SECONDS))
    early = not server.listens()
    server.kill()
    server.start()
    return early


SCENARIOS: Final = (
    Scenario("kills", kills, times=300, few=8),
    Scenario("kills-control", partial(kills, eager=True), times=6, few=3),
)
