"""
When could this server neither hear nor write? Heartbeats tell, of this life and of the one before.

Downtime must not cost a seat its clock: matches that have lived through an outage get the time back
before anything in them runs out.
"""

from collections.abc import Mapping

from lastcard_server.clock import Clock
from lastcard_server.journal.port import Journal
from lastcard_server.matches.timing import Outage

BEAT_SECONDS = 1.0
"""How often a server says that it is alive."""

LONGEST_GAP_US = 3_000_000
"""A longer gap between signs of life is an outage."""


class Pulse:
    """
    The signs of life of a server.

    Attributes:
        outage: the latest outage, None if none is known.

    """

    def __init__(self, journal: Journal, clock: Clock, pod: str) -> None:
        self._journal = journal
        self._clock = clock
        self._pod = pod
        self._latest_us = clock.now_us()
        self.outage: Outage | None = None

    async def start(self) -> None:
        """Find the outage before this start, then give the first sign of life."""
        before = await self._journal.heartbeats()
        now_us = self._clock.now_us()
        if before and not self._others_live(before, now_us):
            self.outage = Outage(max(before.values()), now_us)
        await self.beat()

    async def beat(self) -> None:
        """Give a sign of life; raises StoreUnavailable where the store cannot hear it."""
        await self._journal.heartbeat(self._pod)
        self.notice(self._clock.now_us())
        self._latest_us = self._clock.now_us()

    def notice(self, now_us: int) -> None:
        """Note an outage if the latest sign of life is too long ago."""
        if now_us - self._latest_us > LONGEST_GAP_US:
            self.outage = Outage(self._latest_us, now_us)
            self._latest_us = now_us

    def _others_live(self, beats: Mapping[str, int], now_us: int) -> bool:
        """Tell whether another server has been alive all the time."""
        return any(
            pod != self._pod and now_us - beat_us <= LONGEST_GAP_US
            for pod, beat_us in beats.items()
        )
