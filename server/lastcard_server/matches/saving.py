"""
When are snapshots handed to the journal? Once a second, those of what is durable by then.

Nobody waits for them, and whatever becomes of them changes nothing but how fast a match is read.
"""

import asyncio
import logging

from lastcard_server.journal.port import Journal, Snapshot, StoreError
from lastcard_server.matches.match import Match

EVERY_SECONDS = 1.0

_log = logging.getLogger(__name__)


class Snapshots:
    """The snapshots that wait; of each match the newest."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._waiting: dict[str, Snapshot] = {}

    def landed(self, match: Match) -> None:
        """Take over what a match has kept, for all of it is durable now; not if it is over."""
        snapshot, match.snapshot = match.snapshot, None
        if snapshot is not None and not match.over:
            self._waiting[match.log] = snapshot

    async def save(self) -> None:
        """Hand over what waits, together, so that a store may write it in one go."""
        waiting, self._waiting = self._waiting, {}
        saves = [self._journal.save_snapshot(*item) for item in waiting.items()]
        for failure in await asyncio.gather(*saves, return_exceptions=True):
            if isinstance(failure, StoreError):
                _log.info("a snapshot could not be saved: %s", failure)
            elif isinstance(failure, BaseException):
                raise failure

    async def run(self) -> None:
        """Save again and again until cancelled."""
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            await self.save()
