"""Which of the matches that somebody asks about are over, and of which is the end itself lost?"""

from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import NamedTuple

from lastcard_server.errors import Refusal
from lastcard_server.journal.port import Journal
from lastcard_server.matches.cache import Cache
from lastcard_server.matches.match import Match, log_of


class KnownEnds(NamedTuple):
    """How some matches stand that somebody knows no end of."""

    over: list[Match]
    """One that cannot be followed is left out."""
    lost: list[str]
    """Those that the store does not hold, or holds no more, or not as they were written."""


async def known_ends(
    match_ids: Collection[str],
    journal: Journal,
    cache: Cache,
    get: Callable[[str], Awaitable[Match]],
) -> KnownEnds:
    """Return the ends of those matches that have one; raises StoreError."""
    logs = {log_of(match_id): match_id for match_id in match_ids}
    indexes = await journal.indexes(logs) if logs else {}
    over = []
    for match_id in (logs[log] for log, index in indexes.items() if not index.live):
        with suppress(Refusal):
            over.append(await get(match_id))
    sound = [match for match in over if match.match_id not in cache.damaged]
    lost = [m for log, m in logs.items() if log not in indexes or m in cache.damaged]
    return KnownEnds(sound, lost)
