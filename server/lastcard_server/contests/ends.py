"""
Which matches of a contest have ended? Told by the matches, or found in a journal that others share.

Where every match is played here, its end is heard as everybody hears it. Of matches that any server
may play only the index is read, and the match once it is over: nothing of it stays in memory.
"""

import asyncio
from collections.abc import Collection
from contextlib import suppress
from itertools import starmap
from typing import Final, NamedTuple, Protocol

from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.port import Hint, Journal
from lastcard_server.matches.match import Match, log_of
from lastcard_server.matches.news import Update
from lastcard_server.matches.quarantine import quarantine_of
from lastcard_server.matches.registry import Matches
from lastcard_server.matches.turns import OpenTurn, TurnClose

LOOK_SECONDS: Final = 1.0
"""How long it may go unnoticed what other servers do, where no hint tells."""


class Ended(NamedTuple):
    """A match that is over."""

    match_id: str
    match: Match | None
    """None = the store does not hold its history any more."""


class Ends(Protocol):
    """The ends of the matches of one contest."""

    async def watch(self, match_id: str) -> None:
        """Begin to wait for the end of a match, which may be past; raises Refusal."""

    def leave(self, match_id: str) -> None:
        """Wait for it no more."""

    async def wait(self) -> list[Ended]:
        """Return matches that are over, at least one, each once; raises StoreError and Refusal."""


class HeardEnds:
    """Ends of matches that are played here: a sink of all that are watched."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._over: dict[str, Match | None] = {}
        self._watched: set[str] = set()
        self._news = asyncio.Event()

    async def watch(self, match_id: str) -> None:
        """Subscribe to a match."""
        self._watched.add(match_id)
        try:
            match = await self._matches.subscribe_match(match_id, self)
        except Refusal as refusal:
            if refusal.reason is not Reason.HISTORY_LOST:
                raise
            self._watched.discard(match_id)
            self._over[match_id] = None
        else:
            if match.result is not None:
                self.match_over(match)

    def leave(self, match_id: str) -> None:
        """Cancel the subscription."""
        self._watched.discard(match_id)
        self._over.pop(match_id, None)
        self._matches.unsubscribe_match(match_id, self)

    async def wait(self) -> list[Ended]:
        """Return what has ended as soon as something has."""
        while not self._over:
            self._news.clear()
            await self._news.wait()
        over = list(starmap(Ended, self._over.items()))
        self._over.clear()
        return over

    def turn_opened(self, match: Match, turn: OpenTurn) -> None:
        """Turns concern the seats."""

    def turn_closed(self, match: Match, seat: int, turn: int, reason: TurnClose) -> None:
        """Turns concern the seats."""

    def update(self, match: Match, update: Update) -> None:
        """A contest waits for the end alone."""

    def left(self, match: Match) -> None:
        """No other server plays the match."""

    def match_over(self, match: Match) -> None:
        """Keep a match until it is asked for."""
        if match.match_id in self._watched:
            self._watched.discard(match.match_id)
            self._matches.unsubscribe_match(match.match_id, self)
            self._over[match.match_id] = match
            self._news.set()


class FoundEnds:
    """Ends of matches that any server may play: found by hints, and every second without."""

    def __init__(self, matches: Matches, journal: Journal) -> None:
        self._matches = matches
        self._journal = journal
        self._watched: dict[str, str] = {}
        """Matches by log."""
        self._hinted: set[str] = set()
        self._over: list[Ended] = []
        self._news = asyncio.Event()

    async def watch(self, match_id: str) -> None:
        """Note a match, and have it looked at soon."""
        self._watched[log_of(match_id)] = match_id
        self._hinted.add(log_of(match_id))
        self._news.set()

    def leave(self, match_id: str) -> None:
        """Forget a match."""
        self._watched.pop(log_of(match_id), None)

    def hear(self, hint: Hint) -> None:
        """Take a hint on a log that is over, or on what a server has said of it."""
        log = log_of(hint.log.partition("/")[2])
        if log in self._watched:
            self._hinted.add(log)
            self._news.set()

    async def wait(self) -> list[Ended]:
        """Look at what is hinted at, and every second at everything, until something has ended."""
        while not self._over:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._news.wait()
            logs = self._watched.keys() & self._hinted or self._watched.keys()
            self._news.clear()
            self._hinted.clear()
            if logs:
                await self._look(logs)
        over, self._over = self._over, []
        return over

    async def _look(self, logs: Collection[str]) -> None:
        """Read those matches of these logs that are over or damaged, and watch them no more."""
        doubts = {quarantine_of(log): log for log in logs}
        found = await self._journal.indexes([*logs, *doubts])
        for log in [doubts[log] for log in found.keys() & doubts.keys()]:
            if await self._matches.is_damaged(self._watched[log]):
                self._over.append(Ended(self._watched.pop(log), None))
        for log in [log for log in found.keys() & self._watched.keys() if not found[log].live]:
            match = await self._matches.get(self._watched[log])
            if match.over:  # or what is in memory here lags behind the index for a moment
                self._over.append(Ended(self._watched.pop(log), match))
