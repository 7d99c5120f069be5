"""Does `lastcard journal check` find what is not whole, say so, and mend what can be mended?"""

import asyncio
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from lastcard_engine.settings import Reactions
from lastcard_server.cli import main
from lastcard_server.fingerprint import keys_for
from lastcard_server.journal.memory import MemoryJournal
from lastcard_server.journal.port import Index
from lastcard_server.journal.sqlite import open_sqlite
from lastcard_server.journal.sqlite_file import open_file
from lastcard_server.journal_check import FAMILIES, check, difference
from lastcard_server.matches.registry import Matches
from lastcard_server.secrets import make_server_keys
from tests.journal.logs import grow
from tests.journal.stores import KINDS, spoil_database
from tests.matches.hall import FrailJournal, hall, play_on
from tests.matches.table import KEYS, ManualClock, setup_of
from tests.postgres import running_server

OLD = Path(__file__).parents[1] / "golden/sqlite/1"
LIVE = "match/l3b46zbeozodip2x63ag7vyd2e"  # two seats, one of a bot that has to act
OVER = "match/dnjyszsjpjhucz454nktkwv6t4"
WHOLE = """\
keys              1 logs: 1 live, 2 entries
server            0 logs: 0 live, 0 entries
contest/          2 logs: 1 live, 7 entries
group/            2 logs: 0 live, 4 entries
match/            9 logs: 3 live, 259 entries, 9 compared, 0 mended
quarantine/       0 logs: 0 live, 0 entries
outages           0 logs: 0 live, 0 entries
"""


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Return a state directory with a journal that a server left in the middle of matches."""
    folder = Path(shutil.copytree(OLD, tmp_path / "var"))
    (folder / "server.keys").chmod(0o600)
    return folder


def checked(state: Path, *options: str) -> Result:
    """Check the journal of a state directory."""
    keys = f"--server-keys={state / 'server.keys'}"
    return CliRunner().invoke(
        main, ["journal", "check", str(state / "journal.sqlite"), keys, *options]
    )


def spoil(state: Path, *statements: str) -> None:
    """Change a journal behind everybody's back."""
    with closing(sqlite3.connect(state / "journal.sqlite")) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_a_whole_journal(state: Path) -> None:
    """Counts, family by family, and code 0."""
    done = checked(state)
    assert (done.exit_code, done.stdout, done.stderr) == (0, WHOLE, "")


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("UPDATE entries SET body = 'x' WHERE version = 2", "entry 2 does not follow"),
        ("DELETE FROM entries WHERE version > 9", "entry 9 is the last one, where"),
        ("UPDATE logs SET chain = zeroblob(32)", "is the last one, where"),
    ],
)
def test_a_damaged_log_is_named(state: Path, fault: str, sentence: str) -> None:
    """The log and its first wrong entry are named, all others are checked, the code is 1."""
    word = "AND" if "WHERE" in fault else "WHERE"
    spoil(state, f"{fault} {word} number = (SELECT number FROM logs WHERE log = '{OVER}')")
    for options in ((), ("--rebuild",)):
        done = checked(state, *options)
        (line,) = done.stdout.splitlines()[: -len(FAMILIES)]
        assert line.startswith(f"{OVER}: damaged: ")
        assert line.count(OVER) == 1
        assert sentence in line
        assert "9 logs: 3 live" in done.stdout
        assert "1 not whole" in done.stdout
        assert (done.exit_code, done.stderr) == (1, "Error: 1 log is not whole\n")


