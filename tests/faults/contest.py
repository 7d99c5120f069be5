"""
Does a contest on several pods end as if nothing had happened, whatever happens to them?

One contest is played twice from one state of the database, with the same cards by bots that answer
alike whenever they are asked alike: once undisturbed, once while a pod is killed every few seconds,
or all are restarted in turn. Deals, answers and results have to be equal, game by game, and what
the bots were told has to be in the journal. No clock may run out, or the run says nothing.
"""

import asyncio
import operator
import signal
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from lastcard import Client
from lastcard.v1 import contest_service_pb2 as contest_pb2
from lastcard.v1 import key_service_pb2 as key_pb2
from lastcard.v1 import rules_pb2
from lastcard_engine.record import EntryKind
from lastcard_server.contests.contest import Contest
from lastcard_server.journal.entry import Entry
from lastcard_server.journal.open_store import open_store
from lastcard_server.matches.folding import replay
from lastcard_server.matches.history import HistorySeal
from lastcard_server.secrets import ServerKeys
from tests.faults.checker import Verdict, check
from tests.faults.clients import Notes, ended, reading
from tests.faults.contestants import Contestant, playing
from tests.faults.fleet import PATIENT, followed, outcome_of, read_back
from tests.faults.outcome import Outcome, Progress, Scenario
from tests.faults.punished import punished
from tests.faults.records import Records
from tests.faults.servers import Nursery, Server, folder_of
from tests.postgres import DatabaseServer, needed_programs, no_programs

_DEALT: Final = "tests.faults.dealt"
_NAMES: Final = ("ann", "bob", "cid", "dan")
_TABLES: Final = 6
_LEGS: Final = 2
_FEW_GAMES: Final = 12
_GAMES: Final = 120
_AT_ONCE: Final = 8
_LOOK_SECONDS: Final = 0.05
_APART_SECONDS: Final = 2.0
_RUN_SECONDS: Final = 900.0
_EXIT_SECONDS: Final = 60.0
_READ_SECONDS: Final = 0.05
"""Between two reads of a pod; each asks the database, which has enough to do."""
LEAST: Final = 20
"""Acknowledged answers a game, at least, or the run is invalid."""


class Game(NamedTuple):
    """What has to be the same in both runs."""

    deal: tuple[bytes, bytes, str]
    """The secret, its commitment, and the nonces that entered."""
    actions: tuple[str, ...]
    """Answers to turns in order, each with its seat."""
    reactions: tuple[str, ...]
    """Answers to polls, seat by seat: in which order they arrive says nothing."""
    result: str


class Run(NamedTuple):
    """How a contest was played."""

    games: dict[str, Game]
    """By match."""
    acknowledged: int
    """Answers whose acknowledgement a bot has received; repeats count once."""
    punished: int
    """Turns that a clock has closed; time given back changes no answer of these bots."""
    verdict: Verdict
    """What is wrong with what the bots were told, and with matches that cannot be played again."""


class Stage(NamedTuple):
    """Pods on one database and the contest that is to be played there."""

    servers: list[Server]
    contest_id: str
    keys: dict[str, str]
    """Of the bots, by name."""
    organiser: str
    games: int

    def client(self) -> Client:
        """Return a caller of all pods."""
        return Client(self.addresses, self.organiser, patience=60.0)

    @property
    def addresses(self) -> str:
        """Return where the pods are."""
        return ",".join(server.address for server in self.servers)


Disturb = Callable[[Stage, "Watch"], Any]
"""Does faults while a contest is played; awaited."""


