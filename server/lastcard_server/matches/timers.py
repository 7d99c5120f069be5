"""
What happens when a match's time has come? Lost time is given back first, then what is due runs out.

On a shared journal the server that keeps the match is the first to let it, the others later.
"""

from functools import partial
from typing import Final

from lastcard_server.clock import Clock
from lastcard_server.matches.alarms import Alarms
from lastcard_server.matches.audience import Audience
from lastcard_server.matches.cache import Cache
from lastcard_server.matches.homes import Homes
from lastcard_server.matches.match import Match
from lastcard_server.matches.outages import TICK_SECONDS, Pulse
from lastcard_server.matches.slots import Slot, Writer
from lastcard_server.matches.timing import Fault, expire, give_back

OTHERS_US: Final = 2_000_000
"""How much later than the server that keeps a match others let time run out in it."""


class Timers:
    """
    Lets time run out in the matches in memory.

    Args:
        clock: says what time it is.
        pulse: says which time was lost.
        homes: say which server keeps a match.
        cache: the matches in memory.
        writer: appends what has run out.
        audience: says who is connected.

    """

    def __init__(
        self,
        clock: Clock,
        pulse: Pulse,
        homes: Homes,
        cache: Cache,
        writer: Writer,
        audience: Audience,
    ) -> None:
        self._clock = clock
        self._pulse = pulse
        self._homes = homes
        self._writer = writer
        self._audience = audience
        self.alarms = Alarms(clock, cache.slots, self._ring)

    def prepare(self, slot: Slot) -> None:
        """Give a match back the time of an outage before anything is decided in it."""
        pulse, match = self._pulse, slot.match
        if match.last_us >= pulse.until_us or not match.version:
            return
        own = self._homes.keeps(match.match_id, match.owners())
        outages = [*pulse.outages, *pulse.pauses] if own else pulse.outages
        give_back(match, outages, self._clock.now_us())
        self._writer.touch(slot)

    def _ring(self, slot: Slot) -> None:
        """Let what is due happen."""
        now_us = self._clock.now_us()
        self._pulse.notice(now_us)
        later_us = self._later(slot, now_us) if self._homes.shared else None
        if later_us is not None:
            self.alarms.set(slot, later_us)
            return
        self.prepare(slot)
        due_us = slot.match.due_us()
        if slot.match.awaits_deal:
            return
        if due_us is not None and due_us <= now_us:
            expire(slot.match, now_us, partial(self._silence, slot.match))
        self._writer.touch(slot)
        if slot.flight is None:
            self.alarms.set(slot, due_us)

    def _later(self, slot: Slot, now_us: int) -> int | None:
        """Return when to look again: it may be another server's turn, or an outage is unsettled."""
        if not self._pulse.sure:
            return now_us + round(TICK_SECONDS * 1e6)
        due_us = slot.match.due_us()
        if due_us is None or now_us >= due_us + OTHERS_US:
            return None
        if self._homes.keeps(slot.match.match_id, slot.match.owners()):
            return None
        return due_us + OTHERS_US

    def _silence(self, match: Match, seat: int) -> Fault:
        """Say what it means that a seat did not answer."""
        occupant = match.seats[seat]
        owners = (occupant.owner, f"seat:{match.match_id}:{seat}")
        if any(map(self._audience.is_connected, owners)):
            return Fault.LATE
        if any(map(self._audience.is_gone, owners)):
            return Fault.CRASHED
        return Fault.ABSENT if occupant.last_answer_ms is None else Fault.LATE
