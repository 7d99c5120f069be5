"""
Which matches of a contest have ended? Told by the matches, or found in a journal that others share.

Where every match is played here, its end is heard as everybody hears it. Of matches that any server
may play only the index is read, and the match once it is over: nothing of it stays in memory.
"""

import asyncio
from collections.abc import Collection
from contextlib import suppress
from typing import Final, Protocol

from lastcard_server.journal.port import Hint, Journal
from lastcard_server.matches.match import Match, log_of
from lastcard_server.matches.news import Update
from lastcard_server.matches.registry import Matches
from lastcard_server.matches.turns import OpenTurn, TurnClose

LOOK_SECONDS: Final = 1.0
"""How long it may go unnoticed what other servers do, where no hint tells."""


class Ends(Protocol):
    """The ends of the matches of one contest."""

    async def watch(self, match_id: str) -> None:
        """Begin to wait for the end of a match, which may be past; raises Refusal."""

    def leave(self, match_id: str) -> None:
        """Wait for it no more."""

    async def wait(self) -> list[Match]:
        """Return matches that are over, at least one, each once; raises StoreError and Refusal."""


class HeardEnds:
    """Ends of matches that are played here: a sink of all that are watched."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._over: dict[str, Match] = {}
        self._watched: set[str] = set()
        self._news = asyncio.Event()

    async def watch(self, match_id: str) -> None:
        """Subscribe to a match."""
        self._watched.add(match_id)
        match = await self._matches.subscribe_match(match_id, self)
        if match.result is not None:
            self.match_over(match)

    def leave(self, match_id: str) -> None:
        """Cancel the subscription."""
        self._watched.discard(match_id)
        self._over.pop(match_id, None)
        self._matches.unsubscribe_match(match_id, self)

    async def wait(self) -> list[Match]:
        """Return what has ended as soon as something has."""
        while not self._over:
            self._news.clear()
            await self._news.wait()
        over = list(self._over.values())
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
        self._over: list[Match] = []
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
        """Take a hint on a log that is over."""
        if hint.log in self._watched:
            self._hinted.add(hint.log)
            self._news.set()

    async def wait(self) -> list[Match]:
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
        """Read those matches of these logs that are over, and watch them no more."""
        found = await self._journal.indexes(logs)
        for log in [log for log, index in found.items() if not index.live]:
            match = await self._matches.get(self._watched[log])
            if match.over:  # or what is in memory here lags behind the index for a moment
                del self._watched[log]
                self._over.append(match)
