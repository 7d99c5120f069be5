"""Does `lastcard rules` list, check and print, and refuse with one sentence and a code?"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from lastcard_engine.presets import PRESETS
from lastcard_server.arena.file import load, load_rules
from lastcard_server.cli import main
from lastcard_server.sheets.formats import document
from lastcard_server.sheets.words import LANGUAGES
from tests.sheets.running import rules

FILE = """
name = "our table"
preset = "official_dk"

[overrides]
uno_penalty_cards = 4
finish_card = "number_only"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file of rules."""
    path = tmp_path / "rules.toml"
    path.write_text(FILE)
    return path


def test_every_preset_is_listed_on_a_line() -> None:
    """With what it is for, in the language asked for; for programs as JSON."""
    for language in LANGUAGES:
        lines = rules("list", "--lang", language).stdout.splitlines()
        assert [line.split()[0] for line in lines] == list(PRESETS)
    listed = json.loads(rules("list", "--json", "--lang", "da").stdout)
    assert [entry["preset"] for entry in listed] == list(PRESETS)
    by_name = {entry["preset"]: entry for entry in listed}
    assert by_name["house_dk"]["title"] == "Danske husregler"
    assert by_name["duel_no"]["max_players"] == 2


def test_a_sheet_of_a_preset_and_of_a_file(file: Path) -> None:
    """A file's own name is in the title, what it changes is marked."""
    assert rules("sheet", "house_dk", "--lang", "da").stdout.startswith("Aftenens regler: Danske")
    text = rules("sheet", file, "--lang", "sv").stdout
    assert text.startswith("Kvällens regler: our table\n")
    marked = [line for line in text.splitlines() if line.startswith("* ")]
    assert len(marked) == 3  # the legend, the penalty, the last card


def test_one_file_works_everywhere(file: Path, tmp_path: Path) -> None:
    """A contest file has a sheet too, and the file of a sheet becomes a contest with its bots."""
    assert rules("sheet", "demo/contest.toml").stdout.startswith("Rules for tonight: demo\n")
    contest = tmp_path / "contest.toml"
    bots = '\n[[bots]]\nname = "a"\nhouse = "greedy"\n\n[[bots]]\nname = "b"\nhouse = "random"\n'
    contest.write_text(FILE + bots)
    loaded = load(contest, "")
    assert (loaded.preset, loaded.overrides) == (
        load_rules(file).preset,
        load_rules(file).overrides,
    )
    assert rules("validate", contest).exit_code == 0


@pytest.mark.parametrize(("form", "start"), [("html", b"<!doctype html>"), ("pdf", b"%PDF-")])
def test_a_sheet_goes_into_a_file(tmp_path: Path, form: str, start: bytes) -> None:
    """With --output nothing is printed; without it the document is."""
    out = tmp_path / "sheet"
    more = ("--format", form, "--theme", "dark")
    result = rules("sheet", "no_mercy", *more, "--output", out)
    assert (result.exit_code, result.stdout) == (0, "")
    assert out.read_bytes().startswith(start)
    assert rules("sheet", "no_mercy", *more).stdout_bytes == out.read_bytes()


def test_a_sheet_is_not_written_over_its_rules(file: Path) -> None:
    """Neither by the same name nor by another one of the file; it stays as it was."""
    link = file.with_name("link.toml")
    link.symlink_to(file)
    for output in (file, link):
        result = rules("sheet", file, "--output", output)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "holds the rules themselves; choose another --output" in result.stderr
    assert file.read_text() == FILE


def test_a_terminal_gets_colours_and_no_pdf(terminal: None) -> None:
    """Text is coloured there, and a PDF is refused with what to do instead."""
    runner = CliRunner()
    coloured = runner.invoke(main, ["rules", "sheet", "house_dk"], color=True)
    assert "\x1b[1;38;2;150;18;30m" in coloured.stdout
    refused = rules("sheet", "house_dk", "--format", "pdf")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--output" in refused.stderr


