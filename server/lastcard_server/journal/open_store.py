"""Which store does an address name? "memory" or "sqlite:FILE"; anything else is refused."""

from collections.abc import Callable
from pathlib import Path

from lastcard_server.journal.memory import MemoryJournal
from lastcard_server.journal.port import Journal
from lastcard_server.journal.sqlite import open_sqlite


async def open_store(url: str, now_us: Callable[[], int] | None = None) -> Journal:
    """
    Open the store an address names.

    Args:
        url: "memory", or "sqlite:" and the path of a file, which is made if it is missing.
        now_us: the store's clock, microseconds since 1970; None = this machine's.

    Raises:
        StoreAddressError: no such kind of store.
        StoreUnavailable: the file cannot be made, read or written.
        StoreInUse: another process has it open.
        StoreCorrupt: the file is no journal, or one of a later schema.
    """
    kind, _, path = url.partition(":")
    if url == "memory":
        return MemoryJournal(now_us)
    if kind == "sqlite" and path:
        return await open_sqlite(Path(path), now_us)
    raise StoreAddressError(f"no store is called {url!r}: write memory or sqlite:FILE")


class StoreAddressError(ValueError):
    """An address names no store; the message says what would."""
