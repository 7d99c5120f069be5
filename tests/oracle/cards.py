"""
What cards exist, in which numbers, in which order and for how many points.

A card is its name in the notation of the rules: `r5`, `gR`, `W4`. Nothing here knows of a table.
"""

from collections.abc import Mapping
from typing import Any

COLOURS = "rygb"
NUMBERS = tuple("0123456789")
SYMBOLS = ("S", "R", "D2", "D4", "SE", "DA")
WILDS = ("W", "W4", "WS", "WX", "WC", "WR4", "W6", "W10", "WCR")
EXTRAS = {"shuffle_hands": "WS", "swap_hands": "WX", "custom_wild": "WC"}

# How many cards the next player owes for a face (R105, R110, NM05).
DRAWS = {"D2": 2, "W4": 4, "D4": 4, "WR4": 4, "W6": 6, "W10": 10}

# Copies of one face in each colour, and of each wild.
CLASSIC = {"0": 1, **dict.fromkeys(NUMBERS[1:], 2), "S": 2, "R": 2, "D2": 2}  # R004-R008
CLASSIC_WILDS = {"W": 4, "W4": 4}  # R009, R010
NO_MERCY = {**dict.fromkeys(NUMBERS, 2), "S": 3, "R": 3, "D2": 3, "D4": 2, "DA": 3, "SE": 2}
NO_MERCY_WILDS = {"WR4": 8, "W6": 4, "W10": 4, "WCR": 8}  # NM01


def is_wild(card: str) -> bool:
    """Say whether a card has no colour of its own."""
    return card.startswith("W")


def colour_of(card: str) -> str | None:
    """Name the colour a card has of its own; a wild has none (R003)."""
    return None if is_wild(card) else card[0]


def face_of(card: str) -> str:
    """Name what is on a card apart from its colour; a wild is its own face, whatever its rule."""
    if card.startswith("WC") and card[2:].isdigit():
        return "WC"
    return card if is_wild(card) else card[1:]


def is_number(card: str) -> bool:
    """Say whether a card is one of 0 to 9."""
    return face_of(card) in NUMBERS


def rank(card: str) -> tuple[int, int]:
    """
    Place a card in the canonical order: r, y, g, b, wilds; numbers before symbols.

    Wilds with a written rule are last, by the number of the rule: equal they are not.
    """
    if is_wild(card):
        written = int(card[2:]) + len(WILDS) if face_of(card) == "WC" and card != "WC" else 0
        return len(COLOURS), written or WILDS.index(face_of(card))
    return COLOURS.index(card[0]), (*NUMBERS, *SYMBOLS).index(card[1:])


def in_order(cards: list[str]) -> list[str]:
    """Sort cards canonically."""
    return sorted(cards, key=rank)


def points(card: str, extra_wild_points: int) -> int:
    """Count a card: face value, coloured special 20, wild 50 or 40 (R193-R203, NM23)."""
    if is_number(card):
        return int(face_of(card))
    if face_of(card) in EXTRAS.values():
        return extra_wild_points
    return 50 if is_wild(card) else 20


def deck(options: Mapping[str, Any]) -> list[str]:
    """List every card of the deck the options name, canonically."""
    if options["deck"] == "custom":
        counts = dict(options["deck_counts"] or {})
    elif options["deck"] == "no_mercy_168":
        counts = _counts(NO_MERCY, NO_MERCY_WILDS)
    else:
        counts = _counts(CLASSIC, CLASSIC_WILDS)
    for name, number in options["deck_extras"].items():  # R011-R017
        counts[EXTRAS[name]] = counts.get(EXTRAS[name], 0) + number
    for number in range(1, len(options["custom_rules"]) + 1):  # one card a rule
        counts["WC"] -= 1
        counts[f"WC{number}"] = 1
    return in_order([card for card, number in counts.items() for _ in range(number)])


def _counts(coloured: Mapping[str, int], wilds: Mapping[str, int]) -> dict[str, int]:
    return {f"{c}{face}": n for c in COLOURS for face, n in coloured.items()} | dict(wilds)
