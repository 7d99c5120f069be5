"""Is a journal file ours alone, refused when it is not one, and the same after it was closed?"""

# ruff: noqa: ASYNC220, ASYNC221, ASYNC240 - a test may block its own loop

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from lastcard_server.journal.open_store import StoreAddressError, open_store
from lastcard_server.journal.port import (
    Due,
    Index,
    Snapshot,
    StoreCorrupt,
    StoreError,
    StoreForeign,
    StoreInUse,
    StoreUnavailable,
)
from lastcard_server.journal.sqlite import open_sqlite
from tests.faults.disk import Disk
from tests.faults.watched import Vfs, Watch, connector
from tests.journal.logs import LIVE, LOG, OVER, append_to, bodies, grow, heads

OPEN = """
import asyncio, sys
from lastcard_server.journal.open_store import open_store
from lastcard_server.journal.port import StoreError
async def main():
    try:
        journal = await open_store(sys.argv[1])
    except StoreError as error:
        sys.exit(f"{type(error).__name__}: {error}")
    print("open", flush=True)
    sys.stdin.read()
    await journal.aclose()
asyncio.run(main())
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a journal that does not exist yet."""
    return tmp_path / "journal.db"


def children(path: Path) -> list[str]:
    """Return the command of a process that opens a journal and holds it until its input ends."""
    return [sys.executable, "-c", OPEN, f"sqlite:{path}"]


async def test_everything_is_there_after_reopening(path: Path) -> None:
    """Entries, heads, deadlines, owners, lists and snapshots outlive the process."""
    journal = await open_store(f"sqlite:{path}")
    index = Index(77, ("key:a", "house"), live=True, label="key:creator")
    head = await grow(journal, LOG, "1", "2", index=index)
    await grow(journal, "match/over", "end", index=OVER)
    await journal.save_snapshot(LOG, Snapshot(1, 3, b"state"))
    await journal.heartbeat("pod")
    beats, listed = await journal.heartbeats(), await journal.logs("match/")
    await journal.aclose()

    journal = await open_store(f"sqlite:{path}")
    assert await journal.head(LOG) == head
    assert await bodies(journal, LOG) == ["1", "2"]
    assert await journal.due(77, 9) == [Due(LOG, 77)]
    assert await journal.open_for(["key:a"]) == await journal.open_for(["house"]) == [LOG]
    assert await journal.logs("match/") == listed
    assert await journal.snapshot(LOG) == Snapshot(1, 3, b"state")
    assert await journal.heartbeats() == beats
    assert heads(await journal.append([append_to(LOG, None, "late")])) == [head]
    await grow(journal, "match/new", "1")
    numbers = [listed.number for listed in await journal.logs("match/")]
    assert numbers == sorted(set(numbers), reverse=True)
    await journal.aclose()


async def test_finished_logs_leave_memory(path: Path) -> None:
    """The file keeps a log that is over; memory does not, neither then nor after reopening."""
    journal = await open_sqlite(path)
    await grow(journal, LOG, "1")
    await grow(journal, "match/over", "1")
    await grow(journal, "match/over", "2", index=OVER)
    assert list(journal._rows) == [LOG]
    await journal.aclose()
    journal = await open_sqlite(path)
    assert list(journal._rows) == [LOG]
    assert await bodies(journal, "match/over") == ["1", "2"]
    await journal.aclose()


async def test_the_clock_goes_on_after_a_set_back(path: Path) -> None:
    """Where the wall clock was set back, a reopened store goes on from its last sign of life."""
    ahead = 4_000_000_000_000_000  # in the year 2096
    journal = await open_store(f"sqlite:{path}", lambda: ahead)
    await journal.heartbeat("pod")
    await journal.aclose()
    journal = await open_store(f"sqlite:{path}")
    assert ahead <= journal.now_us() < ahead + 60_000_000
    await journal.aclose()


async def test_a_closed_journal_is_one_file(path: Path) -> None:
    """After a clean end nothing waits in side files, and the file belongs to its owner alone."""
    journal = await open_store(f"sqlite:{path}")
    await grow(journal, LOG, "1")
    modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert set(modes.values()) == {0o600}
    await journal.aclose()
    names = {file.name for file in path.parent.iterdir()}
    assert names == {"journal.db", "journal.db-lock"}


