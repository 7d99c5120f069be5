"""
Which tips of the strategy table does the adviser follow, and how much does each weigh?

Each tip measures one thing of a card that may be laid, as it would leave the table; what a play is
worth is the sum of its measures times their weights. Weights between two players and between
several differ; both come from play against `greedy` (docs/decisions/0118).
"""

from collections.abc import Callable
from typing import NamedTuple

from lastcard.bots.moves import Move
from lastcard.bots.sight import FEW, NOBODY, Sight
from lastcard.v1 import card_pb2, rules_pb2

# What a seat matters that is so much nearer to going out than with four cards.
NEAR = {0: 0.0, 1: 0.0, 2: 3.0, 3: 6.0, -1: 0.0, -2: -3.0, -3: -6.0}
# Naming a colour the hand can follow (B12); one that the next seat seems to lack (B03).
HELD_COLOUR, LACKING = 8.0, 4.0
# Cards from which on a seat counts as near to being knocked out.
MANY = 14


class Tip(NamedTuple):
    """
    One tip.

    Attributes:
        number: Its rows of the strategy table, or the row of the rules it follows from.
        two: What one unit of the measure adds to the worth of a play between two players.
        several: The same between several, and where mercy rules.
        measure: How much of it a play has.
    """

    number: str
    two: float
    several: float
    measure: Callable[[Sight, Move], float]


def _sign(threat: int) -> int:
    return (threat > 0) - (threat < 0)


def last_is_number(sight: Sight) -> bool:
    """Tell whether only a number may be the last card (S15)."""
    return sight.rules.finish_card == rules_pb2.FINISH_CARD_NUMBER_ONLY


def _hit(sight: Sight, move: Move) -> float:
    """How near to going out the foe is that is hit; the partner counts against it."""
    return NEAR[sight.threats[move.victim]] if move.victim != NOBODY else 0


def _hit_last(sight: Sight, move: Move) -> float:
    """Whether a foe is hit that holds one card; the partner counts against it."""
    threat = sight.threats[move.victim] if move.victim != NOBODY else 0
    return _sign(threat) if abs(threat) == FEW else 0


def _dealt_near(sight: Sight, move: Move) -> float:
    """Whether cards are dealt to a foe that is about to go out; the partner counts against it."""
    return _sign(sight.threats[move.victim]) if move.dealt else 0


def _dealt_early(sight: Sight, move: Move) -> float:
    """Whether a coloured card deals cards to a seat that is not about to go out."""
    return move.dealt > 0 and not move.wild and sight.threats[move.victim] == 0


def _hit_early(sight: Sight, move: Move) -> float:
    """An action spent on a foe that is far from going out."""
    return move.victim != NOBODY and sight.threats[move.victim] < 2


def _next(sight: Sight, move: Move) -> float:
    """How near to going out the seat is that comes next; the partner counts for it."""
    return NEAR[sight.threats[move.follower]]


def _turned(_: Sight, move: Move) -> float:
    """A reverse spent."""
    return move.face == card_pb2.FACE_REVERSE


def _again(sight: Sight, move: Move) -> float:
    """Whether the own turn comes again."""
    return move.follower == sight.seat


def _lacking(sight: Sight, move: Move) -> float:
    """Whether the next seat seems to lack the colour left in force, or to hold it."""
    return sight.lacking[move.colour] if move.follower == sight.order[0] else 0


def _lacking_named(sight: Sight, move: Move) -> float:
    """The same of a colour that is named."""
    return _lacking(sight, move) if move.wild else 0


def _held_colour(sight: Sight, move: Move) -> float:
    """Whether a colour is named that the hand can follow."""
    return move.wild and sight.colours[move.colour] > 0


def _followed(sight: Sight, move: Move) -> float:
    """Cards of the hand that could follow in the same colour."""
    return sight.colours[move.colour] - (not move.wild)


def _follows(sight: Sight, move: Move) -> float:
    """Whether any card of the hand could follow in the same colour."""
    return sight.colours[move.colour] > (not move.wild)


def _variety(sight: Sight, move: Move) -> float:
    """Colours that the hand keeps."""
    return sight.variety - (not move.wild and sight.colours[move.colour] == 1)


def _points(_: Sight, move: Move) -> float:
    """Tens of points of a number got rid of."""
    return move.points / 10 if move.face < card_pb2.FACE_SKIP else 0


def _symbol(_: Sight, move: Move) -> float:
    """A coloured card with a symbol got rid of."""
    return move.face >= card_pb2.FACE_SKIP and not move.wild


def _behind(sight: Sight, move: Move) -> float:
    """Tens of points got rid of while a foe is about to go out and the own hand is not."""
    return move.points / 10 if sight.fewest <= FEW and sight.held > sight.fewest + 2 else 0


def _wild(_: Sight, move: Move) -> float:
    """A wild spent of which there are few."""
    return move.scarce


def _plentiful(_: Sight, move: Move) -> float:
    """A wild spent of which there are many."""
    return move.wild and not move.scarce


