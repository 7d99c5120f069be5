"""What becomes of an append whose answer did not come? It is found out, or said to be unknown."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from lastcard_server.journal import postgres_connection, postgres_server, postgres_writer
from lastcard_server.journal.port import Conflict, StoreUncertain
from lastcard_server.journal.postgres import PostgresJournal, open_postgres
from tests.journal.logs import LOG, append_to, bodies, grow
from tests.postgres import running_server
from tests.proxy import Proxy


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less long for what never comes."""
    monkeypatch.setattr(postgres_connection, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(postgres_connection, "CONNECT_SECONDS", 0.5)
    monkeypatch.setattr(postgres_server, "HOST_SECONDS", 0.5)
    monkeypatch.setattr(postgres_writer, "SETTLE_SECONDS", 3)


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    """Return a proxy to the server."""
    async with Proxy(str(running_server().folder / ".s.PGSQL.5432")) as proxy:
        yield proxy


@pytest.fixture
async def direct(tmp_path: Path) -> AsyncIterator[PostgresJournal]:
    """Return another server's journal, which nothing happens to."""
    address = await running_server().database(str(tmp_path))
    journal = await open_postgres(address, unsafe=True)
    yield journal
    await journal.aclose()


@pytest.fixture
async def journal(
    tmp_path: Path, proxy: Proxy, direct: PostgresJournal
) -> AsyncIterator[PostgresJournal]:
    """Return a journal behind the proxy, with one entry, connected."""
    address = await running_server().database(str(tmp_path))
    name = address.partition("?")[0].rpartition("/")[2]
    proxied = f"postgresql://postgres@127.0.0.1:{proxy.port}/{name}?sslmode=disable"
    journal = await open_postgres(proxied, unsafe=True)
    await grow(journal, LOG, "1")
    yield journal
    await journal.aclose()


async def written(direct: PostgresJournal, version: int) -> None:
    """Wait until the log has so many entries, as the other server sees it."""
    until = time.monotonic() + 10
    while (await direct.head(LOG)).version < version:
        assert time.monotonic() < until
        await asyncio.sleep(0.01)


async def becomes_true(condition: Callable[[], bool]) -> None:
    """Wait until something has happened at the proxy."""
    until = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < until
        await asyncio.sleep(0.01)


async def unanswered(
    journal: PostgresJournal, direct: PostgresJournal, proxy: Proxy
) -> asyncio.Task[list[Conflict | None]]:
    """Append what is written and never answered; return what waits for the answer."""
    append = append_to(LOG, await direct.head(LOG), "2")
    proxy.swallows_replies = True
    waiting = asyncio.create_task(journal.append([append]))
    await written(direct, 2)
    return waiting


async def unheard(
    journal: PostgresJournal, direct: PostgresJournal, proxy: Proxy
) -> asyncio.Task[list[Conflict | None]]:
    """Append what never reaches the server; return what waits for the answer."""
    append = append_to(LOG, await direct.head(LOG), "2")
    proxy.swallows_requests = True
    waiting = asyncio.create_task(journal.append([append]))
    await becomes_true(lambda: proxy.swallowed > 0)
    return waiting


async def test_a_lost_answer(
    journal: PostgresJournal, direct: PostgresJournal, proxy: Proxy
) -> None:
    """What was written before the connection broke is found, and is not written again."""
    waiting = await unanswered(journal, direct, proxy)
    proxy.cut()
    assert await waiting == [None]
    assert await bodies(journal, LOG) == ["1", "2"]


async def test_a_lost_answer_that_others_have_built_on(
    journal: PostgresJournal, direct: PostgresJournal, proxy: Proxy
) -> None:
    """Our entry is found also where another server has appended after it meanwhile."""
    waiting = await unanswered(journal, direct, proxy)
    await grow(direct, LOG, "3")
    proxy.cut()
    assert await waiting == [None]
    assert await bodies(journal, LOG) == ["1", "2", "3"]


async def test_a_lost_question(
    journal: PostgresJournal, direct: PostgresJournal, proxy: Proxy
) -> None:
    """What never reached the server is sent again."""
    waiting = await unheard(journal, direct, proxy)
    proxy.cut()
    assert await waiting == [None]
    assert await bodies(direct, LOG) == ["1", "2"]


async def test_a_lost_question_that_others_have_overtaken(
    journal: PostgresJournal, direct: PostgresJournal, proxy: Proxy
) -> None:
    """Where another server has appended first, ours is refused with the true head."""
    waiting = await unheard(journal, direct, proxy)
    head = await grow(direct, LOG, "other")
    proxy.cut()
    assert await waiting == [Conflict(head)]
    assert await bodies(direct, LOG) == ["1", "other"]


async def test_an_answer_that_never_comes(
    journal: PostgresJournal, direct: PostgresJournal, proxy: Proxy
) -> None:
    """A connection that is silent is given up; the next one tells what has become of it all."""
    waiting = await unanswered(journal, direct, proxy)
    accepted = proxy.accepted
    await becomes_true(lambda: proxy.accepted > accepted)  # it was given up: another one is tried
    proxy.swallows_replies = False
    assert await waiting == [None]
    assert await bodies(direct, LOG) == ["1", "2"]


async def test_what_cannot_be_found_out(
    journal: PostgresJournal, direct: PostgresJournal, proxy: Proxy
) -> None:
    """Where no connection comes back the append is uncertain, whatever became of it."""
    waiting = await unanswered(journal, direct, proxy)
    await proxy.close()
    with pytest.raises(StoreUncertain, match="whether it has written cannot be found out"):
        await waiting
    assert await bodies(direct, LOG) == ["1", "2"]


async def test_a_cancelled_wait_for_a_standby_is_no_success(
    direct: PostgresJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What only the primary has is acknowledged once the standby has it too, and not before."""
    monkeypatch.setattr(postgres_writer, "SETTLE_SECONDS", 60)
    monkeypatch.setattr(postgres_connection, "ANSWER_SECONDS", 60)
    await grow(direct, LOG, "1")
    append = append_to(LOG, await direct.head(LOG), "2")
    async with _missing_standby():
        waiting = asyncio.create_task(direct.append([append]))
        pid = await _waiting_session("%wanted AS MATERIALIZED%")
        await running_server().ask("SELECT pg_cancel_backend($1)", pid)
        await _waiting_session("%INSERT INTO barriers%")
        assert await bodies(direct, LOG) == ["1", "2"]  # for all that can be seen it is written
        assert not waiting.done()
    assert await waiting == [None]
    assert await bodies(direct, LOG) == ["1", "2"]


@asynccontextmanager
async def _missing_standby() -> AsyncIterator[None]:
    """Let the server wait for a standby that is not there."""
    ask = running_server().ask
    await ask("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    await ask("SELECT pg_reload_conf()")
    held = asyncio.create_task(_hold())
    try:
        await _waiting_session("%pg_logical_emit_message%")
        yield
    finally:
        await ask("ALTER SYSTEM RESET synchronous_standby_names")
        await ask("SELECT pg_reload_conf()")
        held.cancel()
        await asyncio.wait({held})


async def _hold() -> None:
    """Write until a write is held up, which shows that the setting has come through."""
    while True:
        await running_server().ask("SELECT pg_logical_emit_message(true, '', '')")


async def _waiting_session(query: str) -> int:
    """Wait until a session that does this waits for the standby; return its process."""
    async with asyncio.timeout(10):
        while True:
            rows = await running_server().ask(
                "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE $1",
                query,
            )
            if rows:
                return int(rows[0][0])
            await asyncio.sleep(0.01)
