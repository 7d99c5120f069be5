"""
What does a database know of logs? Every answer is one statement and sees what is committed.

What is read of a log is checked against its chain: rows that were changed behind our back, or
brought back from an old copy, are noticed here.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from contextlib import suppress

import asyncpg

from lastcard_server.journal import postgres_sql as sql
from lastcard_server.journal.entry import Entry, Head, genesis
from lastcard_server.journal.port import Beat, Due, Flaw, Index, Listed, LogCorrupt, Snapshot
from lastcard_server.journal.postgres_clock import Stamp
from lastcard_server.journal.postgres_connection import Links
from lastcard_server.journal.postgres_rows import entries_of, verified
from lastcard_server.journal.rows import orphaned

_AFTER_ALL = (1 << 63) - 1  # greater than any number of a log


class Reader:
    """The reading side of a database; every method raises the port's errors."""

    def __init__(self, links: Links) -> None:
        self._links = links

    async def entries(self, log: str, after: int) -> list[Entry]:
        """Return the entries after a version; the one at it is read to check the link."""
        rows = await self._links.ask(sql.ENTRIES, log, after)
        if not rows or after > rows[0][0]:
            return []
        return verified(log, after, entries_of(rows), Head(*rows[0][:2]))

    async def head(self, log: str) -> Head:
        """Return the head; the genesis for an unknown log."""
        rows = await self._links.ask(sql.HEAD, log)
        return Head(*rows[0]) if rows else genesis(log)

    async def since(self, heads: Mapping[str, Head]) -> dict[str, list[Entry] | None]:
        """Return what has come after these heads, None where the log does not hold one."""
        if not heads:
            return {}
        names = list(heads)
        versions, chains = zip(*heads.values(), strict=True)
        grown = defaultdict[str, list[asyncpg.Record]](list)
        for row in await self._links.ask(sql.SINCE, names, versions, chains):
            grown[names[row[0] - 1]].append(row)
        found = ((log, _after(log, heads[log], rows)) for log, rows in grown.items())
        return {log: entries for log, entries in found if entries != []}

    async def indexes(self, logs: Collection[str]) -> dict[str, Index]:
        """Return the indexes of those logs that exist."""
        rows = await self._links.ask(sql.INDEXES, list(logs))
        return {log: Index(due_us, tuple(owners), *rest) for log, due_us, owners, *rest in rows}

    async def flaws(self) -> list[Flaw]:
        """Return which entries belong to no log."""
        found, last = list[Flaw](), -1
        # Page by page: one look at a large table takes longer than a call may.
        while rows := await self._links.ask(sql.ORPHANS, last):
            found += [orphaned(number, count) for number, count in rows if count]
            last = rows[-1][0]
        return found

    async def snapshot(self, log: str) -> Snapshot | None:
        """Return the newest snapshot."""
        rows = await self._links.ask(sql.SNAPSHOT, log)
        return Snapshot(*rows[0]) if rows else None

    async def due(self, before_us: int, limit: int) -> list[Due]:
        """Return what is due, the earliest first."""
        return [Due(*row) for row in await self._links.ask(sql.DUE, before_us, limit)]

    async def open_for(self, owners: Collection[str]) -> list[str]:
        """Return the live logs in which any of these is to act, oldest log first."""
        return [log for (log,) in await self._links.ask(sql.OPEN_FOR, list(owners))]

    async def lowest_revision(self) -> int | None:
        """Return the lowest engine revision that a live log takes."""
        ((lowest,),) = await self._links.ask(sql.LOWEST_REVISION)
        return lowest  # type: ignore[no-any-return]  # an integer or NULL

    async def ended(self, prefix: str, before_us: int, limit: int) -> list[str]:
        """Return logs that are over since before a time, oldest first."""
        return [log for (log,) in await self._links.ask(sql.ENDED, prefix, before_us, limit)]

    async def logs(
        self, prefix: str, *, live: bool | None, before: int | None, limit: int
    ) -> list[Listed]:
        """Return a page of logs, the newest first."""
        number = _AFTER_ALL if before is None else before
        rows = await self._links.ask(sql.LOGS[live], prefix, number, limit)
        return [Listed(*row) for row in rows]

    async def heartbeats(self) -> dict[str, Beat]:
        """Return every pod's last sign of life."""
        rows = await self._links.ask(sql.HEARTBEATS)
        return {pod: Beat(us, frozenset(owners), serves) for pod, us, _, owners, serves in rows}

    async def stamps(self) -> list[Stamp]:
        """Return the times of every pod's last sign of life."""
        rows = await self._links.ask(sql.HEARTBEATS)
        return [Stamp(time_us, wall_us) for _, time_us, wall_us, *_ in rows]


def _after(log: str, head: Head, rows: list[asyncpg.Record]) -> list[Entry] | None:
    """Return what follows a head, from rows that begin with its version; None if it is not held."""
    entries = entries_of(rows)
    found = entries[0].head if head.version and entries else genesis(log)
    if found != head:
        return None
    if rows[0][1] is None:  # nobody has made this log
        return []
    with suppress(LogCorrupt):
        return verified(log, head.version, entries, Head(*rows[0][1:3]))
    return None
