"""Which matches are played while servers die? So many at once, a new one for each that is over."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

from google.protobuf.duration_pb2 import Duration

from lastcard.v1 import key_service_pb2, match_service_pb2, rules_pb2
from lastcard.v1.key_service_pb2_grpc import KeyServiceStub
from lastcard.v1.match_service_pb2_grpc import MatchServiceStub
from lastcard_server.journal.entry import ChainError, Entry, genesis, verify_chain
from lastcard_server.journal.open_store import open_store
from lastcard_server.matches.folding import Diverged, replay
from lastcard_server.matches.history import HistorySeal
from lastcard_server.secrets import ServerKeys
from tests.faults import clients
from tests.faults.checker import Verdict, check
from tests.faults.clients import Bot, Notes, metadata, until_served
from tests.faults.outcome import Outcome, Promise
from tests.faults.punished import punished
from tests.faults.records import Journal, Records
from tests.faults.servers import Server

HOUR: Final = Duration(seconds=3_600)
PATIENT: Final = match_service_pb2.MatchSettings(
    start_limit_duration=HOUR,
    move_limit_duration=HOUR,
    reaction_limit_duration=Duration(seconds=60),
    max_rounds=1,
)
"""Settings under which no clock runs out; a match is one round, so that matches end and begin."""
PRESETS: Final = ("standard_no", "official_se")
Copies = Callable[[], int]


class Fleet:
    """
    Bots that play matches with one another, and everything they know.

    Args:
        addresses: of the servers; a bot has a link to each.
        organiser: the organiser key.
        keys: the server's own keys, which open histories.
        seed: of every choice.

    Attributes:
        bots: who plays, once `playing` has begun.
        key_ids: the ids of their keys.
        records: what they sent, saw and were told.

    """

    def __init__(
        self, addresses: Sequence[str], organiser: str, keys: ServerKeys, seed: int
    ) -> None:
        self.records = Records()
        self.notes = Notes(self.records, keys)
        self.bots: list[Bot] = []
        self.live: dict[str, None] = {}
        """Matches that were created and are not known to be over."""
        self.dice = random.Random(seed)
        self._addresses = addresses
        self._organiser = metadata(organiser)
        self._prefix = f"s{seed}"
        self._made = 0
        self.key_ids: list[str] = []
        self._wanted = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def acknowledged(self) -> int:
        """Return how many answers were acknowledged; repeats count once."""
        return len(self.records.answered)

    @asynccontextmanager
    async def playing(
        self,
        *,
        bots: int = 4,
        matches: int = 12,
        settings: match_service_pb2.MatchSettings = PATIENT,
        copies: Copies = lambda: 1,
        links: int = 1,
        reads: int = 1,
    ) -> AsyncIterator[None]:
        """Let bots play so many matches at a time while the context lasts."""
        await self._enlist(bots, copies)
        for bot in self.bots:
            for address in (*self._addresses,) * links:
                self.begin(bot.link(address).run())
        self.begin(self._create(matches, settings))
        for number in range(reads):
            address = self._addresses[number % len(self._addresses)]
            dice = random.Random(f"{self._prefix} {number}")
            self.begin(clients.reading(address, self.bots, dice))
        try:
            yield
        finally:
            await clients.ended(self._tasks)

    def begin(self, work: Any) -> None:
        """Run something until `playing` ends."""
        self._tasks.append(asyncio.create_task(work))

    def check_tasks(self) -> None:
        """Raise what a task has raised that nobody waits for."""
        for task in self._tasks:
            if task.done():
                task.result()

    async def acknowledge(self, count: int, seconds: float = 20.0) -> bool:
        """Wait until so many more are acknowledged; return whether they were in time."""
        goal = len(self.records.acknowledged) + count
        try:
            async with asyncio.timeout(seconds):
                while len(self.records.acknowledged) < goal:
                    self.check_tasks()
                    await asyncio.sleep(0.005)
        except TimeoutError:
            return False
        return True

    async def _enlist(self, count: int, copies: Copies) -> None:
        """Make the bots that play."""
        for number in range(count):
            delivery = clients.AS_THEY_HAPPEN if number == 0 else clients.NEVER
            bot = await self.enlisted(f"b{number}", delivery=delivery, copies=copies)
            bot.on_over = self._over
            self.bots.append(bot)

    async def enlisted(self, name: str, **more: Any) -> Bot:
        """Make a key and a bot for it; a bot is given no matches and no links."""
        request = key_service_pb2.CreateKeyRequest(name=name, role="KEY_ROLE_BOT")
        async with clients.channel_to(self._addresses[0]) as channel:
            stub: Any = KeyServiceStub(channel)
            create = partial(stub.CreateKey, request, metadata=self._organiser)
            made = await until_served(partial(create, timeout=clients.CALL_SECONDS))
        self.key_ids.append(made.key.key_id)
        dice = random.Random(f"{self._prefix} {name}")
        return Bot(name, made.secret, self.notes, dice=dice, **more)

    def _over(self, match_id: str) -> None:
        self.live.pop(match_id, None)
        self._wanted.set()

    async def _create(self, matches: int, settings: match_service_pb2.MatchSettings) -> None:
        """Keep so many matches alive."""
        while True:
            while len(self.live) < matches:
                await self._create_one(settings)
            self._wanted.clear()
            await self._wanted.wait()

    async def _create_one(self, settings: match_service_pb2.MatchSettings) -> None:
        """Create a match between some of the bots; the same request until it is served."""
        self._made += 1
        seats = self.dice.sample(self.key_ids[: len(self.bots)], self.dice.choice((2, 3)))
        request = match_service_pb2.CreateMatchRequest(
            rules=rules_pb2.RulesChoice(preset=PRESETS[self._made % len(PRESETS)]),
            settings=settings,
            seats=[
                match_service_pb2.SeatSpec(reserved=match_service_pb2.ReservedSeat(key_id=key_id))
                for key_id in seats
            ],
            request_id=f"{self._prefix}-{self._made}",
        )

        async def create() -> match_service_pb2.CreateMatchResponse:
            address = self.dice.choice(self._addresses)
            async with clients.channel_to(address) as channel:
                stub: Any = MatchServiceStub(channel)
                response: match_service_pb2.CreateMatchResponse = await stub.CreateMatch(
                    request, metadata=self._organiser, timeout=clients.CALL_SECONDS
                )
                return response

        match_id = (await until_served(create)).match.match_id
        if match_id not in self.records.over:
            self.live[match_id] = None


async def read_back(store: str) -> Journal:
    """
    Return all matches that a store holds, entry by entry; nobody else may have its file open.

    Raises:
        ChainError: the newest logs of groups or contests are not what was written.

    """
    journal = await open_store(store, unsafe=True)  # nothing is written any more
    try:
        found: dict[str, list[Entry]] = {}
        before: int | None = None
        while page := await journal.logs("match/", before=before):
            for listed in page:
                found[listed.log.removeprefix("match/")] = await journal.read(listed.log)
            before = page[-1].number
        for family in ("group/", "contest/"):
            for listed in await journal.logs(family):
                verify_chain(genesis(listed.log), await journal.read(listed.log))
        return found
    finally:
        await journal.aclose()


def followed(journal: Journal, keys: ServerKeys) -> list[str]:
    """Play every match of a journal again; return a sentence for each that cannot be followed."""
    seal, wrong = HistorySeal(keys.history_key(), 0), []
    for match_id, entries in journal.items():
        try:
            replay(match_id, list(entries), keys, seal)
        except (ChainError, Diverged) as error:
            wrong.append(f"{match_id}: cannot be played again: {error}")
    return wrong


async def judged(
    fault: str,
    times: int,
    fleet: Fleet,
    server: Server,
    *,
    in_time: bool = False,
    promise: Promise = Promise.KEEPS,
    **more: Any,
) -> Outcome:
    """
    Read the journal of a server that has ended and return the outcome of a run.

    Args:
        fault: as the table names it.
        times: how often it was done.
        fleet: who played.
        server: whose journal it is.
        in_time: whether no clock should have run out.
        promise: what its losses mean.
        more: for `outcome_of`.

    """
    journal = await read_back(server.store)
    verdict = check(fleet.records, journal, promise)
    wrong = [*verdict.broken, *followed(journal, server.keys)]
    if in_time:
        wrong += punished(fleet.records, journal)
    verdict = verdict._replace(broken=wrong)
    return outcome_of(fault, times, fleet.acknowledged, verdict, promise=promise, **more)


def outcome_of(
    fault: str,
    times: int,
    acknowledged: int,
    verdict: Verdict,
    *,
    least: int,
    note: str = "",
    valid: bool = True,
    promise: Promise = Promise.KEEPS,
) -> Outcome:
    """Return an outcome with the figures of a verdict, and its first violation in the note."""
    enough = acknowledged >= least
    wrong = verdict._replace(lost=verdict.silent) if promise is Promise.TELLS else verdict
    why = "" if enough else f"only {acknowledged} acknowledged, {least} make a run"
    return Outcome(
        fault,
        times,
        acknowledged,
        lost=len(verdict.lost),
        duplicated=len(verdict.duplicated),
        forks=len(verdict.forks),
        silent=len(verdict.silent) if promise is not Promise.LOSES else 0,
        broken=len(verdict.broken),
        valid=valid and enough,
        note="; ".join(part for part in (why, wrong.first, note) if part),
        promise=promise,
    )
