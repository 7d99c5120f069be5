"""Does `lastcard referee` rule, decide, and refuse with one sentence and a code?"""

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lastcard_server.cli import main
from lastcard_server.referee.disputes import DISPUTES

HOWTO = Path("docs/howto/settle-a-dispute.md")
HANDS = "hands=W4,r2,b3/6/7 discards=r5"


def referee(*arguments: str) -> Result:
    """Run `lastcard referee`."""
    return CliRunner().invoke(main, ["referee", *arguments])


def test_a_preset_alone_decides_all_five_disputes() -> None:
    """A question, an answer and its grounds each, a blank line between."""
    done = referee("house_dk")
    assert done.exit_code == 0
    parts = done.stdout.split("\n\n")
    assert len(parts) == len(DISPUTES)
    for part in parts:
        question, decided, first, *_ = part.splitlines()
        assert question.endswith("?")
        assert decided.startswith(("Yes. ", "No. "))
        assert re.match(r"  [A-Z]+\d+ ", first)


def test_a_file_of_rules_is_a_table_too(tmp_path: Path) -> None:
    """What it overrides is named as a house rule."""
    file = tmp_path / "friday.toml"
    file.write_text('preset = "official_dk"\n[overrides]\nfinish_card = "number_only"\n')
    done = referee(str(file), "--dispute", "special-finish")
    assert "R189" in done.stdout
    assert done.stdout.endswith("  finish_card=number_only (house rule)\n")


def test_json_holds_what_the_text_says() -> None:
    """For a ruling and for disputes."""
    ruling = json.loads(
        referee("standard_no", "--position", HANDS, "--action", "play W4 g", "--json").stdout
    )
    assert (ruling["verdict"], ruling["hidden"], ruling["reason"]) == ("bluff", False, "")
    assert ruling["clauses"][0]["id"] == "R119"
    assert ruling["clauses"][0]["title"] == "the Norwegian rules page"
    decided = json.loads(referee("no_mercy", "--json").stdout)
    assert list(decided) == list(DISPUTES)
    assert decided["stacking"]["options"] == [
        {"option": "stacking", "value": "equal_or_higher", "house": False}
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["house_fi"], "no preset or file is named 'house_fi' (did you mean house_"),
        (["nowhere/rules.toml"], "nowhere/rules.toml: cannot be read: No such file"),
        (["house_dk", "--dispute", "weather"], "'weather' is not one of 'stacking', "),
        (["house_dk", "--position", HANDS], "a ruling needs both --position and --action"),
        (["house_dk", "--action", "draw"], "a ruling needs both --position and --action"),
        (["house_dk", "--seat", "1"], "a ruling needs both --position and --action"),
        (
            ["house_dk", "--dispute", "stacking", "--action", "draw"],
            "--dispute asks about rules alone",
        ),
        (["house_dk", "--position", "x", "--action", "draw"], "--position: a position is name="),
        (["house_dk", "--position", HANDS, "--action", "fly"], "--action: action must be one in "),
        (
            ["house_dk", "--position", HANDS, "--action", "draw", "--seat", "2"],
            "--position: hands shows the cards of seat 0",
        ),
        (["house_dk", "--seat", "10"], "10 is not in the range 0<=x<=9"),
    ],
)
def test_what_cannot_be_asked_is_refused(arguments: list[str], sentence: str) -> None:
    """One sentence on standard error, exit code 2, nothing printed."""
    done = referee(*arguments)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_value_that_cannot_be_is_named(tmp_path: Path) -> None:
    """With the option and what it may be."""
    file = tmp_path / "friday.toml"
    file.write_text('preset = "official_dk"\n[overrides]\nstacking = "always"\n')
    done = referee(str(file))
    assert done.exit_code == 2
    assert "stacking" in done.stderr
    assert "none, pairs, equal_or_higher" in done.stderr


def test_the_examples_of_the_howto_are_what_is_printed() -> None:
    """Each `$ lastcard referee` line and all that stands below it."""
    blocks = re.findall(r"```console\n(.*?)```", HOWTO.read_text(), re.DOTALL)
    assert len(blocks) >= 3
    for block in blocks:
        command, _, printed = block.partition("\n")
        words = shlex.split(command.removeprefix("$ lastcard referee "))
        assert referee(*words).stdout == printed
