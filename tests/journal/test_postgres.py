"""Does a database that many servers share keep what they write, and tell them of each other?"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from lastcard_server.journal import postgres_sql as sql
from lastcard_server.journal.open_store import StoreAddressError, open_store
from lastcard_server.journal.port import (
    Hint,
    Index,
    Journal,
    StoreCorrupt,
    StoreForeign,
    StoreUnavailable,
    StoreUnsafe,
)
from lastcard_server.journal.postgres import PostgresJournal, open_postgres
from lastcard_server.journal.postgres_server import _SETTINGS, HOST_SECONDS
from tests.journal.logs import LIVE, LOG, append_to, bodies, grow, heads
from tests.postgres import ask, cut, running_server
from tests.proxy import Proxy

PASSWORD = "c0rrect-horse"


@pytest.fixture
async def address(tmp_path: Path) -> str:
    """Return the address of an empty database on a quick server."""
    return await running_server().database(str(tmp_path))


@asynccontextmanager
async def pods(
    address: str, count: int, *, notify: bool = True
) -> AsyncIterator[list[PostgresJournal]]:
    """Open the journal of one database several times, at once."""
    opening = (open_postgres(address, unsafe=True, notify=notify) for _ in range(count))
    journals = await asyncio.gather(*opening)
    try:
        yield journals
    finally:
        await asyncio.gather(*(journal.aclose() for journal in journals))


async def until_answer(address: str, query: str, least: int) -> None:
    """Ask until the answer is large enough."""
    until = time.monotonic() + 10
    while (await ask(address, query))[0][0] < least:
        assert time.monotonic() < until, query
        await asyncio.sleep(0.02)


async def test_pods_that_come_at_once_make_one_schema(address: str) -> None:
    """Three servers that start on an empty database at the same moment share its tables."""
    async with pods(address, 3) as journals:
        for place, journal in enumerate(journals):
            await grow(journal, LOG, str(place))
        assert [await bodies(journal, LOG) for journal in journals] == [["0", "1", "2"]] * 3
    (row,) = await ask(address, "SELECT count(*) FROM lastcard.release")
    assert row[0] == 1


async def test_pods_that_race_on_one_log(address: str) -> None:
    """Of appends on one head by several servers one wins; the others learn the winner's head."""
    async with pods(address, 3) as journals:
        for round_number in range(20):
            head = await journals[0].head(LOG)
            appends = [append_to(LOG, head, f"{round_number}:{pod}") for pod in range(3)]
            calls = (j.append([a]) for j, a in zip(journals, appends, strict=True))
            outcomes = [outcome for (outcome,) in await asyncio.gather(*calls)]
            (winner,) = (
                a.entries[-1].head for a, o in zip(appends, outcomes, strict=True) if not o
            )
            assert sorted(heads(outcomes), key=bool) == [None, winner, winner]
            assert await journals[0].head(LOG) == winner


async def test_pods_that_write_the_same_logs_in_other_orders(address: str) -> None:
    """Groups that meet in many logs do not wait for each other for ever."""
    names = [f"match/{n}" for n in range(30)]

    async def write(journal: Journal, order: list[str]) -> int:
        won = 0
        for _ in range(10):
            appends = [append_to(log, await journal.head(log), "x") for log in order]
            won += (await journal.append(appends)).count(None)
        return won

    async with pods(address, 2) as (one, other):
        won = await asyncio.gather(write(one, names), write(other, names[::-1]))
        assert sum([len(await one.read(log)) for log in names]) == sum(won)


async def test_pods_hear_of_each_other(address: str) -> None:
    """What one server appends another hears of: the log, whether it lives, and has moved."""
    async with pods(address, 2) as (one, other):
        await _listening(address, 2)
        hints = other.hints()
        await grow(one, LOG, "1", index=LIVE._replace(owners=("key:a",)))
        assert await asyncio.wait_for(anext(hints), 10) == Hint(LOG, live=True, moved=True)
        await grow(one, LOG, "2", index=LIVE._replace(owners=("key:a",)))
        assert await asyncio.wait_for(anext(hints), 10) == Hint(LOG, live=True, moved=False)


