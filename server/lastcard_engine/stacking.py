"""
Which draw card may answer which, and how many cards does each demand?

Numbers and pairs as data: `tables` compiles them into rows, `debts` keeps the sum passed on.
"""

from collections.abc import Mapping
from typing import Final

from lastcard_engine.cards import Face
from lastcard_engine.rules import Rules, Stacking, StackPair

DRAWS: Final[Mapping[Face, int]] = {
    Face.DRAW_TWO: 2,
    Face.DRAW_FOUR: 4,
    Face.WILD_DRAW_FOUR: 4,
    Face.WILD_REVERSE_DRAW_FOUR: 4,
    Face.WILD_DRAW_SIX: 6,
    Face.WILD_DRAW_TEN: 10,
}
"""Cards that a draw card demands of the next player (R105, R110, NM05)."""

_PAIRS: Final[Mapping[StackPair, tuple[Face, Face]]] = {
    StackPair.D2_D2: (Face.DRAW_TWO, Face.DRAW_TWO),
    StackPair.D2_WD4: (Face.DRAW_TWO, Face.WILD_DRAW_FOUR),
    StackPair.WD4_D2: (Face.WILD_DRAW_FOUR, Face.DRAW_TWO),
    StackPair.WD4_WD4: (Face.WILD_DRAW_FOUR, Face.WILD_DRAW_FOUR),
}


def answers(rules: Rules, faced: Face) -> frozenset[Face]:
    """
    Return the faces that may be laid on a draw card one faces; none where it must be taken.

    Rule: C34, C35, R229-R231, R241, NM05, Q43. Colours do not count.
    """
    least = DRAWS.get(faced)
    if least is None or rules.stacking is Stacking.NONE:
        return frozenset()
    if rules.stacking is Stacking.EQUAL_OR_HIGHER:
        return frozenset(face for face, amount in DRAWS.items() if amount >= least)
    pairs = map(_PAIRS.__getitem__, rules.stack_pairs)
    return frozenset(answer for answered, answer in pairs if answered is faced)
