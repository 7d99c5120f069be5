"""
What is lost when a server dies at one certain step? Nothing, at any of the named points.

A round is one server that dies at every point once, with bots that play on. A life ends when the
server passes the point for the Kth time, K drawn by the seed; the journal is read back after every
death and checked against all that the clients know so far, and the next life begins. A database
lives on while its server dies; every round has one that is empty.
"""

import asyncio
import contextlib
import random
import signal
from pathlib import Path
from typing import Any, Final

import grpc

from lastcard.v1 import contest_service_pb2, match_service_pb2, rules_pb2
from lastcard.v1.contest_service_pb2_grpc import ContestServiceStub
from lastcard.v1.match_service_pb2_grpc import MatchServiceStub
from tests.faults import clients
from tests.faults.checker import Verdict, check
from tests.faults.failing import DIED
from tests.faults.fleet import PATIENT, Fleet, outcome_of, read_back
from tests.faults.outcome import Outcome, Progress, Scenario
from tests.faults.points import POINTS, Store, points_of
from tests.faults.servers import FAILING, Nursery, Server, folder_of
from tests.postgres import DatabaseServer, needed_programs, no_programs

_REACH_SECONDS: Final = 60.0
LEAST: Final = 2
"""Acknowledged answers a death, at least, or the run is invalid."""


def failpoints(times: int, seed: int, progress: Progress) -> Outcome:
    """Let servers on files die that often at each point."""
    with folder_of("points") as folder, Nursery(FAILING) as nursery:
        run = _Run(nursery, "sqlite", seed, progress)
        asyncio.run(run.rounds(times, folder))
    return run.outcome("failpoints", times)


def failpoints_on_postgres(times: int, seed: int, progress: Progress) -> Outcome:
    """Let servers on databases die that often at each point of their own."""
    database = DatabaseServer(needed_programs())
    try:
        database.create()
        database.start()
        with folder_of("points") as folder, Nursery(FAILING) as nursery:
            run = _Run(nursery, "postgres", seed, progress)
            asyncio.run(run.rounds(times, folder, database))
        return run.outcome("failpoints on postgres", times)
    finally:
        database.remove()


class _Run:
    """Rounds of deaths at one point after another, and what was found."""

    def __init__(self, nursery: Nursery, store: Store, seed: int, progress: Progress) -> None:
        self.deaths = 0
        self.acknowledged = 0
        self.verdict = Verdict([], [], [], [], [])
        self.unreached: list[str] = []
        self._points = points_of(store)
        self._nursery = nursery
        self._seed = seed
        self._progress = progress

    def outcome(self, fault: str, times: int) -> Outcome:
        """Return what came of so many rounds."""
        return outcome_of(
            f"{fault}: {len(self._points)} x {times}",
            self.deaths,
            self.acknowledged,
            self.verdict,
            least=times * len(self._points) * LEAST,
            note="; ".join(self.unreached),
            valid=not self.unreached,
        )

    async def rounds(
        self, times: int, folder: Path, database: DatabaseServer | None = None
    ) -> None:
        """Let so many servers die at every point, each on a store of its own."""
        for number in range(times):
            (folder / f"{number}").mkdir()
            store = ("--store", await database.database(f"{number}")) if database else ()
            await self._round(number, folder / f"{number}", *store)

    async def _round(self, number: int, folder: Path, *options: str) -> None:
        """Die at every point; stop where one is not reached or something is wrong."""
        server = Server(self._nursery, folder, *options)
        dice = random.Random(f"{self._seed} {number}")
        lived = [name for name, point in self._points.items() if point.during != "empty"]
        for name in self._points.keys() - lived:
            self.deaths += await self._dies(name, server, dice)
        server.before = ()
        await server.started()
        fleet = Fleet([server.address], server.key, server.keys, self._seed)
        async with fleet.playing(matches=6):
            await _clean_life(server, fleet)
            server.kill()
            for name in lived:
                self._progress(self.deaths, f"deaths, at {name}")
                if POINTS[name].during == "start":
                    await _clean_life(server, fleet)
                    server.kill()
                if not await self._dies(name, server, dice, fleet):
                    break
                self.deaths += 1
                if not await self._is_well(f"{name}, round {number + 1}", server, fleet):
                    break
            await _clean_life(server, fleet)
        server.kill()
        await self._is_well(f"the end of round {number + 1}", server, fleet)
        self.acknowledged += fleet.acknowledged

    async def _dies(
        self, name: str, server: Server, dice: random.Random, fleet: Fleet | None = None
    ) -> bool:
        """Let one life end at the point; return whether it did. No fleet: nobody plays."""
        passes = dice.randint(1, POINTS[name].most)
        server.before = ("--point", name, "--pass", str(passes))
        server.start()
        provoking = [asyncio.create_task(_provoke(name, server, fleet))] if fleet else []
        try:
            code = await server.end(_REACH_SECONDS)
        except TimeoutError:
            code = None
            server.kill()
        await clients.ended(provoking)
        if code != DIED:
            self.unreached.append(f"{name} was not passed {passes} times (exit code {code})")
        return code == DIED

    async def _is_well(self, where: str, server: Server, fleet: Fleet) -> bool:
        """Check all that is known so far; keep what is found."""
        found = check(fleet.records, await read_back(server.store))
        for known, new in zip(self.verdict, found, strict=True):
            known.extend(f"{where}: {sentence}" for sentence in new)
        return not found.first


