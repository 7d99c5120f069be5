"""Who wants to know that logs have grown? Listeners inside one process; none is waited for."""

import asyncio
import weakref
from collections.abc import Iterable

from lastcard_server.journal.port import Hint

_MOST = 10_000  # logs a listener may fall behind; then the oldest are lost


def joined(before: Hint | None, hint: Hint) -> Hint:
    """Return one hint for two of a log: the later, and whether the owners moved with either."""
    if before is None or hint.moved or not before.moved:
        return hint
    return hint._replace(moved=True)


class Listener:
    """Which logs have grown, each once until it is taken; an async iterator."""

    def __init__(self) -> None:
        self._hints: dict[str, Hint] = {}
        self._news = asyncio.Event()
        self._closed = False

    def __aiter__(self) -> "Listener":
        return self

    async def __anext__(self) -> Hint:
        while not self._hints and not self._closed:
            self._news.clear()
            await self._news.wait()
        if not self._hints:
            raise StopAsyncIteration
        return self._hints.pop(next(iter(self._hints)))

    def tell(self, hints: Iterable[Hint]) -> None:
        """Add hints without waiting; those of one log become one."""
        for hint in hints:
            self._hints[hint.log] = joined(self._hints.get(hint.log), hint)
        while len(self._hints) > _MOST:
            del self._hints[next(iter(self._hints))]
        self._news.set()

    def close(self) -> None:
        """End the iteration once everything is taken."""
        self._closed = True
        self._news.set()


class Hints:
    """The listeners of a store; one that is dropped is forgotten."""

    def __init__(self) -> None:
        self._listeners: weakref.WeakSet[Listener] = weakref.WeakSet()

    def listen(self) -> Listener:
        """Return a listener that hears everything from now on."""
        listener = Listener()
        self._listeners.add(listener)
        return listener

    def tell(self, hints: Iterable[Hint]) -> None:
        """Tell every listener which logs have grown."""
        if self._listeners:
            hints = tuple(hints)
        for listener in self._listeners:
            listener.tell(hints)

    def close(self) -> None:
        """End every iteration."""
        for listener in self._listeners:
            listener.close()
