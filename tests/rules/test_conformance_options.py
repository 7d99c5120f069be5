"""Do defaults, presets and refusals of options say what the table says (C01-C45, Q62, Q66)?"""

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import at, deal, make_rules
from tests.rules.table import option_table


def plain(value: Any) -> Any:
    """Return an option's value as the table writes it."""
    if is_dataclass(value):
        pairs = ((field.name, getattr(value, field.name)) for field in fields(value))
        return {name: count for name, count in pairs if count}
    return list(value) if isinstance(value, tuple) else value


def options_of(rules: engine.Rules) -> dict[str, Any]:
    """Return all options of a set of rules in plain values."""
    return {field.name: plain(getattr(rules, field.name)) for field in fields(rules)}


def test_all_38_options_have_the_defaults_of_the_table() -> None:
    """Rules without overrides hold every option with its default."""
    assert len(option_table()["defaults"]) == 38
    assert options_of(engine.Rules()) == option_table()["defaults"]


@pytest.mark.parametrize("name", option_table()["presets"])
def test_presets_differ_from_the_defaults_as_the_table_says(name: str) -> None:
    """A preset is the defaults and its differences, nothing else."""
    wanted = option_table()["defaults"] | option_table()["presets"][name]
    assert options_of(engine.PRESETS[name]) == wanted


def test_there_are_exactly_the_presets_of_the_table() -> None:
    """No preset is missing and none is invented."""
    assert set(engine.PRESETS) == set(option_table()["presets"])


CONFLICTS = [
    pytest.param("deck_extras", {}, id="C01"),
    pytest.param("first_card", "number_only", id="C02"),
    pytest.param("first_card_rejects", "shuffle_back", id="C03"),
    pytest.param("wd4_legality", "no_colour", id="C07"),
    pytest.param("wd4_enforcement", "challenge", id="C09"),
    pytest.param("voluntary_draw", True, id="C11"),
    pytest.param("drawn_card", "may_play", id="C12"),
    pytest.param("uno_window", "next_turn_starts", id="C13"),
    pytest.param("uno_penalty_cards", 2, id="C17-cards"),
    pytest.param("uno_penalty_skip_turn", False, id="C17-turn"),
    pytest.param("uno_penalty_source", "draw_pile", id="C18"),
    pytest.param("uno_self_correct", True, id="C19"),
    pytest.param("uno_required_to_finish", False, id="C21"),
    pytest.param("reverse_two_players", "skip", id="C22"),
    pytest.param("action_match", "colour_or_symbol", id="C24"),
    pytest.param("deck", "classic_108", id="C25-C43"),
    pytest.param("extra_wild_points", 50, id="C26"),
    pytest.param("scoring", "winner_takes", id="C27"),
    pytest.param("shuffle_pool", "all_hands", id="C29"),
    pytest.param("finish_draw_counts", True, id="C32"),
    pytest.param("finish_card", "any", id="C33"),
    pytest.param("stacking", "none", id="C34"),
    pytest.param("stack_pairs", ["d2>d2"], id="C35"),
    pytest.param("partner_talk", False, id="C38"),
    pytest.param("roulette_chooser", "victim", id="C40"),
    pytest.param("dealer_pick", "draw_high", id="Q66"),
    pytest.param("next_dealer", "left", id="Q20"),
]


@pytest.mark.parametrize(("option", "default"), CONFLICTS)
def test_where_the_documents_disagree_the_default_is_ours(option: str, default: object) -> None:
    """The default of the option is the side the table chose."""
    assert plain(getattr(engine.Rules(), option)) == default


def test_r238_what_is_not_chosen_follows_the_preset() -> None:
    """One override leaves every other option as it was."""
    official, chosen = make_rules("official_dk"), make_rules("official_dk", uno_penalty_cards=4)
    wanted = options_of(official) | {"uno_penalty_cards": 4}
    assert options_of(chosen) == wanted


def test_q62_the_rules_of_a_match_never_change() -> None:
    """Rules are frozen, and a match keeps the ones it was made with."""
    table = at("r1 r2 | b1", "r5")
    with pytest.raises(FrozenInstanceError):
        table.state.rules.hand_size = 3  # type: ignore[misc]


WRONG: tuple[object, ...] = ("purple", -1, 10**9, None, 1.5, [{}], {"x": 1}, b"x")


def wrong() -> Iterator[tuple[str, object]]:
    """Yield options with a value that none of them has."""
    for name in option_table()["defaults"]:
        for value in WRONG:
            if not (name == "deck_counts" and value is None):
                yield name, value


@pytest.mark.parametrize(("option", "value"), list(wrong()))
def test_illegal_values_are_refused(option: str, value: object) -> None:
    """A value outside the row of its option is refused, and the refusal names the option."""
    with pytest.raises(engine.RulesError) as refusal:
        engine.make_rules("standard_no", {option: value})
    assert refusal.value.option == option
    assert refusal.value.reason in ("bad_value", "contradiction")


@pytest.mark.parametrize("name", ["", "Standard_no", "standard-no", "unknown", "no_mercy "])
def test_unknown_presets_are_refused(name: str) -> None:
    """A preset that does not exist is refused; nothing is guessed."""
    with pytest.raises(engine.RulesError) as refusal:
        engine.make_rules(name, {})
    assert refusal.value.reason == "unknown_preset"


@pytest.mark.parametrize("name", ["", "colour", "Deck", "hand-size", "reactions"])
def test_unknown_options_are_refused(name: str) -> None:
    """An option that does not exist is refused; nothing is guessed."""
    with pytest.raises(engine.RulesError) as refusal:
        engine.make_rules("standard_no", {name: 1})
    assert refusal.value.reason == "unknown_option"


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("max_players", 1),
        ("max_players", 11),
        ("hand_size", 0),
        ("hand_size", 16),
        ("uno_penalty_cards", 11),
        ("target_points", 49),
        ("target_points", 5001),
        ("extra_wild_points", 45),
        ("deck_extras", {"shuffle_hands": 5}),
        ("deck_extras", {"custom_wild": 9}),
        ("deck_extras", {"jokers": 1}),
        ("voluntary_draw", 1),
        ("hand_size", True),
    ],
)
def test_ranges_end_where_the_table_says(option: str, value: object) -> None:
    """The first value beyond each end of a range is refused."""
    with pytest.raises(engine.RulesError):
        engine.make_rules("standard_no", {option: value})


def test_q66_a_random_dealer_needs_no_draw() -> None:
    """With dealer_pick=random nobody draws, and every seat comes to deal."""
    dealers = set()
    for key in range(60):
        table = deal(4, key=key, dealer_pick="random")
        assert not table.all_events("DealerDrawn")
        dealers.add(table.event("DealerChosen").seat)
    assert dealers == {0, 1, 2, 3}
