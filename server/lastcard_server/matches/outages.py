"""
When could this server neither hear nor write? Heartbeats tell, of this life and of the one before.

Heartbeats go through the store, so they are seldom; that the process itself stands still, ticks
tell, which are often and cost nothing.

Downtime must not cost a seat its clock: matches that have lived through an outage get the time back
before anything in them runs out.
"""

import asyncio
from collections import deque
from collections.abc import Mapping

from lastcard_server.clock import Clock
from lastcard_server.journal.port import Beat, Journal
from lastcard_server.matches.timing import Outage

BEAT_SECONDS = 1.0
"""How often a server says that it is alive."""

LONGEST_GAP_US = 3_000_000
"""A longer gap between heartbeats is an outage."""

TICK_SECONDS = 0.1
KEPT = 64
"""How many of the latest outages are given back."""
LONGEST_PAUSE_US = 500_000
"""A longer gap between ticks is an outage; half of the shortest limit a seat has by default."""


class Pulse:
    """
    The signs of life of a server.

    Attributes:
        outage: the latest outage, None if none is known.
        outages: the latest ones, oldest first; none overlaps another.
        pauses: those of this server alone, where others may have lived meanwhile; likewise.
        until_us: when the latest of both was over, 0 if none is known.
        sure: whether it is known what has been an outage; until then nothing may run out.

    """

    def __init__(self, journal: Journal, clock: Clock, pod: str) -> None:
        self._journal = journal
        self._clock = clock
        self._pod = pod
        self._latest_us = self._ticked_us = clock.now_us()
        self.outage: Outage | None = None
        self.outages: deque[Outage] = deque(maxlen=KEPT)
        self.pauses: deque[Outage] = deque(maxlen=KEPT)
        self.until_us = 0
        self.sure = True

    async def start(self) -> None:
        """Find the outage before this start, then give the first sign of life."""
        before = await self._journal.heartbeats()
        now_us = self._clock.now_us()
        if before and not self._others_live(before, now_us):
            self._note(max(beat.time_us for beat in before.values()), now_us)
        await self.beat()

    async def settle(self) -> None:
        """Find out what has been an outage; a server that is alone knows."""

    async def run(self) -> None:
        """Tick until cancelled."""
        while True:
            self.tick()
            await asyncio.sleep(TICK_SECONDS)

    def tick(self) -> None:
        """Note that the process is running."""
        self.notice(self._clock.now_us())

    async def beat(self) -> None:
        """Give a sign of life; raises StoreUnavailable where the store cannot hear it."""
        await self._journal.heartbeat(self._pod)
        self.notice(self._clock.now_us())
        self._latest_us = self._clock.now_us()

    def notice(self, now_us: int) -> None:
        """Note an outage if the latest sign of life is too long ago; this is one of the process."""
        silent, paused = now_us - self._latest_us, now_us - self._ticked_us
        if silent > LONGEST_GAP_US:
            self._note(self._latest_us, now_us)
            self._latest_us = now_us
        elif paused > LONGEST_PAUSE_US:
            self._note(self._ticked_us, now_us)
        self._ticked_us = now_us

    def _note(self, from_us: int, until_us: int) -> None:
        since_us = self.outage.until_us if self.outage is not None else from_us
        self.outage = Outage(max(from_us, since_us), until_us)
        self.outages.append(self.outage)
        self.until_us = until_us

    def _others_live(self, beats: Mapping[str, Beat], now_us: int) -> bool:
        """Tell whether another server has been alive all the time."""
        return any(
            pod != self._pod and now_us - beat.time_us <= LONGEST_GAP_US
            for pod, beat in beats.items()
        )
