"""
When could no server on one journal hear or write? What they find together, written down once.

A server that has been silent looks whether another one has lived meanwhile. If none has, that was
an outage of all: whoever notices first writes it into the log `outages`, before its next sign of
life hides it, and everybody gives back the same time. As long as that is not settled nothing may
run out.
"""

import asyncio
import json
import logging
from collections import deque
from collections.abc import Mapping

from lastcard_server.clock import Clock
from lastcard_server.journal.entry import Entry, chained, genesis
from lastcard_server.journal.port import Append, Beat, Index, Journal
from lastcard_server.matches.homes import Homes
from lastcard_server.matches.outages import KEPT, LONGEST_GAP_US, LONGEST_PAUSE_US, Pulse
from lastcard_server.matches.timing import Outage

LOG = "outages"
KIND = "outage"
_INDEX = Index(None, (), live=True, label="")
_log = logging.getLogger(__name__)


class CommonPulse(Pulse):
    """
    The signs of life of one server of several.

    A pause so short that the others take the server for alive is its own to give back; after a
    longer one they have looked after its matches.
    """

    def __init__(self, journal: Journal, clock: Clock, homes: Homes) -> None:
        super().__init__(journal, clock, homes.pod)
        self._homes = homes
        self._head = genesis(LOG)
        self._settling = asyncio.Lock()
        self._is_new = True
        self.sure = False

    async def start(self) -> None:
        """Find the outage before this start, then give the first sign of life."""
        await self.beat()

    async def beat(self) -> None:
        """Give a sign of life once it is known what was before; raises StoreUnavailable."""
        self.notice(self._clock.now_us())
        await self.settle()
        await self._homes.beat()
        self.notice(self._clock.now_us())
        if self.sure:
            self._latest_us = self._clock.now_us()

    def notice(self, now_us: int) -> None:
        """Note a pause, or that nothing is sure any more after a longer silence."""
        if now_us - self._latest_us > LONGEST_GAP_US:
            self.sure = False
        elif now_us - self._ticked_us > LONGEST_PAUSE_US:
            from_us = max(self._ticked_us, self.until_us)
            self.pauses.append(Outage(from_us, now_us))
            self.until_us = now_us
        self._ticked_us = now_us

    async def settle(self) -> None:
        """Find out whether anybody lived while this server was silent; raises StoreError."""
        async with self._settling:
            if self.sure:
                return
            beats = await self._journal.heartbeats()
            self._homes.see(beats)
            await self._read()
            while (outage := self._found(beats)) and not await self._written(outage):
                await self._read()
            self._latest_us = self._ticked_us = self._clock.now_us()
            self._is_new = False
            self.sure = True

    def _found(self, beats: Mapping[str, Beat]) -> Outage | None:
        """Return the time since the latest sign of life of anybody, None if it is short."""
        alive_us = [beat.time_us for pod, beat in beats.items() if self._is_new or pod != self._pod]
        alive_us += [] if self._is_new else [self._latest_us]
        alive_us += [outage.until_us for outage in self.outages] if alive_us else []
        now_us = self._clock.now_us()
        if not alive_us or now_us - max(alive_us) <= LONGEST_GAP_US:
            return None
        return Outage(max(alive_us), now_us)

    async def _written(self, outage: Outage) -> bool:
        """Write an outage down; False where another server has been quicker."""
        entry = chained(self._head, KIND, outage.until_us, body=json.dumps(outage))
        (conflict,) = await self._journal.append([Append(LOG, self._head, (entry,), _INDEX)])
        if conflict is None:
            self._fold(entry)
        return conflict is None

    async def _read(self) -> None:
        """Follow what others have written; of old outages only the latest count."""
        grown = await self._journal.since({LOG: self._head}) if self._head.version else {}
        if grown.get(LOG, ()) is None:
            _log.error("the store has lost a part of the log %s", LOG)
            self._head = genesis(LOG)  # what is known here was an outage nevertheless
        head = await self._journal.head(LOG)
        for entry in await self._journal.read(LOG, max(self._head.version, head.version - KEPT)):
            self._fold(entry)

    def _fold(self, entry: Entry) -> None:
        self._head = entry.head
        from_us, until_us = json.loads(entry.body)
        outage = Outage(max(from_us, self.outages[-1].until_us if self.outages else 0), until_us)
        if outage.from_us >= until_us:
            return  # it is known here; the store had lost it, or others after it
        self.outage = outage
        self.outages.append(outage)
        self.until_us = max(self.until_us, until_us)
        covered = (pause for pause in self.pauses if pause.until_us <= outage.from_us)
        self.pauses = deque(covered, maxlen=KEPT)
