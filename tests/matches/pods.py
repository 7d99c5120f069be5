"""Several servers on one journal in one process, each with its own view of it and its own death."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any, Generic, TypeVar

from lastcard_engine.revisions import RUNS, Revisions
from lastcard_server.clock import Clock
from lastcard_server.journal.entry import Entry, Head
from lastcard_server.journal.hints import Hints, Listener
from lastcard_server.journal.memory import MemoryJournal
from lastcard_server.journal.port import (
    Append,
    Beat,
    Conflict,
    Due,
    Flaw,
    Hint,
    Index,
    Journal,
    Listed,
    Snapshot,
    StoreUnavailable,
    StoreUncertain,
)
from lastcard_server.matches.commands import Accepted, Answer, Outcome
from lastcard_server.matches.house import Strategy
from lastcard_server.matches.match import Match, log_of
from lastcard_server.matches.registry import Matches
from lastcard_server.matches.turns import OpenTurn
from lastcard_server.secrets import ServerKeys
from tests.matches.hall import Player, answer_to
from tests.matches.table import KEYS, ManualClock

SECONDS = 10.0
"""How long a test waits for what has to come."""


class Database:
    """What the servers share."""

    def __init__(self) -> None:
        self.core = MemoryJournal()
        self.views: list[PodJournal] = []
        self.deaf = False
        """Whether hints are lost."""

    def tell(self, teller: "PodJournal", appends: Sequence[Append]) -> None:
        """Tell every other server which logs have grown."""
        if not self.deaf:
            hints = [Hint(append.log, append.index.live) for append in appends]
            for view in self.views:
                if view is not teller:
                    view.heard.tell(hints)

    def roll_back(self, log: str, version: int, index: Index | None = None) -> None:
        """Let the store forget the end of a log, or all of it; `index`: which it had then."""
        known = self.core._logs[log]
        del known.entries[version:]
        if index is not None:
            self.core._agenda.change(log, known.index, index)
            known.index = index
        if not version:
            self.core._agenda.change(log, known.index, Index(None, (), live=False, label=""))
            del self.core._logs[log]


class PodJournal:
    """The journal as one server sees it."""

    shared = True

    def __init__(self, database: Database) -> None:
        self._database = database
        self._core = database.core
        self.heard = Hints()
        self.cut = False
        """Whether the store cannot be reached."""
        self.uncertain = False
        """Whether the next append is written and its answer lost."""
        self.calls: dict[str, int] = {}
        """How often each method was called."""
        database.views.append(self)

    def _call(self, name: str) -> None:
        self.calls[name] = self.calls.get(name, 0) + 1
        if self.cut:
            raise StoreUnavailable("the store cannot be reached")

    async def append(self, appends: Sequence[Append]) -> list[Conflict | None]:
        """Append; the others hear of it."""
        self._call("append")
        await asyncio.sleep(0)
        outcomes = await self._core.append(appends)
        written = [a for a, o in zip(appends, outcomes, strict=True) if o is None]
        self._database.tell(self, written)
        if self.uncertain:
            self.uncertain = False
            raise StoreUncertain("the connection broke")
        return outcomes

    async def read(self, log: str, after: int = 0) -> list[Entry]:
        """Pass on."""
        self._call("read")
        return await self._core.read(log, after)

    async def head(self, log: str) -> Head:
        """Pass on."""
        self._call("head")
        return await self._core.head(log)

    async def since(self, heads: Mapping[str, Head]) -> dict[str, list[Entry] | None]:
        """Pass on."""
        self._call("since")
        await asyncio.sleep(0)
        return await self._core.since(heads)

    async def indexes(self, logs: Collection[str]) -> dict[str, Index]:
        """Pass on."""
        self._call("indexes")
        return await self._core.indexes(logs)

    async def reindex(self, log: str, head: Head, index: Index) -> bool:
        """Pass on."""
        return await self._core.reindex(log, head, index)

    async def flaws(self) -> list[Flaw]:
        """Pass on."""
        return await self._core.flaws()

    async def save_snapshot(self, log: str, snapshot: Snapshot) -> None:
        """Pass on."""
        self._call("save_snapshot")
        await self._core.save_snapshot(log, snapshot)

    async def snapshot(self, log: str) -> Snapshot | None:
        """Pass on."""
        self._call("snapshot")
        return await self._core.snapshot(log)

    async def due(self, before_us: int, limit: int) -> list[Due]:
        """Pass on."""
        self._call("due")
        return await self._core.due(before_us, limit)

    async def open_for(self, owners: Collection[str]) -> list[str]:
        """Pass on."""
        self._call("open_for")
        return await self._core.open_for(owners)

    async def lowest_revision(self) -> int | None:
        """Pass on."""
        return await self._core.lowest_revision()

    async def ended(self, prefix: str, before_us: int, limit: int) -> list[str]:
        """Pass on."""
        return await self._core.ended(prefix, before_us, limit)

    async def forget(self, logs: Collection[str]) -> None:
        """Pass on."""
        await self._core.forget(logs)

    async def logs(
        self, prefix: str, *, live: bool | None = None, before: int | None = None, limit: int = 100
    ) -> list[Listed]:
        """Pass on."""
        self._call("logs")
        return await self._core.logs(prefix, live=live, before=before, limit=limit)

    def hints(self) -> Listener:
        """Hear what other servers append."""
        return self.heard.listen()

    async def heartbeat(
        self, pod: str, owners: Collection[str] | None = None, *, serving: bool = True
    ) -> None:
        """Pass on."""
        self._call("heartbeat")
        await self._core.heartbeat(pod, owners, serving=serving)

    async def heartbeats(self) -> Mapping[str, Beat]:
        """Pass on."""
        self._call("heartbeats")
        return await self._core.heartbeats()

    def now_us(self) -> int:
        """Pass on."""
        return self._core.now_us()

    async def aclose(self) -> None:
        """End the hints."""
        self.heard.close()


_Store = TypeVar("_Store", bound=Journal)


class Pod(Generic[_Store]):
    """One server."""

    def __init__(self, name: str, journal: _Store, matches: Matches) -> None:
        self.name = name
        self.journal = journal
        self.matches = matches

    async def die(self) -> None:
        """Stop at once, without a word to anybody."""
        await self.matches._runtime.tasks.aclose()
        self.matches._runtime.custody.timers.alarms.close()


async def start(
    database: Database,
    name: str,
    strategies: dict[str, Strategy] | None = None,
    clock: Clock | None = None,
    keys: ServerKeys = KEYS,
    journal: PodJournal | None = None,
) -> Pod[PodJournal]:
    """Start one more server, on a view of its own unless it is given one."""
    journal = journal or PodJournal(database)
    matches = Matches(journal, keys, clock or database.core, strategies or {}, name)
    await matches.start()
    return Pod(name, journal, matches)


@asynccontextmanager
async def served(
    opened: Callable[[], Awaitable[Journal]], *names: str, revisions: Revisions = RUNS
) -> AsyncIterator[list[Pod[Journal]]]:
    """Run servers that have seen each other, each on a store it opens; on leaving they die."""
    running: list[Pod[Journal]] = []
    stores: list[Journal] = []
    try:
        for name in names:
            journal = await opened()
            stores.append(journal)
            matches = Matches(journal, KEYS, journal, {}, name, revisions)
            await matches.start()
            running.append(Pod(name, journal, matches))
        for pod in running:
            await pod.matches._runtime.patrol.look()
        yield running
    finally:
        for pod in running:
            await pod.die()
        for journal in stores:
            await journal.aclose()


@asynccontextmanager
async def pods(
    database: Database,
    *names: str,
    strategies: dict[str, Strategy] | None = None,
    clock: Clock | None = None,
) -> AsyncIterator[list[Pod[PodJournal]]]:
    """Run servers that have seen each other; on leaving they die."""
    running = [await start(database, name, strategies, clock) for name in names]
    for pod in running:
        await pod.matches._runtime.patrol.look()
    try:
        yield running
    finally:
        for pod in running:
            await pod.die()


async def kinds(database: Database, match_id: str) -> list[str]:
    """Return the kinds of the entries of a match."""
    return [entry.kind for entry in await database.core.read(log_of(match_id))]


async def until(holds: Callable[[], bool], seconds: float = SECONDS) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - what holds is said by no event
            await asyncio.sleep(0.002)


class Bot(Player):
    """A sink that answers every turn once, at the server it lies with, and keeps the outcomes."""

    def __init__(self, pod: Pod[Any], dice: Random) -> None:
        super().__init__()
        self.pod = pod
        self.dice = dice
        self.sent: list[Answer] = []
        self.outcomes: list[Outcome] = []
        self._answered: set[tuple[str, int, int]] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def turn_opened(self, match: Match, turn: OpenTurn) -> None:
        """Answer it soon."""
        super().turn_opened(match, turn)
        key = match.match_id, turn.seat, turn.turn
        if key not in self._answered:
            self._answered.add(key)
            now = ManualClock(self.pod.journal.now_us())
            answer = answer_to(match, turn, self.dice, now)
            self.sent.append(answer)
            task = asyncio.create_task(self._answer(answer))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _answer(self, answer: Answer) -> None:
        self.outcomes += await self.pod.matches.submit([answer])


def assert_kept(found: Match, *bots: Bot) -> None:
    """Assert that all answers of the bots were accepted, and stand where they were told to."""
    for bot in bots:
        for outcome in bot.outcomes:
            assert isinstance(outcome, Accepted)
            closed = found.seats[outcome.seat].answered.find(outcome.turn)
            assert closed is not None
            assert closed.version == outcome.version
