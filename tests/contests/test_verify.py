"""Does `lastcard verify` read records and ledgers, and notice whatever is wrong?"""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import lastcard_engine as engine
from lastcard_engine.record import Record, write_record
from lastcard_server.commands import replay, verify
from lastcard_server.contests.ledger import Game, chained, genesis, line
from tests.contests.records import NAMES, a_game, a_record, write


def write_ledger(folder: Path, games: list[Game]) -> Path:
    """Write a ledger whose chain hashes are right."""
    chain, lines = genesis("c"), []
    for game in games:
        chain = chained(chain, game)
        lines.append(line(game, chain))
    path = folder / "ledger.jsonl"
    path.write_text("".join(f"{text}\n" for text in lines))
    return path


def run_verify(*arguments: object) -> Result:
    """Run `lastcard verify`."""
    return CliRunner().invoke(verify.command, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def record() -> Record:
    """Return a record that is right."""
    return a_record()


def test_a_right_record_is_accepted(record: Record, tmp_path: Path) -> None:
    """What the engine has played is right, with and without its ledger."""
    path = write(tmp_path, record)
    assert run_verify(path).exit_code == 0
    ledger = write_ledger(tmp_path, [a_game(record)])
    result = run_verify(path, "--ledger", ledger)
    assert (result.exit_code, result.output) == (0, "1 record, 1 game in the ledger: all right\n")


def test_every_changed_card_is_noticed_at_its_entry(record: Record, tmp_path: Path) -> None:
    """
    A play of another card is refused, wherever it stands, and the entry that is named is wrong.

    The named entry is the changed one, or a later one where the changed play was possible too.
    """
    text = write_record(record)
    plays = list(re.finditer(r'"action": "play (\w+)', text))
    assert len(plays) > 10
    for play in plays:
        card = next(c for c in ("b9", "r1", "y4") if c != play[1])
        path = tmp_path / "changed.jsonl"
        path.write_text(text[: play.start(1)] + card + text[play.end(1) :])
        result = run_verify(path)
        assert result.exit_code == 1
        changed = text[: play.start()].count("\n")
        named = re.search(r"entry (\d+)", result.output)
        assert named is not None
        assert int(named[1]) >= changed


def test_a_ledger_binds_its_records_to_the_last_bit(record: Record, tmp_path: Path) -> None:
    """A change that the replay cannot notice, such as a time, is noticed by the ledger."""
    ledger = write_ledger(tmp_path, [a_game(record)])
    first = record.entries[0]._replace(time_us=record.entries[0].time_us + 1)
    path = write(tmp_path, replace(record, entries=(first, *record.entries[1:])))
    assert run_verify(path).exit_code == 0
    result = run_verify(path, "--ledger", ledger)
    assert result.exit_code == 1
    assert "another record of this match" in result.output


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"secret": bytes(32)}, "the deal secret does not match the commitment"),
        ({"nonces": (b"", b"", b"", b"x")}, "entry"),
        ({"settings": engine.Settings(rounds=2)}, "another state than the one replayed"),
        ({"nonces": ()}, "one nonce for each seat"),
        ({"revision": 99}, "engine revision 99"),
    ],
)
def test_a_changed_head_is_noticed(
    record: Record, tmp_path: Path, change: dict[str, object], sentence: str
) -> None:
    """Secret, nonces, settings and revision decide the deal: none can be another."""
    path = write(tmp_path, replace(record, **change))  # type: ignore[arg-type]  # fields by name
    result = run_verify(path)
    assert result.exit_code == 1
    assert sentence in result.output


def test_a_record_that_breaks_off_is_noticed(record: Record, tmp_path: Path) -> None:
    """A record without its end proves nothing."""
    path = write(tmp_path, replace(record, entries=record.entries[:20]))
    assert "the record breaks off after entry 20" in run_verify(path).output


