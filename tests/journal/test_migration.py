"""
Is a journal file of an earlier release carried along, whole or not at all?

tests/golden/sqlite/N was written by the release that had schema N, the server stopped in the middle
of a contest: matches that were played, cancelled, not begun and waiting for the holder of
`bot.key`, two contests, and keys. These files are never written anew.
"""

import asyncio
import hashlib
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from lastcard_server.journal.entry import Entry, genesis, verify_chain
from lastcard_server.journal.port import Beat, Due, Index
from lastcard_server.journal.sqlite import SqliteJournal, open_sqlite
from lastcard_server.journal.sqlite_file import open_file
from lastcard_server.journal.sqlite_schema import SCHEMA, STEPS
from tests.faults.disk import Disk
from tests.faults.watched import Vfs, connector
from tests.journal.logs import LOG, grow

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests/golden/sqlite"
OLD = sorted(GOLDEN.glob("*/journal.sqlite"))
AFTER_ALL_US = 1 << 62

# Of each step, written when it was; a step that a release has brought stays as it is.
WRITTEN = {
    1: "e07a0b5b6e30bee0",
    2: "4cf5ed32fa014ef0",
    3: "8e6aad43a514941d",
}


def digest(step: str) -> str:
    """Return what tells one step from another, whatever its lines look like."""
    return hashlib.sha256(" ".join(step.split()).encode()).hexdigest()[:16]


def test_no_step_was_edited() -> None:
    """Other tables are a further step with a number of its own; what was released stays."""
    assert {number: digest(step) for number, step in enumerate(STEPS, 1)} == WRITTEN


def test_each_earlier_schema_has_a_file() -> None:
    """A file of each schema before this one is kept, so that none goes untested."""
    assert [int(path.parent.name) for path in OLD] == list(range(1, SCHEMA))


