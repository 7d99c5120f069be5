"""
How does a group of appends become one transaction? Compare, set, and commit once for all.

Runs in the one thread that writes. Rows go in by few statements of many rows each: at each step of
a statement the thread lets the event loop run, and waits for its turn again.
"""

import functools
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

from lastcard_server.journal.entry import Entry, Head, genesis
from lastcard_server.journal.port import Append, Conflict, Index
from lastcard_server.journal.rows import Row, family, head_after, read_index
from lastcard_server.journal.sqlite_file import JournalFile, refusals
from lastcard_server.journal.sqlite_schema import RELINK, typed

_MOST_ROWS = 64  # a statement; 832 parameters, below every build's limit of 999
_ENTRY = ("INSERT INTO entries VALUES ", 11, "")
_LOG_UPDATE = """ ON CONFLICT (number) DO UPDATE SET
    created_us = excluded.created_us, version = excluded.version, chain = excluded.chain,
    due_us = excluded.due_us,
    owners = excluded.owners, live = excluded.live, label = excluded.label,
    revision = excluded.revision, ended_us = excluded.ended_us, entry = excluded.entry"""
_LOG = ("INSERT INTO logs VALUES ", 13, _LOG_UPDATE)
_INDEXED = "due_us", "owners", "live", "label", "revision"
_COLUMNS = f"number, {typed('version', 'chain', *_INDEXED, 'created_us', 'ended_us', 'entry')}"
Statement = tuple[str, tuple[object, ...]]


class Job(NamedTuple):
    """What one caller wants written, all of it or nothing."""

    appends: Sequence[Append] = ()
    statements: Sequence[Statement] = ()
    repairs: Sequence[tuple[str, Head, Index]] = ()
    """Indexes to write anew, each for a log that has this head."""


class Committed(NamedTuple):
    """What a transaction has done."""

    outcomes: list[list[Conflict | None]]
    """For each job, for each of its appends and repairs."""
    rows: dict[str, Row]
    """The logs that have grown."""


class Writer:
    """The writing side of a journal file."""

    def __init__(self, file: JournalFile) -> None:
        self._file = file
        self._connection = file.writer
        # As readers do: one text that is none is damage of its log, and of no other.
        self._connection.text_factory = lambda text: text.decode(errors="replace")
        with refusals(file.path):
            query = (
                "SELECT max(CAST(last AS INTEGER), coalesce((SELECT max(number) FROM logs), 0))"
                " FROM numbers"
            )
            self._last_number: int = self._connection.execute(query).fetchone()[0]
            query = "SELECT coalesce(max(id), 0) FROM entries"
            self._last_entry: int = self._connection.execute(query).fetchone()[0]

    def live(self) -> dict[str, Row]:
        """Return every live log, oldest first."""
        query = f"SELECT {_COLUMNS}, {typed('log')} FROM logs WHERE live ORDER BY number"  # noqa: S608 - ours
        with refusals(self._file.path):
            return {row[-1]: _row(row[:-1]) for row in self._connection.execute(query)}

    def last_us(self) -> int:
        """Return the newest time in heartbeats and in live logs; 0 in a new file."""
        query = (
            "SELECT max(coalesce((SELECT max(CAST(time_us AS INTEGER)) FROM heartbeats), 0),"
            " coalesce((SELECT max(CAST(time_us AS INTEGER)) FROM logs JOIN entries ON id = entry"
            " WHERE live), 0))"
        )
        with refusals(self._file.path):
            last: int = self._connection.execute(query).fetchone()[0]
        return last

    def commit(self, jobs: Sequence[Job], known: Mapping[str, Row]) -> Committed:
        """
        Write all jobs in one durable transaction.

        Args:
            jobs: what to write, in order.
            known: the rows of all live logs as committed; not changed meanwhile.

        Raises:
            StoreUnavailable, StoreCorrupt: nothing of any job was written.
        """
        self._file.refuse_moved()
        with refusals(self._file.path):
            try:
                return self._commit(jobs, known)
            except BaseException:
                with suppress(sqlite3.Error):
                    self._connection.rollback()
                raise

    def _commit(self, jobs: Sequence[Job], known: Mapping[str, Row]) -> Committed:
        """Decide every append, write what was accepted."""
        self._connection.execute("BEGIN IMMEDIATE")
        group = _Group(self, known, self._last_entry)
        outcomes = [group.outcomes(job) for job in jobs]
        self._insert(_LOG, (_log_values(log, row) for log, row in group.rows.items()))
        self._insert(_ENTRY, group.entries)
        for sql, values in chain.from_iterable(job.statements for job in jobs):
            self._connection.execute(sql, values)
        self._connection.execute("COMMIT")
        self._last_entry += len(group.entries)
        return Committed(outcomes, group.rows)

    def find(self, log: str) -> Row | None:
        """Return the row of a log that is not live, None if there is no such log."""
        query = f"SELECT {_COLUMNS} FROM logs WHERE log = ?"  # noqa: S608 - ours
        found = self._connection.execute(query, (log,)).fetchone()
        return found and _row(found)

    def last_us_of(self, row: Row) -> int | None:
        """Return the time of a log's last entry, None if it is not there."""
        query = "SELECT CAST(time_us AS INTEGER) FROM entries WHERE id = ?"
        found = self._connection.execute(query, (row.entry,)).fetchone()
        return found and found[0]  # type: ignore[no-any-return]  # a column

    def relinked(self, row: Row) -> Row:
        """Have the entries of a log linked anew; return its row as they say it is."""
        self._connection.execute(RELINK, (row.number,))
        query = """SELECT id, CAST(time_us AS INTEGER) FROM entries WHERE number = ?
        ORDER BY version"""
        entries = self._connection.execute(query, (row.number,)).fetchall()
        if not entries:
            return row
        return row._replace(entry=entries[-1][0], created_us=entries[0][1])

    def next_number(self) -> int:
        """Return the number of a new log; one that is not used after all leaves a gap."""
        self._last_number += 1
        return self._last_number

    def _insert(self, statement: tuple[str, int, str], rows: Iterable[tuple[object, ...]]) -> None:
        """Insert rows by statements of 64, 32, 16 ... rows, so that few are ever prepared."""
        waiting = list(rows)
        start, count = 0, _MOST_ROWS
        while start < len(waiting):
            while count > len(waiting) - start:
                count //= 2
            values = list(chain.from_iterable(waiting[start : start + count]))
            self._connection.execute(_sql(*statement, count), values)
            start += count


