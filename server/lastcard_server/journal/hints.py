"""Who wants to know that logs have grown? Listeners inside one process; none is waited for."""

import asyncio
import weakref
from collections.abc import Iterable

_MOST = 10_000  # names a listener may fall behind; then the oldest are lost


class Listener:
    """The names of logs that have grown, each once until it is taken; an async iterator."""

    def __init__(self) -> None:
        self._names: dict[str, None] = {}
        self._news = asyncio.Event()
        self._closed = False

    def __aiter__(self) -> "Listener":
        return self

    async def __anext__(self) -> str:
        while not self._names and not self._closed:
            self._news.clear()
            await self._news.wait()
        if not self._names:
            raise StopAsyncIteration
        name = next(iter(self._names))
        del self._names[name]
        return name

    def tell(self, logs: Iterable[str]) -> None:
        """Add names without waiting."""
        self._names.update(dict.fromkeys(logs))
        while len(self._names) > _MOST:
            del self._names[next(iter(self._names))]
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

    def tell(self, logs: Iterable[str]) -> None:
        """Tell every listener which logs have grown."""
        for listener in self._listeners:
            listener.tell(logs)

    def close(self) -> None:
        """End every iteration."""
        for listener in self._listeners:
            listener.close()
