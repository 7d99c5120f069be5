"""What may an option be, and what is refused how?"""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

import lastcard_engine as engine


def refusal(call: Callable[..., Any], *arguments: Any) -> engine.RulesError:
    """Return the error of a call that must fail."""
    with pytest.raises(engine.RulesError) as caught:
        call(*arguments)
    return caught.value


def test_there_is_a_row_for_every_option() -> None:
    """The table and the rules name the same 38 options in the same order."""
    names = [field.name for field in fields(engine.Rules)]
    assert list(engine.OPTIONS) == names
    assert len(names) == 38


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("deck", "classic_109"),
        ("deck", 3),
        ("deck_extras", {"shuffle_hands": 5}),
        ("deck_extras", {"jokers": 1}),
        ("deck_extras", {"custom_wild": True}),
        ("deck_extras", 3),
        ("deck_counts", {"r10": 1}),
        ("deck_counts", {"r1": -1}),
        ("deck_counts", 4),
        ("max_players", 1),
        ("max_players", 11),
        ("max_players", "4"),
        ("hand_size", 0),
        ("hand_size", 16),
        ("hand_size", 7.0),
        ("hand_size", True),
        ("voluntary_draw", 1),
        ("voluntary_draw", "true"),
        ("stack_pairs", ["d2>w4"]),
        ("stack_pairs", "d2>d2"),
        ("custom_rules", {}),
        ("custom_rules", [{}]),
        ("custom_rules", [{"id": {}}]),
        ("custom_rules", [{"id": "x", "ops": "draw"}]),
        ("custom_rules", [{"id": "x", "colour": "r"}]),
        ("custom_rules", ["x"]),
        ("extra_wild_points", 45),
        ("extra_wild_points", True),
        ("target_points", 49),
        ("target_points", 5001),
        ("jump_in", "on"),
        ("uno_penalty_cards", 11),
        ("mercy_limit", 1),
        ("mercy_limit", True),
        ("mercy_limit", 168),
    ],
)
def test_a_wrong_value_is_refused_and_says_what_is_right(option: str, value: object) -> None:
    """The error names option and value and lists what is allowed."""
    error = refusal(engine.make_rules, "standard_no", {option: value})
    assert (error.reason, error.option, error.value) == ("bad_value", option, value)
    assert error.allowed
    assert error.allowed[0] in error.message


def test_unknown_names_are_refused() -> None:
    """An option or preset that does not exist is named; nothing is guessed."""
    error = refusal(engine.make_rules, "standard_no", {"jumpin": "identical"})
    assert (error.reason, error.option) == ("unknown_option", "jumpin")
    error = refusal(engine.make_rules, "standard", {})
    assert (error.reason, error.value) == ("unknown_preset", "standard")
    assert "standard_no" in error.allowed


@pytest.mark.parametrize(
    ("changes", "option"),
    [
        ({"mercy_bonus": 250}, "mercy_bonus"),
        ({"mercy_limit": 7}, "mercy_limit"),
        ({"uno_required_to_finish": True, "uno_self_correct": False}, "uno_required_to_finish"),
        ({"stack_pairs": ("d2>wd4",)}, "stack_pairs"),
        ({"deck": "custom", "deck_counts": {"r5": 60, "WC1": 3}}, "deck_counts"),
        ({"teams": "pairs", "scoring": "low_total"}, "teams"),
        ({"teams": "pairs", "mercy_limit": 25}, "teams"),
    ],
)
def test_options_that_exclude_each_other(changes: dict[str, Any], option: str) -> None:
    """S08, Q63: the contradiction is named by the option that causes it."""
    error = refusal(engine.make_rules, "standard_no_points", changes)
    assert (error.reason, error.option) == ("contradiction", option)


@pytest.mark.parametrize(
    ("changes", "seats", "reason"),
    [
        ({}, 1, "bad_value"),
        ({}, 11, "bad_value"),
        ({"max_players": 3}, 4, "bad_value"),
        ({"hand_size": 10}, 10, "contradiction"),
        ({"hand_size": 9}, 10, None),
        ({"hand_size": 15}, 6, None),
        ({"hand_size": 15}, 7, "contradiction"),
    ],
)
def test_seats_and_hands_must_fit_the_deck(
    changes: dict[str, Any], seats: int, reason: str | None
) -> None:
    """R024, Q22: eleven cards are left after the deal, the start card among them."""
    rules = engine.make_rules("standard_no", changes)
    if reason is None:
        engine.validate(rules, seats)
    else:
        assert refusal(engine.validate, rules, seats).reason == reason


def test_rules_built_by_hand_are_validated_too() -> None:
    """A value out of range is found although no reader has seen it."""
    rules = replace(engine.Rules(), hand_size=16)
    assert refusal(engine.validate, rules, 2).option == "hand_size"


def test_plain_values_are_read_back() -> None:
    """Every preset becomes plain JSON values and the same rules again."""
    for rules in engine.PRESETS.values():
        assert engine.read_rules(engine.plain_rules(rules)) == rules


def test_settings_are_read_back_and_unknown_ones_refused() -> None:
    """Likewise the settings of a match."""
    settings = engine.Settings(engine.Reactions.RACE, engine.Absence.FORFEIT_MATCH, 10, 2)
    assert engine.read_settings(engine.plain_settings(settings)) == settings
    for values in ({"clock": 1}, {"reactions": "fast"}, {"rounds": "2"}, {"action_cap": True}):
        with pytest.raises(ValueError, match=r"."):
            engine.read_settings(values)


@pytest.mark.parametrize(
    "values", [{"action_cap": 0}, {"action_cap": 100_001}, {"rounds": -1}, {"rounds": 1001}]
)
def test_settings_out_of_range_are_refused(values: dict[str, Any]) -> None:
    """The sentence names the setting and its range."""
    with pytest.raises(ValueError, match="it must be"):
        engine.Settings(**values)
