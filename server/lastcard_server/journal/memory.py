"""How are logs kept in memory? For development and tests: nothing survives the process."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence

from lastcard_server.journal.clock import local_clock
from lastcard_server.journal.entry import Entry, Head, genesis
from lastcard_server.journal.hints import Hints
from lastcard_server.journal.port import Append, Conflict, Due, Listed, Snapshot, StoreUnavailable
from lastcard_server.journal.rows import NOTHING, Agenda, Row, head_after, newest


class MemoryJournal:
    """A journal in memory; it answers without a thread and without waiting."""

    shared = False

    def __init__(self, now_us: Callable[[], int] | None = None) -> None:
        self.now_us = now_us or local_clock()
        self._rows: dict[str, Row] = {}
        self._entries: dict[str, list[Entry]] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._heartbeats: dict[str, int] = {}
        self._agenda = Agenda()
        self._hints = Hints()
        self._closed = False

    async def append(self, appends: Sequence[Append]) -> list[Conflict | None]:
        """Append as `Journal.append` says; durable as far as memory is."""
        self._check_open()
        heads = [head_after(append) for append in appends]
        outcomes = list(map(self._append, appends, heads))
        self._hints.tell([append.log for append in appends])
        return outcomes

    async def read(self, log: str, after: int = 0) -> list[Entry]:
        """Return the entries with a version > `after`."""
        self._check_open()
        return self._entries.get(log, [])[max(after, 0) :]

    async def head(self, log: str) -> Head:
        """Return the head; the genesis for an unknown log."""
        self._check_open()
        row = self._rows.get(log)
        return row.head if row else genesis(log)

    async def save_snapshot(self, log: str, snapshot: Snapshot) -> None:
        """Keep a snapshot of a log that exists."""
        self._check_open()
        if log in self._rows:
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
        return sorted(self._agenda.open_for(owner), key=lambda log: self._rows[log].number)

    async def logs(
        self, prefix: str, *, live: bool | None = None, before: int | None = None, limit: int = 100
    ) -> list[Listed]:
        """Return a page of logs, the newest first."""
        self._check_open()
        return newest(self._rows.items(), prefix, live=live, before=before, limit=limit)

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

    def _append(self, append: Append, head: Head) -> Conflict | None:
        """Compare and set one log."""
        log, expected, entries, index = append
        row = self._rows.get(log)
        if row is None:
            if expected != genesis(log):
                return Conflict(genesis(log))
            self._entries[log] = list(entries)
            self._rows[log] = Row(len(self._rows) + 1, head, index, entries[0].time_us)
            self._agenda.change(log, NOTHING, index)
            return None
        number, latest, known, created_us = row
        if expected != latest:
            return Conflict(latest)
        self._entries[log] += entries
        self._rows[log] = Row(number, head, index, created_us)
        if index is not known:
            self._agenda.change(log, known, index)
        return None

    def _check_open(self) -> None:
        """Raise StoreUnavailable after `aclose`."""
        if self._closed:
            raise StoreUnavailable("the journal is closed")
