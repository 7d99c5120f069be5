"""What becomes of the logs of a file whose links somebody has bent? They are no more than hints."""

import sqlite3
from pathlib import Path

import pytest

from lastcard_server.journal.port import StoreCorrupt
from lastcard_server.journal.sqlite import SqliteJournal, open_sqlite
from lastcard_server.journal.sqlite_file import connect
from tests.journal.logs import LOG, OVER, bodies, grow
from tests.journal.stores import spoil_file

OTHER = "match/bbbbbbbbbbbbbbbbbbbbbbbbbb"
THIRD = "number = 2 AND version = 3"
BENT = {
    "missing": f"UPDATE entries SET previous = NULL WHERE {THIRD}",
    "to nothing": f"UPDATE entries SET previous = 99 WHERE {THIRD}",
    "to itself": f"UPDATE entries SET previous = id WHERE {THIRD}",
    "forward": f"UPDATE entries SET previous = id + 2 WHERE {THIRD}",
    "into another log": f"UPDATE entries SET previous = previous - 1 WHERE {THIRD}",
    "no newest": "UPDATE logs SET entry = NULL WHERE number = 2",
    "newest of another log": "UPDATE logs SET entry = entry - 1 WHERE number = 2",
    "newest too old": "UPDATE logs SET entry = entry - 2 WHERE number = 2",
}


@pytest.fixture(params=BENT)
async def journal(request: pytest.FixtureRequest, tmp_path: Path) -> SqliteJournal:
    """Return a journal of two logs that were written in turns; a link of the second is bent."""
    journal = await open_sqlite(tmp_path / "journal.db")
    for body in ("1", "2", "3"):
        await grow(journal, OTHER, f"other {body}")
        await grow(journal, LOG, body)
    await grow(journal, OTHER, "other 4")
    await grow(journal, LOG, "4", index=OVER)
    await journal.aclose()
    await spoil_file(tmp_path, BENT[request.param])
    return await open_sqlite(tmp_path / "journal.db")


async def test_a_log_is_read_whole(journal: SqliteJournal) -> None:
    """From wherever it is read: entries that are all there are no damage."""
    for after in range(5):
        assert await bodies(journal, LOG, after) == ["1", "2", "3", "4"][after:]
    await grow(journal, LOG, "5")
    assert await bodies(journal, LOG, 1) == ["2", "3", "4", "5"]
    await journal.aclose()


async def test_links_in_a_circle_are_not_followed_for_ever(tmp_path: Path) -> None:
    """Though the log is said to have very many entries."""
    journal = await open_sqlite(tmp_path / "journal.db")
    await grow(journal, LOG, "1", "2", "3", index=OVER)
    await journal.aclose()
    await spoil_file(tmp_path, "UPDATE entries SET previous = 3 WHERE id = 1")
    await spoil_file(tmp_path, "UPDATE logs SET version = 1 << 60")
    journal = await open_sqlite(tmp_path / "journal.db")
    with pytest.raises(StoreCorrupt, match="entry 3 is the last one"):
        await journal.read(LOG)
    await journal.forget([LOG])
    await journal.aclose()


async def test_forgetting_a_log_takes_nothing_of_another(journal: SqliteJournal) -> None:
    """Wherever its links lead."""
    await journal.forget([LOG])
    assert await bodies(journal, LOG) == []
    assert await bodies(journal, OTHER) == ["other 1", "other 2", "other 3", "other 4"]
    await journal.aclose()


async def test_a_whole_file_is_searched_once_for_what_is_damaged(tmp_path: Path) -> None:
    """However often somebody asks for it: others wait for each search."""
    path = tmp_path / "journal.db"
    journal = await open_sqlite(path)
    await grow(journal, LOG, "1", "2")
    await grow(journal, OTHER, *map(str, range(5_000)))
    await journal.aclose()
    await spoil_file(tmp_path, "UPDATE entries SET body = 'x' WHERE number = 1 AND version = 1")
    steps = [0]

    def counting(path: Path) -> sqlite3.Connection:
        connection = connect(path)
        connection.set_progress_handler(lambda: steps.append(steps.pop() + 1), 100)
        return connection

    journal = await open_sqlite(path, connecting=counting)
    taken = []
    for _ in range(3):
        before = steps[0]
        with pytest.raises(StoreCorrupt, match="entry 1 does not follow"):
            await journal.read(LOG)
        taken.append(steps[0] - before)
    assert taken[0] > 100
    assert max(taken[1:]) < 10
    await journal.aclose()
