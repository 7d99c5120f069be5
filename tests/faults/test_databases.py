"""Does a journal in a database outlive the death of servers, failovers and partitions?"""

import asyncio
import time
from contextlib import suppress

import asyncpg
import pytest

from lastcard_server.journal.port import StoreUnavailable, StoreUncertain
from lastcard_server.journal.postgres import open_postgres
from tests.faults.databases import SCENARIOS
from tests.faults.outcome import Promise, Scenario
from tests.faults.pair import Pair, Sockets
from tests.faults.short import SECONDS, check_few
from tests.faults.writers import Writers
from tests.journal.logs import LOG, append_to, bodies, grow
from tests.postgres import DatabaseServer, needed_programs, running_server


@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_database_faults(scenario: Scenario) -> None:
    """Nothing acknowledged is lost, or where a standby lags, nothing silently."""
    check_few(scenario)


@pytest.mark.parametrize("promise", [Promise.KEEPS, Promise.TELLS])
async def test_a_standby_that_lacks_nothing_says_nothing(promise: Promise) -> None:
    """Where losses are to be told, a run in which nothing was lost did not do its fault."""
    address = await running_server().database(f"writers {promise}")
    writers = Writers(race=False)
    async with writers.writing(address):
        await writers.traffic(0)
    outcome = await writers.outcome(address, "failover", 1, promise)
    assert outcome.lost == 0
    assert outcome.valid is (promise is Promise.KEEPS)


async def test_what_the_standby_never_had_is_not_shown() -> None:
    """A primary that came back alone shows an entry; a pod does not, until the standby has it."""
    wire = Sockets()
    pair = Pair(needed_programs(), wire, synchronous=True)
    try:
        await pair.start()
        journal = await open_postgres(pair.address, unsafe=True)
        await grow(journal, LOG, "1")
        wire.proxy.swallows_replies = True
        append = append_to(LOG, await journal.head(LOG), "2")
        waiting = asyncio.create_task(journal.append([append]))
        # The primary shows no entry before its standby has it, so that only its log grows.
        await _waits(pair.primary)
        pair.primary.crash()
        pair.restart()
        connection = await asyncpg.connect(pair.primary.address("journal"))
        assert await connection.fetchval("SELECT count(*) FROM lastcard.entries") == 2
        await connection.close()
        with pytest.raises(StoreUnavailable):
            await journal.read(LOG)
        assert not waiting.done()
        pair.primary.crash()
        await pair.promote()
        await pair.follow()
        with suppress(StoreUncertain):
            assert await waiting == [None]
        assert await bodies(journal, LOG) in (["1"], ["1", "2"])
        await journal.aclose()
    finally:
        await wire.proxy.close()
        pair.remove()


async def _waits(server: DatabaseServer) -> None:
    """Wait until a session waits for the standby."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    until = time.monotonic() + 20
    while not (await server.ask(query))[0][0]:
        assert time.monotonic() < until
        await asyncio.sleep(0.01)
