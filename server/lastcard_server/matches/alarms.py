"""
When does the next thing happen by itself? One heap and one timer for all matches.

A slot has at most one alarm that counts; one that rings too early is set again, so that the moves
of a match cost nothing here as long as the first alarm has not rung. The heap holds names, so that
a match that is over does not stay in memory for its last deadline; where most of them mean nothing
any more the heap is made anew.
"""

import asyncio
from collections.abc import Callable, Mapping
from heapq import heapify, heappop, heappush
from typing import Final

from lastcard_server.clock import Clock
from lastcard_server.matches.slots import Slot

MOST_STALE: Final = 64
"""So many alarms may be in the heap, besides two a slot, before it is made anew."""


class Alarms:
    """
    Rings for slots whose time has come.

    Args:
        clock: says what time it is.
        slots: the slots that are in memory, by match id.
        ring: what to call.

    """

    def __init__(
        self, clock: Clock, slots: Mapping[str, Slot], ring: Callable[[Slot], None]
    ) -> None:
        self._clock = clock
        self._slots = slots
        self._ring = ring
        self._heap: list[tuple[int, str]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._timer_us = 0

    def __len__(self) -> int:
        """Return how many alarms are in the heap, those that do not count any more included."""
        return len(self._heap)

    def set(self, slot: Slot, due_us: int | None) -> None:
        """Ring no later than this; None = never."""
        if due_us is None or (slot.alarm_us and slot.alarm_us <= due_us):
            return
        slot.alarm_us = due_us
        if len(self._heap) >= 2 * len(self._slots) + MOST_STALE:
            self._tidy()
        heappush(self._heap, (due_us, slot.match.match_id))
        if self._timer is None or due_us < self._timer_us:
            self._arm()

    def close(self) -> None:
        """Ring no more."""
        self._heap.clear()
        self._arm()

    def fire(self) -> None:
        """Ring for every slot that is due now, and set the timer for the next one."""
        now_us, due = self._clock.now_us(), []
        while self._heap and self._heap[0][0] <= now_us:
            due.append(heappop(self._heap))
        for alarm_us, match_id in due:
            slot = self._slots.get(match_id)
            if slot is not None and slot.alarm_us == alarm_us:
                slot.alarm_us = 0
                self._ring(slot)
        self._arm()

    def _tidy(self) -> None:
        """Take out what does not count any more."""
        slots = self._slots
        self._heap = [
            (due_us, match_id)
            for due_us, match_id in self._heap
            if match_id in slots and slots[match_id].alarm_us == due_us
        ]
        heapify(self._heap)

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._heap:
            self._timer_us = self._heap[0][0]
            seconds = max(0, self._timer_us - self._clock.now_us()) / 1e6
            self._timer = asyncio.get_running_loop().call_later(seconds, self.fire)
