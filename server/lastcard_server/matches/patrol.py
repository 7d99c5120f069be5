"""
What is looked after that no call, no hint and no alarm looks after? Once a second, everything.

Of what is due the server that keeps a match takes up what is not in memory; others only what has
been due for so long that the first one seems not to be able to.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from lastcard_server.clock import Clock
from lastcard_server.errors import Refusal
from lastcard_server.journal.port import Due, Journal, StoreError
from lastcard_server.matches.custody import Custody
from lastcard_server.matches.following import PREFIX
from lastcard_server.matches.homes import Homes
from lastcard_server.matches.match import log_of
from lastcard_server.matches.outages import BEAT_SECONDS, Pulse

DUE_AT_ONCE: Final = 1000
"""How many matches a patrol looks at that are due."""
_STRANGERS_US: Final = 5_000_000
"""How long a match has been due, by its coarse index, that others read for it."""
_log = logging.getLogger(__name__)


class Patrol:
    """
    Looks after the matches of a server.

    Args:
        journal: holds them.
        clock: says what is due.
        pulse: gives the signs of life.
        homes: say what is whose.
        custody: the matches in memory.

    """

    def __init__(
        self, journal: Journal, clock: Clock, pulse: Pulse, homes: Homes, custody: Custody
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._pulse = pulse
        self._homes = homes
        self._custody = custody
        self._cache = custody.cache

    async def run(self) -> None:
        """Look after everything every second, until cancelled."""
        while True:
            try:
                await self.look()
            except StoreError as error:
                _log.warning("the store does not answer: %s", error)
            await asyncio.sleep(BEAT_SECONDS)

    async def look(self) -> None:
        """Look after everything once; raises StoreError."""
        if self._homes.shared:
            await self._pulse.settle()
            self._homes.see(await self._journal.heartbeats())
            await self._custody.follower.look()
        else:
            await self._pulse.beat()
        await self.take_up_due()
        await self._look_at_dropped()
        await self._cache.look_again()

    async def beat(self) -> None:
        """Give signs of life, at once when somebody connects or goes, until cancelled."""
        while True:
            try:
                await self._pulse.beat()
            except StoreError as error:
                _log.warning("the store hears no sign of life: %s", error)
                await asyncio.sleep(BEAT_SECONDS / 2)
            await self._homes.pause(BEAT_SECONDS)

    async def take_up_due(self) -> None:
        """Read matches that are due; start legs whose start has failed."""
        due = await self._journal.due(self._clock.now_us(), DUE_AT_ONCE)
        self._cache.foreign &= {log.removeprefix(PREFIX) for log, _ in due}
        matches = [Due(log.removeprefix(PREFIX), us) for log, us in due if log.startswith(PREFIX)]
        for match_id in await self._own(matches):
            with suppress(Refusal):
                slot = await self._cache.load(match_id)
                if slot.flight is None and slot.match.awaits_deal:
                    self._custody.start_leg(match_id)

    async def _own(self, due: Sequence[Due]) -> list[str]:
        """Return the matches of these that this server has to look after."""
        passed_over = self._cache.broken | self._cache.foreign | self._cache.damaged.keys()
        due = [each for each in due if each.log not in passed_over]
        if not self._homes.shared:
            return [match_id for match_id, _ in due]
        slots, late_us = self._cache.slots, self._clock.now_us() - _STRANGERS_US
        unknown = [log_of(match_id) for match_id, _ in due if match_id not in slots]
        found = await self._journal.indexes(unknown) if unknown else {}
        owners = {log.removeprefix(PREFIX): index.owners for log, index in found.items()}
        owners |= {log: slots[log].index.owners for log, _ in due if log in slots}
        return [
            match_id
            for match_id, due_us in due
            if due_us <= late_us or self._homes.keeps(match_id, owners.get(match_id, ()))
        ]

    async def _look_at_dropped(self) -> None:
        """Read again what was dropped; what cannot be followed only once it is over."""
        broken = [log_of(match_id) for match_id in self._cache.broken]
        found = await self._journal.indexes(broken) if broken else {}
        over = {log.removeprefix(PREFIX) for log, index in found.items() if not index.live}
        for match_id in tuple(self._custody.dropped.keys() - self._cache.broken) + tuple(over):
            await self._custody.read_again(match_id)