class Watch:
    """How far a contest is, seen from outside, on whatever pod answers."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._client = stage.client()

    def finished(self) -> int:
        """Return how many games are finished."""
        request = contest_pb2.GetContestRequest(contest_id=self._stage.contest_id)
        response = self._client.call(self._client.contests.GetContest, request)
        over = response.contest.state == contest_pb2.CONTEST_STATE_FINISHED
        return self._stage.games + 1 if over else response.contest.finished_game_count

    async def reaches(self, games: int) -> None:
        """Wait until so many games are finished; one more than all = the contest is."""
        async with asyncio.timeout(_RUN_SECONDS):
            while await asyncio.to_thread(self.finished) < games:  # noqa: ASYNC110 - polled
                await asyncio.sleep(_LOOK_SECONDS)

    def close(self) -> None:
        """End the calls."""
        self._client.close()


def killed(times: int, seed: int, progress: Progress, *, one_each: bool = False) -> Outcome:
    """Kill one of two pods that often; `one_each`: a bot knows the address of one of them only."""
    disturb = partial(_kill, times=times, progress=progress)
    where = "a bot at each" if one_each else "bots at both"
    name = f"kill -9 of a pod in a contest, {where}"
    return asyncio.run(_play_twice(name, times, 2, disturb, one_each=one_each))


def restarted(times: int, seed: int, progress: Progress) -> Outcome:
    """Restart three pods in turn, that often in all."""
    disturb = partial(_restart, times=times, progress=progress)
    return asyncio.run(_play_twice("rolling restart of three pods", times, 3, disturb))


async def _play_twice(
    fault: str, times: int, pods: int, disturb: Disturb, *, one_each: bool = False
) -> Outcome:
    """Play a contest twice, from the same state, and compare."""
    database = DatabaseServer(needed_programs())
    games = _GAMES if times >= 2 * pods else _FEW_GAMES
    try:
        database.create()
        database.start()
        await database.ask("CREATE DATABASE calm")
        with folder_of("contest") as folder, Nursery(_DEALT) as nursery:
            stage = await _set_up(_servers(nursery, folder, database, "calm", pods), games)
            await database.ask("CREATE DATABASE wild TEMPLATE calm")
            calm = await _played(stage, _undisturbed, one_each=False)
            wild = stage._replace(servers=_servers(nursery, folder, database, "wild", pods))
            began = time.monotonic()
            disturbed = await _played(wild, disturb, one_each=one_each)
            apart = (time.monotonic() - began) / times
    finally:
        database.remove()
    return compared(fault, times, calm, disturbed, f"a fault every {apart:.1f} s")


def _servers(
    nursery: Nursery, folder: Path, database: DatabaseServer, name: str, pods: int
) -> list[Server]:
    """Return pods on a database, not started."""
    store = ("--store", database.address(name))
    return [Server(nursery, folder, *store, name=f"{name}-{pod}") for pod in range(pods)]


async def _set_up(servers: list[Server], games: int) -> Stage:
    """Create a contest and the bots' keys; nobody serves at the return."""
    first = servers[0]
    await first.started()
    with Client(first.address, first.key, patience=60.0) as client:
        keys, entrants = {}, []
        for name in _NAMES:
            response = client.call(client.keys.CreateKey, _key_for(name), repeat=False)
            keys[name] = response.secret
            entrants.append(contest_pb2.Entrant(name=name, key_id=response.key.key_id))
        spec = contest_pb2.ContestSpec(
            name="twice",
            rules=rules_pb2.RulesChoice(preset="standard_no"),
            settings=PATIENT,
            entrants=entrants,
            seat_count=2,
            block_count=games // (_TABLES * _LEGS),
            concurrent_match_count=_AT_ONCE,
            schedule=contest_pb2.SCHEDULE_ROUND_ROBIN,
        )
        request = contest_pb2.CreateContestRequest(spec=spec, request_id="twice")
        contest = client.call(client.contests.CreateContest, request).contest
        assert contest.game_count == games, contest.game_count
    first.kill()
    return Stage(servers, contest.contest_id, keys, first.key, games)


def _key_for(name: str) -> key_pb2.CreateKeyRequest:
    return key_pb2.CreateKeyRequest(name=name, role=key_pb2.KEY_ROLE_BOT)


async def _played(stage: Stage, disturb: Disturb, *, one_each: bool) -> Run:
    """Play the contest to its end and read what became of it."""
    for server in stage.servers:
        await server.started()
    records = Records()
    async with _noted(stage, records, one_each=one_each):
        watch = Watch(stage)
        try:
            with stage.client() as client:
                start = contest_pb2.StartContestRequest(contest_id=stage.contest_id)
                client.call(client.contests.StartContest, start)
            await disturb(stage, watch)
            await watch.reaches(stage.games + 1)
        finally:
            watch.close()
    for server in stage.servers:
        server.kill()
    return await _read(stage, records)


@asynccontextmanager
async def _noted(stage: Stage, records: Records, *, one_each: bool) -> AsyncIterator[None]:
    """Let bots play, and ask every pod for views of their matches, while the context lasts."""
    servers = stage.servers
    notes = Notes(records, servers[0].keys)
    bots = []
    for number, (name, key) in enumerate(stage.keys.items()):
        one = servers[number % len(servers)].address
        bots.append(Contestant(name, one if one_each else stage.addresses, key, notes))
    reads = [
        asyncio.create_task(reading(server.address, bots, Random(number), _READ_SECONDS))
        for number, server in enumerate(servers)
    ]
    try:
        with playing(bots):
            yield
    finally:
        await ended(reads)


