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
    """The store's clock at construction, carried on by a monotonic one, which is quick to read."""

    def __init__(
        self,
        store_now_us: Callable[[], int],
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._monotonic_ns = monotonic_ns
        self._offset_us = store_now_us() - monotonic_ns() // 1000

    def now_us(self) -> int:
        """Return the time in microseconds since 1970; it never runs backwards."""
        return self._monotonic_ns() // 1000 + self._offset_us