@pytest.mark.parametrize(
    ("log", "change", "sentence"),
    [
        (LIVE, "due_us = due_us + 1000000000", "due_us is "),
        (LIVE, "due_us = NULL", "due_us is None, not "),
        (LIVE, "owners = 'house'", "owners are ['house'], not ['house', 'key:"),
        (LIVE, "live = 0, owners = '', due_us = NULL", "live is False, not True"),
        (LIVE, "label = 'key:x'", "label is 'key:x', not 'key:"),
        (OVER, "live = 1", "live is True, not False"),
    ],
)
def test_a_wrong_index_is_found_and_mended(
    state: Path, log: str, change: str, sentence: str
) -> None:
    """An index that says otherwise than the entries is named, and written anew if that is asked."""
    checked(state)  # carries the file to the tables of today
    spoil(state, f"UPDATE logs SET {change} WHERE log = '{log}'")
    done = checked(state)
    assert done.exit_code == 1
    assert done.stdout.startswith(f"{log}: index is wrong: {sentence}")
    done = checked(state, "--rebuild")
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{log}: index was wrong: {sentence}")
    assert "1 mended" in done.stdout
    assert checked(state).stdout == WHOLE


def test_without_the_keys_chains_are_proved(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the server's keys are not at hand indexes are not compared, which is said."""
    (state / "server.keys").unlink()
    monkeypatch.chdir(state.parent)
    done = CliRunner().invoke(main, ["journal", "check", "var/journal.sqlite"])
    assert done.exit_code == 0
    assert done.stderr == (
        "var/server.keys is not there: only chains are proved, indexes are not compared\n"
    )
    assert "9 logs: 3 live, 259 entries, 0 compared" in done.stdout


def test_keys_that_were_named_have_to_be_there(state: Path) -> None:
    """Else a misspelt name would make a check of half."""
    (state / "server.keys").unlink()
    done = checked(state)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"Error: there is no file {state / 'server.keys'} with server keys\n"


def test_entries_without_a_log_are_named(state: Path) -> None:
    """Where the row of a log is gone no list holds it; its entries tell."""
    checked(state)  # carries the file to the tables of today
    spoil(state, f"DELETE FROM logs WHERE log = '{OVER}'")
    for options in ((), ("--rebuild",)):
        done = checked(state, *options)
        assert done.exit_code == 1
        assert re.match(
            r"log number \d+: damaged: of it only entries are there \(\d+\), its row is gone\n",
            done.stdout,
        )
        assert "8 logs: 3 live" in done.stdout
        assert done.stderr == "Error: 1 log is not whole\n"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("entries SET previous = previous - 1 WHERE version = 9 AND", "the links between"),
        ("entries SET previous = 1 WHERE version = 1 AND", "the links between"),
        ("logs SET entry = NULL WHERE", "the links between"),
        ("logs SET created_us = 'abc' WHERE", "a value in its row is of another type"),
        ("logs SET label = CAST(label AS BLOB) WHERE", "a value in its row is of another type"),
    ],
)
@pytest.mark.parametrize("log", [LIVE, OVER, "keys"])
def test_what_no_reading_shows_is_found_and_mended(
    state: Path, log: str, change: str, sentence: str
) -> None:
    """Where entries are found by a search of the whole file, or a value is of another type."""
    checked(state)
    number = f"number = (SELECT number FROM logs WHERE log = '{log}')"
    if log == "keys":
        change = change.replace("= 9", "= 2")
    spoil(state, f"UPDATE {change} {number}")
    done = checked(state)
    assert done.exit_code == 1
    assert done.stdout.startswith(f"{log}: index is wrong: {sentence}")
    done = checked(state, "--rebuild")
    assert done.exit_code == 0, done.stdout
    assert done.stdout.startswith(f"{log}: index was wrong: {sentence}")
    whole = checked(state)
    assert (whole.exit_code, whole.stdout) == (0, WHOLE)


def test_a_journal_in_use_is_refused(state: Path) -> None:
    """A file that a server has open is not checked behind its back."""
    file = open_file(state / "journal.sqlite")
    done = checked(state)
    file.close()
    assert done.exit_code == 4
    assert "in use by another process" in done.stderr
    assert done.stderr.endswith('stop it first, or check a copy (sqlite3 FILE ".backup COPY")\n')


