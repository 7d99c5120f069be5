"""Is a contest file read as it is written, and everything else refused in one sentence?"""

import os
import re
from pathlib import Path
from textwrap import dedent

import pytest

from lastcard_server.arena.file import (
    NUMBERS,
    SETTINGS_MS,
    SETTINGS_NUMBER,
    SETTINGS_TEXT,
    Bot,
    ContestFileError,
    load,
    load_rules,
    search_path,
)
from lastcard_server.arena.request import spec_of

GOOD = """
name = "cup"
preset = "standard_no"
seats = 2
blocks = 3
concurrency = 8
restart_pause_ms = 0
[overrides]
jump_in = "identical"
hand_size = 5
uno_self_correct = true
[settings]
move_limit_ms = 200
reactions = "polled"
[[bots]]
name = "one"
command = "./bot.sh --fast 'a b'"
[[bots]]
name = "two"
house = "greedy"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a bot that can be run."""
    script = tmp_path / "bot.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    return tmp_path


def write(folder: Path, text: str) -> Path:
    """Write a contest file."""
    path = folder / "contest.toml"
    path.write_text(text)
    return path


def test_a_file_is_read_as_written(folder: Path) -> None:
    """Every part of a file arrives, values of overrides in text, programs as paths."""
    contest = load(write(folder, GOOD), "/nowhere")
    assert (contest.name, contest.preset) == ("cup", "standard_no")
    assert (contest.seats, contest.blocks, contest.concurrency) == (2, 3, 8)
    assert contest.restart_pause_ms == 0
    assert contest.overrides == {
        "jump_in": "identical",
        "hand_size": "5",
        "uno_self_correct": "true",
    }
    assert contest.settings == {"move_limit_ms": 200, "reactions": "polled"}
    assert contest.bots == (
        Bot("one", command=(str(folder / "bot.sh"), "--fast", "a b")),
        Bot("two", house="greedy"),
    )
    assert contest.folder == folder.resolve()


CROW = """
[[custom_rules]]
id = "crow"
text = "crow, or draw four"
ops = ["dare(next,crow,draw(self,4))"]
lose_turn = false
"""


def test_custom_rules_are_read_as_written(folder: Path) -> None:
    """They arrive field by field and go to the server as the contract has them."""
    contest = load(write(folder, GOOD + CROW), "/nowhere")
    (rule,) = spec_of(contest, {"one": "key"}).rules.custom_rules
    assert (rule.rule_id, rule.text) == ("crow", "crow, or draw four")
    assert list(rule.operations) == ["dare(next,crow,draw(self,4))"]
    assert not rule.lose_turn
    assert load_rules(write(folder, GOOD + CROW)).custom_rules == contest.custom_rules


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('id = "crow"', "", "custom rule 1 lacks the key 'id'"),
        ('["dare(next,crow,draw(self,4))"]', '"draw"', "'ops' in custom rule 1 must be a list"),
        ('["dare(next,crow,draw(self,4))"]', "[[1]]", "'ops' in custom rule 1 must be a list"),
        ("lose_turn = false", "lose_turn = 0", "'lose_turn' in custom rule 1 must be true or"),
        ("text", "run", "unknown key 'run' in custom rule 1; known are id, ops, text"),
        ("[[custom_rules]]", "[custom_rules]", "'custom_rules' in the file must be a list"),
    ],
)
def test_a_custom_rule_of_another_shape_is_refused(
    folder: Path, old: str, new: str, sentence: str
) -> None:
    """Its shape is looked at here, what it says by the server."""
    path = write(folder, GOOD + CROW.replace(old, new, 1))
    with pytest.raises(ContestFileError) as refused:
        load(path, "/nowhere")
    assert sentence in str(refused.value)


