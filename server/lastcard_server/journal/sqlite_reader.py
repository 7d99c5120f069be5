"""
How is a journal file read while it is written? By a connection of its own, one answer a query.

Runs in the one thread that reads and sees what is committed. What it reads of a log it checks
against the chain: a file that was changed behind our back is noticed here.
"""

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from lastcard_server.journal.entry import ChainError, Entry, Head, genesis, proved
from lastcard_server.journal.port import Beat, Flaw, Index, Listed, LogCorrupt, Snapshot
from lastcard_server.journal.rows import orphaned, read_index, read_owners
from lastcard_server.journal.sqlite_file import refusals
from lastcard_server.journal.sqlite_schema import BENT, ODD, ORPHANS, links, typed

# One row for a whole log: before each further row the thread might wait for the event loop. Texts
# are cast as JSON refuses what is none, without saying where.
_ENTRIES = """
SELECT CAST(version AS INTEGER), CAST(chain AS BLOB), (SELECT json_group_array(json_array(
    version, CAST(kind AS TEXT), seat, time_us, CAST(body AS TEXT), CAST(request_id AS TEXT),
    hex(chain), hex(state_hash))) FROM ({}))
FROM logs WHERE log = ?1
"""
_LINKED = _ENTRIES.format(
    f"WITH RECURSIVE {links('?2')}"  # noqa: S608 - ours
    " SELECT entries.* FROM links JOIN entries USING (id) ORDER BY entries.version"
)
_ALL = _ENTRIES.format("""
SELECT * FROM entries WHERE number = logs.number AND version >= ?2 ORDER BY version""")
_HEAD = f"SELECT {typed('version', 'chain')} FROM logs WHERE log = ?"  # noqa: S608 - ours
_SNAPSHOT = """
SELECT CAST(snapshots.version AS INTEGER), CAST(snapshots.revision AS INTEGER),
    CAST(body AS BLOB)
FROM logs JOIN snapshots USING (number) WHERE log = ?
"""
_LOGS = f"""
SELECT number, {typed("log", "live", "label", "created_us")} FROM logs
WHERE family = ? AND number < ? AND {typed("live")} <= ? ORDER BY number DESC LIMIT ?
"""  # noqa: S608 - ours
_INDEXED = typed("due_us", "owners", "live", "label", "revision")
_INDEX = f"SELECT {_INDEXED} FROM logs WHERE log = ?"  # noqa: S608 - ours
_ENDED = """
SELECT log FROM logs WHERE family = ? AND ended_us < ? ORDER BY ended_us, number LIMIT ?
"""
_BENT = "the links between its entries are, so that each reading searches the whole file"
_ODD = "a value in its row is of another type than was written"
_AFTER_ALL = (1 << 63) - 1  # greater than any number of a log


