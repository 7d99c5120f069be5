"""
Which cards make up the deck of a set of rules?

Counts are data, a row a card of one colour or a wild; the order of the list is canonical,
shuffling is `dealing`'s.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from lastcard_engine.cards import ALL_CARDS, CUSTOM, FIRST_RULE, Card, Face, face_of
from lastcard_engine.no_mercy import NO_MERCY_LISTS
from lastcard_engine.rules import Deck, DeckExtras, Rules

_CLASSIC: Final[Mapping[Face, int]] = {
    Face.ZERO: 1,
    **{Face(number): 2 for number in range(1, 10)},
    Face.SKIP: 2,
    Face.REVERSE: 2,
    Face.DRAW_TWO: 2,
    Face.WILD: 4,
    Face.WILD_DRAW_FOUR: 4,
}
"""Copies a colour, or in all for wilds (R002-R010)."""

_COUNTS: Final = {Deck.CLASSIC_108: _CLASSIC, Deck.NO_MERCY_168: NO_MERCY_LISTS["a"]}


def _extra(face: Face, extras: DeckExtras) -> int:
    return {
        Face.SHUFFLE_HANDS: extras.shuffle_hands,
        Face.SWAP_HANDS: extras.swap_hands,
        Face.CUSTOM: extras.custom_wild,
    }.get(face, 0)


@lru_cache(maxsize=256)
def _deck(rules: Rules) -> tuple[Card, ...]:
    faces = _COUNTS.get(rules.deck, {})
    counts = dict(rules.deck_counts or ())
    blank = [
        card
        for card in ALL_CARDS[:FIRST_RULE]
        for _ in range(
            counts.get(card, faces.get(face_of(card), 0)) + _extra(face_of(card), rules.deck_extras)
        )
    ]
    return _written(blank, len(rules.custom_rules))


def _written(cards: list[Card], rules: int) -> tuple[Card, ...]:
    """Put the custom rules on as many custom wilds; those left over stay plain (R150, Q34)."""
    plain = [card for card in cards if card != CUSTOM]
    wilds = [CUSTOM] * (len(cards) - len(plain))
    wilds[:rules] = [Card(FIRST_RULE + number) for number in range(len(wilds[:rules]))]
    return tuple(sorted(plain + wilds))


def deck(rules: Rules) -> list[Card]:
    """
    Return a new list of all cards of the deck in canonical order, equal ones side by side.

    Rule: R001-R019, NM01. The classic deck has 108 cards; `deck_extras`, at most 16, join any deck.
    """
    return list(_deck(rules))
