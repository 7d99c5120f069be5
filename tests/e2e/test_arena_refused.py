"""Does what cannot be played end with one sentence?"""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from lastcard_server.cli import main
from tests.e2e.arena import GOOD, free_port, run_arena, write_contest


@pytest.mark.parametrize(
    ("bots", "keys", "sentence"),
    [
        (GOOD, {"preset": "best"}, "There is no such preset; there are official_se, "),
        (GOOD, {"preset": "hose_dk"}, "There is no such preset (did you mean house_dk?); there "),
        ({"a": "house:random", "b": "house:best"}, {}, "There is no such house strategy"),
        ({"a": "house:random", "b": "./none"}, {}, "the command of bot 'b' does not exist"),
        (GOOD, {"sead": 3}, "unknown key 'sead'"),
        (GOOD, {"seats": 4}, "bots must be seats to 64"),
        (GOOD, {"overrides": {"hand_size": 40}}, "hand_size"),
        (GOOD, {"overrides": {"teams": "pairs"}}, "teams"),
        (GOOD, {"settings": {"reactions": "fast"}}, "it may be race, polled"),
        (GOOD, {"settings": {"move_limit_ms": 1}}, "move_limit_ms must be"),
    ],
)
def test_what_cannot_be_played_ends_with_one_sentence(
    tmp_path: Path, bots: dict[str, str], keys: dict[str, object], sentence: str
) -> None:
    """A wrong file ends with 2 and one line that names the file."""
    contest = write_contest(tmp_path, bots, **keys)
    arguments = ["arena", str(contest), "--out", str(tmp_path / "out")]
    unknown = {name: None for name in os.environ if name.startswith("LASTCARD")}
    done = CliRunner().invoke(main, arguments, env=unknown)
    assert done.exit_code == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"Error: {contest}: ")
    assert sentence in line


def test_a_wrong_file_ends_the_command(tmp_path: Path) -> None:
    """In a process of its own too, with its server started: code 2 and the same one line."""
    contest = write_contest(tmp_path, GOOD, preset="best")
    done = run_arena(contest, "--out", tmp_path / "out")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"Error: {contest}: There is no such preset")


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    """Without a key for the server named, the run ends with 1 and one sentence."""
    contest = write_contest(tmp_path, GOOD)
    address = f"127.0.0.1:{free_port()}"
    done = run_arena(contest, "--out", tmp_path / "out", "--server", address, LASTCARD_KEY="x")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


def test_a_server_without_a_key_is_told(tmp_path: Path) -> None:
    """What is wrong is an option, not the file: code 2, and what would be right."""
    done = run_arena(write_contest(tmp_path, GOOD), "--out", tmp_path / "out", "--server", "x.y:1")
    assert done.returncode == 2
    assert done.stderr == "Error: there is no key for x.y:1: set LASTCARD_KEY\n"
