"""
What does the store do, how fast, and does it still write? A journal that watches another one.

Every server writes a heartbeat a second, so that it is soon known when a store fails and when it
has recovered, whether anybody plays or not.
"""

import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from lastcard_server.journal.entry import Entry, Head
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
)
from lastcard_server.telemetry import Telemetry


class MeasuredJournal:
    """
    Passes everything on; appends are timed, and entries that are durable counted by kind.

    Attributes:
        writes: whether the last attempt to write has succeeded.

    """

    def __init__(self, journal: Journal, telemetry: Telemetry) -> None:
        self._journal = journal
        self._telemetry = telemetry
        self._listeners: list[Callable[[bool], None]] = []
        self.writes = True

    def on_change(self, listener: Callable[[bool], None]) -> None:
        """Call `listener` whenever the store ceases to write (False) or writes again (True)."""
        self._listeners.append(listener)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Note whether what is done in the context fails."""
        try:
            yield
        except Exception:
            self._set(writes=False)
            raise

    def _set(self, *, writes: bool) -> None:
        if writes is not self.writes:
            self.writes = writes
            for listener in self._listeners:
                listener(writes)

    async def append(self, appends: Sequence[Append]) -> list[Conflict | None]:
        """Append and count."""
        began = time.perf_counter()
        with self._writing():
            conflicts = await self._journal.append(appends)
        self._telemetry.append_seconds.observe(time.perf_counter() - began)
        counts = self._telemetry.entries
        for (_, _, entries, _), conflict in zip(appends, conflicts, strict=True):
            if conflict is None:
                for entry in entries:
                    counts[entry.kind] += 1
        if None in conflicts:
            self._set(writes=True)
        return conflicts

    @property
    def shared(self) -> bool:
        """Pass on."""
        return self._journal.shared

    async def read(self, log: str, after: int = 0) -> list[Entry]:
        """Pass on."""
        return await self._journal.read(log, after)

    async def head(self, log: str) -> Head:
        """Pass on."""
        return await self._journal.head(log)

    async def since(self, heads: Mapping[str, Head]) -> dict[str, list[Entry] | None]:
        """Pass on."""
        return await self._journal.since(heads)

    async def indexes(self, logs: Collection[str]) -> dict[str, Index]:
        """Pass on."""
        return await self._journal.indexes(logs)

    async def reindex(self, log: str, head: Head, index: Index) -> bool:
        """Pass on."""
        return await self._journal.reindex(log, head, index)

    async def flaws(self) -> list[Flaw]:
        """Pass on."""
        return await self._journal.flaws()

    async def save_snapshot(self, log: str, snapshot: Snapshot) -> None:
        """Pass on."""
        await self._journal.save_snapshot(log, snapshot)

    async def snapshot(self, log: str) -> Snapshot | None:
        """Pass on."""
        return await self._journal.snapshot(log)

    async def due(self, before_us: int, limit: int) -> list[Due]:
        """Pass on."""
        return await self._journal.due(before_us, limit)

    async def open_for(self, owners: Collection[str]) -> list[str]:
        """Pass on."""
        return await self._journal.open_for(owners)

    async def lowest_revision(self) -> int | None:
        """Pass on."""
        return await self._journal.lowest_revision()

    async def ended(self, prefix: str, before_us: int, limit: int) -> list[str]:
        """Pass on."""
        return await self._journal.ended(prefix, before_us, limit)

    async def forget(self, logs: Collection[str]) -> None:
        """Pass on."""
        await self._journal.forget(logs)

    async def logs(
        self, prefix: str, *, live: bool | None = None, before: int | None = None, limit: int = 100
    ) -> list[Listed]:
        """Pass on."""
        return await self._journal.logs(prefix, live=live, before=before, limit=limit)

    def hints(self) -> AsyncIterator[Hint]:
        """Pass on."""
        return self._journal.hints()

    async def heartbeat(
        self, pod: str, owners: Collection[str] | None = None, *, serving: bool = True
    ) -> None:
        """Pass on; whether it could be written is noted as for an append."""
        with self._writing():
            await self._journal.heartbeat(pod, owners, serving=serving)
        self._set(writes=True)

    async def heartbeats(self) -> Mapping[str, Beat]:
        """Pass on."""
        return await self._journal.heartbeats()

    def now_us(self) -> int:
        """Pass on."""
        return self._journal.now_us()

    async def aclose(self) -> None:
        """Pass on."""
        await self._journal.aclose()
