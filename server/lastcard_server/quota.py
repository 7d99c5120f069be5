"""May a key create one more match? Counts live matches, seldom and cheaply."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.port import Journal

_PREFIX: Final = "match/"
_PAGE: Final = 1_000
_NEAR_SECONDS: Final = 1.0
_FAR_SECONDS: Final = 10.0


class LiveMatches:
    """
    How many live matches each key has created.

    A number here is never too low: it grows with every match and is counted anew in the journal
    only where it would refuse, so that matches that have ended fall out then. A match that is being
    created has its place before it is in the journal.

    On a shared journal it may lack what other servers have created since it was counted. So from
    half of the limit on it is counted anew if it is older than a second, else every ten seconds.
    """

    def __init__(self, journal: Journal, most: int) -> None:
        self._journal = journal
        self._most = most
        self._counts: dict[str, int] = {}
        self._places: Counter[str] = Counter()
        self._made: Counter[str] = Counter()
        self._counted: dict[str, float] = {}
        self._counting: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    @asynccontextmanager
    async def place(self, owner: str, match_id: str) -> AsyncIterator[None]:
        """
        Keep a place for one more match of an owner while it is created, unless it exists already.

        Raises:
            Refusal: QUOTA.

        """
        if (await self._journal.head(_PREFIX + match_id)).version:
            yield
            return
        await self._take(owner)
        made = 1
        try:
            yield
        except Refusal:
            made = 0
            raise
        finally:
            self._places[owner] -= 1
            self._made[owner] += made
            self._counts[owner] += made

    async def _take(self, owner: str) -> None:
        """Take a place; between looking whether there is one and taking it nothing is awaited."""
        if not self._has_room(owner) or self._is_stale(owner):
            async with self._counting[owner]:
                if not self._has_room(owner) or self._is_stale(owner):
                    before, began = self._made[owner], asyncio.get_running_loop().time()
                    count = await self._count(owner)
                    self._counts[owner] = count + self._made[owner] - before
                    self._counted[owner] = began
        if not self._has_room(owner):
            raise Refusal(Reason.QUOTA, f"A key may have {self._most:,} live matches; end some.")
        self._places[owner] += 1

    def _is_stale(self, owner: str) -> bool:
        """Tell whether other servers may have created too many matches since the last count."""
        if not self._journal.shared:
            return False
        near = 2 * (self._counts.get(owner, 0) + self._places[owner]) >= self._most
        age = asyncio.get_running_loop().time() - self._counted.get(owner, 0.0)
        return age > (_NEAR_SECONDS if near else _FAR_SECONDS)

    def _has_room(self, owner: str) -> bool:
        return self._counts.get(owner, self._most) + self._places[owner] < self._most

    async def _count(self, owner: str) -> int:
        count, before = 0, None
        while True:
            page = await self._journal.logs(_PREFIX, live=True, before=before, limit=_PAGE)
            count += sum(listed.label == owner for listed in page)
            if len(page) < _PAGE:
                return count
            before = page[-1].number