def test_what_is_left_out_has_defaults(folder: Path) -> None:
    """Left out, every bot has a seat, one block is played and restarts wait half a second."""
    text = re.sub(r"(seats|blocks|concurrency|restart_pause_ms) = \d+\n", "", GOOD)
    contest = load(write(folder, text), "/nowhere")
    assert (contest.seats, contest.blocks, contest.concurrency) == (2, 1, 0)
    assert contest.restart_pause_ms == 500


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('name = "cup"', "", "the file lacks the key 'name'"),
        ("seats", "sead", "unknown key 'sead' in the file; known are name, preset"),
        ("move_limit_ms", "move_limit", "unknown key 'move_limit' in [settings]"),
        ("house", "hause", "unknown key 'hause' in bot 2; known are name, command, house"),
        ("seats = 2", 'seats = "two"', "'seats' in the file must be a whole number"),
        ("seats = 2", "seats = true", "'seats' in the file must be a whole number"),
        ("seats = 2", "seats = 11", "'seats' is 11; it must be 2 to 10"),
        ("blocks = 3", "blocks = 0", "'blocks' is 0; it must be 1 to 100,000"),
        ("pause_ms = 0", "pause_ms = 60001", "'restart_pause_ms' is 60001; it must be 0 to 60,000"),
        ('"two"', '"one"', "two bots are named 'one'"),
        ('"two"', '"t\\u0007o"', "the name of bot 2 must be 1 to 32 letters"),
        ('"cup"', '" cup"', "name must be 1 to 32 letters"),
        ("./bot.sh", "./no.sh", "the command of bot 'one' does not exist: ./no.sh"),
        ("./bot.sh", "no-such-program", "bot 'one' does not exist: no-such-program"),
        ("'a b'", "'a b", "the command of bot 'one' is empty or has an open quote"),
        ('house = "greedy"', "", "bot 'two' needs either a command or a house strategy"),
        ("hand_size = 5", "hand_size = 5.5", "override 'hand_size' must be a text"),
        ("= 200", "= -1", "setting 'move_limit_ms' must not be negative"),
        ("[[bots]]", "[bots]", "contest.toml: is not TOML"),
        ('name = "cup"', "bots = 3", "is not TOML"),
        ("seats = 2", "seats = " + "[" * 7_000, "is nested too deeply"),
        ("seats = 2", f"seats = {'9' * 5000}", "holds a number that is too long"),
        ("seats = 2", f"seats = 0x{'f' * 5000}", "'seats' is beyond all bounds; it must be 2 to"),
        ("hand_size = 5", f"hand_size = 0x{'f' * 5000}", "override 'hand_size' is beyond all"),
        (
            "= 200",
            "= 200\naction_cap = 99999999999",
            "'action_cap' is 99999999999; it must be 0 to",
        ),
        (
            "= 200",
            "= 200\nmax_rounds = 99999999999",
            "'max_rounds' is 99999999999; it must be 0 to",
        ),
        ("= 200", "= 99999999999", "'move_limit_ms' is 99999999999; it must be 0 to"),
        ("./bot.sh", "./bot\\u0000.sh", "the command of bot 'one' must hold printable"),
        ("./bot.sh", "./bot\\u001b[2J.sh", "the command of bot 'one' must hold printable"),
    ],
)
def test_what_cannot_be_played_is_refused(folder: Path, old: str, new: str, sentence: str) -> None:
    """Each mistake is named in one sentence that begins with the file."""
    path = write(folder, GOOD.replace(old, new))
    with pytest.raises(ContestFileError) as refused:
        load(path, "/nowhere")
    assert str(refused.value).startswith(f"{path}: ")
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """A file that cannot be read is named."""
    with pytest.raises(ContestFileError, match=r"none\.toml: cannot be read: No such file"):
        load(tmp_path / "none.toml", "/nowhere")


def test_the_demo_is_four_bots_on_fifty_deals() -> None:
    """The demo's file is right, and two of its bots are the same under two names."""
    contest = load(Path("demo/contest.toml"), search_path(os.environ))
    assert (contest.preset, contest.seats, contest.blocks) == ("standard_no", 4, 50)
    commands = [bot.command for bot in contest.bots]
    assert len(commands) == 4
    assert len(set(commands)) == 3


def test_the_file_of_the_howto_can_be_played(tmp_path: Path) -> None:
    """What the how-to shows as a contest file is one, and it names all there is to set."""
    howto = Path("docs/howto/run-a-contest.md").read_text()
    shown = howto.partition("## The file\n")[2].partition("\nFurther settings")[0]
    contest = load(write(tmp_path, dedent(shown)), search_path(os.environ))
    assert [bot.name for bot in contest.bots] == ["mine", "house"]
    for name in (*NUMBERS, *SETTINGS_TEXT, *SETTINGS_NUMBER, *SETTINGS_MS):
        assert name in howto
