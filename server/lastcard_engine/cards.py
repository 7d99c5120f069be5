"""
What is a card?

A card is its kind: a small number in canonical order (red, yellow, green, blue, then wilds; 0-9,
then symbols). Equal cards cannot be told apart, and no number names one copy. The file knows
values and notation; it must never know what a card does when it is played (see `effects`).
"""

from enum import IntEnum
from typing import Final, NewType

Card = NewType("Card", int)
"""The kind of a card: colour * 16 + face for coloured cards, 64 to 80 for wilds."""

Seat = NewType("Seat", int)
"""A place at the table, 0-based, numbered clockwise."""


class Colour(IntEnum):
    """The four colours (R003), in canonical order."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3


class Face(IntEnum):
    """What is printed on a card besides its colour; numbers first, wilds last."""

    ZERO = 0
    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    SKIP = 10
    REVERSE = 11
    DRAW_TWO = 12
    DRAW_FOUR = 13
    SKIP_EVERYONE = 14
    DISCARD_ALL = 15
    WILD = 16
    WILD_DRAW_FOUR = 17
    SHUFFLE_HANDS = 18
    SWAP_HANDS = 19
    CUSTOM = 20
    WILD_REVERSE_DRAW_FOUR = 21
    WILD_DRAW_SIX = 22
    WILD_DRAW_TEN = 23
    COLOUR_ROULETTE = 24


FIRST_WILD: Final = 64
"""Cards from this one on are wild and have no colour of their own."""

FIRST_RULE: Final = 73
"""The custom wild that carries the first of the table's custom rules; one kind a rule follows."""

MOST_RULES: Final = 8
"""Custom rules a table may have; no deck holds more custom wilds."""

KINDS: Final = FIRST_RULE + MOST_RULES
"""How many kinds of card exist: every `Card` is at least 0 and less than this."""

_FACE_OFFSET: Final = FIRST_WILD - Face.WILD
_SYMBOLS: Final = ("S", "R", "D2", "D4", "SE", "DA")
_WILDS: Final = ("W", "W4", "WS", "WX", "WC", "WR4", "W6", "W10", "WCR")
_RULES: Final = tuple(f"WC{number}" for number in range(1, MOST_RULES + 1))
_LETTERS: Final = "rygb"
_SUFFIXES: Final = tuple(str(number) for number in range(10)) + _SYMBOLS

COLOURS: Final = tuple(Colour)
NAMES: Final = (
    tuple(letter + suffix for letter in _LETTERS for suffix in _SUFFIXES) + _WILDS + _RULES
)
"""The notation of every card, indexed by card: `r5`, `gR`, `bD2`, `W4`, `WC1`."""

ALL_CARDS: Final = tuple(Card(kind) for kind in range(KINDS))
COLOURED: Final = ALL_CARDS[:FIRST_WILD]
_BY_NAME: Final = {name: Card(kind) for kind, name in enumerate(NAMES)}

WILD: Final = _BY_NAME["W"]
WILD_DRAW_FOUR: Final = _BY_NAME["W4"]
SHUFFLE_HANDS: Final = _BY_NAME["WS"]
SWAP_HANDS: Final = _BY_NAME["WX"]
COLOUR_ROULETTE: Final = _BY_NAME["WCR"]
CUSTOM: Final = _BY_NAME["WC"]
"""The custom wild without a rule, a plain wild (Q34)."""


def coloured(colour: Colour, face: Face) -> Card:
    """Return the card of a colour and a face; `face` must not be a wild's."""
    if face >= Face.WILD:
        raise ValueError(f"{face.name} has no colour; coloured faces are ZERO to DISCARD_ALL")
    return Card(colour * 16 + face)


def colour_of(card: Card) -> Colour | None:
    """Return the printed colour of a card, None for wilds (Q41: they are colourless in hand)."""
    return None if card >= FIRST_WILD else COLOURS[card >> 4]


def face_of(card: Card) -> Face:
    """Return the face of a card; the custom wilds share one, whatever rule they carry."""
    if card < FIRST_WILD:
        return Face(card & 15)
    return Face(card - _FACE_OFFSET) if card < FIRST_RULE else Face.CUSTOM


def rule_number(card: Card) -> int:
    """Return the 1-based number of the custom rule a card carries; 0 for none (R150)."""
    return max(0, card - FIRST_RULE + 1)


def is_number(card: Card) -> bool:
    """Return whether a card is a number card, 7 and 0 included (S15)."""
    return card < FIRST_WILD and card & 15 <= Face.NINE


def _value(card: Card, extra_wild_points: int) -> int:
    face = face_of(card)
    if face <= Face.NINE:
        return int(face)
    if face < Face.WILD:
        return 20
    extra = face in (Face.SHUFFLE_HANDS, Face.SWAP_HANDS, Face.CUSTOM)
    return extra_wild_points if extra else 50


VALUES: Final = {points: tuple(_value(card, points) for card in ALL_CARDS) for points in (40, 50)}
"""Points of every card (R193-R203), by the option `extra_wild_points`, then by card."""


def card_value(card: Card, extra_wild_points: int = 50) -> int:
    """
    Return the points of a card left in a hand.

    Rule: R193-R203. Numbers count their face, coloured symbols 20, wilds 50; shuffle, swap and
    custom wilds count `extra_wild_points`, which is 40 or 50.

    Example:
        >>> card_value(parse_card("g9")), card_value(parse_card("bD2"))
        (9, 20)

    """
    return VALUES[extra_wild_points][card]


def parse_card(text: str) -> Card:
    """
    Return the card written in notation.

    Raises:
        ValueError: `text` is not exactly one of `NAMES`; nothing is guessed from case or spaces.

    Example:
        >>> format_card(parse_card("r7"))
        'r7'

    """
    try:
        return _BY_NAME[text]
    except KeyError:
        raise ValueError(
            f"{text!r} is no card; write a colour (r, y, g, b) and a face, as in r5, gR or bD2, "
            f"or a wild: {', '.join(_WILDS)}, {_RULES[0]} to {_RULES[-1]}"
        ) from None


def format_card(card: Card) -> str:
    """Return the notation of a card."""
    return NAMES[card]


def parse_colour(text: str) -> Colour:
    """
    Return the colour written as one letter.

    Raises:
        ValueError: `text` is not `r`, `y`, `g` or `b` (R003).

    """
    if len(text) != 1 or text not in _LETTERS:
        raise ValueError(f"{text!r} is no colour; write r, y, g or b")
    return COLOURS[_LETTERS.index(text)]


def format_colour(colour: Colour) -> str:
    """Return the one-letter notation of a colour."""
    return _LETTERS[colour]
