"""May a key create one more match? Counts live matches, seldom and cheaply."""

from typing import Final

from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.port import Journal

_PREFIX: Final = "match/"
_PAGE: Final = 1_000


class LiveMatches:
    """
    How many live matches each key has created.

    A number here is never too low: it grows with every match and is counted anew in the journal
    only where it would refuse, so that matches that have ended fall out then.
    """

    def __init__(self, journal: Journal, most: int) -> None:
        self._journal = journal
        self._most = most
        self._counts: dict[str, int] = {}

    async def admit(self, owner: str, match_id: str) -> None:
        """
        Count one more match of an owner, unless it exists already.

        Raises:
            Refusal: QUOTA.

        """
        if (await self._journal.head(_PREFIX + match_id)).version:
            return
        if self._counts.get(owner, self._most) >= self._most:
            self._counts[owner] = await self._count(owner)
        if self._counts[owner] >= self._most:
            raise Refusal(Reason.QUOTA, f"A key may have {self._most:,} live matches; end some.")
        self._counts[owner] += 1

    async def _count(self, owner: str) -> int:
        count, before = 0, None
        while True:
            page = await self._journal.logs(_PREFIX, live=True, before=before, limit=_PAGE)
            count += sum(listed.label == owner for listed in page)
            if len(page) < _PAGE:
                return count
            before = page[-1].number
