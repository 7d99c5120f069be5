"""
How does a test see, and spoil, everything that SQLite does to its files? By APSW and a VFS.

`connector` gives `open_sqlite` connections whose files lie with the system as usual; each call
passes through a `Watch` first. APSW brings an SQLite of its own, newer than Python's.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Final, Protocol, cast

import apsw

from lastcard_server.journal.sqlite_file import Connect

SYNCS_FOLDER: Final = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL
"""With the first sync of such a file SQLite syncs its folder, too."""

_names = map("watched-{}".format, count())


class Watch(Protocol):
    """Is told of each call before it is made; makes it, or raises what `failure` gives."""

    def opening(self, path: str) -> None:
        """A file is opened, and made if it is missing."""

    def reading(self, path: str) -> None:
        """Bytes are read."""

    def writing(self, path: str, data: bytes, offset: int, write: Callable[[bytes], None]) -> None:
        """Bytes are written; `write` puts bytes at that place."""

    def truncating(self, path: str, size: int) -> None:
        """A file is cut or lengthened."""

    def syncing(self, path: str, *, folder: bool) -> None:
        """What was written is made durable, and the names in the folder if it says so."""

    def deleting(self, path: str, *, folder: bool) -> None:
        """A file is deleted, durably if the folder is to be synced."""


def failure(name: str) -> Exception:
    """Return the error of a call that fails: `SQLITE_FULL`, `SQLITE_IOERR_FSYNC`."""
    return apsw.exception_for(getattr(apsw, name))


class _File(apsw.VFSFile):
    """A file of the system with its watch."""

    def __init__(self, path: str, name: object, flags: list[int], watch: Watch) -> None:
        super().__init__("", name, flags)  # type: ignore[arg-type]  # as the VFS got it
        self._path = path
        self._watch = watch
        self._folder = bool(flags[0] & SYNCS_FOLDER)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's names
        self._watch.reading(self._path)
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        write = super().xWrite
        self._watch.writing(self._path, data, offset, lambda part: write(part, offset))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._watch.truncating(self._path, newsize)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._watch.syncing(self._path, folder=self._folder)
        self._folder = False
        # The system's own sync would cost time and prove nothing: what is durable, a watch decides.


class Vfs(apsw.VFS):
    """The system's files, each with its watch; unregister it when it is not needed any more."""

    def __init__(self, watch: Watch) -> None:
        self.name = next(_names)
        super().__init__(self.name, "")
        self._watch = watch

    def xOpen(self, name: apsw.URIFilename | str | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        """Open a file, or make it."""
        if name is None:  # a temporary file, which nobody needs after a crash
            return apsw.VFSFile("", None, flags)
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._watch.opening(path)
        return _File(path, name, flags, self._watch)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802, FBT001
        """Delete a file."""
        self._watch.deleting(filename, folder=syncdir)
        super().xDelete(filename, syncdir)


class Rows:
    """What a statement gave, read at once."""

    def __init__(self, rows: list[tuple[object, ...]]) -> None:
        self._rows = iter(rows)

    def __iter__(self) -> Iterator[tuple[object, ...]]:
        return self._rows

    def fetchone(self) -> tuple[object, ...] | None:
        """Return the next row."""
        return next(self._rows, None)

    def fetchall(self) -> list[tuple[object, ...]]:
        """Return the rows that are left."""
        return list(self._rows)


class Connection:
    """A connection of APSW with the face of sqlite3's, as far as a journal uses it."""

    def __init__(self, path: Path, vfs: str, synchronous: str, checkpoint_pages: int) -> None:
        with _as_sqlite3():
            self._connection = apsw.Connection(str(path), vfs=vfs)
        self._synchronous = synchronous
        self._checkpoint_pages = checkpoint_pages
        self._pages = 0
        self._connection.set_wal_hook(self._written)

    def execute(self, sql: str, values: Sequence[object] = ()) -> Rows:
        """Run a statement to its end."""
        if sql == "PRAGMA synchronous = FULL":
            sql = f"PRAGMA synchronous = {self._synchronous}"
        with _as_sqlite3():
            rows = Rows(list(self._connection.execute(sql, tuple(values))))
        self._checkpoint()
        return rows

    def executescript(self, script: str) -> None:
        """Run several statements."""
        with _as_sqlite3():
            self._connection.execute(script)
        self._checkpoint()

    def rollback(self) -> None:
        """End a transaction, if one is open."""
        with _as_sqlite3():
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close the file."""
        with suppress(apsw.Error):  # as SQLite does; APSW tells of the last checkpoint's faults
            self._connection.close()

    def _written(self, _connection: apsw.Connection, _database: str, pages: int) -> int:
        self._pages = pages
        return apsw.SQLITE_OK

    def _checkpoint(self) -> None:
        """
        Do after a commit what SQLite does by itself: its own way is to forget the faults.

        APSW would take a fault of the watch there for one of the commit.
        """
        pages, self._pages = self._pages, 0
        if pages >= self._checkpoint_pages:
            with suppress(apsw.Error):
                self._connection.wal_checkpoint()


def connector(vfs: Vfs, synchronous: str = "FULL", checkpoint_pages: int = 1000) -> Connect:
    """
    Return a way to open journal files in a VFS.

    Args:
        vfs: where the files lie.
        synchronous: what takes the place of FULL.
        checkpoint_pages: how long the log may become; 1000 is SQLite's own choice.
    """
    return cast("Connect", lambda path: Connection(path, vfs.name, synchronous, checkpoint_pages))


@contextmanager
def _as_sqlite3() -> Iterator[None]:
    """Turn APSW's errors into sqlite3's, with the name of the code."""
    try:
        yield
    except apsw.Error as error:
        code = getattr(error, "extendedresult", 0)
        name = apsw.mapping_extended_result_codes.get(code) or apsw.mapping_result_codes.get(code)
        mapped = sqlite3.OperationalError(str(error))
        mapped.sqlite_errorname = str(name)
        raise mapped from error