async def _undisturbed(_stage: Stage, _watch: Watch) -> None:
    """Do nothing."""


async def _kill(stage: Stage, watch: Watch, *, times: int, progress: Progress) -> None:
    """Kill one pod after the other, as many games apart as there are."""
    for number in range(times):
        progress(number, "kills of a pod in a contest")
        await watch.reaches((number + 1) * stage.games // (times + 2))
        server = stage.servers[number % len(stage.servers)]
        server.kill()
        await asyncio.sleep(_APART_SECONDS / 2)
        await server.started()
        await asyncio.sleep(_APART_SECONDS / 2)


async def _restart(stage: Stage, watch: Watch, *, times: int, progress: Progress) -> None:
    """Have one pod after the other take its leave, and start it again."""
    for number in range(times):
        progress(number, "restarts of a pod in a contest")
        await watch.reaches((number + 1) * stage.games // (times + 2))
        server = stage.servers[number % len(stage.servers)]
        await server.announced()
        server.signal(signal.SIGTERM)
        code = await server.end(_EXIT_SECONDS)
        assert code == 0, f"a pod that drained ended with {code}: {server.log[-2000:]}"
        await server.started()


async def _read(stage: Stage, records: Records) -> Run:
    """Read a contest that is over, game by game, from its store."""
    server = stage.servers[0]
    journal = await open_store(server.store)
    try:
        log = await journal.read(f"contest/{stage.contest_id}")
    finally:
        await journal.aclose()
    contest = Contest(stage.contest_id)
    for entry in log:
        contest.fold(entry)
    matches = await read_back(server.store)
    rows = {row.game.match: row.game for row in contest.ledger}
    assert len(rows) == stage.games
    results = {m: repr(row._replace(end_us=0, record="")) for m, row in rows.items()}
    broken = followed({m: matches[m] for m in results}, server.keys)
    bad = {sentence.partition(":")[0] for sentence in broken}
    sound = {m: result for m, result in results.items() if m not in bad}
    games = {m: _game(m, matches[m], server.keys, result) for m, result in sound.items()}
    verdict = check(records, matches)
    verdict = verdict._replace(broken=[*broken, *verdict.broken])
    return Run(games, len(records.answered), len([*punished(records, matches)]), verdict)


def _game(match_id: str, entries: Sequence[Entry], keys: ServerKeys, result: str) -> Game:
    """Return what has to be the same of a match."""
    match = replay(match_id, list(entries), keys, HistorySeal(keys.history_key(), 0))
    said = defaultdict(list)
    for entry in entries:
        said[entry.kind].append(f"{entry.seat} {entry.body.partition(' @')[0]}")
    deal = match.deal
    return Game(
        (deal.pool.secret(keys), deal.commitment, "".join(said[EntryKind.STARTED])),
        tuple(said[EntryKind.ACTION]),
        tuple(sorted(said[EntryKind.REACTION], key=lambda each: each.split()[0])),
        result,
    )


def compared(fault: str, times: int, calm: Run, wild: Run, note: str) -> Outcome:
    """Compare two runs; of both it is said what was wrong with what bots were told."""
    differ = [
        f"{match_id}: another {field}"
        for match_id, game in calm.games.items()
        for field in Game._fields
        if match_id in wild.games and getattr(game, field) != getattr(wild.games[match_id], field)
    ]
    differ += [f"{match_id}: is not there" for match_id in calm.games.keys() - wild.games.keys()]
    both = Verdict(*map(operator.add, calm.verdict, wild.verdict))
    clocks = calm.punished + wild.punished
    why = f"{clocks} clocks ran out; " if clocks else ""
    return outcome_of(
        fault,
        times,
        wild.acknowledged,
        both._replace(broken=[*differ, *both.broken]),
        least=LEAST * len(calm.games),
        valid=not clocks,
        note=f"{why}{len(calm.games):,} games compared, {note}",
    )


SCENARIOS: Final = (
    Scenario("contest-killed", killed, times=20, few=2, missing=no_programs),
    Scenario(
        "contest-killed-apart", partial(killed, one_each=True), times=20, few=2, missing=no_programs
    ),
    Scenario("contest-restarted", restarted, times=12, few=3, missing=no_programs),
)