def test_the_legs_of_a_block_have_one_deal(record: Record, tmp_path: Path) -> None:
    """A leg with another deal than its group's is noticed even though it is right by itself."""
    first = write(tmp_path, record)
    second = write(tmp_path, replace(a_record(2, leg=1), group=record.group))
    result = run_verify(first, second)
    assert result.exit_code == 1
    assert "its deal is not that of the other games of its block" in result.output


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("points", (999, 0, 0, 0)),
        ("places", (9, 9, 9, 9)),
        ("seats", NAMES[::-1]),
        ("actions", 1),
        ("faults", ({"late": 1}, {}, {}, {})),
        ("end_us", 1),
        ("leg", 3),
    ],
)
def test_a_ledger_that_says_otherwise_is_noticed(
    record: Record, tmp_path: Path, field: str, value: object
) -> None:
    """Each field of a ledger's line is compared with the record, chain hashes being right."""
    ledger = write_ledger(tmp_path, [a_game(record)._replace(**{field: value})])  # type: ignore[arg-type]  # by name
    result = run_verify(write(tmp_path, record), "--ledger", ledger)
    assert result.exit_code == 1
    assert f"game 0 of the ledger says {field}" in result.output


def test_a_broken_chain_is_noticed(record: Record, tmp_path: Path) -> None:
    """A ledger's line that was changed without its hash is named."""
    ledger = write_ledger(tmp_path, [a_game(record)])
    ledger.write_text(ledger.read_text().replace('"actions":', '"actions":1'))
    result = run_verify(write(tmp_path, record), "--ledger", ledger)
    assert result.exit_code == 1
    assert "line 1: game 0 does not match its chain hash" in result.output


def test_behind_a_broken_chain_games_are_not_missed(record: Record, tmp_path: Path) -> None:
    """The wrong line comes first; the records behind it are checked by themselves alone."""
    other = a_record(3, leg=1)
    ledger = write_ledger(tmp_path, [a_game(record), a_game(other)._replace(game=1)])
    ledger.write_text(ledger.read_text().replace('"actions":', '"actions":1'))
    result = run_verify(write(tmp_path, record), write(tmp_path, other), "--ledger", ledger)
    assert result.exit_code == 1
    assert result.stderr == f"{ledger}: line 1: game 0 does not match its chain hash\n"
    assert result.stdout == "2 records: 1 wrong\n"


def test_games_without_a_record_are_named(record: Record, tmp_path: Path) -> None:
    """A ledger is checked only with all its records: the games that lack theirs are told."""
    others = [a_game(record)._replace(game=n, match=f"m{n:025}") for n in range(1, 14)]
    ledger = write_ledger(tmp_path, [a_game(record), *others])
    path = write(tmp_path, record)
    result = run_verify(path, "--ledger", ledger)
    assert result.exit_code == 1
    named = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 3 more"
    assert result.stderr == f"no record of 13 games ({named}) of the ledger\n"
    assert result.stdout == "1 record, 14 games in the ledger: 13 missing\n"
    found = json.loads(run_verify(path, "--ledger", ledger, "--json").stdout)
    assert (found["wrong"], found["missing_games"]) == ([], list(range(1, 14)))


@pytest.mark.parametrize("with_ledger", [False, True])
def test_a_match_in_two_files_is_named(
    record: Record, tmp_path: Path, *, with_ledger: bool
) -> None:
    """A record given twice, or two records of one match, count as one game and are told."""
    first, second = write(tmp_path, record), tmp_path / "again.jsonl"
    second.write_text(first.read_text())
    ledger = write_ledger(tmp_path, [a_game(record)])
    options = ["--ledger", ledger] if with_ledger else []
    result = run_verify(first, second, *options)
    assert result.exit_code == 1
    assert result.stderr == f"the same match again in 1 file ({second} as in {first})\n"
    games = ", 1 game in the ledger" if with_ledger else ""
    assert result.stdout == f"2 records{games}: 1 repeated\n"
    found = json.loads(run_verify(first, second, *options, "--json").stdout)
    assert found["repeated"] == [{"file": str(second), "first": str(first)}]


