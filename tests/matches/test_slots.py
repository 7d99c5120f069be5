"""Does everybody who waits for what was decided in a slot hear of it?"""

import asyncio

from lastcard_server.matches import seating
from lastcard_server.matches.slots import Lost
from tests.matches.hall import FrailJournal, hall
from tests.matches.table import ManualClock, setup_of

OWNER = "key:creator"


async def test_who_decides_in_a_slot_that_is_lost_by_then_waits_for_nothing() -> None:
    """An append may fail between a reading and who has asked for it; he has to decide anew."""
    clock = ManualClock()
    async with hall(FrailJournal(clock), clock) as matches:
        match = await matches.create(OWNER, "r", setup_of(2))
        writer, slot = matches._runtime.writer, matches._runtime.cache.slots[match.match_id]
        slot.lost = Lost.CONFLICT
        seating.cancel(slot.match, by=OWNER, now_us=clock.now_us())
        writer.touch(slot)
        async with asyncio.timeout(5):
            await asyncio.sleep(0)
            await writer.settled(slot)
            await writer.durable([slot])
        assert slot.match.unsaved