async def test_a_large_group_is_told_whole(address: str) -> None:
    """Notifications of thousands of logs are split, and nothing is left out."""
    names = [f"match/{'x' * 40}{n}" for n in range(1000)]
    async with pods(address, 2) as (one, other):
        await _listening(address, 2)
        hints = other.hints()
        await one.append([append_to(log, None, "1") for log in names])
        heard = [await asyncio.wait_for(anext(hints), 10) for _ in names]
        assert {hint.log for hint in heard} == {*names}


async def test_without_notifications_nothing_is_missed(address: str) -> None:
    """Servers that do not hear each other find everything by asking."""
    async with pods(address, 2, notify=False) as (one, other):
        head = await grow(one, LOG, "1")
        hints = other.hints()
        await grow(one, LOG, "2")
        grown = await other.since({LOG: head})
        assert [entry.body for entry in grown[LOG] or ()] == ["2"]
        await grow(other, "match/own", "1")
        assert (await anext(hints)).log == "match/own"  # and of LOG nothing


async def test_listening_begins_again_after_a_break(address: str) -> None:
    """A server whose connections are cut hears again, and writes and reads as before."""
    async with pods(address, 2) as (one, other):
        await _listening(address, 2)
        await grow(one, LOG, "1")
        assert await cut(address) >= 4
        await grow(one, LOG, "2")
        assert await bodies(other, LOG) == ["1", "2"]
        await _listening(address, 2)
        hints = other.hints()
        await grow(one, LOG, "3")
        assert (await asyncio.wait_for(anext(hints), 10)).log == LOG


async def test_appends_while_connections_are_cut(address: str) -> None:
    """However often a server loses its connections, each append has one true outcome."""
    async with pods(address, 1) as (journal,):
        written = asyncio.create_task(_write(journal, 150))
        while not written.done():
            await cut(address)
            await asyncio.sleep(0.2)
        expected = await written
        assert await bodies(journal, LOG) == expected


async def _write(journal: Journal, count: int) -> list[str]:
    """Append one entry after another; every one has to succeed the first time."""
    for n in range(count):
        await grow(journal, LOG, str(n))
    return [str(n) for n in range(count)]


async def _listening(address: str, count: int) -> None:
    """Wait until so many sessions listen."""
    query = (
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'lastcard'"
        " AND datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'"
    )
    await until_answer(address, query, count)


async def test_a_server_that_may_lose_is_refused(address: str) -> None:
    """A database with fsync off is refused in one sentence, unless that is allowed."""
    with pytest.raises(StoreUnsafe, match=r"fsync=off and may lose .* --unsafe-store"):
        await open_store(address)
    journal = await open_store(address, unsafe=True)
    await grow(journal, LOG, "1")
    await journal.aclose()


async def test_a_safe_server_is_accepted(address: str) -> None:
    """With fsync on nothing has to be allowed; pages that may be torn are refused like it."""
    server = running_server()
    server.stop()
    try:
        server.start(full_page_writes="off")
        with pytest.raises(StoreUnsafe, match="with full_page_writes=off"):
            await open_store(address)
        server.stop()
        server.start()
        journal = await open_store(address)
        await grow(journal, LOG, "1")
        await journal.aclose()
    finally:
        server.stop()
        server.start(fsync="off")


async def test_an_append_outlives_the_server(address: str) -> None:
    """Servers that are killed and come back cost appends time and nothing else."""
    server = running_server()
    async with pods(address, 1) as (journal,):
        written = asyncio.create_task(_write(journal, 60))
        for end in (server.crash, server.stop, server.crash):
            await asyncio.sleep(0.05)
            end()
            server.start(fsync="off")
        expected = await written
        assert await bodies(journal, LOG) == expected


