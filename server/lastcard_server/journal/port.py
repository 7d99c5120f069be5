"""
What does the server ask of a store? One port for memory, sqlite and postgres.

A log is known by name: "match/<id>", "contest/<id>", "keys", "server". A store knows nothing
of what the entries mean; what it has to find again (who is to act, what falls due) its writer says
in `Index`.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from lastcard_server.journal.entry import Entry, Head


class Index(NamedTuple):
    """
    What can be found about a log without reading it; written in the same transaction.

    A log that is not live owes nothing: its `due_us` is None and its `owners` are empty.
    """

    due_us: int | None
    """When something has to happen by itself (store clock)."""
    owners: tuple[str, ...]
    """Who is to act: "key:<id>", "seat:<match>:<seat>", "house"."""
    live: bool
    """False = over for good."""
    label: str
    """For listing: the owner who created it."""
    revision: int = 0
    """Engine revision that it takes to go on with it; 0 = none."""


class Append(NamedTuple):
    """Entries for one log, and the head they were decided on."""

    log: str
    expected: Head
    """The genesis of the log = it must not exist yet."""
    entries: tuple[Entry, ...]
    """At least one; the first has version expected.version + 1."""
    index: Index  # type: ignore[assignment]  # hides tuple.index
    """What holds after the last entry."""


class Conflict(NamedTuple):
    """The log's head was not the expected one; nothing of that append was written."""

    head: Head


class Snapshot(NamedTuple):
    """A state to replay from; a cache that may be missing or dropped at any time."""

    version: int
    """Of the last entry that is in it."""
    revision: int
    """Engine revision that wrote it."""
    body: bytes


class Due(NamedTuple):
    """A log in which something has to happen."""

    log: str
    due_us: int


class Listed(NamedTuple):
    """A log in a listing."""

    log: str
    number: int
    """Rises with creation; the cursor of the next page."""
    live: bool
    label: str
    created_us: int


class Hint(NamedTuple):
    """A log has grown."""

    log: str
    live: bool = True
    """False = it is over now."""
    moved: bool = True
    """Whether its owners have changed, or may have."""


class Flaw(NamedTuple):
    """What is wrong in the tables of a store though each log can be read without it."""

    log: str
    """Its name; "log number 7" where no list holds it any more."""
    sentence: str
    """What is wrong, without the name."""


class Beat(NamedTuple):
    """The last sign of life of a pod."""

    time_us: int
    """Store clock."""
    owners: frozenset[str] = frozenset()
    """Who has a stream there."""
    serving: bool = True
    """False = it has taken its leave."""


