"""How do many callers share one call? Whoever asks while one is under way is served by the next."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

_Item = TypeVar("_Item")


class Gathered(Generic[_Item]):
    """
    A call that takes what has gathered; it always begins after it was asked for.

    Args:
        call: what to call.
        seconds: least time between the beginnings of two calls.

    """

    def __init__(
        self, call: Callable[[list[_Item]], Awaitable[None]], seconds: float = 0.0
    ) -> None:
        self._call = call
        self._seconds = seconds
        self._items: list[_Item] = []
        self._next: asyncio.Task[None] | None = None
        self._one = asyncio.Lock()
        self._free_at = 0.0

    async def ask(self, *items: _Item) -> None:
        """Return when a call with these items is done; raises what the call does."""
        self._items += items
        if self._next is None:
            self._next = asyncio.create_task(self._run())
            self._next.add_done_callback(_seen)
        await asyncio.shield(self._next)

    async def _run(self) -> None:
        async with self._one:
            loop = asyncio.get_running_loop()
            await asyncio.sleep(max(0.0, self._free_at - loop.time()))
            items, self._items, self._next = self._items, [], None
            self._free_at = loop.time() + self._seconds
            await self._call(items)


def _seen(task: asyncio.Task[None]) -> None:
    """Let a failure pass of which whoever asked is gone."""
    if not task.cancelled():
        task.exception()