class Reader:
    """The reading side of a journal file; every method raises the port's errors."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, linked: bool = True) -> None:
        """`linked`: whether entries name the one before, as they do since schema 3."""
        self._path = path
        self._connection = connection
        self._linked = linked
        # By what was asked for: what is wrong, and the sound beginning.
        self._damage: dict[tuple[str, int, Head], tuple[str, Sequence[Entry]]] = {}
        # A text that is damaged breaks its log's chain, and no list that it stands in.
        self._connection.text_factory = lambda text: text.decode(errors="replace")

    def entries(self, log: str, after: int) -> list[Entry]:
        """
        Return the entries after a version; the one at it is read to check the link.

        Where a link is missing the whole file is searched, so that what is wrong can be named;
        everybody's reads wait meanwhile, so that it is done once and what was found is kept.
        """
        with suppress(ChainError):
            return self._entries(_LINKED if self._linked else _ALL, log, after)
        asked = log, after, self.head(log)
        try:
            if asked not in self._damage:
                return self._entries(_ALL, log, after)
        except ChainError as error:
            self._damage[asked] = str(error), error.sound
        wrong, sound = self._damage[asked]
        raise LogCorrupt(f"{log} in the journal {self._path}: {wrong}", sound, wrong)

    def _entries(self, query: str, log: str, after: int) -> list[Entry]:
        """Return what a query finds; ChainError unless it leads up to the log's head."""
        with refusals(self._path):
            found = self._connection.execute(query, (log, after)).fetchone()
        if not found or after > found[0]:
            return []
        version, chain, rows = found
        entries = [_entry(row) for row in json.loads(rows)]
        return proved(log, after, entries, Head(version, chain))

    def head(self, log: str) -> Head:
        """Return the head; the genesis for an unknown log."""
        with refusals(self._path):
            found = self._connection.execute(_HEAD, (log,)).fetchone()
        return Head(*found) if found else genesis(log)

    def since(self, heads: Mapping[str, Head]) -> dict[str, list[Entry] | None]:
        """Return what has come after these heads, None where the log does not hold one."""
        grown = (log for log, head in heads.items() if head != self.head(log))
        return {log: self._since(log, heads[log]) for log in grown}

    def _since(self, log: str, head: Head) -> list[Entry] | None:
        """Return what follows a head that is not the log's; a damaged log does not hold it."""
        with suppress(LogCorrupt):
            entries = self.entries(log, max(head.version - 1, 0))
            found = entries.pop(0).head if head.version and entries else genesis(log)
            return entries if found == head else None
        return None

    def indexes(self, logs: Collection[str]) -> dict[str, Index]:
        """Return the indexes of those logs that exist."""
        with refusals(self._path):
            rows = ((log, self._connection.execute(_INDEX, (log,)).fetchone()) for log in logs)
            return {log: read_index(*row) for log, row in rows if row}

    def ended(self, prefix: str, before_us: int, limit: int) -> list[str]:
        """Return logs that are over since before a time, oldest first."""
        with refusals(self._path):
            rows = self._connection.execute(_ENDED, (prefix, before_us, limit)).fetchall()
        return [log for (log,) in rows]

    def snapshot(self, log: str) -> Snapshot | None:
        """Return the newest snapshot."""
        with refusals(self._path):
            found = self._connection.execute(_SNAPSHOT, (log,)).fetchone()
        return Snapshot(*found) if found else None

    def logs(self, prefix: str, *, dead: bool, before: int | None, limit: int) -> list[Listed]:
        """Return a page of all logs, or of those that are over."""
        number = _AFTER_ALL if before is None else before
        with refusals(self._path):
            rows = self._connection.execute(_LOGS, (prefix, number, not dead, limit)).fetchall()
        return [Listed(log, n, bool(live), label, us) for n, log, live, label, us in rows]

    def flaws(self) -> list[Flaw]:
        """Return which entries belong to no log, which links and which values are wrong."""
        with refusals(self._path):
            orphans = self._connection.execute(ORPHANS).fetchall()
            bent = self._connection.execute(BENT).fetchall()
            odd = self._connection.execute(ODD).fetchall()
        return [
            *(orphaned(*row) for row in orphans),
            *(Flaw(str(log), _BENT) for (log,) in bent),
            *(Flaw(log, _ODD) for (log,) in odd),
        ]

    def heartbeats(self) -> dict[str, Beat]:
        """Return every pod's last sign of life."""
        query = (
            "SELECT CAST(pod AS TEXT), CAST(time_us AS INTEGER), CAST(owners AS TEXT),"
            " CAST(serving AS INTEGER) FROM heartbeats"
        )
        with refusals(self._path):
            rows = self._connection.execute(query).fetchall()
        return {
            pod: Beat(us, frozenset(read_owners(o)), bool(serves)) for pod, us, o, serves in rows
        }

    def close(self) -> None:
        """Close the connection; called after the last query."""
        self._connection.close()


def _entry(row: list[Any]) -> Entry:
    """Return the entry one JSON row holds; an empty state hash is none."""
    *start, chain, state_hash = row
    return Entry._make((*start, bytes.fromhex(chain), bytes.fromhex(state_hash) or None))
