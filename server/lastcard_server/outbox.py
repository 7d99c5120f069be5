"""
What is pending for one stream, and into which messages is it packed?

Whatever gathers while a message is being written goes into the next one: batches grow with load.
Whether to wait for more is for the stream to say. The file knows bytes and limits only.
"""

import asyncio
from collections.abc import Hashable, Sequence
from typing import Final

MOST_TURNS: Final = 256
MOST_BYTES: Final = 256 << 10
_UPDATES_KEPT: Final = 1_024
_FULL: Final = 4 * MOST_BYTES
"""So much may be pending: more than the outcomes of all the turns that a stream may have open."""


class Outbox:
    """Framed elements of one response type, in the order they are to be sent."""

    __slots__ = ("_elements", "_enough", "_room", "_size", "_turns", "_updates", "_wake")

    def __init__(self) -> None:
        self._elements: list[bytes] = []
        self._turns: dict[Hashable, bytes] = {}
        self._updates: list[bytes] = []
        self._size = 0
        self._enough = 0
        """How many turns have to be pending before an element wakes whoever waits."""
        self._wake: asyncio.Future[None] | None = None
        self._room: asyncio.Future[None] | None = None

    def put(self, element: bytes) -> None:
        """Add an outcome, a closed turn or the end of a match."""
        self._elements.append(element)
        self._grow(len(element))

    def put_all(self, elements: Sequence[bytes]) -> None:
        """Add outcomes that belong to one message of the client."""
        self._elements += elements
        self._grow(sum(map(len, elements)))

    def put_turn(self, key: Hashable, element: bytes) -> None:
        """Add a turn, which `withdraw` may take back under its key until it is sent."""
        self._turns[key] = element
        self._size += len(element)
        if self._wake is not None and len(self._turns) >= self._enough:
            self.wake()

    def put_update(self, element: bytes) -> bool:
        """Add an update; if too many are pending drop them all, this one too, and return False."""
        if len(self._updates) >= _UPDATES_KEPT:
            self._size -= sum(map(len, self._updates))
            self._updates.clear()
            return False
        self._updates.append(element)
        self._grow(len(element))
        return True

    def _grow(self, size: int) -> None:
        self._size += size
        if self._wake is not None and len(self._turns) >= self._enough:
            self.wake()

    def withdraw(self, key: Hashable) -> bool:
        """Take back a turn that has not been sent; False if it has."""
        element = self._turns.pop(key, None)
        if element is None:
            return False
        self._size -= len(element)
        return True

    def wake(self) -> None:
        """Let whoever waits look again."""
        waiting, self._wake = self._wake, None
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    async def wait(self) -> None:
        """Return at the next element or `wake`; at once while something is pending."""
        if not self._size:
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake

    async def gather(self, turns: int, seconds: float) -> None:
        """Return when so many turns are pending, at the next `wake`, or after a time."""
        if len(self._turns) >= turns:
            return
        loop = asyncio.get_running_loop()
        self._enough, self._wake = turns, loop.create_future()
        timer = loop.call_later(seconds, self.wake)
        try:
            await self._wake
        finally:
            timer.cancel()
            self._enough = 0

    @property
    def size(self) -> int:
        """Return how many bytes are pending."""
        return self._size

    @property
    def is_full(self) -> bool:
        """Tell whether so much is pending that no more may be asked for."""
        return self._size > _FULL

    async def room(self) -> None:
        """Return when so little is pending that more may be asked for; for one waiter."""
        while self.is_full:
            self._room = asyncio.get_running_loop().create_future()
            await self._room

    def pack(self) -> tuple[bytes, int]:
        """Take out the next message; return it, empty if nothing is pending, with its turns."""
        if self._size <= MOST_BYTES and len(self._turns) <= MOST_TURNS:
            message = b"".join((*self._elements, *self._updates, *self._turns.values()))
            turns = len(self._turns)
            self._elements.clear()
            self._updates.clear()
            self._turns.clear()
        else:
            message, turns = self._pack_some()
        self._size -= len(message)
        if self._room is not None and not self._room.done():
            self._room.set_result(None)
        return message, turns

    def _pack_some(self) -> tuple[bytes, int]:
        """Take out as much as one message may hold, turns last."""
        parts: list[bytes] = []
        left = MOST_BYTES
        for pending in (self._elements, self._updates):
            taken = _fitting(pending, left, at_least=not parts)
            parts += pending[:taken]
            left -= sum(map(len, pending[:taken]))
            del pending[:taken]
        keys = list(self._turns)[:MOST_TURNS]
        taken = _fitting([self._turns[key] for key in keys], left, at_least=not parts)
        parts += [self._turns.pop(key) for key in keys[:taken]]
        return b"".join(parts), taken


def _fitting(elements: list[bytes], size: int, *, at_least: int = 0) -> int:
    """Return how many of the first elements fit into a size, `at_least` if fewer do."""
    for count, element in enumerate(elements):
        size -= len(element)
        if size < 0:
            return max(count, min(at_least, len(elements)))
    return len(elements)
