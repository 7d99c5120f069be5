"""How does a leg of a deal group start? With the nonces its group has fixed, durable before it."""

from collections.abc import Awaitable, Callable
from functools import partial

from lastcard_server.clock import Clock
from lastcard_server.errors import Refusal
from lastcard_server.journal.port import Journal, StoreError
from lastcard_server.matches import groups
from lastcard_server.matches.match import Match
from lastcard_server.matches.slots import Slot
from lastcard_server.matches.writing import start

_Change = Callable[[str, Callable[[Match], None]], Awaitable[tuple[Match, None]]]


class Legs:
    """
    Starts legs.

    Args:
        journal: holds the groups.
        clock: stamps the start.
        load: returns the slot of a match.
        change: decides on a match and waits until it is durable.

    """

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        load: Callable[[str], Awaitable[Slot]],
        change: _Change,
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._load = load
        self._change = change

    async def start(self, match_id: str) -> None:
        """Start a leg in which everybody is ready; whatever fails, the patrol tries again."""
        try:
            match = (await self._load(match_id)).match
            group = await groups.read(self._journal, match.deal.pool.group)
            if group is None:
                return
            if group.nonces is None:
                nonces = await self._first_nonces(group)
                now_us = self._clock.now_us()
                group = await groups.fix_nonces(self._journal, group, nonces, now_us)
            await self._change(match_id, partial(self._begin, group.nonces or ()))
        except (Refusal, StoreError):
            return

    def _begin(self, nonces: tuple[bytes, ...], match: Match) -> None:
        if match.awaits_deal:
            start(match, nonces, self._clock.now_us())

    async def _first_nonces(self, group: groups.Group) -> tuple[bytes, ...]:
        """Return for each entrant the first nonce it gave in any leg; empty where it gave none."""
        given: dict[int, tuple[int, bytes]] = {}
        entrants = 0
        for leg in group.legs:
            try:
                match = (await self._load(leg)).match
            except Refusal:
                continue
            entrants = len(match.seats)
            for entrant, seat in zip(match.setup.entrants, match.seats, strict=True):
                if seat.nonce:
                    offer = seat.nonce_us, seat.nonce
                    given[entrant] = min(given.get(entrant, offer), offer)
        return tuple(given.get(entrant, (0, b""))[1] for entrant in range(entrants))
