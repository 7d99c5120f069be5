"""
Which server does what? Who lives, who is connected where, and which of them is first for a name.

Servers on one journal need no leader: each ranks all that live for a name by the same hash, so that
they agree as far as they know the same. Where they do not for a moment, two do the same work and
the journal's compare-and-set decides; nothing relies on this file for more than saving work.
"""

import asyncio
import hashlib
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Final

from lastcard_server.clock import Clock
from lastcard_server.journal.port import Beat, Journal
from lastcard_server.matches.setup import HOUSE

SILENT_US: Final = 2_000_000
"""A server whose latest sign of life is older is taken for dead by the others."""
FRESH_US: Final = 3_000_000
"""So long a server tells whoever has just connected everything, as others may have died unseen."""
GATHERED_SECONDS: Final = 0.05
"""Who is connected is told to the others at most so often."""
_REMEMBERED_US: Final = 3600 * 1_000_000
_MOST_SEATS: Final = 10


class Homes:
    """
    What this server knows of all servers on one journal; one that is not shared is alone.

    Attributes:
        pod: the name of this server.
        shared: whether there may be others.
        serving: whether others may count on this server; False once it takes its leave.
        version: rises whenever it may be another server's turn to tell somebody something.

    """

    def __init__(self, journal: Journal, clock: Clock, pod: str) -> None:
        self.pod = pod
        self.shared = journal.shared
        self.serving = True
        self.version = 0
        self._journal = journal
        self._clock = clock
        self._others: dict[str, frozenset[str]] = {}
        """Who is connected to each other server that lives and serves."""
        self._elsewhere: frozenset[str] = frozenset()
        """Who is connected to any other server that lives."""
        self._gone: dict[str, int] = {}
        """Who was connected elsewhere and is no longer, and when that was noticed."""
        self._here: set[str] = set()
        self._fresh: dict[str, int] = {}
        """Until when the owners that have just connected hear everything from here."""
        self._unpublished = True
        self._changed = asyncio.Event()
        self._beating = asyncio.Lock()

    # Who is connected

    def connect(self, owner: str) -> None:
        """Note that an owner has a stream here."""
        self._here.add(owner)
        if self.shared and owner != HOUSE:
            self._fresh[owner] = self._clock.now_us() + FRESH_US
        self._publish()

    def disconnect(self, owner: str) -> None:
        """Note that an owner has none here any more."""
        self._here.discard(owner)
        self._fresh.pop(owner, None)
        self._publish()

    def _publish(self) -> None:
        self._unpublished = True
        self._changed.set()

    def is_connected(self, owner: str) -> bool:
        """Tell whether an owner has a stream to another server that lives."""
        return owner in self._elsewhere

    def is_gone(self, owner: str) -> bool:
        """Tell whether an owner had a stream to another server and has none any more."""
        return owner in self._gone

    def gone(self) -> Collection[str]:
        """Return who had a stream to another server and has none any more."""
        return self._gone.keys()

    def forget(self, owner: str) -> None:
        """Forget that an owner is gone."""
        self._gone.pop(owner, None)

    # Who does what

    def delivers(self, owner: str, match_id: str) -> bool:
        """Tell whether this server tells an owner who is connected here of a match."""
        if not self.shared or owner in self._fresh:
            return True
        return self._is_first(match_id, [p for p, o in self._others.items() if owner in o])

    def keeps(self, match_id: str, owners: Iterable[str]) -> bool:
        """
        Tell whether this server is the first to let time run out in a match.

        It is the first of those to which anybody is connected who holds a seat: they have the
        match in memory. Where nobody is, it is the first of all.
        """
        if not self.shared:
            return True
        names = {*owners, *(f"seat:{match_id}:{seat}" for seat in range(_MOST_SEATS))}
        rivals = [pod for pod, owners in self._others.items() if not names.isdisjoint(owners)]
        if names.isdisjoint(self._here):
            return not rivals and self._is_first(match_id, self._others)
        return self._is_first(match_id, rivals)

    def is_home(self, name: str) -> bool:
        """Tell whether this server is the first of all for a name; one that leaves is the last."""
        if not self.serving and self._others:
            return False
        return self._is_first(name, self._others)

    def _is_first(self, name: str, rivals: Collection[str]) -> bool:
        if not rivals:
            return True
        own = _weight(self.pod, name)
        return all(own > _weight(rival, name) for rival in rivals)

    # Signs of life

    async def beat(self) -> None:
        """Give a sign of life, and tell who is connected if that has changed; StoreUnavailable."""
        async with self._beating:
            owners = tuple(self._here) if self._unpublished else None
            self._unpublished = False
            try:
                await self._journal.heartbeat(self.pod, owners, serving=self.serving)
            except BaseException:
                self._unpublished |= owners is not None
                raise

    async def leave(self) -> None:
        """Take leave of the others, who take over; StoreUnavailable where they cannot hear it."""
        self.serving = False
        await self.beat()

    async def pause(self, seconds: float) -> None:
        """Wait, shorter where somebody connects or goes meanwhile."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()
                await asyncio.sleep(GATHERED_SECONDS)
        self._changed.clear()

    def see(self, beats: Mapping[str, Beat]) -> None:
        """Take note of the signs of life of all servers."""
        now_us = self._clock.now_us()
        live = {
            pod: beat
            for pod, beat in beats.items()
            if pod != self.pod and now_us - beat.time_us <= SILENT_US
        }
        others = {pod: beat.owners for pod, beat in live.items() if beat.serving}
        stale = [owner for owner, until_us in self._fresh.items() if until_us <= now_us]
        for owner in stale:
            del self._fresh[owner]
        if stale or others != self._others:
            self.version += 1
        self._others = others
        self._note_gone(frozenset().union(*(beat.owners for beat in live.values())), now_us)
        own = beats.get(self.pod)
        self._unpublished |= own is not None and own.owners != self._here

    def _note_gone(self, connected: frozenset[str], now_us: int) -> None:
        left = self._elsewhere - connected
        self._gone.update(dict.fromkeys(left, now_us))
        for owner in connected & self._gone.keys():
            del self._gone[owner]
        if left:
            long_ago_us = now_us - _REMEMBERED_US
            self._gone = {o: us for o, us in self._gone.items() if us > long_ago_us}
        self._elsewhere = connected


def _weight(pod: str, name: str) -> bytes:
    """Return where a server stands for a name."""
    return hashlib.sha256(f"{pod}\n{name}".encode()).digest()
