"""
How are logs kept in one file on one machine? SQLite with group commit behind the journal port.

The event loop never waits for the disk: whatever is pending when the writing thread is free goes
into one transaction there, and reads have a connection and a thread of their own. Heads and
indexes of live logs are also in memory, always as committed: one process holds the file.
"""

import asyncio
import functools
import os
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar, TypeVarTuple

from lastcard_server.journal.beside import Beside
from lastcard_server.journal.clock import local_clock
from lastcard_server.journal.entry import Entry, Head
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
    FORGOTTEN_US,
    NOTHING,
    Agenda,
    check_index,
    head_after,
    newest,
)
from lastcard_server.journal.sqlite_file import Connect, JournalFile, connect, open_file
from lastcard_server.journal.sqlite_reader import Reader
from lastcard_server.journal.sqlite_schema import links
from lastcard_server.journal.sqlite_writer import Committed, Job, Writer

_SAVE_SNAPSHOT = "INSERT OR REPLACE INTO snapshots SELECT number, ?, ?, ? FROM logs WHERE log = ?"
_HEARTBEAT = """INSERT INTO heartbeats VALUES (?1, ?2, coalesce(?3, ''), ?4)
ON CONFLICT (pod) DO UPDATE SET
    time_us = excluded.time_us, owners = coalesce(?3, owners), serving = excluded.serving"""
_FORGET_PODS = "DELETE FROM heartbeats WHERE time_us < ?"
_KEEP_NUMBER = "UPDATE numbers SET last = max(last, (SELECT coalesce(max(number), 0) FROM logs))"
_FORGET = (
    "DELETE FROM snapshots WHERE number IN (SELECT number FROM logs WHERE log = ? AND NOT live)",
    # The number as well: links that are damaged may lead into another log.
    f"""WITH RECURSIVE {links("1")} DELETE FROM entries WHERE id IN (SELECT id FROM links)
    AND number = (SELECT number FROM logs WHERE log = ?1 AND NOT live)""",  # noqa: S608 - ours
    "DELETE FROM logs WHERE log = ? AND NOT live",
)
_Result = TypeVar("_Result")
_Arguments = TypeVarTuple("_Arguments")


class _Waiting(NamedTuple):
    """A job and the one who waits for its outcomes."""

    job: Job
    outcomes: asyncio.Future[list[Conflict | None]]


