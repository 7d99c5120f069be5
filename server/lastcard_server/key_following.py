"""
How does a server hear of keys that others make and revoke? By hints, and once a second without.

A server that cannot follow the keys might admit who was shut out: it says so, is not ready, and
tries again until it can.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from lastcard_server.journal.port import Journal, StoreUnavailable
from lastcard_server.key_registry import LOG, KeyRegistry

LOOK_SECONDS: Final = 1.0
"""How often others' entries are looked for, hints or not."""
_log = logging.getLogger(__name__)


class KeyFollower:
    """
    Keeps the keys of a server in line with a shared journal.

    Attributes:
        follows: whether the last look has succeeded.

    """

    def __init__(self, journal: Journal, keys: KeyRegistry) -> None:
        self.follows = True
        self._journal = journal
        self._keys = keys
        self._grown = asyncio.Event()
        self._listeners: list[Callable[[bool], None]] = []
        self._said = ""

    def on_change(self, listener: Callable[[bool], None]) -> None:
        """Call `listener` whenever the keys cease to be followed (False) or are again (True)."""
        self._listeners.append(listener)

    async def listen(self) -> None:
        """Take hints, until the journal is closed."""
        async for hint in self._journal.hints():
            if hint.log == LOG:
                self._grown.set()

    async def run(self) -> None:
        """Look as soon as another server has appended, and every second, until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._grown.wait()
            self._grown.clear()
            await self.look()

    async def look(self) -> None:
        """Follow what others have appended by now; nothing is raised."""
        try:
            await self._keys.refresh()
        except StoreUnavailable as error:
            self._fail(logging.WARNING, error)
        except Exception as error:  # noqa: BLE001 - revocations are followed whatever happened
            self._fail(logging.ERROR, error)
        else:
            self._said = ""
            self._set(follows=True)

    def _fail(self, level: int, error: Exception) -> None:
        """Note a failure; one that lasts is logged once."""
        said = f"{type(error).__name__}: {error}"
        if said != self._said:
            self._said = said
            trace = error if level == logging.ERROR else None
            _log.log(level, "keys cannot be followed: %s", said, exc_info=trace)
        self._set(follows=False)

    def _set(self, *, follows: bool) -> None:
        if follows is not self.follows:
            self.follows = follows
            if follows:
                _log.info("keys are followed again")
            for listener in self._listeners:
                listener(follows)