class _Group:
    """The appends of one transaction as far as they are decided."""

    def __init__(self, writer: Writer, known: Mapping[str, Row], last_entry: int) -> None:
        self._writer = writer
        self._known = known
        self._last_entry = last_entry
        self.rows: dict[str, Row] = {}
        self.entries: list[tuple[object, ...]] = []  # the values of each to insert

    def outcomes(self, job: Job) -> list[Conflict | None]:
        """Decide all that a job wants of logs."""
        repaired = (self.repair(*repair) for repair in job.repairs)
        return [*map(self.decide, job.appends), *repaired]

    def decide(self, append: Append) -> Conflict | None:
        """Compare and set one log, on top of what this group has done to it."""
        log, expected, entries, index = append
        old = self._row(log)
        head = old.head if old else genesis(log)
        if head != expected:
            return Conflict(head)
        number = old.number if old else self._writer.next_number()
        created_us = old.created_us if old else entries[0].time_us
        ended_us = None if index.live else entries[-1].time_us
        last = self._link(number, entries, old.entry if old else None)
        self.rows[log] = Row(number, head_after(append), index, created_us, ended_us, last)
        return None

    def _link(self, number: int, entries: Sequence[Entry], last: int | None) -> int | None:
        """Have entries of a log inserted after its last one; return where the last stands then."""
        for version, kind, *rest in entries:
            previous, last = last, self._last_entry + len(self.entries) + 1
            # SQLite is slow on subclasses of str.
            self.entries.append((last, number, version, str(kind), *rest, previous))
        return last

    def repair(self, log: str, head: Head, index: Index) -> Conflict | None:
        """Set the index of a log that has this head, and link its entries anew."""
        row = self._row(log)
        if row is None or row.head != head:
            return Conflict(row.head if row else genesis(log))
        row = self._writer.relinked(row)
        ended_us = None if index.live else self._writer.last_us_of(row)
        self.rows[log] = row._replace(index=index, ended_us=ended_us)
        return None

    def _row(self, log: str) -> Row | None:
        return self.rows.get(log) or self._known.get(log) or self._writer.find(log)


def _log_values(log: str, row: Row) -> tuple[object, ...]:
    """Return a row's values in the order of the table's columns."""
    number, (version, chain_hash), index, created_us, ended_us, entry = row
    due_us, owners, live, label, revision = index
    start = number, log, family(log), created_us, version, chain_hash
    return (*start, due_us, "\n".join(owners), live, label, revision, ended_us, entry)


def _row(found: Sequence[object]) -> Row:
    """Return the row that the columns in `_COLUMNS` hold."""
    number, version, chain_hash, *index, created_us, ended_us, entry = found
    head = Head(version, chain_hash)  # type: ignore[arg-type]
    return Row(number, head, read_index(*index), created_us, ended_us, entry)  # type: ignore[arg-type]


@functools.cache
def _sql(start: str, columns: int, end: str, rows: int) -> str:
    """Return a statement that inserts so many rows."""
    row = f"({', '.join('?' * columns)})"
    return start + ", ".join([row] * rows) + end
