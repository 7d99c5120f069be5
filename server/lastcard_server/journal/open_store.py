"""Which store does an address name? "memory" or "sqlite:FILE"; anything else is refused."""

from collections.abc import Callable

from lastcard_server.journal.port import Journal


async def open_store(url: str, wall_us: Callable[[], int] | None = None) -> Journal:
    """
    Open the store an address names.

    Args:
        url: "memory", or "sqlite:" and the path of a file, which is made if it is missing.
        wall_us: the clock to start from, microseconds since 1970; None = this machine's.

    Raises:
        StoreAddressError: no such kind of store.
        StoreUnavailable: the file cannot be made, read or written.
        StoreInUse: another process has it open.
        StoreCorrupt: the file is no journal, or of another version.
    """
    raise NotImplementedError(url, wall_us)
