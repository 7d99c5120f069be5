"""How are logs kept in memory? For development and tests: nothing survives the process."""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence

from lastcard_server.journal.clock import local_clock
from lastcard_server.journal.entry import Entry, Head, genesis
from lastcard_server.journal.hints import Hints
from lastcard_server.journal.port import (
    Append,
    Beat,
    Conflict,
    Due,
    Flaw,
    Hint,
    Index,
    Listed,
    Snapshot,
    StoreUnavailable,
)
from lastcard_server.journal.rows import (
    NOTHING,
    Agenda,
    Row,
    beaten,
    check_form,
    check_index,
    family,
    newest,
)


class _Log:
    """One log: never without entries, which are numbered from 1."""

    __slots__ = ("entries", "index", "number")

    def __init__(self, number: int) -> None:
        self.number = number
        self.entries: list[Entry] = []
        self.index = NOTHING

    def row(self) -> Row:
        """Return what lists show of it."""
        return Row(self.number, self.entries[-1].head, self.index, self.entries[0].time_us)


class MemoryJournal:
    """A journal in memory; it answers without a thread and without waiting."""

    shared = False

    def __init__(self, now_us: Callable[[], int] | None = None) -> None:
        self.now_us = now_us or local_clock()
        self._logs: dict[str, _Log] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._heartbeats: dict[str, Beat] = {}
        self._last_number = 0
        self._agenda = Agenda()
        self._hints = Hints()
        self._closed = False

    async def append(self, appends: Sequence[Append]) -> list[Conflict | None]:
        """Append as `Journal.append` says; durable as far as memory is."""
        self._check_open()
        for append in appends:
            check_form(append)
        hints: list[Hint] = []
        outcomes = [self._append(*append, hints) for append in appends]
        self._hints.tell(hints)
        return outcomes

    async def read(self, log: str, after: int = 0) -> list[Entry]:
        """Return the entries with a version > `after`."""
        self._check_open()
        known = self._logs.get(log)
        return known.entries[max(after, 0) :] if known else []

    async def head(self, log: str) -> Head:
        """Return the head; the genesis for an unknown log."""
        self._check_open()
        known = self._logs.get(log)
        return known.entries[-1].head if known else genesis(log)

    async def since(self, heads: Mapping[str, Head]) -> dict[str, list[Entry] | None]:
        """Return what has come after these heads."""
        self._check_open()
        found = ((log, self._since(log, head)) for log, head in heads.items())
        return {log: entries for log, entries in found if entries is None or entries}

    def _since(self, log: str, head: Head) -> list[Entry] | None:
        known = self._logs.get(log)
        entries = known.entries if known else []
        before = entries[head.version - 1].head if 0 < head.version <= len(entries) else None
        return entries[head.version :] if head == (before or genesis(log)) else None

    async def indexes(self, logs: Collection[str]) -> dict[str, Index]:
        """Return the indexes of those logs that exist."""
        self._check_open()
        return {log: self._logs[log].index for log in logs if log in self._logs}

    async def reindex(self, log: str, head: Head, index: Index) -> bool:
        """Write an index anew."""
        self._check_open()
        check_index(log, index)
        known = self._logs.get(log)
        if known is None or known.entries[-1].head != head:
            return False
        self._agenda.change(log, known.index, index)
        known.index = index
        return True

    async def flaws(self) -> list[Flaw]:
        """Return nothing: nobody else can write there."""
        self._check_open()
        return []

    async def save_snapshot(self, log: str, snapshot: Snapshot) -> None:
        """Keep a snapshot of a log that exists."""
        self._check_open()
        if log in self._logs:
            self._snapshots[log] = snapshot

    async def snapshot(self, log: str) -> Snapshot | None:
        """Return the newest snapshot."""
        self._check_open()
        return self._snapshots.get(log)

    async def due(self, before_us: int, limit: int) -> list[Due]:
        """Return what is due, the earliest first."""
        self._check_open()
        return self._agenda.due(before_us, limit)

    async def open_for(self, owners: Collection[str]) -> list[str]:
        """Return the live logs in which any of these is to act, oldest log first."""
        self._check_open()
        found = {log for owner in owners for log in self._agenda.open_for(owner)}
        return sorted(found, key=lambda log: self._logs[log].number)

    async def lowest_revision(self) -> int | None:
        """Return the lowest engine revision that a live log takes."""
        self._check_open()
        indexes = (known.index for known in self._logs.values())
        return min((i.revision for i in indexes if i.live and i.revision), default=None)

    async def ended(self, prefix: str, before_us: int, limit: int) -> list[str]:
        """Return logs that are over since before a time, oldest first."""
        self._check_open()
        over = [
            (known.entries[-1].time_us, known.number, log)
            for log, known in self._logs.items()
            if family(log) == prefix and not known.index.live
        ]
        return [log for ended_us, _, log in sorted(over) if ended_us < before_us][:limit]

    async def forget(self, logs: Collection[str]) -> None:
        """Delete logs that are over."""
        self._check_open()
        for log in logs:
            if log in self._logs and not self._logs[log].index.live:
                del self._logs[log]
                self._snapshots.pop(log, None)

    async def logs(
        self, prefix: str, *, live: bool | None = None, before: int | None = None, limit: int = 100
    ) -> list[Listed]:
        """Return a page of logs, the newest first."""
        self._check_open()
        rows = ((log, known.row()) for log, known in self._logs.items())
        return newest(rows, prefix, live=live, before=before, limit=limit)

    def hints(self) -> AsyncIterator[Hint]:
        """Yield what has grown."""
        return self._hints.listen()

    async def heartbeat(
        self, pod: str, owners: Collection[str] | None = None, *, serving: bool = True
    ) -> None:
        """Note that `pod` is alive now."""
        self._check_open()
        self._heartbeats = beaten(self._heartbeats, pod, self.now_us(), owners, serving=serving)

    async def heartbeats(self) -> Mapping[str, Beat]:
        """Return every pod's last sign of life."""
        self._check_open()
        return self._heartbeats

    async def aclose(self) -> None:
        """End the hints; later calls raise StoreUnavailable."""
        self._closed = True
        self._hints.close()

    def _append(
        self,
        log: str,
        expected: Head,
        entries: tuple[Entry, ...],
        index: Index,
        hints: list[Hint],
    ) -> Conflict | None:
        """Compare and set one log, and note that it has grown."""
        known = self._logs.get(log)
        if known is None:
            if expected != genesis(log):
                return Conflict(genesis(log))
            self._last_number += 1
            known = self._logs[log] = _Log(self._last_number)
        elif expected.version != len(known.entries) or expected.chain != known.entries[-1].chain:
            return Conflict(known.entries[-1].head)
        known.entries += entries
        hints.append(Hint(log, index.live, index.owners != known.index.owners))
        if index is not known.index:
            self._agenda.change(log, known.index, index)
            known.index = index
        return None

    def _check_open(self) -> None:
        """Raise StoreUnavailable after `aclose`."""
        if self._closed:
            raise StoreUnavailable("the journal is closed")
