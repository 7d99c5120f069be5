"""
How is a match read from the journal? From its newest snapshot, if that fits its log, else whole.

A snapshot is a cache and never believed against the log: where anything about it is not as it
should be, every entry is folded.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress

from lastcard_engine.record import EntryKind
from lastcard_engine.revisions import Revisions
from lastcard_server.journal.entry import ChainError, Entry
from lastcard_server.journal.port import Journal, LogCorrupt, Snapshot
from lastcard_server.matches import snapshots
from lastcard_server.matches.folding import Diverged, follow, replay
from lastcard_server.matches.history import HistorySeal
from lastcard_server.matches.match import Match, log_of
from lastcard_server.secrets import ServerKeys

_log = logging.getLogger(__name__)


async def load(
    journal: Journal, match_id: str, keys: ServerKeys, seal: HistorySeal, revisions: Revisions
) -> Match | None:
    """
    Return a match as its log tells it, without news; None if there is no such log.

    Raises:
        LogCorrupt: it is damaged, as it was when it was read once more.
        StoreError: the log cannot be read.
        OtherRevision: another revision of the engine takes it.
        Diverged, UnknownKeyError: as `replay`.

    """
    log = log_of(match_id)
    with suppress(LogCorrupt):
        snapshot = await journal.snapshot(log)
        if snapshot is not None and revisions.runs(snapshot.revision):
            entries = await journal.read(log, snapshot.version - 1)
            match = resume(match_id, snapshot, entries, keys, seal, verified=True)
            if match is not None:
                return match
            _log.warning("the snapshot of %s does not fit its log; every entry is read", log)
    entries = await whole(journal, log)
    return replay(match_id, entries, keys, seal, revisions, verified=True) if entries else None


async def whole(journal: Journal, log: str) -> list[Entry]:
    """Return the entries of a log; LogCorrupt where two readings find it damaged."""
    with suppress(LogCorrupt):
        return await journal.read(log)
    return await journal.read(log)


def resume(
    match_id: str,
    snapshot: Snapshot,
    entries: Sequence[Entry],
    keys: ServerKeys,
    seal: HistorySeal,
    *,
    verified: bool = False,
) -> Match | None:
    """
    Return the match of a snapshot and the entries from its version on; None if they do not fit.

    Raises:
        UnknownKeyError: the server key of the deal is gone, or another one has its name.

    """
    match = snapshots.read(match_id, snapshot, keys, seal)
    if match is None or len(entries) < 2:
        return None
    link, start, *_ = entries
    if link.head != match.head or start.kind != EntryKind.ROUND_STARTED:
        return None
    try:
        follow(match, entries[1:], start.state_hash, verified=verified)
    except (ChainError, Diverged):
        return None
    match.events, match.opened, match.closed = [], [], []
    return match