def test_a_pdf_without_its_package_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest installation prints text and HTML."""
    monkeypatch.setitem(sys.modules, "fpdf", None)
    monkeypatch.delitem(sys.modules, "lastcard_server.sheets.pdf", raising=False)
    document.cache_clear()
    result = rules("sheet", "short_se", "--format", "pdf")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "pip install 'lastcard[server]'" in result.stderr
    assert rules("sheet", "short_se", "--format", "html").exit_code == 0


def test_a_pdf_is_refused_for_a_letter_it_lacks(tmp_path: Path) -> None:
    """Code 2, and the sentence says where the letter can be printed; no file is left."""
    path, out = tmp_path / "greek.toml", tmp_path / "sheet.pdf"
    path.write_text('name = "Ψ"\npreset = "standard_no"\n')
    result = rules("sheet", path, "--format", "pdf", "--output", out)
    assert (result.exit_code, result.stdout, out.exists()) == (2, "", False)
    assert "GREEK CAPITAL LETTER PSI" in result.stderr
    assert "html and text" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["sheet", "finnish"], "named 'finnish'; presets: official_se, guide_se"),
        (["sheet", "hose_dk"], "named 'hose_dk' (did you mean house_dk?); presets: official_se"),
        (["sheet", "no/such/file.toml"], "no/such/file.toml: cannot be read"),
        (["sheet", "x" * 300], "no preset or file is named 'xxx"),
        (["sheet", "house_dk", "--lang", "fi"], "'sv', 'nb', 'da', 'en'"),
        (["sheet", "house_dk", "--format", "docx"], "'text', 'html', 'pdf'"),
        (["sheet", "house_dk", "--theme", "blue"], "'light', 'dark'"),
        (["sheet", "house_dk", "--output", "/no/such/folder/x"], "cannot be written"),
        (["list", "--lang", "fi"], "'sv', 'nb', 'da', 'en'"),
        (["validate", "house_dk", "--players", "11"], "'11' is no whole number from 2 to 10"),
        (["validate", "house_dk", "--players", "two"], "'two' is no whole number from 2 to 10"),
        (["pick", "--players", "1"], "'1' is no whole number from 2 to 10"),
        (["pick", "--minutes", "601"], "'601' is no whole number from 5 to 600"),
        (["pick", "--house", "stack,jump_in"], "'stack' is not one of stack_draw_two"),
        (["pick", "--house", "pairs", "--players", "5"], "pairs need 4 players; 5 play"),
        (["pick", "--box", "113"], "'classic_108', 'new_112'"),
        (["pick", "--output", "/no/such/folder/x"], "cannot be written"),
    ],
)
def test_what_is_unknown_is_refused_with_what_there_is(
    arguments: Sequence[str], sentence: str
) -> None:
    """Code 2, one sentence on standard error, nothing on standard output."""
    result = rules(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("preset = 5", "'preset' in the file must be a text"),
        ('preset = "standard_no"\nrules = 1', "unknown key 'rules'"),
        ("", "the file lacks the key 'preset'"),
        ("[", "is not TOML"),
        (f"preset = 5 # {'x' * 9_000}", "has a line of more than 8,000 characters"),
        ("preset = 5\n" + "# nothing\n" * 9_000, "is larger than 65,536 bytes"),
        (f'preset = "{"x" * 7_000}"', "xxx...xxx"),
        (f"{'k' * 7_000} = 1", "xxx...xxx".replace("x", "k")),
        ('preset = "house_fi"', "no preset is named 'house_fi'"),
        (
            'preset = "standard_no"\n[overrides]\nuno_penalty_cards = "4"',
            "override 'uno_penalty_cards' must be a whole number; leave out the quotes",
        ),
        (
            'preset = "standard_no"\n[overrides]\nseven_zero = "true"',
            "override 'seven_zero' must be true or false; leave out the quotes",
        ),
        ('preset = "standard_no"\n[overrides]\njump = "off"', "no option is named 'jump'"),
        ('preset = "standard_no"\n[overrides]\nmercy_bonus = 5', "mercy_bonus needs a mercy_limit"),
    ],
)
def test_a_wrong_file_has_no_sheet(tmp_path: Path, text: str, sentence: str) -> None:
    """The sentence names the file and what is wrong in it."""
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    result = rules("sheet", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {path}: ")
    assert len(result.stderr) < 1_000
    assert sentence in result.stderr


def test_valid_rules_are_said_to_be() -> None:
    """Code 0 and how many can play."""
    assert rules("validate", "standard_no").stdout == (
        "standard_no: can be played by 2 to 10 players\n"
    )
    assert rules("validate", "duel_no").stdout == "duel_no: can be played by 2 players\n"
    for_four = "official_dk: can be played by 4 players\n"
    assert rules("validate", "official_dk", "--players", "4").stdout == for_four


def test_r240_a_deck_of_another_edition_is_played_with_a_warning(tmp_path: Path) -> None:
    """Nothing forbids it, but it is seldom meant."""
    path = tmp_path / "rules.toml"
    path.write_text('preset = "standard_no"\n[overrides]\ndeck = "no_mercy_168"\n')
    result = rules("validate", path)
    assert result.exit_code == 0
    assert "the deck is that of another edition" in result.stdout
    assert "another edition" not in rules("validate", "no_mercy").stdout


def test_r217_pairs_are_four() -> None:
    """Three cannot play in pairs; the nearest rules for three are the same without pairs."""
    assert rules("validate", "pairs_se").stdout == "pairs_se: can be played by 4 players\n"
    refused = rules("validate", "pairs_se", "--players", "3")
    assert refused.exit_code == 1
    assert 'nearest  preset = "pairs_se"\n' in refused.stderr
    assert '         teams = "none"\n' in refused.stderr
    assert "teams=pairs needs exactly 4 seats" in refused.stderr
    many = rules("validate", "pairs_se", "--players", "5")
    assert (many.exit_code, many.stdout) == (1, "")
    assert "5 seats cannot play; these rules allow exactly 4, in pairs\n" in many.stderr
    for line in ('preset = "pairs_se"\n', "max_players = 5\n", 'teams = "none"\n'):
        assert line in many.stderr


def test_r224_eight_play_a_tournament_at_two_tables(tmp_path: Path) -> None:
    """Eight of them and no other number; with other teams the rules are those of a match."""
    played = "tournament_8_se: can be played by 8 players, at 2 tables of 4\n"
    assert rules("validate", "tournament_8_se").stdout == played
    assert rules("validate", "tournament_8_se", "--players", "8").stdout == played
    for_four = "tournament_4_se: can be played by 4 players\n"
    assert rules("validate", "tournament_4_se").stdout == for_four
    refused = rules("validate", "tournament_8_se", "--players", "6")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "6 cannot play this tournament; 8 play it at 2 tables of 4\n" in refused.stderr
    path = tmp_path / "rules.toml"
    path.write_text('preset = "tournament_8_se"\n[overrides]\nteams = "none"\n')
    assert "played by 2 to 4 players\n" in rules("validate", path).stdout
    alone = rules("sheet", path).stdout
    assert "two tables: everybody plays" not in alone
    assert "two tables: everybody plays" in rules("sheet", "tournament_8_se").stdout


def test_a_mistyped_preset_is_told_from_all_there_are_once(tmp_path: Path) -> None:
    """The one that was meant comes first, and the list is not repeated."""
    path = tmp_path / "rules.toml"
    path.write_text('preset = "standard_np"\n')
    refused = rules("validate", path)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "no preset is named 'standard_np' (did you mean standard_no?)" in refused.stderr
    assert refused.stderr.count("family_se_elimination") == 1


def test_help_says_what_there_is_and_the_exit_codes() -> None:
    """No summary is cut off, and whoever asks a subcommand learns its codes and names."""
    assert "..." not in rules("--help").stdout.partition("Commands:")[2]
    for name in ("list", "validate", "sheet", "pick"):
        assert "Exits with 0 when" in rules(name, "--help").stdout
    assert "late_catch" in rules("pick", "--help").stdout
    assert "How it is set" in rules("sheet", "--help").stdout


@pytest.mark.parametrize(
    ("overrides", "players", "option", "near"),
    [
        ("uno_penalty_cards = 4\nmercy_bonus = 5", "4", "mercy_bonus", ["uno_penalty_cards = 4"]),
        (
            "uno_penalty_cards = 11\nhand_size = 5",
            "4",
            "uno_penalty_cards",
            ["hand_size = 5", "uno_penalty_cards = 10"],
        ),
        ("hand_size = 15", "10", "hand_size", ["hand_size = 9"]),
        ("max_players = 3", "5", "seats", ["max_players = 5"]),
        ("jump = 3", "5", "jump", []),
        (
            "mercy_bonus = 5\nuno_self_correct = false\nuno_required_to_finish = true",
            "2",
            "",
            [],
        ),
    ],
)
def test_s08_q63_what_cannot_be_played_comes_with_what_can(
    tmp_path: Path, overrides: str, players: str, option: str, near: list[str]
) -> None:
    """Code 1, the option, what it may be, and the nearest rules, which can be played indeed."""
    path = tmp_path / "rules.toml"
    path.write_text(f'preset = "standard_no"\n[overrides]\n{overrides}\n')
    result = rules("validate", path, "--players", players)
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"option   {option}" in result.stderr
    _, _, nearest = result.stderr.partition("nearest  ")
    lines = [line.strip() for line in nearest.splitlines()]
    assert lines[0] == 'preset = "standard_no"'
    assert all(line in lines for line in near)
    path.write_text("\n".join(lines))
    assert rules("validate", path, "--players", players).exit_code == 0


def test_allowed_values_are_named(tmp_path: Path) -> None:
    """Whoever wrote a value that is none learns which there are."""
    path = tmp_path / "rules.toml"
    path.write_text('preset = "standard_no"\n[overrides]\njump_in = "always"\n')
    assert "allowed  off, identical\n" in rules("validate", path).stderr
