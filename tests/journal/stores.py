"""
Which stores have to pass the conformance suite, and how is one opened for a test?

A further store joins by a line in `KINDS`; its opener takes from the folder's path alone which data
it opens, so that a folder of its own gives each test, and each example of one, a store of its own.
"""

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import asyncpg

from lastcard_server.journal.memory import MemoryJournal
from lastcard_server.journal.port import Journal
from lastcard_server.journal.postgres import open_postgres
from lastcard_server.journal.sqlite import open_sqlite
from tests.postgres import running_server

Clock = Callable[[], int]


class Kind(NamedTuple):
    """A kind of store."""

    open: Callable[[Path, Clock | None], Awaitable[Journal]]
    """Opens the store of a folder, new or as it was left, with this clock or its own."""
    spoil: Callable[[Path, str], Awaitable[None]] | None = None
    """Changes what lies there by a statement of SQL, behind everybody's back; None = is memory."""

    @property
    def durable(self) -> bool:
        """Tell whether what was written is there after the store was closed and opened again."""
        return self.spoil is not None


async def open_memory(_folder: Path, now_us: Clock | None = None) -> Journal:
    """Return a store in memory."""
    return MemoryJournal(now_us)


async def open_file(folder: Path, now_us: Clock | None = None) -> Journal:
    """Open a journal file in a folder."""
    return await open_sqlite(folder / "journal.db", now_us)


async def open_database(folder: Path, now_us: Clock | None = None) -> Journal:
    """Open the journal in the database that belongs to a folder."""
    address = await running_server().database(str(folder))
    return await open_postgres(address, now_us, unsafe=True)


async def spoil_file(folder: Path, statement: str) -> None:
    """Change a journal file that nobody has open, or that somebody has."""
    with closing(sqlite3.connect(folder / "journal.db", isolation_level=None)) as connection:
        connection.execute(statement)


async def spoil_database(folder: Path, statement: str) -> None:
    """Change a journal's database."""
    connection = await asyncpg.connect(await running_server().database(str(folder)))
    try:
        await connection.execute(f"SET search_path TO lastcard; {statement}")
    finally:
        await connection.close()


KINDS = {
    "memory": Kind(open_memory),
    "sqlite": Kind(open_file, spoil_file),
    "postgres": Kind(open_database, spoil_database),
}
DURABLE = [name for name, kind in KINDS.items() if kind.durable]
