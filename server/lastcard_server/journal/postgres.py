"""
How are logs kept for many servers? In one PostgreSQL database behind the journal port.

The database alone decides what is appended: nothing is believed that is only in a pod's memory. One
connection writes, some read, one listens; each is opened anew when it breaks.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence

from lastcard_server.journal import postgres_sql as sql
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
)
from lastcard_server.journal.postgres_address import check_address
from lastcard_server.journal.postgres_clock import FollowingClock, Reading, local_us
from lastcard_server.journal.postgres_connection import Link, Links
from lastcard_server.journal.postgres_hints import Ear
from lastcard_server.journal.postgres_reader import Reader
from lastcard_server.journal.postgres_server import Server
from lastcard_server.journal.postgres_writer import Writer
from lastcard_server.journal.rows import FORGOTTEN_US, check_form, check_index
from lastcard_server.tasks import Tasks

_READING = 3  # connections beside the one that appends


class PostgresJournal:
    """A journal in a database; made by `open_postgres`."""

    shared = True

    def __init__(
        self,
        server: Server,
        links: Links,
        clock: FollowingClock,
        now_us: Callable[[], int] | None,
        tag: str | None,
    ) -> None:
        """`tag`: of this pod's notifications; None = it neither tells nor hears."""
        self.now_us = now_us or clock.now_us
        self._links = links
        self._clock = clock
        self._hints = Hints()
        self._link = Link(server.dial)
        self._writer = Writer(self._link, self._hints, tag)
        self._reader = Reader(links)
        self._tasks = Tasks()
        if tag:
            self._tasks.begin(Ear(server, tag, self._hints).run())
        self._closed = False

    async def append(self, appends: Sequence[Append]) -> list[Conflict | None]:
        """
        Append as `Journal.append` says; returns when the group it joined is committed.

        A call that is cancelled may have appended.
        """
        for append in appends:
            check_form(append)
        return await self._writer.append(appends) if appends else []

    async def read(self, log: str, after: int = 0) -> list[Entry]:
        """Return the entries with a version > `after`; LogCorrupt if their chain is broken."""
        return await self._reader.entries(log, max(after, 0))

    async def head(self, log: str) -> Head:
        """Return the head; the genesis for an unknown log."""
        return await self._reader.head(log)

    async def since(self, heads: Mapping[str, Head]) -> dict[str, list[Entry] | None]:
        """Return what has come after these heads."""
        return await self._reader.since(heads)

    async def indexes(self, logs: Collection[str]) -> dict[str, Index]:
        """Return the indexes of those logs that exist."""
        return await self._reader.indexes(logs)

    async def reindex(self, log: str, head: Head, index: Index) -> bool:
        """Write an index anew."""
        check_index(log, index)
        due_us, owners, live, label, revision = index
        return bool(
            await self._links.ask(
                sql.REINDEX, log, *head, due_us, list(owners), live, label, revision
            )
        )

    async def flaws(self) -> list[Flaw]:
        """Return which entries belong to no log."""
        return await self._reader.flaws()

    async def save_snapshot(self, log: str, snapshot: Snapshot) -> None:
        """Keep a snapshot of a log that exists."""
        await self._links.ask(sql.SAVE_SNAPSHOT, log, *snapshot)

    async def snapshot(self, log: str) -> Snapshot | None:
        """Return the newest snapshot."""
        return await self._reader.snapshot(log)

    async def due(self, before_us: int, limit: int) -> list[Due]:
        """Return what is due, the earliest first."""
        return await self._reader.due(before_us, limit)

    async def open_for(self, owners: Collection[str]) -> list[str]:
        """Return the live logs in which any of these is to act, oldest log first."""
        return await self._reader.open_for(owners)

    async def lowest_revision(self) -> int | None:
        """Return the lowest engine revision that a live log takes."""
        return await self._reader.lowest_revision()

    async def ended(self, prefix: str, before_us: int, limit: int) -> list[str]:
        """Return logs that are over since before a time, oldest first."""
        return await self._reader.ended(prefix, before_us, limit)

    async def forget(self, logs: Collection[str]) -> None:
        """Delete logs that are over."""
        await self._links.ask(sql.FORGET, list(logs))

    async def logs(
        self, prefix: str, *, live: bool | None = None, before: int | None = None, limit: int = 100
    ) -> list[Listed]:
        """Return a page of logs, the newest first."""
        return await self._reader.logs(prefix, live=live, before=before, limit=limit)

    def hints(self) -> AsyncIterator[Hint]:
        """Yield what has grown; of own appends what is over then, or may have other owners."""
        return self._hints.listen()

    async def heartbeat(
        self, pod: str, owners: Collection[str] | None = None, *, serving: bool = True
    ) -> None:
        """Note that `pod` is alive now, and follow the server's clock."""
        self._clock.follow(await read_wall(self._links))
        now_us = self.now_us()
        wall_us, names = now_us - self._clock.step_us, None if owners is None else list(owners)
        await self._links.ask(sql.HEARTBEAT, pod, now_us, wall_us, names, serving, FORGOTTEN_US)

    async def heartbeats(self) -> Mapping[str, Beat]:
        """Return every pod's last sign of life."""
        return await self._reader.heartbeats()

    async def aclose(self) -> None:
        """Write what is pending and close the connections."""
        if self._closed:
            return
        self._closed = True
        await self._writer.finish()
        await self._tasks.aclose()
        await self._link.aclose()
        await self._links.aclose()
        await asyncio.sleep(0)  # sockets are closed in the next round of the loop
        self._hints.close()


async def open_postgres(
    address: str,
    now_us: Callable[[], int] | None = None,
    *,
    unsafe: bool = False,
    notify: bool = True,
) -> PostgresJournal:
    """
    Open the journal in a database, as `open_store` describes.

    Args:
        address: as PostgreSQL writes it, of one host or several.
        now_us: the store's clock, microseconds since 1970; None = the server's, followed.
        unsafe: whether a crash of the server may lose what it has acknowledged.
        notify: whether pods tell each other by notifications; without, they hear nothing.

    Raises:
        StoreUnsafe: it may lose that, and `unsafe` is not set.
        StoreUnavailable: no server answers, or it refuses.
        StoreCorrupt: as `ensure_schema`.
        ValueError: the address is malformed, which the message does not show, or has a parameter or
            a value that is not known; or a file of TLS that it or the environment names cannot be
            used.
    """
    check_address(address)
    server = Server(address, unsafe=unsafe)
    links = Links(server.dial, _READING)
    try:
        await links.open()
        reading = await read_wall(links)
        clock = FollowingClock(reading, await Reader(links).stamps())
    except BaseException:
        await links.aclose()
        raise
    return PostgresJournal(server, links, clock, now_us, secrets.token_hex(4) if notify else None)


async def read_wall(links: Links) -> Reading:
    """Read the server's wall clock."""
    began_us = local_us()
    ((wall_us,),) = await links.ask(sql.WALL)
    return Reading(began_us, local_us(), wall_us)
