"""Which cards make up a deck?"""

from collections import Counter
from dataclasses import replace

import pytest

import lastcard_engine as engine


def counts(preset: str) -> Counter[str]:
    """Count the cards of a preset's deck by their names."""
    return Counter(engine.format_card(card) for card in engine.deck(engine.preset(preset)))


@pytest.mark.parametrize(
    ("preset", "size", "points"),
    [
        ("standard_no", 108, 1240),
        ("official_se", 112, 1400),
        ("official_dk", 112, 1440),
        ("standard_no_swap", 112, 1440),
        ("no_mercy", 168, 2840),
    ],
)
def test_size_and_points(preset: str, size: int, points: int) -> None:
    """The sums are those of the rules."""
    rules = engine.preset(preset)
    cards = engine.deck(rules)
    assert len(cards) == size
    assert sum(engine.card_value(card, rules.extra_wild_points) for card in cards) == points
    assert cards == sorted(cards)


def test_extras_are_added_to_the_classic_deck() -> None:
    """One shuffle card and three blanks in the box of 112."""
    extra = counts("official_se") - counts("standard_no")
    assert extra == Counter({"WS": 1, "WC": 3})


def test_a_deck_of_ones_own_holds_what_it_says() -> None:
    """Custom counts are taken as they are."""
    card = engine.parse_card("r5")
    rules = replace(engine.Rules(), deck=engine.Deck.CUSTOM, deck_counts=((card, 3),))
    assert engine.deck(rules) == [card] * 3


def test_the_list_is_the_callers_own() -> None:
    """Changing it changes nobody else's."""
    rules = engine.preset("standard_no")
    engine.deck(rules).clear()
    assert len(engine.deck(rules)) == 108
