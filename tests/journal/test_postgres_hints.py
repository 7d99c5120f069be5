"""Does the connection that hears of other pods end when it is told to, whatever happens to it?"""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from lastcard_server.journal.hints import Hints
from lastcard_server.journal.postgres_hints import Ear


class _Connection:
    """A connection, and the server that has it."""

    def __init__(self) -> None:
        self._broken: list[Callable[[object], None]] = []
        self.listens = asyncio.Event()

    async def connect(self) -> "_Connection":
        return self

    def add_termination_listener(self, tell: Callable[[object], None]) -> None:
        self._broken.append(tell)

    async def add_listener(self, _channel: str, _hear: object) -> None:
        self.listens.set()

    def terminate(self) -> None:
        for tell in self._broken:
            tell(self)


@pytest.mark.parametrize("turns", range(6))
async def test_ends_though_the_connection_breaks_at_that_moment(turns: int) -> None:
    """A server that dies as its pod closes does not keep the pod from closing."""
    connection: Any = _Connection()
    listening = asyncio.create_task(Ear(connection, "tag", Hints()).run())
    await connection.listens.wait()
    await asyncio.sleep(0)
    connection.terminate()
    for _ in range(turns):
        await asyncio.sleep(0)
    listening.cancel()
    done, _ = await asyncio.wait({listening}, timeout=5)
    assert done
    assert listening.cancelled()