async def test_a_second_process_is_refused(path: Path) -> None:
    """Another process, or the same a second time, gets one sentence with the holder's number."""
    journal = await open_store(f"sqlite:{path}")
    child = subprocess.run(children(path), capture_output=True, text=True, input="", check=False)
    assert child.returncode == 1
    assert child.stdout == ""
    assert child.stderr == (
        f"StoreInUse: the journal {path} is in use by another process (pid {os.getpid()}):"
        " stop it first\n"
    )
    with pytest.raises(StoreInUse, match=f"pid {os.getpid()}"):
        await open_store(f"sqlite:{path}")
    await grow(journal, LOG, "1")
    await journal.aclose()
    child = subprocess.run(children(path), capture_output=True, text=True, input="", check=False)
    assert (child.returncode, child.stdout) == (0, "open\n")


async def test_another_name_is_no_way_around_the_lock(path: Path) -> None:
    """A symbolic link to the file or its folder is the file; a hard link is refused."""
    (path.parent / "folder").symlink_to(path.parent)
    (path.parent / "link.db").symlink_to(path)
    journal = await open_store(f"sqlite:{path.parent / 'link.db'}")
    for other in (path, path.parent / "link.db", path.parent / "folder" / path.name):
        with pytest.raises(StoreInUse, match=f"pid {os.getpid()}"):
            await open_store(f"sqlite:{other}")
    hard = path.parent / "hard.db"
    hard.hardlink_to(path)
    await refused(hard, StoreUnavailable, "more than one name")
    await journal.aclose()
    await refused(path, StoreUnavailable, "more than one name")
    hard.unlink()
    await (await open_store(f"sqlite:{path}")).aclose()


@pytest.mark.parametrize("hard", [False, True])
async def test_a_new_name_is_no_way_around_the_lock(path: Path, *, hard: bool) -> None:
    """
    A file renamed under its holder, by `mv` or by links, is held by it still.

    Nothing is acknowledged meanwhile, as SQLite writes to side files of the old name; once the file
    is back, all goes on.
    """
    journal = await open_store(f"sqlite:{path}")
    await grow(journal, LOG, "1")
    moved = path.with_name("moved.db")
    if hard:
        moved.hardlink_to(path)
        path.unlink()
    else:
        path.rename(moved)
    (path.parent / "link.db").symlink_to(moved)
    for name in (moved, path.parent / "link.db"):
        second = subprocess.run(
            children(name), capture_output=True, text=True, input="", check=False
        )
        assert (second.returncode, second.stdout) == (1, "")
        assert second.stderr == (
            f"StoreInUse: the journal {moved} is in use by another process,"
            " which opened it by another name: stop it first\n"
        )
    with pytest.raises(StoreInUse, match=f"pid {os.getpid()}"):  # nor is a new file made there
        await open_store(f"sqlite:{path}")
    assert not path.exists()
    with pytest.raises(StoreUnavailable, match="was moved or deleted while in use: bring it back"):
        await journal.append([append_to(LOG, await journal.head(LOG), "lost")])
    moved.rename(path)
    await journal.append([append_to(LOG, await journal.head(LOG), "2")])
    await journal.aclose()
    journal = await open_store(f"sqlite:{path}")
    assert await bodies(journal, LOG) == ["1", "2"]
    await journal.aclose()


async def test_a_file_in_its_place_gets_nothing(path: Path) -> None:
    """Neither a copy that was laid over the journal nor no file at all is taken for it."""
    journal = await open_store(f"sqlite:{path}")
    await grow(journal, LOG, "1")
    copy = path.with_name("copy.db")
    copy.write_bytes(path.read_bytes())
    path.rename(path.with_name("aside.db"))
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match="was moved or deleted"):
            await journal.append([append_to(LOG, await journal.head(LOG), "lost")])
        if copy.exists():
            copy.rename(path)
    await journal.aclose()


