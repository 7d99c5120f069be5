"""
What time is it for pods on one database? The server's wall clock, as long as it does not jump.

Between measurements this machine's clock goes on, also while the machine sleeps. Small differences
are worked off; a jump of the server's wall clock moves nothing: the pod keeps the step between its
time and the wall clock, and new pods take over the step of those that live.
"""

import time
from collections.abc import Callable, Iterable
from statistics import median_low
from typing import NamedTuple

JUMP_US = 1_000_000
"""A difference that is no drift: the wall clock was set, or another server has taken over."""
LIVE_US = 3_000_000
"""How old the last sign of life of a pod may be whose step is taken over."""
_VAGUE_US = 200_000  # a measurement that took longer says too little
_SLEW = 0.01  # the part of the time since the last measurement that is worked off at most

_BOOT_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # the former on Linux alone


class Reading(NamedTuple):
    """The server's wall clock, read between two moments of this machine's clock."""

    began_us: int
    ended_us: int
    wall_us: int


class Stamp(NamedTuple):
    """A pod's time and the server's wall clock at its last sign of life."""

    time_us: int
    wall_us: int


def local_us() -> int:
    """Return this machine's clock: microseconds since it started."""
    return time.clock_gettime_ns(_BOOT_CLOCK) // 1000


class FollowingClock:
    """
    A clock that follows the server's and never runs backwards.

    Attributes:
        step_us: this clock less the server's wall clock.

    """

    def __init__(
        self, reading: Reading, stamps: Iterable[Stamp], local: Callable[[], int] = local_us
    ) -> None:
        """Begin with the step of the pods that live, else after everything that was stamped."""
        self._local = local
        stamps = list(stamps)
        newest_us = max((stamp.time_us for stamp in stamps), default=0)
        # A wall clock that was set shows once more what it showed when others died: both are asked.
        steps = [
            stamp.time_us - stamp.wall_us
            for stamp in stamps
            if abs(reading.wall_us - stamp.wall_us) <= LIVE_US
            and newest_us - stamp.time_us <= LIVE_US
        ]
        self.step_us = median_low(steps) if steps else max(newest_us - reading.wall_us, 0)
        self._offset_us = reading.wall_us + self.step_us - _middle(reading)
        self._measured_us = reading.ended_us
        self._latest_us = 0

    def now_us(self) -> int:
        """Return the time in microseconds since 1970."""
        self._latest_us = max(self._latest_us, self._local() + self._offset_us)
        return self._latest_us

    def follow(self, reading: Reading) -> None:
        """Work off a small difference from the server's clock, take note of a jump."""
        if reading.ended_us - reading.began_us > _VAGUE_US:
            return
        own_us = _middle(reading) + self._offset_us
        behind_us = reading.wall_us + self.step_us - own_us
        if abs(behind_us) >= JUMP_US:
            self.step_us = own_us - reading.wall_us
        else:
            most = int((reading.ended_us - self._measured_us) * _SLEW)
            self._offset_us += max(-most, min(most, behind_us))
        self._measured_us = reading.ended_us


def _middle(reading: Reading) -> int:
    return (reading.began_us + reading.ended_us) // 2
