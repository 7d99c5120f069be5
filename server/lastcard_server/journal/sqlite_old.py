"""
What does a journal file of an earlier release say while it is still as that release left it?

Nothing is locked, made or changed: the file alone is read, without what a killed process may have
left in its `-wal`. To open it as a store is to migrate it.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from lastcard_server.journal.entry import Entry
from lastcard_server.journal.port import Listed, StoreError
from lastcard_server.journal.sqlite_file import refusals, schema_of
from lastcard_server.journal.sqlite_reader import Reader
from lastcard_server.journal.sqlite_schema import SCHEMA


class OldFile:
    """The logs of a file, as the journal port reads them; made by `old_file`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._reader = Reader(path, connection, linked=False)

    async def read(self, log: str) -> list[Entry]:
        """Return the entries of a log; StoreCorrupt if their chain is broken."""
        return self._reader.entries(log, 0)

    async def logs(self, prefix: str, *, limit: int = 100) -> list[Listed]:
        """Return up to `limit` logs of one family, the newest first."""
        return self._reader.logs(prefix, dead=False, before=None, limit=limit)


@contextmanager
def old_file(url: str) -> Iterator[OldFile | None]:
    """Yield the file of an address if it is a journal of an earlier schema, else None."""
    kind, _, name = url.partition(":")
    path = Path(os.path.realpath(name))
    connection = _connection(path) if kind == "sqlite" and path.is_file() else None
    if connection is None:
        yield None
        return
    with closing(connection):
        yield OldFile(path, connection) if _is_old(connection, path) else None


def _connection(path: Path) -> sqlite3.Connection | None:
    with suppress(sqlite3.Error):
        return sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)
    return None


def _is_old(connection: sqlite3.Connection, path: Path) -> bool:
    """Tell whether it has to be migrated; what cannot be read is told when it is opened."""
    with suppress(StoreError), refusals(path):
        return 0 < schema_of(connection, path) < SCHEMA
    return False
