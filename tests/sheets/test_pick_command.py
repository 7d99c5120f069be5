"""Does `lastcard rules pick` propose, save and ask, in the language it is told?"""

import json
from pathlib import Path

import pytest

from lastcard_server.arena.file import load_rules
from tests.sheets.running import rules


def test_pick_proposes_and_saves(tmp_path: Path) -> None:
    """What is saved has reasons as comments, and can be printed, checked and played by."""
    path = tmp_path / "tonight.toml"
    answers = ("--players", "8", "--minutes", "200", "--children", "--book", "dk")
    result = rules("pick", *answers, "--box", "new_112", "--lang", "da", "--output", path)
    assert result.exit_code == 0
    assert f"lastcard rules sheet {path} --lang da" in result.stdout
    assert path.read_text().startswith("# Udgangspunktet er: Danske officielle regler.\n")
    assert load_rules(path).overrides["wd4_enforcement"] == "block"
    assert rules("validate", path, "--players", "8").exit_code == 0
    assert rules("sheet", path, "--lang", "da").exit_code == 0


def test_r238_one_house_rule_changes_one_option() -> None:
    """Everything that is not picked follows the official rules."""
    result = rules(
        *("pick", "--json", "--minutes", "200", "--book", "dk", "--box", "new_112"),
        *("--house", "penalty_four"),
    )
    picked = json.loads(result.stdout)
    assert (picked["preset"], picked["overrides"]) == ("official_dk", {"uno_penalty_cards": 4})
    assert [reason["options"] for reason in picked["reasons"]] == [[], ["uno_penalty_cards"]]


def test_without_a_terminal_nothing_is_asked() -> None:
    """What no option answers has its default."""
    result = rules("pick")
    assert result.exit_code == 0
    assert 'preset = "standard_no"' in result.stdout


def test_a_terminal_is_asked_for_what_is_missing(terminal: None) -> None:
    """Questions in the language asked for; a wrong answer is asked for again."""
    replies = "99\n6\n30\nn\nharsh\n\nlast_number, jump_in\n"
    result = rules("pick", "--lang", "sv", "--book", "dk", answers=replies)
    assert result.exit_code == 0
    assert "Hur många spelar?" in result.stderr
    assert "Vilka regler" not in result.stderr
    for line in ("uno_penalty_cards = 4", 'jump_in = "identical"', 'scoring = "single_round"'):
        assert line in result.stdout


@pytest.mark.parametrize(
    ("language", "yes", "no", "wrong"),
    [
        ("sv", "JA", "nej", "Skriv ja eller nej."),
        ("nb", "j", "nei", "Skriv ja eller nei."),
        ("da", "ja", "n", "Skriv ja eller nej."),
        ("en", "y", "no", "Write yes or no."),
    ],
)
def test_yes_and_no_are_those_of_the_language(
    terminal: None, language: str, yes: str, no: str, wrong: str
) -> None:
    """Whole or by their first letter; English ones are understood as well."""
    given = ("--players", "4", "--minutes", "60", "--harshness", "usual", "--book", "se")
    more = ("--box", "classic_108", "--house", "penalty_four", "--lang", language)
    blocked = 'wd4_enforcement = "block"'
    for answer in (yes, "yes"):
        asked = rules("pick", *given, *more, answers=f"perhaps\n{answer}\n")
        assert asked.exit_code == 0
        assert wrong in asked.stderr
        assert blocked in asked.stdout
    for answer in (no, "no", ""):
        asked = rules("pick", *given, *more, answers=f"{answer}\n")
        assert asked.exit_code == 0
        assert wrong not in asked.stderr
        assert blocked not in asked.stdout


def test_a_wrong_answer_is_explained_in_the_language(terminal: None) -> None:
    """No word of English comes between the questions."""
    replies = "två\n11\n4\n1\n60\nn\nmild\nGentle\n\n\nstack\n\n"
    asked = rules("pick", "--lang", "sv", answers=replies)
    assert asked.exit_code == 0
    for said in (
        "Skriv ett heltal från 2 till 10.",
        "Skriv ett heltal från 5 till 600.",
        "Skriv något av: gentle, usual, harsh, merciless.",
        "Ingen husregel heter 'stack'. De heter: stack_draw_two, ",
    ):
        assert said in asked.stderr
    assert asked.stderr.count("från 2 till 10") == 2
    assert "Error" not in asked.stderr
    assert 'wd4_enforcement = "block"' in asked.stdout
