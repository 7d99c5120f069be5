"""
What if answers come many times, late and out of order? The first outcome holds, once.

Each answer is sent one to five times, on several streams of the same bot, and again after each
kill; old answers are repeated, and contradicted, long after they were accepted.
"""

import asyncio
import contextlib
import random
from typing import Any, Final

import grpc

from lastcard.v1 import error_reason_pb2, play_service_pb2, turn_pb2
from lastcard.v1.play_service_pb2_grpc import PlayServiceStub
from lastcard_server.status import DETAIL_KEY
from tests.faults import clients
from tests.faults.clients import Bot
from tests.faults.fleet import Fleet, judged
from tests.faults.outcome import Outcome, Progress, Scenario
from tests.faults.servers import Nursery, Server, folder_of

_COPIES: Final = (1, 5)
_LINKS: Final = 3
_LIFE_SECONDS: Final = (0.2, 0.6)
LEAST: Final = 10
"""Acknowledged answers a kill, at least, or the run is invalid."""


def repeats(times: int, seed: int, progress: Progress) -> Outcome:
    """Kill a server that often while its bots repeat themselves."""
    return asyncio.run(_repeats(times, seed, progress))


async def _repeats(times: int, seed: int, progress: Progress) -> Outcome:
    with folder_of("repeats") as folder, Nursery() as nursery:
        server, dice = Server(nursery, folder), random.Random(seed)
        await server.started()
        fleet = Fleet([server.address], server.key, server.keys, seed)
        copies, stubborn = random.Random(f"{seed} copies"), _Stubborn(fleet, server.address)
        async with fleet.playing(links=_LINKS, copies=lambda: copies.randint(*_COPIES)):
            fleet.begin(stubborn.run())
            for number in range(times):
                progress(number, f"kills, {fleet.acknowledged:,} acknowledged")
                await fleet.acknowledge(2 * LEAST)
                await asyncio.sleep(dice.uniform(*_LIFE_SECONDS))
                server.kill()
                await server.started()
            went_on = await fleet.acknowledge(LEAST)
        server.kill()
        fleet.records.unchained += stubborn.believed
        again = len(fleet.records.acknowledged) - fleet.acknowledged
        return await judged(
            "answers sent 1 to 5 times",
            times,
            fleet,
            server,
            least=times * LEAST,
            note=f"{again:,} acknowledged again, {stubborn.refused:,} contradictions refused",
            valid=went_on and again >= times and stubborn.refused > 0,
        )


class _Stubborn:
    """Repeats and contradicts answers that were accepted, by calls of their own."""

    def __init__(self, fleet: Fleet, address: str) -> None:
        self.refused = 0
        self.believed: list[str] = []
        self._fleet = fleet
        self._address = address
        self._dice = random.Random(0)

    async def run(self) -> None:
        """Go on until cancelled."""
        while True:
            async with clients.channel_to(self._address) as channel:
                stub: Any = PlayServiceStub(channel)
                bot = self._dice.choice(self._fleet.bots)
                if bot.done:
                    await self._insist(stub, bot, self._dice.choice(bot.done))
                await asyncio.sleep(0.01)

    async def _insist(self, stub: Any, bot: Bot, answer: turn_pb2.Answer) -> None:
        """Send an old answer again and look at its outcome; then another in its place."""
        bot.links[0].put(answer)
        other = turn_pb2.Answer()
        other.CopyFrom(answer)
        other.choice += 1
        request = play_service_pb2.ActRequest(answer=other)
        try:
            await stub.Act(request, metadata=clients.metadata(bot.key), timeout=1.0)
        except grpc.aio.AioRpcError as error:
            with contextlib.suppress(KeyError):
                detail = dict(error.trailing_metadata() or ())[DETAIL_KEY]
                told = error_reason_pb2.ErrorDetail.FromString(detail)
                self.refused += clients.reason_of(told) == "turn_answered"
        else:
            where = f"{answer.match_id}: turn {answer.turn} of seat {answer.seat}"
            self.believed.append(f"{where} took another answer than the first")


SCENARIOS: Final = (Scenario("repeats", repeats, times=40, few=3),)
