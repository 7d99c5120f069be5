"""
How does a contest grow? By entries that are appended to its log and folded, nothing else.

One `ContestLog` a contest and server: it reads, appends by compare-and-set, folds what others have
written in between, and wakes those who wait for news. It must never know what entries mean.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

from lastcard_server.clock import Clock
from lastcard_server.contests.contest import Contest, Kind, Stage, log_name
from lastcard_server.journal.entry import Entry, chained, verify_chain
from lastcard_server.journal.port import Append, Index, Journal

News = Sequence[tuple[Kind, Mapping[str, Any]]]
"""Entries to append: their kinds and bodies."""


class ContestLog:
    """A contest and the log it follows from."""

    def __init__(self, contest: Contest, journal: Journal, clock: Clock) -> None:
        self.contest = contest
        self._journal = journal
        self._clock = clock
        self._grown = asyncio.Event()

    @property
    def name(self) -> str:
        """Return the name of the log."""
        return log_name(self.contest.contest_id)

    @property
    def exists(self) -> bool:
        """Tell whether the contest was created."""
        return self.contest.head.version > 0

    async def refresh(self) -> None:
        """
        Fold what was appended since.

        Raises:
            StoreUnavailable: the store cannot answer.
            ChainError: the log is not what was written.

        """
        entries = await self._journal.read(self.name, self.contest.head.version)
        # Another caller may have folded some of them while this one waited.
        new = [entry for entry in entries if entry.version > self.contest.head.version]
        verify_chain(self.contest.head, new)
        self._fold(new)

    async def append(self, news: News) -> bool:
        """
        Append entries if nothing came in between; otherwise fold that and return False.

        Raises:
            StoreUnavailable: nothing was written.

        """
        contest = self.contest
        entries: list[Entry] = []
        head, now = contest.head, self._clock.now_us()
        for kind, body in news:
            text = json.dumps(body, sort_keys=True, separators=(",", ":"))
            entries.append(chained(head, kind, now, body=text))
            head = entries[-1].head
        index = Index(
            due_us=None,
            owners=(),
            live=news[-1][0] is not Kind.ENDED,
            label=contest.creator or news[0][1].get("creator", ""),
        )
        append = Append(self.name, contest.head, tuple(entries), index)
        (conflict,) = await self._journal.append([append])
        if conflict is not None:
            await self.refresh()
            return False
        self._fold(entries)
        return True

    async def grown(self, version: int) -> None:
        """Wait until the contest is beyond a version; at once where it is, or will grow no more."""
        while self.contest.head.version <= version and self.contest.stage is not Stage.FINISHED:
            await self._grown.wait()

    def _fold(self, entries: Sequence[Entry]) -> None:
        """Fold entries and wake those who wait."""
        for entry in entries:
            if entry.version > self.contest.head.version:
                self.contest.fold(entry)
        self._grown.set()
        self._grown = asyncio.Event()
