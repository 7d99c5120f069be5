"""
What time is it for a match? The store's clock, carried on by this machine's monotonic one.

Entries are stamped on receipt, deadlines are compared with stamps; nothing else in the server may
read a clock for a match. A wall clock that jumps moves no deadline.
"""

import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Tells the time of matches."""

    def now_us(self) -> int:
        """Return the time in microseconds since 1970; it never runs backwards."""


class StoreClock:
    """The store's clock at construction and at each `synchronise`, monotonic in between."""

    def __init__(
        self,
        store_now_us: Callable[[], int],
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._store_now_us = store_now_us
        self._monotonic_ns = monotonic_ns
        self._offset_us = store_now_us() - monotonic_ns() // 1000
        self._latest_us = 0

    def now_us(self) -> int:
        """Return the time in microseconds since 1970; it never runs backwards."""
        now = self._monotonic_ns() // 1000 + self._offset_us
        if now < self._latest_us:
            return self._latest_us
        self._latest_us = now
        return now

    def synchronise(self) -> int:
        """Take over the store's time; return by how many microseconds it had drifted."""
        offset = self._store_now_us() - self._monotonic_ns() // 1000
        drift = offset - self._offset_us
        self._offset_us = offset
        return drift
