"""
How does a contest grow? By entries that are appended to its log and folded, nothing else.

One `ContestLog` a contest and server: it reads, appends by compare-and-set, folds what others have
written in between, and wakes those who wait for news. It must never know what entries mean.
"""

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from lastcard_server.clock import Clock
from lastcard_server.contests.contest import Contest, Kind, Stage, log_name
from lastcard_server.journal.entry import UNREADABLE, Entry, Head, chained, verify_chain
from lastcard_server.journal.port import Append, Index, Journal, LogCorrupt, StoreCorrupt
from lastcard_server.matches.loading import whole

News = Sequence[tuple[Kind, Mapping[str, Any]]]
"""Entries to append: their kinds and bodies."""


_log = logging.getLogger(__name__)


class ContestLog:
    """
    A contest and the log it follows from.

    Attributes:
        contest: the contest; another object once the store has lost a part of the log.
        losses: how often it has.
        damaged: whether the log was damaged when it was read last.

    """

    def __init__(self, contest: Contest, journal: Journal, clock: Clock) -> None:
        self.contest = contest
        self.losses = 0
        self.damaged = False
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
            StoreCorrupt: the log is damaged, or holds what this release cannot read.
            ChainError: the log is not what was written.

        """
        grown = await self._journal.since({self.name: self.contest.head})
        await self.grow(grown.get(self.name, []))

    async def grow(self, entries: Sequence[Entry] | None) -> None:
        """
        Fold what the store says was appended; None = it lacks what is known here.

        A store that was put back to an earlier state is right: its games are played again. Raises
        as `refresh`.
        """
        if entries is None:
            await self._begin_anew()
            return
        # Another caller may have folded some of them while this one waited.
        new = [entry for entry in entries if entry.version > self.contest.head.version]
        verify_chain(self.contest.head, new)
        self.damaged = False
        if new:
            self._fold(new)

    async def _begin_anew(self) -> None:
        """Fold the log as the store has it now; a damaged one leaves what is known as it is."""
        try:
            entries = await whole(self._journal, self.name)
        except LogCorrupt as error:
            self._condemn(error)
            raise
        contest = Contest(self.contest.contest_id)
        verify_chain(contest.head, entries)
        if self.exists:
            self.losses += 1
            _log.warning("the store has lost a part of contest %s", self.contest.contest_id)
        self.contest, self.damaged = contest, False
        self._fold(entries)

    def _condemn(self, error: LogCorrupt) -> None:
        """Say once that the log is damaged, and wake those who wait for news of it."""
        if not self.damaged:
            self.damaged = True
            contest_id = self.contest.contest_id
            _log.error("contest %s is held up, as its log is damaged: %s", contest_id, error)
            self._wake()

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

    async def grown(self, head: Head) -> None:
        """Wait until the head is another or the log damaged; at once where none will follow."""
        while self.contest.head == head and self.contest.stage is not Stage.FINISHED:
            if self.damaged:
                return
            await self._grown.wait()

    def _fold(self, entries: Sequence[Entry]) -> None:
        """Fold entries and wake those who wait."""
        for entry in entries:
            if entry.version <= self.contest.head.version:
                continue
            try:
                self.contest.fold(entry)
            except UNREADABLE as error:
                raise StoreCorrupt(
                    f"entry {entry.version} of the log {self.name} cannot be read by this release"
                ) from error
        self._wake()

    def _wake(self) -> None:
        self._grown.set()
        self._grown = asyncio.Event()
