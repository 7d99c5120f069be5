"""
What is deleted, and when? Finished contests and matches, so many days after their end.

A deal group is one thing: its matches share their cards, so the record of one is open only where
all are known to be over. Its legs go together with it, once the last of them is old enough and the
contest that it belongs to has gone. Nothing that lives is ever deleted; the store refuses to.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

from lastcard_server.contests.contest import log_name
from lastcard_server.journal.port import Journal, StoreCorrupt, StoreError
from lastcard_server.matches import groups
from lastcard_server.matches.creation import read_creation
from lastcard_server.matches.match import log_of
from lastcard_server.matches.quarantine import quarantine_of

DAY_US: Final = 24 * 60 * 60 * 1_000_000
PERIOD_SECONDS: Final = 3600.0
"""How often is looked for what is old enough."""
STEP: Final = 16
"""Logs looked at between two pauses."""
PAUSE_SECONDS: Final = 0.05
"""How long players have the store to themselves between two steps."""
_PAGE: Final = 1_000
_log = logging.getLogger(__name__)


@asynccontextmanager
async def deleting(journal: Journal, keep_days: int) -> AsyncIterator[None]:
    """Delete what is old enough while the context lasts; 0 days = nothing ever is."""
    if not keep_days:
        yield
        return
    task = asyncio.create_task(Retention(journal, keep_days).run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


class Retention:
    """
    Deletes what has been over for so many days.

    Several servers may do so on one store: what is gone is passed over.

    Args:
        journal: the store; its clock counts.
        keep_days: days from the end of a contest or match on, 1 or more.

    """

    def __init__(self, journal: Journal, keep_days: int) -> None:
        self._journal = journal
        self._keep_us = keep_days * DAY_US

    async def run(self) -> None:
        """Delete what is old enough, every hour, until cancelled."""
        while True:
            try:
                await self.sweep()
            except StoreError as error:
                _log.warning("nothing more is deleted for now: %s", error)
            except Exception:  # noqa: BLE001 - the task must outlive any fault of a store
                _log.exception("deleting has failed")
            await asyncio.sleep(PERIOD_SECONDS)

    async def sweep(self) -> None:
        """
        Delete what is old enough now.

        Raises:
            StoreUnavailable: the store cannot answer; what was not deleted will be the next time.

        """
        before_us = self._journal.now_us() - self._keep_us
        legs: set[str] = set()
        """Of groups that stay."""

        async def contest(log: str) -> Sequence[str]:
            return (log,)

        async def group(log: str) -> Sequence[str]:
            found = await self._with_legs(log)
            if await self._is_old(found, before_us):
                return found
            legs.update(found)
            return ()

        async def match(log: str) -> Sequence[str]:
            return () if log in legs or await self._is_leg(log) else (log,)

        await self._delete("contest/", before_us, contest)
        await self._delete("group/", before_us, group)
        await self._delete("match/", before_us, match)

    async def _delete(
        self, prefix: str, before_us: int, whole: Callable[[str], Awaitable[Sequence[str]]]
    ) -> None:
        """Delete old logs of a family with what `whole` says belongs to each; () = it stays."""
        kept: set[str] = set()
        while True:
            # What stays is found again and again, so ask for more the more that is.
            found = await self._journal.ended(prefix, before_us, _PAGE + 2 * len(kept))
            fresh = [log for log in found if log not in kept]
            if not fresh:
                return
            for start in range(0, len(fresh), STEP):
                going: list[str] = []
                for log in fresh[start : start + STEP]:
                    gone = await self._readable(log, whole)
                    going += [*gone, *map(quarantine_of, gone)]
                    if not gone:
                        kept.add(log)
                await self._journal.forget(going)
                await asyncio.sleep(PAUSE_SECONDS)

    async def _readable(
        self, log: str, whole: Callable[[str], Awaitable[Sequence[str]]]
    ) -> Sequence[str]:
        """Return what goes with a log; one that is damaged stays, for people to look at."""
        try:
            return await whole(log)
        except StoreCorrupt as error:
            _log.warning("%s is damaged and is not deleted: %s", log, error)
            return ()

    async def _with_legs(self, log: str) -> list[str]:
        """Return the logs of a group: its own, and its legs'."""
        group = await groups.read(self._journal, log.removeprefix("group/"))
        return [log, *map(log_of, group.legs)] if group else [log]

    async def _is_old(self, logs: Sequence[str], before_us: int) -> bool:
        """Tell whether the contest of a group has gone, and all of its legs are over since then."""
        contest = log_name(logs[0].split("/")[1])
        indexes = await self._journal.indexes((contest, *logs))
        if contest in indexes or any(indexes[log].live for log in indexes):
            return False
        for log in indexes:
            head = await self._journal.head(log)
            for last in await self._journal.read(log, head.version - 1):
                if last.time_us >= before_us:
                    return False
        return True

    async def _is_leg(self, log: str) -> bool:
        """Tell whether a match belongs to a deal group, which then decides."""
        entries = await self._journal.read(log)
        if not entries:
            return False
        return log != log_of(read_creation(entries[0].body).deal.pool.group)
