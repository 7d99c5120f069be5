"""How are logs kept in memory? For development and tests: nothing survives the process."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence

from lastcard_server.journal.clock import local_clock
from lastcard_server.journal.entry import Entry, Head, genesis
from lastcard_server.journal.hints import Hints
from lastcard_server.journal.port import (
    Append,
    Conflict,
    Due,
    Index,
    Listed,
    Snapshot,
    StoreUnavailable,
)
from lastcard_server.journal.rows import NOTHING, Agenda, Row, check_form, newest


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
        self._heartbeats: dict[str, int] = {}
        self._agenda = Agenda()
        self._hints = Hints()
        self._closed = False

    async def append(self, appends: Sequence[Append]) -> list[Conflict | None]:
        """Append as `Journal.append` says; durable as far as memory is."""
        self._check_open()
        for append in appends:
            check_form(append)
        outcomes = [self._append(*append) for append in appends]
        self._hints.tell([append.log for append in appends])
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

    async def open_for(self, owner: str) -> list[str]:
        """Return the live logs in which `owner` is to act, oldest log first."""
        self._check_open()
        return sorted(self._agenda.open_for(owner), key=lambda log: self._logs[log].number)

    async def logs(
        self, prefix: str, *, live: bool | None = None, before: int | None = None, limit: int = 100
    ) -> list[Listed]:
        """Return a page of logs, the newest first."""
        self._check_open()
        rows = ((log, known.row()) for log, known in self._logs.items())
        return newest(rows, prefix, live=live, before=before, limit=limit)

    def hints(self) -> AsyncIterator[str]:
        """Yield the names of logs that have grown."""
        return self._hints.listen()

    async def heartbeat(self, pod: str) -> None:
        """Note that `pod` is alive now."""
        self._check_open()
        self._heartbeats[pod] = self.now_us()

    async def heartbeats(self) -> Mapping[str, int]:
        """Return every pod's last sign of life."""
        self._check_open()
        return dict(self._heartbeats)

    async def aclose(self) -> None:
        """End the hints; later calls raise StoreUnavailable."""
        self._closed = True
        self._hints.close()

    def _append(
        self, log: str, expected: Head, entries: tuple[Entry, ...], index: Index
    ) -> Conflict | None:
        """Compare and set one log."""
        known = self._logs.get(log)
        if known is None:
            if expected != genesis(log):
                return Conflict(genesis(log))
            known = self._logs[log] = _Log(len(self._logs) + 1)
        elif expected.version != len(known.entries) or expected.chain != known.entries[-1].chain:
            return Conflict(known.entries[-1].head)
        known.entries += entries
        if index is not known.index:
            self._agenda.change(log, known.index, index)
            known.index = index
        return None

    def _check_open(self) -> None:
        """Raise StoreUnavailable after `aclose`."""
        if self._closed:
            raise StoreUnavailable("the journal is closed")
