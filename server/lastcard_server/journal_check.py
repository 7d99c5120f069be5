"""
Is a journal whole? Every log is read, its chain proved, and its index compared with its entries.

The index of a match follows from its entries alone; to fold them takes the server's keys, by which
cards are dealt. What is found is told log by log; `mend` writes an index anew. A log that is gone
with all its entries leaves no trace that could be told from what retention deletes.
"""

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final, NamedTuple

from lastcard_server.journal.entry import ChainError, Entry, Head, proved
from lastcard_server.journal.port import Index, Journal, LogCorrupt, StoreCorrupt
from lastcard_server.matches.creation import OtherRevision
from lastcard_server.matches.folding import Diverged, replay
from lastcard_server.matches.history import HistorySeal
from lastcard_server.matches.slots import index_of
from lastcard_server.secrets import ServerKeys, UnknownKeyError

FAMILIES: Final = ("keys", "server", "contest/", "group/", "match/", "quarantine/", "outages")
"""All there are; a family is what listings go by."""

_PAGE: Final = 500
_TRIES: Final = 5
"""How often a log is read that grows meanwhile."""


class Finding(NamedTuple):
    """What was found out about a log."""

    log: str
    entries: int = 0
    live: bool = False
    damage: str = ""
    """What is wrong with its entries, as a sentence without its name; empty = nothing."""
    stale: str = ""
    """What its index says otherwise than its entries, or how they are found; empty = nothing."""
    head: Head | None = None
    """Where it ends, if its entries are whole."""
    index: Index | None = None  # type: ignore[assignment]  # hides tuple.index
    """What its index should be, if its entries are whole."""
    compared: bool = False
    """Whether that was found by a fold of its entries."""


async def check(journal: Journal, keys: ServerKeys | None) -> AsyncIterator[Finding]:
    """
    Yield what is found out about each log by family, the newest first; at last what no list holds.

    Args:
        journal: is read only; servers may go on writing to it.
        keys: of the server that wrote it; None = indexes are not compared, only chains proved.

    Raises:
        StoreUnavailable: it cannot be read.
    """
    flaws = dict(await journal.flaws())
    for family in FAMILIES:
        before = None
        while page := await journal.logs(family, before=before, limit=_PAGE):
            for listed in page:
                finding = await _settled(journal, listed.log, keys)
                if finding:  # else retention was faster
                    yield _flawed(finding, flaws.pop(listed.log, ""))
            before = page[-1].number
    for log, sentence in flaws.items():
        yield Finding(log, damage=sentence)


def _flawed(finding: Finding, flaw: str) -> Finding:
    """Add what reading a log did not show; of a damaged one enough is said."""
    if not flaw or finding.damage:
        return finding
    return finding._replace(stale="; ".join(filter(None, (finding.stale, flaw))))


async def mend(journal: Journal, finding: Finding) -> bool:
    """Write the index of a log anew where it was found stale; return whether nobody was faster."""
    if finding.head is None or finding.index is None:
        return False
    with suppress(ValueError):  # an index that was not compared may be one that no log has
        return await journal.reindex(finding.log, finding.head, finding.index)
    return False


async def _settled(journal: Journal, log: str, keys: ServerKeys | None) -> Finding | None:
    """Look at a log until what is found is no trace of an append that came in between."""
    for _ in range(_TRIES):
        head = await journal.head(log)
        finding = await _look(journal, log, keys)
        if not finding or not (finding.damage or finding.stale) or head == await journal.head(log):
            break
    return finding


async def _look(journal: Journal, log: str, keys: ServerKeys | None) -> Finding | None:
    indexes = await journal.indexes([log])
    if log not in indexes:
        return None
    try:
        entries = await journal.read(log)
        proved(log, 0, entries, await journal.head(log))
    except LogCorrupt as error:
        return Finding(log, damage=error.wrong)
    except (ChainError, StoreCorrupt) as error:
        return Finding(log, damage=str(error))
    if not entries:  # it went while it was read
        return None
    index = indexes[log]
    finding = Finding(log, len(entries), index.live, head=entries[-1].head, index=index)
    if keys is None or not log.startswith("match/"):
        return finding
    return _compared(finding, entries, index, keys)


def _compared(finding: Finding, entries: list[Entry], index: Index, keys: ServerKeys) -> Finding:
    """Fold a match and compare what its index should be."""
    match_id = finding.log.removeprefix("match/")
    try:
        match = replay(match_id, entries, keys, HistorySeal(keys.history_key(), 0))
    except OtherRevision:
        return finding
    except (Diverged, ChainError, UnknownKeyError) as error:
        return finding._replace(damage=str(error))
    expected = index_of(match)
    return finding._replace(index=expected, stale=difference(index, expected), compared=True)


def difference(index: Index, expected: Index) -> str:
    """Return what an index says otherwise than it should; a match may be due before it need be."""
    for name in ("live", "label", "revision"):
        said, right = getattr(index, name), getattr(expected, name)
        if said != right:
            return f"{name} is {said!r}, not {right!r}"
    if {*index.owners} != {*expected.owners}:
        return f"owners are {sorted(index.owners)}, not {sorted(expected.owners)}"
    if (index.due_us is None) is not (expected.due_us is None):
        return f"due_us is {index.due_us}, not {expected.due_us}"
    if index.due_us is not None and expected.due_us is not None and index.due_us > expected.due_us:
        return f"due_us is {index.due_us}, not {expected.due_us} or before"
    return ""