@pytest.mark.parametrize("noted", [False, True])
def test_other_keys_are_refused_in_one_sentence(state: Path, *, noted: bool) -> None:
    """Whether the journal knows its keys or tells by its matches, none of which is damaged."""
    keys, others = state / "server.keys", state / "others.keys"
    if noted:
        asyncio.run(note(state, keys))
    made, before = make_server_keys(others), (state / "journal.sqlite").read_bytes()
    done = CliRunner().invoke(
        main, ["journal", "check", str(state / "journal.sqlite"), f"--server-keys={others}"]
    )
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"Error: the server keys in {others} are not those that this store was")
    assert made.fingerprints()[0] not in line
    assert noted or (state / "journal.sqlite").read_bytes() == before, "it was migrated"


async def note(state: Path, keys: Path) -> None:
    """Give a journal the keys it was written with, as a server does when it starts."""
    journal = await open_sqlite(state / "journal.sqlite")
    await keys_for(journal, keys)
    await journal.aclose()


def test_keys_that_open_one_match_may_check_the_others(state: Path) -> None:
    """Keys of a journal without fingerprints are not refused for a key that one match lacks."""
    asyncio.run(begin_a_match(state))
    done = checked(state)
    assert done.exit_code == 1
    assert "10 logs" in done.stdout
    assert "another one than the match was created with" in done.stdout


async def begin_a_match(state: Path) -> None:
    """Have a match created by a server with other keys."""
    journal = await open_sqlite(state / "journal.sqlite")
    matches = Matches(journal, KEYS, ManualClock(), {})
    await matches.start()
    await matches.create("key:creator", "r", setup_of(2))
    await matches.aclose()
    await journal.aclose()


def test_damaged_fingerprints_say_nothing_of_the_keys(state: Path) -> None:
    """Their log is named like any other that is damaged."""
    asyncio.run(note(state, state / "server.keys"))
    spoil(
        state,
        'UPDATE entries SET body = \'{"fingerprint":"x"}\''
        " WHERE number = (SELECT number FROM logs WHERE log = 'server')",
    )
    done = checked(state)
    assert done.exit_code == 1
    assert done.stdout.startswith("server: damaged: ")
    assert "9 compared" in done.stdout


def test_keys_that_cannot_be_used_are_a_wrong_argument(state: Path) -> None:
    """A file that others may read, or that holds something else."""
    (state / "server.keys").chmod(0o644)
    done = checked(state)
    assert done.exit_code == 2
    assert "others may read" in done.stderr


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("PRAGMA application_id = 1", "a database of another program"),
        ("PRAGMA user_version = 99", "a later release has written it"),
    ],
)
def test_what_this_release_cannot_read_is_no_damage(state: Path, fault: str, sentence: str) -> None:
    """A program can tell by the code."""
    spoil(state, fault)
    done = checked(state)
    assert done.exit_code == 2
    assert sentence in done.stderr


