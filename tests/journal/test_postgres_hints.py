"""Does a pod hear what is news to it, and does it end hearing when told to, whatever happens?"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lastcard_server.journal.hints import Hints
from lastcard_server.journal.port import Hint
from lastcard_server.journal.postgres import open_postgres
from lastcard_server.journal.postgres_hints import Ear, read_hints
from tests.journal.logs import LIVE, LOG, OVER, grow
from tests.postgres import running_server


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


async def test_a_pod_hears_of_its_own_what_is_news(tmp_path: Path) -> None:
    """It is told that a log has other owners or is over, not that it has grown by what it wrote."""
    journal = await open_postgres(await running_server().database(str(tmp_path)), unsafe=True)
    hints = journal.hints()
    await grow(journal, LOG, "1", index=LIVE._replace(owners=("key:a",)))
    assert await anext(hints) == Hint(LOG, live=True, moved=True)
    await grow(journal, LOG, "2", index=LIVE._replace(owners=("key:a",)))
    await grow(journal, "match/other", "1")
    assert (await anext(hints)).log == "match/other"
    await grow(journal, LOG, "3")
    assert await anext(hints) == Hint(LOG, live=True, moved=True)
    await grow(journal, LOG, "4", index=OVER)
    assert await anext(hints) == Hint(LOG, live=False, moved=False)
    await journal.aclose()


def test_what_is_malformed_tells_nothing() -> None:
    """Lines of other releases, or of nobody's, are passed over; the others count."""
    lines = [f"{LOG} 1 0", "keys 0 1", " 1 1", f"{LOG} 2 0", f"{LOG} 10", "", f"{LOG} 1 0 1 1x"]
    heard = list(read_hints("\n".join(["other", *lines]), "own"))
    assert heard == [Hint(LOG, live=True, moved=False), Hint("keys", live=False, moved=True)]
    assert not list(read_hints("\n".join(["own", *lines]), "own"))
