"""
How is a journal file opened? Its locks, settings and schema, and its errors in words.

One process holds the file: locks on it and beside it live as long as the store, whatever ends the
process. Nothing here knows what appends are.
"""

import fcntl
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from lastcard_server.journal.port import StoreCorrupt, StoreForeign, StoreInUse, StoreUnavailable
from lastcard_server.journal.sqlite_schema import APPLICATION, SCHEMA, steps_from

_log = logging.getLogger(__name__)
_REASONS = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "it may not be written",
    "SQLITE_IOERR": "input or output failed",
    "SQLITE_CANTOPEN": "it cannot be opened",
    "SQLITE_BUSY": "another program has locked it",
}
_BROKEN = {
    "SQLITE_CORRUPT": StoreCorrupt,
    "SQLITE_CONSTRAINT": StoreCorrupt,
    "SQLITE_NOTADB": StoreForeign,
}
# Pages that change group after group are carried over once a checkpoint; SQLite's own is 1,000.
_CHECKPOINT_PAGES = 4_000  # 16 MiB
_CARRIED = (
    "the journal %s is brought from schema %d to %d, about half a minute for each gigabyte: "
    "no earlier release can use it then"
)


Connect = Callable[[Path], sqlite3.Connection]
"""Opens a file; tests have ways that lose what was not synced, or fail at the n-th call."""


def connect(path: Path) -> sqlite3.Connection:
    """Return a connection in autocommit mode; transactions are begun by hand."""
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, cached_statements=256
    )
    connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    return connection


class JournalFile:
    """An open journal file with one connection that writes and one that reads."""

    def __init__(self, path: Path, locks: Sequence[int], connecting: Connect) -> None:
        self.path = path
        self._locks = locks
        self._identity = os.fstat(locks[-1])
        self.writer = _opened(path, connecting)
        try:
            _prepare(self.writer, path)
            self.reader = _opened(path, connecting)
        except BaseException:
            self.writer.close()
            raise

    def refuse_moved(self) -> None:
        """
        Refuse a file that was moved, replaced or deleted since: its `-wal` would not go with it.

        Raises:
            StoreUnavailable: until it has its name again.
        """
        with suppress(OSError):
            if os.path.samestat(self._identity, self.path.stat()):
                return
        raise StoreUnavailable(
            f"the journal {self.path} was moved or deleted while in use: bring it back to this name"
        )

    def close(self) -> None:
        """Write everything into the main file and give the lock back."""
        with suppress(sqlite3.Error):
            self.reader.close()
        with suppress(sqlite3.Error):
            self.writer.close()
        # Last, as closing any descriptor of a file ends the locks that SQLite has on it.
        _close(self._locks)


def _opened(path: Path, connecting: Connect) -> sqlite3.Connection:
    """Return a connection that keeps to the journal's own files."""
    connection = connecting(path)
    # What statements are undone and sorted with: else a file somewhere, with hands in it.
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def open_file(path: Path, connecting: Connect = connect) -> JournalFile:
    """
    Open a journal file, make it if it is missing, and lock it for this process.

    Args:
        path: without symbolic links, as one of the locks goes by the name.
        connecting: opens the file itself.

    Raises:
        StoreUnavailable: no such folder, not a file, one with a second name, or not writable.
        StoreInUse: a process holds it already.
        StoreForeign: not a journal, or one of a later schema; the file is unchanged.
        StoreCorrupt: it is damaged.
    """
    if not path.parent.is_dir():
        raise StoreUnavailable(f"the journal {path} cannot be opened: its folder does not exist")
    had_lock = _lock_of(path).exists()
    locks = [_take_lock(path)]
    try:
        with refusals(path), _os_refusals(path):
            # Only the owner may read hands that are still hidden; the side files follow suit.
            locks.append(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            _refuse_second_name(path)
            _lock_itself(path, locks[-1])
            return JournalFile(path, locks, connecting)
    except BaseException as error:
        # Beside what is no journal nothing is left; who opens it meanwhile cannot use it either.
        if not had_lock and (isinstance(error, StoreCorrupt) or not path.is_file()):
            _lock_of(path).unlink(missing_ok=True)
        _close(locks)
        raise


def _close(locks: Sequence[int]) -> None:
    """Give locks back, the one beside the file last."""
    for lock in reversed(locks):
        os.close(lock)


def _refuse_second_name(path: Path) -> None:
    """Refuse a file with hard links: another process could lock and open it by another name."""
    if path.stat().st_nlink > 1:
        raise StoreUnavailable(
            f"the journal {path} has more than one name (hard links): keep only this one"
        )


def _lock_itself(path: Path, journal: int) -> None:
    """Lock the file, whatever its name is by now; SQLite's locks are of another kind (fcntl)."""
    try:
        fcntl.flock(journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StoreInUse(
            f"the journal {path} is in use by another process, which opened it by another name: "
            "stop it first"
        ) from None


@contextmanager
def refusals(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into the port's, each with one sentence."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        base = "_".join(name.split("_")[:2])  # SQLITE_IOERR_WRITE is an SQLITE_IOERR
        if base in _BROKEN:
            sentence = f"the journal {path} is damaged or no journal: {error}"
            raise _BROKEN[base](sentence) from error
        reason = _REASONS.get(base, str(error))
        raise StoreUnavailable(f"the journal {path} cannot be used: {reason}") from error


def _lock_of(path: Path) -> Path:
    """Return the file that is locked for a journal."""
    return path.with_name(f"{path.name}-lock")


def _take_lock(path: Path) -> int:
    """Lock a file beside the journal; the system frees it when the process ends, however."""
    with _os_refusals(path):
        lock = os.open(_lock_of(path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(lock, 0)
            os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        except BlockingIOError:
            holder = os.read(lock, 20).decode(errors="replace").strip()
            os.close(lock)
            raise StoreInUse(
                f"the journal {path} is in use by another process (pid {holder or 'unknown'}): "
                "stop it first"
            ) from None
        except BaseException:
            os.close(lock)
            raise
    return lock


@contextmanager
def _os_refusals(path: Path) -> Iterator[None]:
    """Turn the system's errors into one sentence."""
    try:
        yield
    except OSError as error:
        raise StoreUnavailable(
            f"the journal {path} cannot be opened: {(error.strerror or str(error)).lower()}"
        ) from error


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Check whose file it is, bring it to this release's tables, prove that it can be written."""
    schema = schema_of(connection, path)
    if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
        raise StoreUnavailable(f"the journal {path} lies on a file system without WAL")
    connection.execute("PRAGMA synchronous = FULL")
    is_old = 0 < schema < SCHEMA
    if is_old:
        _log.warning(_CARRIED, path, schema, SCHEMA)
    connection.executescript(f"BEGIN IMMEDIATE; {steps_from(schema)} COMMIT")
    if is_old:  # else the side file keeps the room that this took
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def schema_of(connection: sqlite3.Connection, path: Path) -> int:
    """Return which schema a file has, 0 for an empty one; refuse what this release cannot read."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    schema: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return 0
    if application != APPLICATION:
        raise StoreForeign(f"{path} is a database of another program, not a journal")
    if schema not in range(1, SCHEMA + 1):
        raise StoreForeign(
            f"the journal {path} has schema {schema}, this release reads schemas 1 to {SCHEMA}: "
            "a later release has written it, open it with that one"
        )
    return schema