def test_a_file_is_damaged_or_no_journal(state: Path) -> None:
    """Where pages are missing it is damaged; where its first bytes are others it is no journal."""
    file = state / "journal.sqlite"
    whole = file.read_bytes()
    for octets, code in ((whole[: len(whole) // 2], 1), (b"x" * 5_000, 2)):
        file.write_bytes(octets)
        done = checked(state)
        assert (done.exit_code, done.stdout) == (code, "")
        assert "damaged or no journal" in done.stderr


@pytest.mark.parametrize(
    ("store", "code", "sentence"),
    [
        ("none.db", 2, "there is no file none.db"),
        ("sqlite:none.db", 2, "there is no file none.db"),
        ("redis:x", 2, "no store is called 'redis'"),
    ],
)
def test_what_is_no_journal_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: str, code: int, sentence: str
) -> None:
    """Nothing is made where nothing was."""
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["journal", "check", store])
    assert done.exit_code == code
    assert sentence in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_is_no_whole_journal(tmp_path: Path) -> None:
    """A copy that was cut to nothing: said, and left as it is."""
    file = tmp_path / "cut.sqlite"
    file.touch()
    done = CliRunner().invoke(main, ["journal", "check", str(file)])
    assert done.exit_code == 2
    assert f"the file {file} is empty" in done.stderr
    assert not file.stat().st_size
    assert list(tmp_path.iterdir()) == [file]


def test_a_database_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address of a database will do as well; what was changed there is named."""
    monkeypatch.chdir(tmp_path)

    async def fill() -> str:
        journal = await KINDS["postgres"].open(tmp_path, None)
        await grow(journal, "contest/a", "1", "2")
        await grow(journal, "keys", "1")
        await journal.aclose()
        return await running_server().database(str(tmp_path))

    def checking() -> Result:
        return CliRunner().invoke(main, ["journal", "check", address])

    address = asyncio.run(fill())
    done = checking()
    assert done.exit_code == 0, done.stderr
    assert "contest/          1 logs: 1 live, 2 entries" in done.stdout
    asyncio.run(spoil_database(tmp_path, "DELETE FROM entries WHERE version = 2"))
    done = checking()
    assert done.exit_code == 1
    assert done.stdout.startswith("contest/a: damaged: ")
    asyncio.run(spoil_database(tmp_path, "DELETE FROM logs WHERE log = 'keys'"))
    assert "damaged: of it only entries are there (1), its row is gone\n" in checking().stdout
    asyncio.run(spoil_database(tmp_path, "DROP TABLE lastcard.snapshots"))
    assert checking().exit_code == 1
    asyncio.run(spoil_database(tmp_path, "UPDATE lastcard.release SET schema = 99"))
    assert checking().exit_code == 2
    address = running_server().address("nowhere")
    assert checking().exit_code == 4


@pytest.mark.parametrize("reactions", Reactions)
async def test_indexes_follow_from_the_entries_at_any_moment(reactions: Reactions) -> None:
    """While matches are played, each index is what a fold of the entries so far gives."""
    clock, dice = ManualClock(), Random(5)
    journal = FrailJournal(clock)
    compared = live = 0
    async with hall(journal, clock) as matches:
        made = [
            await matches.create(
                "key:creator", f"r{n}", setup_of(n + 2, reactions=reactions, open_seats=n % 2)
            )
            for n in range(4)
        ]
        for _ in range(12):
            full = [match.match_id for match in made if all(s.taken for s in match.seats)]
            await play_on(matches, full, clock, dice, rounds=20)
            async for finding in check(journal, KEYS):
                assert not finding.damage
                assert not finding.stale
                compared += finding.compared
                live += finding.live
    assert compared == 48
    assert 12 < live < 48


def test_an_address_may_come_from_the_environment(state: Path) -> None:
    """So a password in it is in no list of processes."""
    keys = f"--server-keys={state / 'server.keys'}"
    environment = {"LASTCARD_STORE": f"sqlite:{state / 'journal.sqlite'}"}
    done = CliRunner(env=environment).invoke(main, ["journal", "check", keys])
    assert done.exit_code == 0, done.stderr
    assert done.stdout == WHOLE


async def test_what_stands_beside_matches_is_checked() -> None:
    """Outages and what is said of broken matches are logs like all others."""
    journal = MemoryJournal()
    for log in ("outages", "quarantine/a"):
        await grow(journal, log, "1")
    assert {finding.log async for finding in check(journal, None)} == {"outages", "quarantine/a"}


def test_a_match_may_be_due_too_early_not_too_late() -> None:
    """An index is kept coarse on purpose: an earlier time only makes somebody look."""
    right = Index(10, ("key:a",), live=True, label="", revision=1)
    assert difference(right._replace(due_us=9), right) == ""
    assert difference(right._replace(due_us=11), right) == "due_us is 11, not 10 or before"
    assert difference(right._replace(revision=2), right) == "revision is 2, not 1"