async def test_a_database_that_is_away(address: str) -> None:
    """While no server answers, calls say so after some seconds; later ones succeed."""
    server = running_server()
    async with pods(address, 1) as (journal,):
        await grow(journal, LOG, "1")
        await asyncio.to_thread(server.stop)  # meanwhile the journal notices
        try:
            calls = journal.head(LOG), journal.append([append_to("keys", None, "k")])
            refused = await asyncio.gather(*calls, return_exceptions=True)
        finally:
            server.start(fsync="off")
        assert [type(error) for error in refused] == [StoreUnavailable] * 2
        assert all("database" in str(error) for error in refused)
        assert await bodies(journal, LOG) == ["1"]
        await grow(journal, "keys", "k")


async def test_a_host_that_is_silent_is_passed_over(address: str) -> None:
    """Of several hosts the one that answers is taken, though one before it only accepts."""
    socket = str(running_server().folder / ".s.PGSQL.5432")
    async with Proxy(socket) as silent, Proxy(socket) as proxy:
        silent.swallows_replies = True
        hosts = ",".join(f"127.0.0.1:{each.port}" for each in (silent, proxy))
        name = address.partition("?")[0].rpartition("/")[2]
        began = time.monotonic()
        journal = await open_store(f"postgresql://postgres@{hosts}/{name}", unsafe=True)
        await grow(journal, LOG, "1")
        assert time.monotonic() < began + HOST_SECONDS
        await journal.aclose()


async def test_an_opening_without_a_server_is_refused(tmp_path: Path) -> None:
    """Nobody waits for ever for a server that is not there."""
    with pytest.raises(StoreUnavailable, match="the database cannot be reached"):
        await open_store(f"postgresql://postgres@/x?host={tmp_path}")


async def test_a_database_that_does_not_exist(address: str) -> None:
    """What waiting cannot mend is refused at once, in the server's words."""
    with pytest.raises(StoreUnavailable, match='database "nowhere" does not exist'):
        await open_store(running_server().address("nowhere"))


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ("UPDATE lastcard.release SET schema = 99", "has schema 99, newer than schema 1"),
        ("UPDATE lastcard.release SET application = 'x'", "belongs to another program"),
        ("DROP TABLE lastcard.release", "belongs to another program"),
    ],
)
async def test_a_foreign_schema_is_refused(address: str, change: str, match: str) -> None:
    """A schema of a later release, or one that is not ours, is left alone."""
    await (await open_store(address, unsafe=True)).aclose()
    await ask(address, change)
    with pytest.raises(StoreForeign, match=match):
        await open_store(address, unsafe=True)


@pytest.mark.parametrize("index", sql.LATER_INDEXES)
async def test_a_database_of_before_is_given_what_it_lacks(address: str, index: str) -> None:
    """One without an index that was thought of later: whoever comes first makes it."""
    journal = await open_store(address, unsafe=True)
    head = await grow(journal, LOG, "1")
    await journal.aclose()
    await ask(address, f"DROP INDEX lastcard.{index}")
    async with pods(address, 3) as journals:
        for journal in journals:
            assert await journal.head(LOG) == head
    found = await ask(address, "SELECT indexname FROM pg_indexes WHERE schemaname = 'lastcard'")
    assert index in {name for (name,) in found}


async def test_a_pod_waits_for_one_that_makes_the_tables(address: str) -> None:
    """Longer than any other lock is waited for, as the index of a large table takes its time."""
    connection = await asyncpg.connect(address, server_settings=_SETTINGS)
    try:
        async with connection.transaction():
            await connection.execute(sql.LOCK_SCHEMA)
            assert await connection.fetchval("SHOW lock_timeout") == "3s"
            opening = asyncio.create_task(open_store(address, unsafe=True))
            await asyncio.sleep(3.5)
            assert not opening.done()
        await (await opening).aclose()
    finally:
        await connection.close()


