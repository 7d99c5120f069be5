"""
How long does this machine take for a turn? Measured in processor time, under load.

It says nothing of how busy the server is and knows no streams.
"""

import time
from collections.abc import Callable
from typing import Final

QUICK_SECONDS: Final = 50e-6
"""A quick machine's time for a turn, which is assumed until there is a measurement."""
_SLOW_SECONDS: Final = 250e-6
_TURNS: Final = 100
_LONGEST_SECONDS: Final = 2.0


class Pace:
    """
    The processor time of the whole process for each turn delivered.

    Attributes:
        turn_seconds: the latest measurement, within 50 to 250 µs.

    """

    def __init__(
        self,
        processor: Callable[[], float] = time.process_time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.turn_seconds = QUICK_SECONDS
        self._processor = processor
        self._monotonic = monotonic
        self._begin()

    def delivered(self, turns: int) -> None:
        """Note that turns were delivered; what comes slowly tells nothing, as idling costs too."""
        self._turns += turns
        if self._turns >= _TURNS:
            if self._monotonic() - self._began <= _LONGEST_SECONDS:
                seconds = (self._processor() - self._spent) / self._turns
                self.turn_seconds = min(max(seconds, QUICK_SECONDS), _SLOW_SECONDS)
            self._begin()

    def _begin(self) -> None:
        self._turns = 0
        self._began, self._spent = self._monotonic(), self._processor()