@pytest.fixture(params=OLD, ids=lambda path: f"schema {path.parent.name}")
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a copy of each old file."""
    return Path(shutil.copy(request.param, tmp_path / "journal.sqlite"))


class Before:
    """What an old file says, read without our code."""

    def __init__(self, path: Path) -> None:
        with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            self.logs = connection.execute("SELECT * FROM logs ORDER BY number").fetchall()
            rows = connection.execute("SELECT * FROM entries ORDER BY version").fetchall()
            beats = connection.execute("SELECT * FROM heartbeats").fetchall()
            self.schema: int = connection.execute("PRAGMA user_version").fetchone()[0]
        self.beats = {beat["pod"]: beat["time_us"] for beat in beats}
        self.entries = {
            log["log"]: [Entry(*list(row)[1:]) for row in rows if row["number"] == log["number"]]
            for log in self.logs
        }

    def index(self, log: sqlite3.Row) -> Index:
        """Return the index that a log has to have now."""
        owners = tuple(log["owners"].split("\n")) if log["owners"] else ()
        revision = int(bool(log["live"]) and log["family"] == "match/")
        return Index(log["due_us"], owners, bool(log["live"]), log["label"], revision)

    def of_family(self, family: str) -> Iterator[str]:
        """Yield the logs of a family, the oldest first."""
        return (log["log"] for log in self.logs if log["family"] == family)


async def agree(journal: SqliteJournal, before: Before) -> None:
    """Compare everything a store can be asked with what the old file said."""
    assert sum(map(len, before.entries.values())) > 100
    for log, entries in before.entries.items():
        assert await journal.read(log) == entries
        assert verify_chain(genesis(log), entries) == await journal.head(log)
    indexes = {log["log"]: before.index(log) for log in before.logs}
    assert await journal.indexes(indexes) == indexes
    assert await journal.lowest_revision() == 1
    for family in ("match/", "contest/", "group/", "keys"):
        listed = await journal.logs(family)
        assert [found.log for found in reversed(listed)] == list(before.of_family(family))
        ended = {log: before.entries[log][-1].time_us for log in before.of_family(family)}
        over = [log for log in ended if not indexes[log].live]
        assert await journal.ended(family, AFTER_ALL_US, 99) == sorted(over, key=ended.__getitem__)
    due = sorted((index.due_us, log) for log, index in indexes.items() if index.due_us)
    assert await journal.due(AFTER_ALL_US, 99) == [Due(log, us) for us, log in due]
    owners = {owner for index in indexes.values() for owner in index.owners}
    assert owners
    for owner in owners:
        owed = [log for log, index in indexes.items() if owner in index.owners]
        assert await journal.open_for([owner]) == owed
    beats = {pod: Beat(time_us) for pod, time_us in before.beats.items()}
    assert beats
    assert await journal.heartbeats() == beats


async def test_an_old_file_says_what_it_said(old: Path) -> None:
    """Every entry, index and list is as it was; what is new follows from the entries; it grows."""
    before = Before(old)
    for _ in range(2):
        journal = await open_sqlite(old)
        await agree(journal, before)
        await journal.aclose()
    journal = await open_sqlite(old)
    await grow(journal, LOG, "1")
    live = next(log["log"] for log in before.logs if log["live"])
    await grow(journal, live, "2")
    await journal.aclose()


async def test_every_entry_is_linked(old: Path) -> None:
    """Old entries and new ones are found by their links, without a search of the whole file."""
    before = Before(old)
    journal = await open_sqlite(old)
    for log in before.of_family("match/"):
        await grow(journal, log, "1", "2")
    await journal.aclose()
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("UPDATE entries SET number = 0")
        connection.commit()
    journal = await open_sqlite(old)
    for log, entries in before.entries.items():
        found = await journal.read(log)
        assert found[: len(entries)] == entries
        assert verify_chain(genesis(log), found) == await journal.head(log)
        assert await journal.read(log, len(entries) - 1) == found[len(entries) - 1 :]
    await journal.aclose()


def tables_of(path: Path) -> list[Any]:
    """Return schema number, application and every table and index as SQLite knows them."""
    with closing(sqlite3.connect(path)) as connection:
        pragmas = [
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("user_version", "application_id")
        ]
        query = "SELECT type, name, sql FROM sqlite_master ORDER BY name"
        return [*pragmas, *connection.execute(query)]


async def test_an_old_file_has_the_tables_of_a_new_one(old: Path, tmp_path: Path) -> None:
    """Whichever release made a file, its tables are the same to the letter."""
    (tmp_path / "new").mkdir()
    new = tmp_path / "new/journal.sqlite"
    for path in (old, new):
        await (await open_sqlite(path)).aclose()
    assert tables_of(old) == tables_of(new)


async def test_what_an_old_file_costs(
    old: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is said that it is carried along; no memory for its size, no room after that; and once."""
    with closing(sqlite3.connect(old)) as connection:
        connection.execute(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 4000)"
            "INSERT INTO entries SELECT 1000000, n, '', 0, 0, printf('%4000d', n), '', x'', NULL"
            " FROM n"
        )
        connection.commit()
    vfs = Vfs(Disk(tmp_path))
    connecting = connector(vfs)

    def wiping(path: Path) -> sqlite3.Connection:
        connection = connecting(path)
        connection.execute("PRAGMA secure_delete = ON")
        return connection

    for opened in range(2):
        apsw.memory_high_water(reset=True)
        before = apsw.memory_used()
        file = open_file(old, wiping)
        assert apsw.memory_high_water() - before < 8_000_000
        side_file = old.with_name(f"{old.name}-wal")
        assert side_file.stat().st_size < 1_000_000
        file.close()
        said = [record.message for record in caplog.records if "is brought from" in record.message]
        assert len(said) == 1, opened
    vfs.unregister()


# Opens a copy of a file again and again, each time killed at a later statement, until one is not.
KILLED = """
import os, shutil, signal, sys
from pathlib import Path
from lastcard_server.journal.sqlite_file import connect, open_file
def count_down(path):
    connection = connect(path)
    def traced(statement):
        global left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
    connection.set_trace_callback(traced)
    return connection
statement, code = 0, -1
while code:
    statement += 1
    copy = Path(sys.argv[2]) / str(statement)
    shutil.copy(sys.argv[1], copy)
    if not (child := os.fork()):
        left = statement
        open_file(copy, count_down)
        os._exit(0)
    code = os.waitpid(child, 0)[1]
"""


def test_a_kill_in_the_middle_leaves_either(old: Path, tmp_path: Path) -> None:
    """Killed at any statement of its opening, a file is of the old schema or of the new one."""
    before = Before(old)
    copies = tmp_path / "copies"
    copies.mkdir()
    subprocess.run([sys.executable, "-c", KILLED, old, copies], check=True, timeout=60, cwd=ROOT)
    schemas = []
    for number in range(1, len(list(copies.glob("*-lock"))) + 1):
        copy = copies / str(number)
        with closing(sqlite3.connect(copy)) as connection:
            schemas += connection.execute("PRAGMA user_version").fetchone()

        async def check(path: Path = copy) -> None:
            journal = await open_sqlite(path)
            await agree(journal, before)
            await journal.aclose()

        asyncio.run(check())
    assert {*schemas} == {before.schema, SCHEMA}
    assert schemas == sorted(schemas)
    assert schemas.count(before.schema) > STEPS[before.schema].count(";")