def _four_early(sight: Sight, move: Move) -> float:
    """Cards dealt by a wild spent on a seat that is not about to go out."""
    return move.scarce and move.dealt and sight.threats[move.victim] == 0


def _wild_late(sight: Sight, move: Move) -> float:
    """A wild spent while a foe is about to go out."""
    return move.wild and sight.fewest <= FEW


def _wild_last(sight: Sight, move: Move) -> float:
    """A wild spent while a foe holds one card."""
    return move.wild and sight.fewest == 1


def _wild_soon(sight: Sight, move: Move) -> float:
    """The only wild spent although it could bring home one of the last cards."""
    if not move.scarce or sight.colours[card_pb2.COLOUR_WILD] > 1 or last_is_number(sight):
        return 0
    return sight.held in (3, 4)


def _reserve(sight: Sight, move: Move) -> float:
    """The only wild spent while nobody is about to go out and the hand is of middling size."""
    early = sight.fewest > FEW and 2 < sight.held < 7
    return move.scarce and early and sight.colours[card_pb2.COLOUR_WILD] == 1


def _wilds_left(sight: Sight, move: Move) -> int:
    """Return how many wilds the hand keeps; none counts where only a number may come last."""
    return 0 if last_is_number(sight) else sight.colours[card_pb2.COLOUR_WILD] - move.wild


def _last_two(sight: Sight, move: Move) -> float:
    """Whether one or two cards are left and a wild is among them."""
    return sight.held in (2, 3) and _wilds_left(sight, move) > 0


def _last_wild(sight: Sight, move: Move) -> float:
    """Whether the card left is a wild."""
    return sight.held == 2 and _wilds_left(sight, move) > 0


def _last_follows(sight: Sight, move: Move) -> float:
    """Whether the card left is of the colour left in force."""
    return sight.held == 2 and _follows(sight, move)


def _gain(_: Sight, move: Move) -> float:
    """Cards that a swap, a rotation or a shuffle takes off the hand."""
    return move.gain


def _along(sight: Sight, move: Move) -> float:
    """Other cards that a discard-all takes along."""
    return sight.colours[move.colour] - 1 if move.face == card_pb2.FACE_DISCARD_ALL else 0


def _mercy(sight: Sight, move: Move) -> float:
    """A foe hit that is near to being knocked out."""
    if not sight.rules.mercy_limit or move.victim in (NOBODY, sight.seat):
        return 0
    return sight.counts[move.victim] >= MANY


def _number(sight: Sight, move: Move) -> float:
    """The last number spent where only a number may be the last card."""
    if not last_is_number(sight):
        return 0
    return move.face <= card_pb2.FACE_NINE and sum(sight.faces[1:11]) == 1 and sight.held > 1


def _fed(sight: Sight, move: Move) -> float:
    """Cards dealt to the partner, or to oneself."""
    return move.dealt if move.victim in (sight.partner, sight.seat) else 0


TIPS = (
    Tip("B01", 1.0, 4.0, _hit),
    Tip("B01", 0.0, 40.0, _hit_last),
    Tip("B01", 0.0, 11.0, _dealt_near),
    Tip("B16", -2.0, -10.0, _hit_early),
    Tip("B16", 0.0, -2.5, _dealt_early),
    Tip("B02", 0.0, -13.0, _turned),
    Tip("B02 B11", -1.0, -1.1, _next),
    Tip("B02", 6.0, 6.0, _again),
    Tip("B03", LACKING, 9.5, _lacking),
    Tip("B03 B12", 6.0, 0.0, _lacking_named),
    Tip("B12", HELD_COLOUR, 0.0, _held_colour),
    Tip("B12 B19", 0.6, 0.0, _followed),
    Tip("B12 B19", 0.0, 11.0, _follows),
    Tip("B19", 0.0, -7.0, _variety),
    Tip("B15", 2.4, 0.0, _points),
    Tip("B08 B15", 0.0, 11.0, _symbol),
    Tip("B08", 3.0, 0.0, _behind),
    Tip("B13", -10.0, -26.0, _wild),
    Tip("B16", -20.0, 0.0, _four_early),
    Tip("B13", 0.0, -4.0, _plentiful),
    Tip("B17", 10.0, 7.0, _wild_late),
    Tip("B17", 0.0, 20.0, _wild_last),
    Tip("B13", -12.0, -9.5, _wild_soon),
    Tip("B13", -30.0, 0.0, _reserve),
    Tip("B13", 0.0, 46.0, _last_two),
    Tip("B13", 0.0, 33.0, _last_wild),
    Tip("B12 B19", 0.0, 38.0, _last_follows),
    Tip("B25", 6.0, 8.0, _gain),
    Tip("NM18", 0.0, 8.0, _along),
    Tip("B26", 0.0, 20.0, _mercy),
    Tip("B11 B24", -6.0, -6.0, _fed),
    Tip("S15", -10.0, -10.0, _number),
)
TWO = tuple((tip.two, tip.measure) for tip in TIPS if tip.two)
"""Weights and measures between two players."""
SEVERAL = tuple((tip.several, tip.measure) for tip in TIPS if tip.several)
"""Weights and measures between several, and where mercy rules."""
