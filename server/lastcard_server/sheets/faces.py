"""
What does a sheet say of the cards themselves: names, copies, points, effects?

Numbers are one row; every other face of the deck has its own.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from lastcard_engine.cards import COLOURS, Card, Colour, Face, card_value, colour_of, face_of
from lastcard_engine.deck import deck
from lastcard_engine.presets import fewest_seats
from lastcard_engine.rules import Deck, Rules
from lastcard_server.sheets.words import Words


class Row(NamedTuple):
    """A kind of card in the words of one language."""

    name: str
    aside: str
    """Its copies in the whole deck and its points."""
    effect: str


@lru_cache(256)
def counts(rules: Rules) -> Counter[Face]:
    """Return how many cards of each face the deck has; it is shared, so leave it be."""
    return Counter(map(face_of, deck(rules)))


def rows(rules: Rules, words: Words) -> Iterator[tuple[str, Row]]:
    """Yield a row for the numbers and one for each other face of the deck, by name."""
    faces = counts(rules)
    if numbers := sum(copies for face, copies in faces.items() if face <= Face.NINE):
        effect = words.say("effect.number_seven_zero" if rules.seven_zero else "effect.number")
        aside = words.say("points.aside", n=numbers, points=words.say("points.face"))
        yield "number", Row(words.say("card.number"), aside, effect)
    for face in sorted(face for face in faces if face > Face.NINE):
        points = words.say("points.each", n=_points(face, rules))
        name = face.name.lower()
        aside = words.say("points.aside", n=faces[face], points=points)
        yield name, Row(words.say(f"card.{name}"), aside, _effect(face, rules, words))


def _points(face: Face, rules: Rules) -> int:
    card = next(card for card in deck(rules) if face_of(card) is face)
    return card_value(card, rules.extra_wild_points)


_DECIDED_BY: Final[dict[Face, Callable[[Rules], str]]] = {
    Face.SHUFFLE_HANDS: lambda rules: rules.shuffle_pool,
    Face.COLOUR_ROULETTE: lambda rules: rules.roulette_chooser,
}
"""Faces whose effect an option decides: from the rules to the end of the message's name."""

_BETWEEN_TWO: Final = {
    Face.REVERSE: "reverse_two_players",
    Face.WILD_REVERSE_DRAW_FOUR: "reverse_four_two_players",
}
"""Faces that act otherwise between two players, and the messages that say how (R115, NM08)."""


def _effect(face: Face, rules: Rules, words: Words) -> str:
    decided = _DECIDED_BY.get(face)
    ending = f"_{decided(rules)}" if decided else ""
    effect = words.say(f"effect.{face.name.lower()}{ending}")
    if face in _BETWEEN_TWO and fewest_seats(rules) == 2:
        effect += " " + words.say(f"{_BETWEEN_TWO[face]}.{rules.reverse_two_players}")
    return effect


GROUPS: Final[dict[str, Colour | None]] = {
    **{colour.name.lower(): colour for colour in COLOURS},
    "wilds": None,
}
"""The colours of a deck, and the wilds without one."""


def custom_cards(group: str, rules: Rules, words: Words) -> str:
    """Return the cards of one of GROUPS in a custom deck; empty if it has none, or is no such."""
    if rules.deck is not Deck.CUSTOM:
        return ""
    copies = Counter(deck(rules))
    cards = [card for card in copies if colour_of(card) is GROUPS[group]]
    listed = ", ".join(_copies(card, copies[card], words) for card in cards)
    return words.say(f"deck.{group}", cards=listed) if cards else ""


def _copies(card: Card, copies: int, words: Words) -> str:
    face = face_of(card)
    name = str(int(face)) if face <= Face.NINE else words.say(f"card.{face.name.lower()}")
    return words.say("deck.copies", card=name, n=copies)