@pytest.mark.parametrize(
    ("statement", "types", "values", "index"),
    [
        (sql.DUE, "bigint, bigint", "5, 10", "logs_by_due"),
        (sql.OPEN_FOR, "text[]", "'{key:1}'", "logs_by_owner"),
    ],
)
async def test_what_is_asked_every_second_looks_at_few_logs(
    address: str, statement: str, types: str, values: str, index: str
) -> None:
    """However many live: who is to act where and what is due are found by an index."""
    journal = await open_store(address, unsafe=True)
    logs = [f"match/{number}" for number in range(2_000)]
    appends = [
        append_to(log, None, "1")._replace(
            index=Index(number, (f"key:{number}",), live=True, label="")
        )
        for number, log in enumerate(logs)
    ]
    await journal.append(appends)
    assert [log for log, _ in await journal.due(5, 10)] == logs[:6]
    assert await journal.open_for(["key:1"]) == logs[1:2]
    await journal.aclose()
    connection = await asyncpg.connect(address, server_settings=_SETTINGS)
    try:
        await connection.execute("ANALYZE logs")
        await connection.execute(f"PREPARE asked ({types}) AS {statement}")
        plan = await connection.fetch(f"EXPLAIN EXECUTE asked ({values})")
    finally:
        await connection.close()
    assert any(f" {index} " in f"{line} " for (line,) in plan), plan


async def test_rows_that_were_changed_are_noticed(address: str) -> None:
    """What was changed behind the journal's back is not read as history."""
    async with pods(address, 1) as (journal,):
        head = await grow(journal, LOG, "1")
        await grow(journal, LOG, "2", "3")
        await ask(address, "UPDATE lastcard.entries SET body = 'x' WHERE version = 2")
        with pytest.raises(StoreCorrupt, match="entry 2 does not follow"):
            await journal.read(LOG)
        assert await journal.since({LOG: head}) == {LOG: None}
        await ask(address, "DELETE FROM lastcard.entries WHERE version >= 2")
        with pytest.raises(StoreCorrupt, match="entry 1 is the last one, where 3 belongs"):
            await journal.read(LOG)


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://me:{PASSWORD}@127.0.0.1:port/x",
        f"postgresql://me:{PASSWORD}@127.0.0.1:1/x",
        f"postgresql://me:{PASSWORD}/@127.0.0.1:1/x",
        f"postgresql://me:{PASSWORD}@[::1/x",
        f"postgresql://me:{PASSWORD}@127.0.0.1:1/x?sslmode=perhaps",
        f"postgresql://me:{PASSWORD}@127.0.0.1:1/x?sslmod=require",
        f"postgresql://me@/x?host=127.0.0.1&password=ge&{PASSWORD}=x",
        f"postgresql://me@/x?host=127.0.0.1&password=ge&{PASSWORD}",
        f"postgresql://me:ge?{PASSWORD}=x@127.0.0.1:1/x",
        f"postgresql://me:ge?sslmode={PASSWORD}@127.0.0.1:1/x",
        f"postgresql://me:ge@{PASSWORD}.invalid/x@127.0.0.1:1/x",
        f"postgresql://me:ge@{PASSWORD}.invalid@127.0.0.1:1/x",
        f"postgresql://me:ge@\uff0f{PASSWORD}@127.0.0.1:1/x",
        f"postgres://me:{PASSWORD}@127.0.0.1:1,127.0.0.1:2/x",
        f"postgresq://me:{PASSWORD}@127.0.0.1/x",
        f"me:{PASSWORD}@127.0.0.1/x",
    ],
)
async def test_no_message_shows_a_password(address: str) -> None:
    """However an address is wrong, what is said of it holds no password."""
    with pytest.raises((StoreAddressError, StoreUnavailable)) as caught:
        await open_store(address)
    error: BaseException | None = caught.value
    while error is not None:
        assert PASSWORD not in str(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
