"""
How does a pod hear of what other pods have appended? By notifications, which may be lost.

A connection of its own listens. While it is broken nothing is heard, which does no harm: whoever
needs to know asks for heads again.
"""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from itertools import product

import asyncpg

from lastcard_server.journal.hints import Hints
from lastcard_server.journal.port import Hint, StoreError
from lastcard_server.journal.postgres_connection import LOST
from lastcard_server.journal.postgres_server import Server
from lastcard_server.journal.postgres_sql import CHANNEL

_ALIVE_SECONDS = 5.0  # how often a silent connection is tried
_ANSWER_SECONDS = 5.0
_PAUSE_SECONDS = 0.2  # between attempts to connect


class Ear:
    """Listens for notifications of other pods and passes them on as hints."""

    def __init__(self, server: Server, tag: str, hints: Hints) -> None:
        self._server = server
        self._tag = tag
        self._hints = hints

    async def run(self) -> None:
        """Listen until cancelled."""
        while True:
            with suppress(*LOST, asyncpg.PostgresError, StoreError):
                await self._listen()
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _listen(self) -> None:
        """Listen on one connection until it breaks."""
        connection = await self._server.connect()
        try:
            broken = asyncio.Event()
            connection.add_termination_listener(lambda _: broken.set())
            await connection.add_listener(CHANNEL, self._hear)
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_ALIVE_SECONDS):
                        await broken.wait()
                    return
                await connection.execute("SELECT 1", timeout=_ANSWER_SECONDS)
        finally:
            connection.terminate()

    def _hear(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        self._hints.tell(read_hints(str(payload), self._tag))


def read_hints(payload: str, own_tag: str) -> Iterator[Hint]:
    """Yield what a notification tells, nothing of a pod's own and nothing of what is malformed."""
    tag, _, lines = payload.partition("\n")
    for line in lines.split("\n") if tag != own_tag else ():
        log, flags = line[:-4], _FLAGS.get(line[-4:])
        if log and flags:
            yield Hint(log, *flags)


_FLAGS = {f" {live:d} {moved:d}": (live, moved) for live, moved in product((False, True), repeat=2)}
