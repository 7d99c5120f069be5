"""
Who notices that a task has ended which nobody waits for? Whatever it failed by is logged.

One that the server cannot do without breaks it: the program then ends, and is started anew by
whatever watches it. Better no server than one that lets time stand still or follows no revocation.
"""

import asyncio
import logging
from collections.abc import Coroutine
from functools import partial

_log = logging.getLogger(__name__)


class Tasks:
    """
    Tasks that run beside the calls until they end or all are closed.

    Attributes:
        broken: set once a vital task has ended by itself; several may share one.

    """

    def __init__(self, broken: asyncio.Event | None = None) -> None:
        self.broken = broken or asyncio.Event()
        self._running: set[asyncio.Task[None]] = set()
        self._closed = False

    def begin(self, work: Coroutine[None, None, None], *, vital: bool = False) -> None:
        """Run a task; `vital`: nothing goes on without it."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(partial(self._ended, vital=vital))

    async def aclose(self) -> None:
        """Cancel what runs, and wait until it has ended."""
        self._closed = True
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None], *, vital: bool) -> None:
        """Log how a task has ended that was not closed, if somebody should know."""
        self._running.discard(task)
        if self._closed:
            return
        if vital:
            self.broken.set()
        if not task.cancelled() and (vital or task.exception()):
            message = (
                "a task has ended that the server cannot do without" if vital else "a task failed"
            )
            _log.error(message, exc_info=task.exception())
