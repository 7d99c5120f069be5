"""What happens when the disk is slow, full or gone? Nothing half-written, and on it goes after."""

import asyncio
import resource
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from lastcard_server.journal.entry import genesis, verify_chain
from lastcard_server.journal.port import Snapshot, StoreUnavailable
from lastcard_server.journal.sqlite import SqliteJournal, open_sqlite
from lastcard_server.journal.sqlite_file import connect
from tests.journal.logs import LOG, append_to, bodies, grow

ROOT = Path(__file__).parents[2]
BIG = "x" * 50_000


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[SqliteJournal]:
    """Return a journal in a file."""
    store = await open_sqlite(tmp_path / "journal.db")
    yield store
    await store.aclose()


@contextmanager
def held(journal: SqliteJournal) -> Iterator[None]:
    """Keep another program's write lock on the file, so that the writing thread has to wait."""
    with closing(connect(journal._file.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("COMMIT")


async def pending(journal: SqliteJournal, count: int) -> list[asyncio.Task[object]]:
    """Start appends to as many logs and let them queue up."""
    appends = [[append_to(f"match/{n}", None, "1")] for n in range(count)]
    tasks = [asyncio.create_task(journal.append(append)) for append in appends]
    await asyncio.sleep(0.01)
    return list(tasks)


async def test_every_commit_reaches_the_disk(journal: SqliteJournal) -> None:
    """The file is synced at each commit; less would lose entries when the power is cut."""
    settings = [
        journal._file.writer.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous")
    ]
    assert settings == ["wal", 2]  # 2 = FULL


async def test_nothing_is_visible_before_it_is_durable(journal: SqliteJournal) -> None:
    """While the disk is slow, reads go on and show nothing of what is being written."""
    head = await grow(journal, LOG, "1")
    with held(journal):
        append = append_to(LOG, head, "2", index=append_to(LOG, head).index._replace(due_us=1))
        writing = asyncio.create_task(journal.append([append]))
        await asyncio.sleep(0.01)
        assert await journal.head(LOG) == head
        assert await bodies(journal, LOG) == ["1"]
        assert await journal.due(99, 9) == []
        assert len(await journal.logs("match/")) == 1
        assert not writing.done()
    assert await writing == [None]
    assert await bodies(journal, LOG) == ["1", "2"]
    assert [due.log for due in await journal.due(99, 9)] == [LOG]


async def test_what_is_pending_shares_a_commit(journal: SqliteJournal) -> None:
    """However many appends come while a group is being written, the next commit takes them all."""
    statements: list[str] = []
    journal._file.writer.set_trace_callback(statements.append)
    with held(journal):
        first = await pending(journal, 1)
        appends = [journal.append([append_to(f"late/{n}", None, "1")]) for n in range(100)]
        late = asyncio.gather(*appends)
        await asyncio.sleep(0.01)
    await asyncio.gather(*first)
    assert await late == [[None]] * 100
    assert statements.count("COMMIT") == 2


async def test_a_cancelled_caller_disturbs_nobody(journal: SqliteJournal) -> None:
    """A caller who gives up while the disk is slow leaves its group and the store intact."""
    with held(journal):
        tasks = await pending(journal, 3)
        tasks[1].cancel()
        await asyncio.sleep(0)
    assert await tasks[0] == await tasks[2] == [None]
    with pytest.raises(asyncio.CancelledError):
        await tasks[1]
    assert await bodies(journal, "match/1") == ["1"]
    await grow(journal, "match/1", "2")


async def test_closing_waits_for_what_was_begun(tmp_path: Path) -> None:
    """Appends that were accepted before the end are written and acknowledged."""
    journal = await open_sqlite(tmp_path / "journal.db")
    with held(journal):
        tasks = await pending(journal, 5)
        later = asyncio.create_task(journal.append([append_to("match/later", None, "1")]))
        await asyncio.sleep(0.01)
        ending = asyncio.create_task(journal.aclose())
        await asyncio.sleep(0.01)
        with pytest.raises(StoreUnavailable, match="closed"):
            await journal.append([append_to(LOG, None, "1")])
    await ending
    assert await asyncio.gather(*tasks, later) == [[None]] * 6
    journal = await open_sqlite(tmp_path / "journal.db")
    assert len(await journal.logs("match/", live=True)) == 6
    await journal.aclose()


@pytest.mark.parametrize(
    ("fault", "mend", "sentence"),
    [
        ("PRAGMA max_page_count = 1", "PRAGMA max_page_count = 100000", "the disk is full"),
        ("PRAGMA query_only = ON", "PRAGMA query_only = OFF", "it may not be written"),
    ],
)
async def test_a_store_that_cannot_write(
    journal: SqliteJournal, fault: str, mend: str, sentence: str
) -> None:
    """A write that fails changes nothing, reads go on, and when the cause is gone writes do too."""
    head = await grow(journal, LOG, "1")
    journal._file.writer.execute(fault)
    both = [append_to("keys", None, BIG), append_to(LOG, head, BIG)]
    neighbour = journal.append([append_to("match/n", None, "1")])
    results = await asyncio.gather(journal.append(both), neighbour, return_exceptions=True)
    assert [type(result) for result in results] == [StoreUnavailable] * 2
    assert str(results[0]) == f"the journal {journal._file.path} cannot be used: {sentence}"
    with pytest.raises(StoreUnavailable, match=sentence):
        await journal.save_snapshot(LOG, Snapshot(1, 1, BIG.encode()))
    assert await journal.snapshot(LOG) is None
    assert await journal.head(LOG) == head
    assert await journal.head("keys") == genesis("keys")
    assert await bodies(journal, LOG) == ["1"]
    assert await journal.logs("keys") == []

    journal._file.writer.execute(mend)
    assert await journal.append(both) == [None, None]
    entries = await journal.read(LOG)
    assert verify_chain(genesis(LOG), entries) == await journal.head(LOG)


FILL = """
import asyncio, resource, sys
from pathlib import Path
from lastcard_server.journal.port import StoreUnavailable
from lastcard_server.journal.sqlite import open_sqlite
from tests.journal.logs import append_to, grow
async def main():
    journal = await open_sqlite(Path(sys.argv[1]))
    await grow(journal, "match/a", "1")
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
    written = refused = 0
    for n in range(40):
        try:
            await grow(journal, "match/a", "x" * 50_000)
            written += 1
        except StoreUnavailable:
            refused += 1
    head = (await journal.head("match/a")).version
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await grow(journal, "match/a", "last")
    print(written, refused, head, (await journal.head("match/a")).version)
    await journal.aclose()
asyncio.run(main())
"""


def test_the_system_refuses_to_write(tmp_path: Path) -> None:
    """Where the system itself lets the file grow no more, what was acknowledged is all there is."""
    path = tmp_path / "journal.db"
    command = [sys.executable, "-c", FILL, str(path)]
    child = subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=True, cwd=ROOT
    )
    written, refused, head, last = map(int, child.stdout.split())
    assert written >= 1
    assert refused >= 1
    assert head == 1 + written
    assert last == head + 1

    async def read() -> None:
        journal = await open_sqlite(path)
        assert verify_chain(genesis("match/a"), await journal.read("match/a")).version == last
        await journal.aclose()

    asyncio.run(read())


def test_a_full_disk_at_the_start(tmp_path: Path) -> None:
    """A store that cannot be written says so when it is opened."""

    def no_space() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))

    code = (
        "import asyncio, sys; from lastcard_server.journal.open_store import open_store\n"
        "try: asyncio.run(open_store(sys.argv[1]))\n"
        "except Exception as e: print(type(e).__name__, e)"
    )
    command = [sys.executable, "-B", "-c", code, f"sqlite:{tmp_path}/j.db"]
    child = subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=True, preexec_fn=no_space
    )
    assert child.stdout.startswith("StoreUnavailable the journal ")
    assert child.stdout.count("\n") == 1