class Journal(Protocol):
    """
    A store of logs.

    Every method but `now_us` and `hints` raises StoreUnavailable where the store cannot answer.
    """

    @property
    def shared(self) -> bool:
        """Tell whether other processes may append too, so that heads must be read again."""

    async def append(self, appends: Sequence[Append]) -> list[Conflict | None]:
        """
        Append to logs, each by an exact compare-and-set of its own, in the order given.

        Returns when what was appended is durable; None = appended. Several appends may name one
        log; the next one then expects the head the one before leaves.

        Raises:
            StoreUncertain: the connection broke; all of it may have been written, or nothing.
            StoreUnavailable: nothing was written; heads are as before.
            ValueError: versions with a gap, no entries, or a dead log that owes; nothing written.
        """

    async def read(self, log: str, after: int = 0) -> list[Entry]:
        """
        Return the entries with a version > `after`, in order; [] for an unknown log.

        Raises:
            LogCorrupt: their chain is broken, or does not follow from the entry at `after`. It is
                found in one look at the store, so that it is never what others write meanwhile.
        """

    async def head(self, log: str) -> Head:
        """Return the head; the genesis for an unknown log."""

    async def since(self, heads: Mapping[str, Head]) -> dict[str, list[Entry] | None]:
        """
        Return what has come after these heads, for each log that has another head now.

        None = the log does not hold the head that was named: it is behind, forked, damaged or
        gone. One round trip, however many logs are named.
        """

    async def indexes(self, logs: Collection[str]) -> dict[str, Index]:
        """Return the indexes of those logs that exist, in one round trip."""

    async def reindex(self, log: str, head: Head, index: Index) -> bool:
        """
        Write a log's index anew, as a repair, unless it has another head; return whether it was.

        Raises:
            ValueError: a dead log that owes; nothing written.
        """

    async def flaws(self) -> list[Flaw]:
        """
        Return what no reading of a log shows; takes one look at all there is.

        `reindex` mends what concerns a log that can be found.
        """

    async def save_snapshot(self, log: str, snapshot: Snapshot) -> None:
        """Keep a snapshot in place of an older one; it need not be durable."""

    async def snapshot(self, log: str) -> Snapshot | None:
        """Return the newest snapshot, None if there is none."""

    async def due(self, before_us: int, limit: int) -> list[Due]:
        """Return up to `limit` live logs with due_us <= `before_us`, the earliest first."""

    async def open_for(self, owners: Collection[str]) -> list[str]:
        """Return the live logs in which any of these is to act, oldest log first, each once."""

    async def lowest_revision(self) -> int | None:
        """Return the lowest engine revision that a live log takes; None if none takes any."""

    async def ended(self, prefix: str, before_us: int, limit: int) -> list[str]:
        """Return up to `limit` logs of a family that are over since before a time, oldest first."""

    async def forget(self, logs: Collection[str]) -> None:
        """Delete logs that are over with all that belongs to them; those that live stay."""

    async def logs(
        self, prefix: str, *, live: bool | None = None, before: int | None = None, limit: int = 100
    ) -> list[Listed]:
        """
        Return up to `limit` logs of one family, the newest first.

        Args:
            prefix: their names up to and including the first "/": "match/"; without one, "keys",
                a log is its own family.
            live: only live or only finished ones; None = both.
            before: only logs with a smaller number: the last one of the page before.
            limit: most logs to return.
        """

    def hints(self) -> AsyncIterator[Hint]:
        """
        Yield what has grown, from the call on; some may be lost, some come twice or together.

        Own appends may be among them. Ends when the store is closed.
        """

    async def heartbeat(
        self, pod: str, owners: Collection[str] | None = None, *, serving: bool = True
    ) -> None:
        """
        Note that `pod` is alive now; where the gap is long, the next one finds the downtime.

        `owners`: who has a stream there; None = as before. Pods that have been silent for a day
        are forgotten.
        """

    async def heartbeats(self) -> Mapping[str, Beat]:
        """Return the last sign of life of every pod."""

    def now_us(self) -> int:
        """Return the store's clock in microseconds since 1970; it never runs backwards."""

    async def aclose(self) -> None:
        """Finish what was begun and release the store; later calls raise StoreUnavailable."""


class StoreError(Exception):
    """The store refused; the message is one sentence for people, without a traceback."""


class StoreUnavailable(StoreError):
    """The store cannot answer now; nothing was written, a later call may succeed."""


class StoreUncertain(StoreUnavailable):
    """The store cannot answer now, and whether it has written is not known: read it again."""


class StoreInUse(StoreError):
    """Another process holds the store."""


class StoreUnsafe(StoreError):
    """The store may lose what it has acknowledged, and nobody has allowed that."""


class StoreCorrupt(StoreError):
    """What the store holds is not what was written to it."""


class LogCorrupt(StoreCorrupt):
    """
    One log does not hold what was written to it.

    Args:
        message: for people.
        sound: what it holds before that.
        wrong: the message without the names of log and store.

    """

    def __init__(self, message: str, sound: Sequence[Entry] = (), wrong: str = "") -> None:
        super().__init__(message)
        self.sound = sound
        self.wrong = wrong or message


class StoreForeign(StoreCorrupt):
    """What the store holds is no journal, or one of a release that this one cannot read."""