async def test_a_killed_holder_leaves_no_lock(path: Path) -> None:
    """However its holder ended, the next process can open the file at once."""
    with subprocess.Popen(
        children(path), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "open\n"
        with pytest.raises(StoreInUse, match=f"pid {child.pid}"):
            await open_store(f"sqlite:{path}")
        child.kill()
        child.wait()
        journal = await open_store(f"sqlite:{path}")
        await journal.aclose()


@pytest.mark.parametrize("url", ["", "memory:", "redis:x", "journal.db"])
async def test_an_unknown_address_is_refused(url: str) -> None:
    """An address that names no store is refused and the right forms are named."""
    with pytest.raises(StoreAddressError, match="write memory, sqlite:FILE or postgresql:"):
        await open_store(url)


@pytest.mark.parametrize("url", ["sqlite", "sqlite:", "sqlite:/", "sqlite://", "sqlite:.."])
async def test_an_address_without_a_file_is_refused(url: str) -> None:
    """What names a kind of store and no file in it is told what is missing."""
    with pytest.raises((StoreAddressError, StoreUnavailable), match=r"sqlite:FILE|is a directory"):
        await open_store(url)


async def test_a_relative_file_after_the_slashes_of_a_url_is_refused() -> None:
    """It would else be one in the topmost folder of the machine."""
    with pytest.raises(StoreAddressError, match=r"write sqlite:var/journal\.db$"):
        await open_store("sqlite://var/journal.db")


async def refused(path: Path, kind: type[StoreError], match: str) -> None:
    """Open a journal and expect one sentence; what is there must not change."""
    before = path.read_bytes() if path.is_file() else None
    for _ in range(2):  # the first refusal must leave no lock behind
        with pytest.raises(kind, match=match) as caught:
            await open_store(f"sqlite:{path}")
        assert "\n" not in str(caught.value)
        assert str(path) in str(caught.value)
    assert (path.read_bytes() if path.is_file() else None) == before


async def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    """A folder that does not exist is not made."""
    await refused(tmp_path / "none" / "j.db", StoreUnavailable, "its folder does not exist")
    assert not (tmp_path / "none").exists()


async def test_a_folder_is_refused(tmp_path: Path) -> None:
    """A folder is no journal, and nothing is left beside it."""
    (tmp_path / "j.db").mkdir()
    await refused(tmp_path / "j.db", StoreUnavailable, "is a directory")
    assert [found.name for found in tmp_path.iterdir()] == ["j.db"]


async def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    """Any other file is refused and unchanged, and nothing is left beside it."""
    path.write_text("shopping list\n" * 100)
    await refused(path, StoreForeign, "damaged or no journal")
    assert list(path.parent.iterdir()) == [path]


async def test_a_database_of_another_program_is_refused(path: Path) -> None:
    """A database that is not a journal is refused and unchanged."""
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE entries (x)")
    connection.close()
    await refused(path, StoreForeign, "another program")


async def test_a_later_schema_is_refused(path: Path) -> None:
    """A journal that a later release has written is refused and unchanged."""
    await (await open_store(f"sqlite:{path}")).aclose()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    await refused(path, StoreForeign, "has schema 99, this release reads schemas 1 to 3: a later")


async def test_a_row_of_a_stranger_is_no_silent_overwrite(path: Path) -> None:
    """Where the file already has the entry that memory does not know, the append is refused."""
    journal = await open_store(f"sqlite:{path}")
    head = await grow(journal, LOG, "1")
    stranger = sqlite3.connect(path)
    stranger.execute(
        "INSERT INTO entries SELECT NULL, number, 2, 'x', 0, 0, '', '', x'', NULL, entry FROM logs"
    )
    stranger.commit()
    stranger.close()
    with pytest.raises(StoreCorrupt, match="damaged"):
        await journal.append([append_to(LOG, head, "2")])
    assert await journal.head(LOG) == head
    await journal.aclose()


class Unnamed(Vfs):
    """Counts the files that SQLite opens for itself, somewhere outside the folder."""

    def __init__(self, watch: Watch) -> None:
        super().__init__(watch)
        self.opened = 0

    def xOpen(self, name: apsw.URIFilename | str | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        """Open a file."""
        self.opened += name is None
        return super().xOpen(name, flags)


async def test_nothing_is_copied_to_temporary_files(tmp_path: Path, path: Path) -> None:
    """However much a group changes or a log holds; a journal's own files alone have it."""
    vfs = Unnamed(Disk(tmp_path))
    journal = await open_sqlite(path, connecting=connector(vfs))
    wide = LIVE._replace(label="x" * 4_000)
    logs = [f"match/{number}" for number in range(64)]
    for body in ("1", "2"):
        heads_now = [await journal.head(log) for log in logs]
        appends = [append_to(*one, body, index=wide) for one in zip(logs, heads_now, strict=True)]
        assert await journal.append(appends) == [None] * len(logs)
    await grow(journal, LOG, *["x" * 4_000] * 1_000)
    assert len(await journal.read(LOG)) == 1_000
    await journal.aclose()
    vfs.unregister()
    assert vfs.opened == 0
