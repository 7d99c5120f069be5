"""
Which store does an address name? Memory, a file, or a database; anything else is refused.

An address of a database may hold a password, so that no message shows one.
"""

import re
from collections.abc import Callable
from pathlib import Path

from lastcard_server.journal.memory import MemoryJournal
from lastcard_server.journal.port import Journal
from lastcard_server.journal.postgres import open_postgres
from lastcard_server.journal.sqlite import open_sqlite

_DATABASES = ("postgresql", "postgres")
_KINDS = "memory, sqlite:FILE or postgresql://USER@HOST/DATABASE"


async def open_store(
    url: str, now_us: Callable[[], int] | None = None, *, unsafe: bool = False
) -> Journal:
    """
    Open the store an address names.

    Args:
        url: "memory", or "sqlite:" and the path of a file, which is made if it is missing, or the
            address of a PostgreSQL database ("postgresql://" or "postgres://"), of one host or
            several.
        now_us: the store's clock, microseconds since 1970; None = this machine's or the database's.
        unsafe: accept a database that may lose what it has acknowledged.

    Raises:
        StoreAddressError: no such kind of store, a malformed address, one that names no file or
            says something unknown, or no such file of TLS.
        StoreUnavailable: the file cannot be made, read or written; no database answers.
        StoreInUse: another process has the file open.
        StoreUnsafe: the database may lose what it has acknowledged.
        StoreForeign: it is no journal, or one of another release.
        StoreCorrupt: it is damaged.
    """
    kind, _, rest = url.partition(":")
    if url == "memory":
        return MemoryJournal(now_us)
    if kind == "sqlite":
        return await open_sqlite(_file(rest), now_us)
    if is_database(url):
        try:
            return await open_postgres(url, now_us, unsafe=unsafe)
        except ValueError as error:
            raise StoreAddressError(str(error)) from None
    if kind in _DATABASES:
        raise StoreAddressError("two slashes are missing: write postgresql://USER@HOST/DATABASE")
    raise StoreAddressError(f"no store is called {kind!r}: write {_KINDS}")


def is_database(url: str) -> bool:
    """Tell whether an address is one of a database."""
    return url.startswith(tuple(f"{kind}://" for kind in _DATABASES))


def _file(rest: str) -> Path:
    """Return the file that an address of SQLite names, without the slashes that URLs begin with."""
    if not Path(rest).name:
        raise StoreAddressError("sqlite: names no file: write sqlite:FILE, as sqlite:lastcard.db")
    if re.match("//[^/]", rest):
        raise StoreAddressError(f"sqlite: takes no slashes of a URL: write sqlite:{rest[2:]}")
    return Path(rest)


class StoreAddressError(ValueError):
    """An address names no store, or a file that cannot be used; the message says what is wrong."""
