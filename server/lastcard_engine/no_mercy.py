"""
Which cards does the No Mercy deck hold?

The sheet gives the total of 168 alone and public lists disagree, so three of them stand here as
data (NM01). `Deck.NO_MERCY_168` is the most common one, "a"; the others are played as `Deck.CUSTOM`
with `no_mercy_counts`.
"""

from collections.abc import Mapping
from typing import Final

from lastcard_engine.cards import ALL_CARDS, Face, face_of, format_card

_COLOURED: Final = (
    *map(Face, range(10)),
    Face.SKIP,
    Face.REVERSE,
    Face.DRAW_TWO,
    Face.DRAW_FOUR,
    Face.DISCARD_ALL,
    Face.SKIP_EVERYONE,
)
_WILDS: Final = (
    Face.WILD_REVERSE_DRAW_FOUR,
    Face.WILD_DRAW_SIX,
    Face.WILD_DRAW_TEN,
    Face.COLOUR_ROULETTE,
    Face.WILD,
)


def _list(zeros: int, coloured: tuple[int, ...], wilds: tuple[int, ...]) -> Mapping[Face, int]:
    numbers = (zeros, *(2,) * 9)
    return dict(zip((*_COLOURED, *_WILDS), (*numbers, *coloured, *wilds), strict=True))


NO_MERCY_LISTS: Final[Mapping[str, Mapping[Face, int]]] = {
    "a": _list(2, (3, 3, 3, 2, 3, 2), (8, 4, 4, 8, 0)),
    "b": _list(2, (3, 3, 3, 3, 3, 3), (4, 4, 4, 4, 0)),
    "c": _list(1, (3, 3, 3, 3, 3, 3), (4, 4, 4, 4, 4)),
}
"""Copies a colour, or in all for wilds, by the name of the list (NM01, C41)."""


def no_mercy_counts(name: str) -> dict[str, int]:
    """
    Return a list of No Mercy cards as a value of `deck_counts`, for `deck=custom`.

    Raises:
        KeyError: no list has this name; see `NO_MERCY_LISTS`.

    """
    copies = NO_MERCY_LISTS[name]
    counts = {format_card(card): copies.get(face_of(card), 0) for card in ALL_CARDS}
    return {card: count for card, count in counts.items() if count}
