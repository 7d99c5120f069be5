"""
Are the five disputes of the Danish page decided as the books do, with the right citations?

The ids stand here as they follow from the books, not from the code.
"""

import pytest

from lastcard_engine.presets import PRESETS
from lastcard_server.referee.disputes import DISPUTES, decide, question
from lastcard_server.sheets.choice import choose
from tests.referee.asking import book_of, ids
from tests.sheets.walk import variants

DECIDED = [
    ("official_dk", "stacking", "no", {"R226", "R105"}, "D4"),
    ("official_dk", "forgotten-uno", "yes", {"R166", "R168", "R176"}, "D4"),
    ("official_dk", "special-finish", "yes", {"R186", "R187", "R188"}, "D4"),
    ("official_dk", "draw-four", "no", {"R119", "R126", "R132", "R134"}, "D4"),
    ("official_dk", "first-card", "no", {"R049", "R059"}, "D4"),
    ("house_dk", "stacking", "yes", {"R229"}, "D4"),
    ("house_dk", "forgotten-uno", "yes", {"R166", "R182", "R183", "R176"}, "D4"),
    ("house_dk", "special-finish", "no", {"R189"}, "D4"),
    ("house_dk", "draw-four", "yes", {"R125"}, "D4"),
    ("house_dk", "first-card", "no", {"R051"}, "D4"),
    ("standard_no", "stacking", "no", {"R226", "R227", "R105"}, "D1"),
    ("standard_no", "forgotten-uno", "yes", {"R166", "R168", "R169", "R176", "R177"}, "D1"),
    ("standard_no", "special-finish", "yes", {"R186", "R187", "R188"}, "D1"),
    (
        "standard_no",
        "draw-four",
        "no",
        {"R119", "R120", "R121", "R126", "R132", "R133", "R134", "R135"},
        "D1",
    ),
    ("standard_no", "first-card", "no", {"R048", "R059"}, "D1"),
    ("no_mercy", "stacking", "yes", {"R241", "NM05", "NM06"}, "D1"),
    ("no_mercy", "forgotten-uno", "yes", {"NM04", "R166", "R176"}, "D1"),
    ("no_mercy", "special-finish", "yes", {"R190", "NM22"}, "D1"),
    ("no_mercy", "draw-four", "yes", {"R022", "NM26"}, "D1"),
    ("no_mercy", "first-card", "no", {"NM03"}, ""),
]


@pytest.mark.parametrize(("preset", "dispute", "verdict", "expected", "book"), DECIDED)
def test_sv16_a_dispute_is_decided_by_the_rules_in_force(
    preset: str, dispute: str, verdict: str, expected: set[str], book: str
) -> None:
    """Verdict, rows and book are those of the document; what no book says has none."""
    ruling = decide(dispute, choose(preset, {}))
    assert ruling.verdict == verdict
    assert ids(ruling) == expected
    assert book_of(ruling) == {book} - {""}


def test_the_twenty_answers_are_all_there_and_differ() -> None:
    """Four presets, five disputes; no two presets cite the same for all, and no books mix."""
    assert len(DECIDED) == 4 * len(DISPUTES)
    by_preset = {
        preset: tuple(frozenset(e) for p, _, _, e, _ in DECIDED if p == preset)
        for preset, *_ in DECIDED
    }
    assert len(set(by_preset.values())) == 4


def test_house_rules_are_named_with_their_values() -> None:
    """R238: what the table changed, or its book has as a house rule, is marked."""
    house = decide("forgotten-uno", choose("house_dk", {})).cited.options
    named = {(o.option, o.value) for o in house if o.house}
    assert named == {("uno_penalty_cards", "4"), ("uno_window", "next_turn_ends")}
    official = decide("forgotten-uno", choose("official_dk", {})).cited.options
    assert official
    assert not any(option.house for option in official)
    changed = decide("forgotten-uno", choose("family_se", {"uno_penalty_cards": 4})).cited.options
    assert [o.option for o in changed if o.house] == ["uno_penalty_cards"]


@pytest.mark.parametrize("preset", sorted(set(PRESETS) - {"house_dk", "house_no"}))
def test_what_a_book_has_as_its_rules_is_no_house_rule(preset: str) -> None:
    """R238: D2 and D3 are books of their own; that D0 has other rules makes no house rule."""
    for name in DISPUTES:
        assert not any(option.house for option in decide(name, choose(preset, {})).cited.options)


def test_editions_say_where_in_a_book_a_clause_stands() -> None:
    """D4 gives official answer and house habit side by side; D1 holds two editions."""
    official = decide("draw-four", choose("official_dk", {})).cited.clauses[0].source
    house = decide("draw-four", choose("house_dk", {})).cited.clauses[0].source
    merciless = decide("stacking", choose("no_mercy", {})).cited.clauses[0].source
    assert official.edition.startswith("disputes, official answer")
    assert house.edition == "disputes, house habit"
    assert merciless.edition.startswith("No Mercy edition")


@pytest.mark.parametrize("dispute", DISPUTES)
def test_every_preset_and_every_value_is_answered(dispute: str) -> None:
    """One sentence without a blank left open, and at least one clause, for all rules."""
    assert question(dispute).endswith("?")
    options = ("stacking", "stack_pairs", "uno_window", "uno_penalty_cards", "uno_penalty_source")
    more = ("finish_card", "finish_draw_counts", "wd4_legality", "wd4_enforcement", "first_card")
    choices = [choose(preset, {}) for preset in PRESETS]
    choices += [choice for option in (*options, *more) for choice in variants(option)]
    for choice in choices:
        ruling = decide(dispute, choice)
        assert ruling.cited.clauses
        assert ruling.text.endswith(".")
        assert "{" not in ruling.text


@pytest.mark.parametrize(
    ("overrides", "says"),
    [
        ({"uno_penalty_cards": 1}, "one draws 1 card;"),
        ({"uno_penalty_cards": 0}, "one draws nothing;"),
        ({"uno_penalty_skip_turn": True}, "draws 2 cards and loses the next turn;"),
        ({"uno_window": "open"}, "Caught while one still holds one card,"),
    ],
)
def test_the_penalty_is_that_of_the_table(overrides: dict[str, object], says: str) -> None:
    """C13, C17: number, window and lost turn are the table's own."""
    assert says in decide("forgotten-uno", choose("official_dk", overrides)).text


def test_pairs_that_leave_out_draw_twos_say_no() -> None:
    """R231: what combines is what the table has agreed on."""
    pairs = {"stacking": "pairs", "stack_pairs": ["wd4>wd4"]}
    ruling = decide("stacking", choose("standard_no", pairs))
    assert (ruling.verdict, ids(ruling)) == ("no", {"R231"})
