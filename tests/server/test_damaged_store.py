"""What does a server do whose store was damaged while it was away?"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lastcard_server.config import Config
from lastcard_server.journal.sqlite import open_sqlite
from lastcard_server.secrets import SERVER_KEYS
from lastcard_server.serving import Exit, serve
from tests.server.edge import running

OLD = Path(__file__).parents[1] / "golden/sqlite/1"
LIVE = "match/l3b46zbeozodip2x63ag7vyd2e"


@pytest.fixture
async def state(tmp_path: Path) -> Path:
    """Return a state directory with a journal in the tables of today."""
    folder = Path(shutil.copytree(OLD, tmp_path / "var"))
    (folder / SERVER_KEYS).chmod(0o600)
    await (await open_sqlite(folder / "journal.sqlite")).aclose()
    return folder


def spoil(state: Path, statement: str) -> None:
    """Change the journal behind everybody's back."""
    with closing(sqlite3.connect(state / "journal.sqlite", isolation_level=None)) as connection:
        connection.execute(statement)


async def test_a_log_that_servers_need_is_told_with_the_next_step(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which log is damaged, how to see what else is, and what helps."""
    config = Config(port=0, state_dir=state, store=f"sqlite:{state / 'journal.sqlite'}")
    spoil(
        state,
        "UPDATE entries SET body = 'x' WHERE number ="
        " (SELECT number FROM logs WHERE log = 'keys') AND version = 1",
    )
    assert await serve(config) is Exit.STORE
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("lastcard serve: keys in the journal ")
    assert "this log is damaged" in line
    assert "`lastcard journal check`" in line
    assert line.endswith("a copy of the journal has to be put back")


@pytest.mark.parametrize("value", ["version = 'abc'", "chain = 'abc'", "due_us = 'abc'"])
async def test_a_row_of_other_types_keeps_no_server_from_the_others(
    state: Path, value: str
) -> None:
    """It starts, serves, and stops again."""
    spoil(state, f"UPDATE logs SET {value} WHERE log = '{LIVE}'")
    async with running(state, store=f"sqlite:{state / 'journal.sqlite'}") as edge:
        assert not edge.server.broken.is_set()