def test_a_ledger_that_holds_a_match_twice_is_noticed(record: Record, tmp_path: Path) -> None:
    """Else a game could borrow the record of another."""
    ledger = write_ledger(tmp_path, [a_game(record), a_game(record)._replace(game=1)])
    result = run_verify(write(tmp_path, record), "--ledger", ledger)
    assert result.exit_code == 1
    assert f"line 2: game 1 is match {record.match_id} once more" in result.stderr


@pytest.mark.parametrize("text", ["shopping\nlist\n", "{}\n", "[" * 100_000])
def test_what_is_no_ledger_is_refused(record: Record, tmp_path: Path, text: str) -> None:
    """A file that holds no game at all ends with 2 and one sentence."""
    ledger = tmp_path / "no.jsonl"
    ledger.write_text(text)
    result = run_verify(write(tmp_path, record), "--ledger", ledger)
    assert (result.exit_code, result.output) == (2, f"Error: {ledger}: is no ledger\n")


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_closed_pipe_ends_a_command_quietly(record: Record, tmp_path: Path, command: str) -> None:
    """Whoever reads no further, `head` for instance, gets no traceback."""
    run = "import sys; from lastcard_server.cli import main; sys.exit(main())"
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run(
        [sys.executable, "-c", run, command, str(write(tmp_path, record))],
        stdout=theirs,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(theirs)
    assert done.stderr == b""


def test_no_more_is_read_than_a_record_may_hold(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device without an end, for instance, is refused, and not read until memory is full."""
    path = write(tmp_path, record)
    monkeypatch.setattr(replay, "LARGEST_RECORD", path.stat().st_size - 1)
    result = run_verify(path)
    assert result.exit_code == 2
    assert f"{path}: is larger than {path.stat().st_size - 1:,} bytes" in result.stderr
    monkeypatch.setattr(replay, "LARGEST_RECORD", path.stat().st_size)
    assert run_verify(path).exit_code == 0
    result = run_verify(path, "--ledger", "/dev/zero")
    assert result.exit_code == 2
    assert result.stderr == "Error: /dev/zero: is no ledger\n"


@pytest.mark.parametrize(
    ("damaged", "sentence"),
    [
        (lambda lines: [*lines[:30], *lines[31:]], "entry 30 calls itself 31"),
        (
            lambda lines: [*lines[:30], "junk\n", *lines[30:]],
            "line 31 is not of a record: it is not",
        ),
        (lambda lines: [*lines[:30], lines[30][:20]], "line 31 does not end; the file is cut off"),
        (lambda lines: lines[:30], "the record breaks off after entry 29"),
    ],
    ids=["a line less", "a line of junk", "cut in a line", "cut after a line"],
)
def test_a_damaged_record_is_wrong_and_not_unknown(
    damaged: Callable[[list[str]], list[str]], sentence: str, record: Record, tmp_path: Path
) -> None:
    """What has the head of a record is one, and the first wrong line of it is named."""
    path = write(tmp_path, record)
    path.write_text("".join(damaged(path.read_text().splitlines(keepends=True))))
    result = run_verify(path)
    assert (result.exit_code, result.stdout) == (1, "1 record: 1 wrong\n")
    assert result.stderr.startswith(f"{path}: {sentence}")
    printed = CliRunner().invoke(replay.command, [str(path)])
    assert printed.exit_code == 1
    assert f"Error: {path}: {sentence}" in printed.stderr


def test_all_others_are_checked_where_one_file_is_no_record(record: Record, tmp_path: Path) -> None:
    """Each file that cannot be used is named, and hides nothing that is found in the others."""
    right, none, other = write(tmp_path, record), tmp_path / "none", tmp_path / "list.txt"
    other.write_text("shopping\n")
    wrong = write(tmp_path, replace(a_record(2, leg=1), secret=bytes(32)))
    result = run_verify(none, other, wrong, right)
    assert result.exit_code == 2
    assert result.stdout == "2 records: 1 wrong, 2 not usable\n"
    missing, no_record, finding = result.stderr.splitlines()
    assert missing == f"Error: {none}: cannot be read: No such file or directory"
    assert no_record.startswith(f"Error: {other}: is no record: ")
    assert finding.startswith(f"{wrong}: ")
    found = json.loads(run_verify(none, right, "--json").stdout)
    assert (found["records"], found["wrong"], found["unusable"]) == (
        1,
        [],
        [missing.removeprefix("Error: ")],
    )


def test_a_match_that_the_ledger_lacks_is_noticed(record: Record, tmp_path: Path) -> None:
    """A record that no line belongs to is no game of this contest."""
    ledger = write_ledger(tmp_path, [a_game(a_record(3, leg=1))])
    result = run_verify(write(tmp_path, record), "--ledger", ledger)
    assert "is not in the ledger" in result.output


def test_findings_can_be_read_by_programs(record: Record, tmp_path: Path) -> None:
    """--json tells how much was checked and what is wrong."""
    right = write(tmp_path, record)
    wrong = write(tmp_path, replace(a_record(2, leg=1), secret=bytes(32)))
    result = run_verify(right, wrong, "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert (found["records"], found["ledger_games"], len(found["wrong"])) == (2, 0, 1)
    assert found["wrong"][0].startswith(f"{wrong}: ")


@pytest.mark.parametrize("text", ["", "nonsense", "[]", '{"format": 1}', '{"format": 2}\n'])
@pytest.mark.parametrize("command", [verify.command, replay.command])
def test_what_is_no_record_is_refused(command: object, text: str, tmp_path: Path) -> None:
    """A file that holds no record ends either command with 2 and one sentence."""
    path = tmp_path / "no.jsonl"
    path.write_text(text)
    result = CliRunner().invoke(command, [str(path)])  # type: ignore[arg-type]  # a command
    assert result.exit_code == 2
    assert f"{path}: is no record: " in result.output


@pytest.mark.parametrize("command", [verify.command, replay.command])
@pytest.mark.parametrize(
    "written_anew",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace('": ', '":'),
        lambda text: text.replace("ann", "\\u0061nn", 1),
        lambda text: "".join(
            f"{json.dumps(json.loads(line), sort_keys=True)}\n" for line in text.splitlines()
        ),
    ],
    ids=["line ends", "blanks", "escapes", "order"],
)
def test_a_record_written_anew_is_refused(
    command: object, written_anew: Callable[[str], str], record: Record, tmp_path: Path
) -> None:
    """The ledger's hash is over a record's bytes: the same match in others is no record."""
    path = tmp_path / "anew.jsonl"
    path.write_bytes(written_anew(write_record(record)).encode())
    result = CliRunner().invoke(command, [str(path)])  # type: ignore[arg-type]  # a command
    assert result.exit_code == 2
    assert "is no record" in result.output
    assert "it is not written as records are" in result.output


def test_a_ledger_names_a_record_by_the_hash_of_its_file(record: Record, tmp_path: Path) -> None:
    """Whoever has no lastcard compares with `sha256sum`."""
    path = write(tmp_path, record)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == a_game(record).record


@pytest.mark.parametrize("command", [verify.command, replay.command])
def test_an_empty_file_is_called_so(command: object, tmp_path: Path) -> None:
    """Nothing of how it is read shows."""
    path = tmp_path / "no.jsonl"
    path.write_text("")
    result = CliRunner().invoke(command, [str(path)])  # type: ignore[arg-type]  # a command
    assert result.output == f"Error: {path}: is no record: it is empty\n"


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """A file that is not there ends with 2 and one sentence."""
    result = run_verify(tmp_path / "none")
    assert result.exit_code == 2
    assert "cannot be read: No such file or directory" in result.output


@pytest.mark.parametrize(
    ("command", "allowed"), [("replay", ""), ("verify", ""), ("arena", "grpc google")]
)
def test_a_bare_installation_is_enough(command: str, allowed: str) -> None:
    """No command imports what only the server's packages bring."""
    code = (
        f"import sys, lastcard_server.commands.{command}\n"
        "extra = {'structlog', 'rich', 'prometheus_client', 'grpc', 'google'}\n"
        f"extra -= set({allowed!r}.split())\n"
        "sys.exit(', '.join(sorted(extra & {name.split('.')[0] for name in sys.modules})) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