class SqliteJournal:
    """A journal in a file; made by `open_sqlite`."""

    shared = False

    def __init__(self, file: JournalFile, thread: Beside, now_us: Callable[[], int] | None) -> None:
        """Read the live logs; called in `thread`, the one that writes."""
        self._file = file
        self._writer = Writer(file)
        self._reader = Reader(file.path, file.reader)
        self.now_us = now_us or local_clock(self._writer.last_us())
        self._rows = self._writer.live()
        self._agenda = Agenda()
        for log, row in self._rows.items():
            self._agenda.change(log, NOTHING, row.index)
        self._hints = Hints()
        self._writing_thread = thread
        self._reading_thread = Beside("journal-reads")
        self._pending: list[_Waiting] = []
        self._idle = asyncio.Event()  # nothing is pending or being written
        self._idle.set()
        self._closed = False

    async def append(self, appends: Sequence[Append]) -> list[Conflict | None]:
        """
        Append as `Journal.append` says; returns when the group it joined is on the disk.

        A call that is cancelled may have appended.
        """
        for append in appends:
            head_after(append)
        return await self._write(Job(appends))

    async def read(self, log: str, after: int = 0) -> list[Entry]:
        """Return the entries with a version > `after`; LogCorrupt if their chain is broken."""
        return await self._read(self._reader.entries, log, max(after, 0))

    async def head(self, log: str) -> Head:
        """Return the head; the genesis for an unknown log."""
        self._check_open()
        row = self._rows.get(log)
        return row.head if row else await self._read(self._reader.head, log)

    async def since(self, heads: Mapping[str, Head]) -> dict[str, list[Entry] | None]:
        """Return what has come after these heads."""
        return await self._read(self._reader.since, heads)

    async def indexes(self, logs: Collection[str]) -> dict[str, Index]:
        """Return the indexes of those logs that exist."""
        return await self._read(self._reader.indexes, logs)

    async def reindex(self, log: str, head: Head, index: Index) -> bool:
        """Write an index anew."""
        check_index(log, index)
        return await self._write(Job(repairs=[(log, head, index)])) == [None]

    async def flaws(self) -> list[Flaw]:
        """Return which entries belong to no log, which links and which values are wrong."""
        return await self._read(self._reader.flaws)

    async def save_snapshot(self, log: str, snapshot: Snapshot) -> None:
        """Keep a snapshot of a log that exists."""
        await self._write(Job(statements=[(_SAVE_SNAPSHOT, (*snapshot, log))]))

    async def snapshot(self, log: str) -> Snapshot | None:
        """Return the newest snapshot."""
        return await self._read(self._reader.snapshot, log)

    async def due(self, before_us: int, limit: int) -> list[Due]:
        """Return what is due, the earliest first."""
        self._check_open()
        return self._agenda.due(before_us, limit)

    async def open_for(self, owners: Collection[str]) -> list[str]:
        """Return the live logs in which any of these is to act, oldest log first."""
        self._check_open()
        found = {log for owner in owners for log in self._agenda.open_for(owner)}
        return sorted(found, key=lambda log: self._rows[log].number)

    async def lowest_revision(self) -> int | None:
        """Return the lowest engine revision that a live log takes."""
        self._check_open()
        revisions = (row.index.revision for row in self._rows.values())
        return min((revision for revision in revisions if revision), default=None)

    async def ended(self, prefix: str, before_us: int, limit: int) -> list[str]:
        """Return logs that are over since before a time, oldest first."""
        return await self._read(self._reader.ended, prefix, before_us, limit)

    async def forget(self, logs: Collection[str]) -> None:
        """Delete logs that are over."""
        statements = [(sql, (log,)) for log in logs for sql in _FORGET]
        if statements:
            await self._write(Job(statements=[(_KEEP_NUMBER, ()), *statements]))

    async def logs(
        self, prefix: str, *, live: bool | None = None, before: int | None = None, limit: int = 100
    ) -> list[Listed]:
        """Return a page of logs, the newest first."""
        self._check_open()
        if live:
            return newest(self._rows.items(), prefix, live=live, before=before, limit=limit)
        dead, reader = live is not None, self._reader
        return await self._read(lambda: reader.logs(prefix, dead=dead, before=before, limit=limit))

    def hints(self) -> AsyncIterator[Hint]:
        """Yield what has grown."""
        return self._hints.listen()

    async def heartbeat(
        self, pod: str, owners: Collection[str] | None = None, *, serving: bool = True
    ) -> None:
        """Note that `pod` is alive now."""
        now_us, lines = self.now_us(), None if owners is None else "\n".join(owners)
        beat = _HEARTBEAT, (pod, now_us, lines, serving)
        await self._write(Job(statements=[beat, (_FORGET_PODS, (now_us - FORGOTTEN_US,))]))

    async def heartbeats(self) -> Mapping[str, Beat]:
        """Return every pod's last sign of life."""
        return await self._read(self._reader.heartbeats)

    async def aclose(self) -> None:
        """Write what is pending, close the file and free it for others."""
        if self._closed:
            return
        self._closed = True
        await self._idle.wait()
        await self._reading_thread.call(self._reader.close)
        await self._writing_thread.call(self._file.close)
        self._reading_thread.close()
        self._writing_thread.close()
        self._hints.close()

    async def _write(self, job: Job) -> list[Conflict | None]:
        """Have a job written together with everything else that is pending."""
        self._check_open()
        waiting = _Waiting(job, asyncio.get_running_loop().create_future())
        self._pending.append(waiting)
        if self._idle.is_set():
            self._idle.clear()
            asyncio.get_running_loop().call_soon(self._write_group)
        return await waiting.outcomes

    def _write_group(self) -> None:
        """Give the writing thread everything that is pending; no task that could be cancelled."""
        if not self._pending:
            self._idle.set()
            return
        group, self._pending = self._pending, []
        jobs = [waiting.job for waiting in group]
        commit = self._writing_thread.call(self._writer.commit, jobs, self._rows)
        commit.add_done_callback(functools.partial(self._finish, group))

    def _finish(self, group: Sequence[_Waiting], commit: asyncio.Future[Committed]) -> None:
        """Tell a group what became of it, and go on with the next."""
        error = commit.exception()
        if error is None:
            self._keep(group, commit.result())
        else:
            _refuse(group, error)
        self._write_group()

    def _keep(self, group: Sequence[_Waiting], committed: Committed) -> None:
        """Follow a committed group in memory and tell those who wait."""
        hints = []
        for log, row in committed.rows.items():
            old = self._rows.get(log)
            before = old.index if old else NOTHING
            hints.append(Hint(log, row.index.live, row.index.owners != before.owners))
            self._agenda.change(log, before, row.index)
            if row.index.live:
                self._rows[log] = row
            else:
                self._rows.pop(log, None)
        for waiting, outcomes in zip(group, committed.outcomes, strict=True):
            if not waiting.outcomes.done():  # done = its caller was cancelled
                waiting.outcomes.set_result(outcomes)
        self._hints.tell(hints)

    async def _read(
        self, query: Callable[[*_Arguments], _Result], *arguments: *_Arguments
    ) -> _Result:
        """Run a query in the thread that reads."""
        self._check_open()
        return await self._reading_thread.call(query, *arguments)

    def _check_open(self) -> None:
        """Raise StoreUnavailable after `aclose`."""
        if self._closed:
            raise StoreUnavailable(f"the journal {self._file.path} is closed")


async def open_sqlite(
    path: Path, now_us: Callable[[], int] | None = None, connecting: Connect = connect
) -> SqliteJournal:
    """Open a journal file, as `open_store` describes."""
    thread = Beside("journal-writes")

    def opened() -> SqliteJournal:
        file = open_file(Path(os.path.realpath(path)), connecting)
        try:
            return SqliteJournal(file, thread, now_us)
        except BaseException:
            file.close()
            raise

    try:
        return await thread.call(opened)
    except BaseException:
        thread.close()
        raise


def _refuse(group: Sequence[_Waiting], error: BaseException) -> None:
    """Tell everyone in a group that nothing was written."""
    for waiting in group:
        if not waiting.outcomes.done():
            waiting.outcomes.set_exception(error)
