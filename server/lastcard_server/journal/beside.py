"""
How does a thread get its turn beside an event loop that is never idle?

A thread that comes back from the disk waits for the interpreter's lock. A busy loop lets go of it
often but only for a moment, and takes it again before the thread has woken up; the thread then
waits without end. So a loop that waits for a thread for long stands back now and then.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, TypeVarTuple

_PATIENCE = 0.002  # seconds a thread has before the loop stands back: a usual commit takes less
_PAUSE = 0.0001  # seconds the loop then stands back, at most every twentieth part of its time

_Result = TypeVar("_Result")
_Arguments = TypeVarTuple("_Arguments")


class Beside:
    """One thread beside the event loop; calls run in it one after another."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(1, name)

    def call(
        self, function: Callable[[*_Arguments], _Result], *arguments: *_Arguments
    ) -> asyncio.Future[_Result]:
        """Have a function called in the thread; return the future of its result."""
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._executor, function, *arguments)
        timer = loop.call_later(_PATIENCE, self._stand_back, loop, future)
        future.add_done_callback(lambda _: timer.cancel())
        return future

    def close(self) -> None:
        """Let the thread end after what it has begun; nobody waits for it."""
        self._executor.shutdown(wait=False)

    def _stand_back(self, loop: asyncio.AbstractEventLoop, future: asyncio.Future[_Result]) -> None:
        """Leave the interpreter to the thread for a moment, again and again until it is done."""
        if not future.done():
            time.sleep(_PAUSE)
            loop.call_later(_PATIENCE, self._stand_back, loop, future)
