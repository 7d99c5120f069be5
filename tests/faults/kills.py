"""
What is lost when a server is killed at any instant? Nothing, on a file that is written in full.

Bots play on through hundreds of kills at instants drawn by the seed, during start-up too. The
control run kills a server that acknowledges before it writes: there, the same bots must lose.
"""

import asyncio
import random
from functools import partial
from typing import Final, NamedTuple

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
        early, went_on = 0, True
        async with fleet.playing():
            dice = random.Random(seed)
            for number in range(times):
                progress(number, f"kills, {fleet.acknowledged:,} acknowledged")
                life = await _life(server, fleet, dice)
                early += life.died_early
                went_on = life.went_on
                if not went_on:
                    break
            went_on = went_on and await server.ready() and await fleet.acknowledge(LEAST)
        server.kill()
        return await judged(
            "kill -9, acknowledged before the commit" if eager else "kill -9",
            times,
            fleet,
            server,
            least=times * LEAST,
            valid=went_on,
            note=f"{early} while it started",
            promise=Promise.LOSES if eager else Promise.KEEPS,
        )


class _Life(NamedTuple):
    """What came of one life of a server."""

    died_early: bool
    """Whether it was killed while it started."""
    went_on: bool
    """Whether the bots were acknowledged what they were waited for."""


async def _life(server: Server, fleet: Fleet, dice: random.Random) -> _Life:
    """Let a server live until it is killed, and start it anew."""
    went_on = True
    if dice.random() < _STARTING:
        await asyncio.sleep(dice.uniform(0, _EARLY_SECONDS))
    else:
        assert await server.ready(), server.log
        went_on = await fleet.acknowledge(dice.randint(*_ANSWERS))
        await asyncio.sleep(dice.uniform(0, _AFTER_SECONDS))
    early = not server.listens()
    server.kill()
    server.start()
    return _Life(early, went_on)


SCENARIOS: Final = (
    Scenario("kills", kills, times=300, few=8),
    Scenario("kills-control", partial(kills, eager=True), times=6, few=3),
)
