"""Is what is read at one server never older than what another has told before?"""

import asyncio
from collections.abc import Sequence
from random import Random

from lastcard_server.journal.port import Append, Conflict
from tests.matches.hall import answer_to
from tests.matches.pods import Database, PodJournal, start
from tests.matches.table import ManualClock, setup_of


class Slow(PodJournal):
    """A journal whose replies to appends may come late."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.replies = asyncio.Event()
        self.replies.set()
        self.written = asyncio.Event()

    async def append(self, appends: Sequence[Append]) -> list[Conflict | None]:
        """Append, and reply when it may."""
        outcomes = await super().append(appends)
        self.written.set()
        await self.replies.wait()
        return outcomes


async def test_a_read_waits_for_what_is_on_its_way() -> None:
    """An answer that is written and of which nobody here knows yet hides nothing behind it."""
    database = Database()
    slow = Slow(database)
    dice, clock = Random(1), ManualClock(database.core.now_us())
    one = await start(database, "a")
    two = await start(database, "b", journal=slow)
    try:
        created = await one.matches.create("key:creator", "r", setup_of(2, start_limit_ms=60_000))
        mine = await two.matches.get(created.match_id)
        first, second = list(mine.turns.values())
        slow.written.clear()
        slow.replies.clear()
        late = asyncio.create_task(two.matches.submit([answer_to(mine, first, dice, clock)]))
        await slow.written.wait()
        theirs = await one.matches.get(created.match_id)
        await one.matches.submit([answer_to(theirs, second, dice, clock)])
        known = (await one.matches.get(created.match_id)).version
        reading = asyncio.create_task(two.matches.get(created.match_id))
        await asyncio.sleep(0.05)  # long enough to read what is there, were it not waited for
        slow.replies.set()
        assert (await reading).version >= known
        await late
    finally:
        await one.die()
        await two.die()
