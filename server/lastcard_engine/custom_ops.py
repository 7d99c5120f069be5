"""
What can the rule on a custom wild do, and how much of it?

A rule is a short list of operations from this closed set. Each operation has a fixed shape:
which arguments it takes, in which order, and what each may be. There is nothing that repeats, jumps
or computes, so every rule ends. How operations are written is in `custom_text`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple


class OpKind(StrEnum):
    """What one operation does."""

    DRAW = "draw"
    """The target draws so many cards."""
    DRAW_UNTIL = "draw_until"
    """The target draws until a card of a colour comes (CR02, Q37)."""
    DISCARD_MATCHING = "discard_matching"
    """The target lays out every card of a sort (CR03)."""
    ADJUST_HAND = "adjust_hand"
    """The target draws or lays out until it holds so many cards (CR06, CR07)."""
    DISCARD_TO = "discard_to"
    """The target may lay out cards until it holds so many (CR09, S20)."""
    NEXT_DRAW_COUNT = "next_draw_count"
    """The target, if it cannot play on its next turn, draws so many (CR04)."""
    EXTRA_TURN = "extra_turn"
    """The player has another turn (CR05)."""
    REVEAL_HANDS = "reveal_hands"
    """The hands of the target lie open until the player's next turn (CR08)."""
    DARE = "dare"
    """The target does what the text says, or pays for it (CR01)."""
    VOTE = "vote"
    """The others answer a question; one yes decides (CR09)."""
    RESTRICTION = "restriction"
    """The target keeps to a text until somebody calls UNO (CR10)."""


class Target(StrEnum):
    """Whom an operation is about."""

    SELF = "self"
    """Who laid the card; in what follows a dare, who was dared."""
    NEXT = "next"
    ALL = "all"
    """Every active seat, in turn order from the one who laid the card (CR07)."""
    OTHERS = "others"
    CHOSEN = "chosen"
    """The seat that is named with the play."""


@dataclass(frozen=True)
class Operation:
    """One operation; fields that its kind does not have keep their defaults."""

    kind: OpKind
    target: Target = Target.SELF
    number: int = 0
    """Cards."""
    word: str = ""
    """A colour, a sort of cards, or a text for people."""
    yes: tuple["Operation", ...] = ()
    """What follows a vote with a yes."""
    no: tuple["Operation", ...] = ()
    """What follows a vote without one, or a dare that was not met."""


class Argument(NamedTuple):
    """One place between the brackets of an operation."""

    field: str
    """The field of `Operation` that holds it; empty where the one legal word says nothing."""
    words: tuple[str, ...] = ()
    """The legal words, where they can be listed."""
    low: int = 0
    high: int = 0
    """The range of a number."""


MOST_OPERATIONS: Final = 8
"""Operations a rule may have."""
MOST_CONSEQUENCES: Final = 4
"""Operations that may follow a dare or one outcome of a vote."""
LONGEST_TEXT: Final = 80
"""Characters in the text of a dare, a vote or a restriction."""
NAMED: Final = "named"
"""The colour that was named with the card (Q37)."""

_ANY: Final = Argument("target", tuple(Target))
_ONE: Final = Argument("target", (Target.SELF, Target.NEXT, Target.CHOSEN))
_OTHER: Final = Argument("target", (Target.NEXT, Target.CHOSEN))
_NOT_SELF: Final = Argument("target", (Target.NEXT, Target.OTHERS, Target.CHOSEN))
_OWN: Final = Argument("target", (Target.SELF,))
_CARDS: Final = Argument("number", low=1, high=10)
_SIZE: Final = Argument("number", low=1, high=15)
_COLOUR: Final = Argument("word", ("r", "y", "g", "b", NAMED))
_SORT: Final = Argument("word", ("wild", "number", "special", "r", "y", "g", "b"))
_TEXT: Final = Argument("word")
_YES: Final = Argument("yes")
_NO: Final = Argument("no")

SHAPES: Final[Mapping[OpKind, tuple[Argument, ...]]] = {
    OpKind.DRAW: (_ANY, _CARDS),
    OpKind.DRAW_UNTIL: (_ONE, _COLOUR),
    OpKind.DISCARD_MATCHING: (_ANY, _SORT),
    OpKind.ADJUST_HAND: (_ANY, _SIZE),
    OpKind.DISCARD_TO: (_ANY, _SIZE),
    OpKind.NEXT_DRAW_COUNT: (_NOT_SELF, Argument("number", low=2, high=10)),
    OpKind.EXTRA_TURN: (_OWN,),
    OpKind.REVEAL_HANDS: (_ANY, Argument("", ("own_next_turn",))),
    OpKind.DARE: (_OTHER, _TEXT, _NO),
    OpKind.VOTE: (_TEXT, _YES, _NO),
    OpKind.RESTRICTION: (_ANY, _TEXT, Argument("", ("uno_call",))),
}
"""The arguments of every kind of operation, in order."""

ASKING: Final = frozenset({OpKind.DARE, OpKind.VOTE})
"""Operations that wait for people; none may follow another, so that a question ends."""

SOCIAL: Final = ASKING | {OpKind.RESTRICTION}
"""Operations no server can watch (R154)."""


def all_of(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """Return the operations with all that may follow from them."""
    return operations + tuple(later for op in operations for later in (*op.yes, *op.no))


def most_drawn(operations: tuple[Operation, ...], seats: int) -> int:
    """Return how many cards these operations make a table of `seats` draw at most, by `draw`."""
    return sum(_drawn(op, seats) for op in operations)


def _drawn(op: Operation, seats: int) -> int:
    hit = {Target.ALL: seats, Target.OTHERS: seats - 1}.get(op.target, 1)
    own = op.number * hit if op.kind is OpKind.DRAW else 0
    return own + max(most_drawn(op.yes, seats), most_drawn(op.no, seats))


def most_held(operations: tuple[Operation, ...], seats: int) -> int:
    """Return the cards that hands hold together after the largest `adjust_hand`."""
    sizes = [op.number * seats for op in all_of(operations) if op.kind is OpKind.ADJUST_HAND]
    return max(sizes, default=0)


def is_aimed(operations: tuple[Operation, ...]) -> bool:
    """Tell whether the player of the card names a seat with it."""
    return any(op.target is Target.CHOSEN for op in all_of(operations))


_SHEDDING: Final = (OpKind.DISCARD_MATCHING, OpKind.ADJUST_HAND, OpKind.DISCARD_TO)


def sheds(operations: tuple[Operation, ...]) -> bool:
    """Tell whether the rule may leave its player one card of many (S07)."""
    return any(op.kind in _SHEDDING for op in all_of(operations))
