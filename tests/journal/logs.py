"""What do the journal's tests write? Short logs with bodies of their own."""

from collections.abc import Sequence

from lastcard_server.journal.entry import Entry, Head, chained, genesis
from lastcard_server.journal.port import Append, Conflict, Index, Journal

LOG = "match/aaaaaaaaaaaaaaaaaaaaaaaaaa"
LIVE = Index(None, (), live=True, label="key:creator")
OVER = Index(None, (), live=False, label="key:creator")


def entries_after(head: Head, *bodies: str, time_us: int = 1_000_000) -> tuple[Entry, ...]:
    """Return one entry a body, following a head."""
    made = []
    for body in bodies:
        made.append(chained(head, "action", time_us, seat=head.version % 4, body=body))
        head = made[-1].head
    return tuple(made)


def append_to(log: str, head: Head | None, *bodies: str, index: Index = LIVE) -> Append:
    """Return an append of one entry a body; no head = to a log that is new."""
    expected = genesis(log) if head is None else head
    return Append(log, expected, entries_after(expected, *bodies), index)


async def grow(journal: Journal, log: str, *bodies: str, index: Index = LIVE) -> Head:
    """Append one entry a body at the log's head and return the new head."""
    append = append_to(log, await journal.head(log), *bodies, index=index)
    assert await journal.append([append]) == [None]
    return append.entries[-1].head


async def bodies(journal: Journal, log: str, after: int = 0) -> list[str]:
    """Return the bodies of a log's entries."""
    return [entry.body for entry in await journal.read(log, after)]


def heads(outcomes: Sequence[Conflict | None]) -> list[Head | None]:
    """Return the head each conflict names."""
    return [outcome and outcome.head for outcome in outcomes]