async def _clean_life(server: Server, fleet: Fleet) -> None:
    """Let the server live until something is acknowledged."""
    if server.ended:
        server.before = ()
        await server.started()
    assert await fleet.acknowledge(LEAST), server.log


async def _provoke(name: str, server: Server, fleet: Fleet) -> None:
    """Do what makes a server pass a point, besides starting and playing."""
    during = POINTS[name].during
    if during == "drain":
        await server.announced()
        await fleet.acknowledge(LEAST)
        server.signal(signal.SIGTERM)
    elif during in _BEGUN:
        await server.ready()
        with contextlib.suppress(grpc.aio.AioRpcError):
            await _BEGUN[during](server, fleet, name)


async def _begin_contest(server: Server, fleet: Fleet, request_id: str) -> None:
    """Create and start a contest between two bots."""
    entrants = [
        contest_service_pb2.Entrant(name=f"b{number}", key_id=key_id)
        for number, key_id in enumerate(fleet.key_ids[:2])
    ]
    spec = contest_service_pb2.ContestSpec(
        name="faults",
        rules=rules_pb2.RulesChoice(preset="standard_no"),
        settings=PATIENT,
        entrants=entrants,
        seat_count=2,
        schedule=contest_service_pb2.SCHEDULE_ROUND_ROBIN,
        block_count=4,
    )
    create = contest_service_pb2.CreateContestRequest(spec=spec, request_id=request_id)
    caller: Any = {"metadata": clients.metadata(server.key), "timeout": clients.CALL_SECONDS}
    async with clients.channel_to(server.address) as channel:
        stub: Any = ContestServiceStub(channel)
        made = await stub.CreateContest(create, **caller)
        start = contest_service_pb2.StartContestRequest(contest_id=made.contest.contest_id)
        await stub.StartContest(start, **caller)


async def _begin_long_match(server: Server, fleet: Fleet, request_id: str) -> None:
    """Let the house play a match of many rounds with itself: long matches are kept between them."""
    bot = match_service_pb2.HouseBot(strategy="random")
    request = match_service_pb2.CreateMatchRequest(
        rules=rules_pb2.RulesChoice(preset="official_se"),
        seats=[match_service_pb2.SeatSpec(house_bot=bot)] * 2,
        request_id=request_id,
    )
    async with clients.channel_to(server.address) as channel:
        stub: Any = MatchServiceStub(channel)
        caller: Any = {"metadata": clients.metadata(server.key), "timeout": clients.CALL_SECONDS}
        await stub.CreateMatch(request, **caller)


_BEGUN: Final = {"contest": _begin_contest, "house": _begin_long_match}
"""What has to be begun so that a point is reached."""

SCENARIOS: Final = (
    Scenario("failpoints", failpoints, times=20, few=1),
    Scenario("failpoints-postgres", failpoints_on_postgres, 20, 1, no_programs),
)
