"""
How does a bot play that follows the books' tips? It weighs every legal answer and takes the best.

Cards to be laid are weighed by the list in `tips`, answers of other kinds by what stands here. It
knows one turn: the view, the rules in force and what happened since its last turn; where rules and
events are missing it goes by the view. It plays honestly: no bluff (B09, B18), every call and
every catch (B20), and it never calls out of turn by choice (B21).
"""

from collections.abc import Callable, Mapping
from typing import Any

from lastcard.bots import random
from lastcard.bots.moves import POINTS, Move
from lastcard.bots.sight import FEW, Sight
from lastcard.bots.tips import HELD_COLOUR, LACKING, SEVERAL, TWO, last_is_number
from lastcard.v1 import action_pb2, card_pb2, turn_pb2

# What is worse than any honest answer, and what is better than any other.
BLUFF, SURE = -1000.0, 1000.0
# Drawing, or keeping what was drawn: worse than laying any card but a wild held in reserve (B13).
DRAW = -40.0
# For each card that is taken instead of answering a draw card (B24).
TAKEN = -10.0
# Share of players who lay a wild draw four without looking at their hand.
BLUFFERS = 0.05
# Guilt above which a challenge pays: two more cards against four and the turn (B23).
DOUBT = 1 / 3
# Probability that a card is not of a given colour.
OTHER_COLOUR = 1 - 25 / 108
# What it is worth to hold on to a wild, to a number that must come last, to a card that can follow.
KEEP_WILD, KEEP_NUMBER, KEEP_FOLLOWING = 20.0, 30.0, 1.0


def choose(turn: turn_pb2.Turn) -> int:
    """Return the index of the answer that looks best, the first of equals."""
    if len(turn.legal_actions) == 1:
        return 0
    if turn.kind == turn_pb2.TURN_KIND_VOTE:
        return random.choose(turn)  # who can see how good the joke was?
    sight = Sight(turn)
    worths = [_worth(sight, legal) for legal in turn.legal_actions]
    return worths.index(max(worths))


def _worth(sight: Sight, legal: action_pb2.LegalAction) -> float:
    """Return how good an answer is."""
    if not legal.lawful:
        return BLUFF
    kind = legal.action.WhichOneof("kind")
    weigh = _WEIGHED.get(kind or "")
    return weigh(sight, getattr(legal.action, kind)) if kind and weigh else 0.0


def _lay(sight: Sight, play: action_pb2.PlayCard) -> float:
    """Weigh a card by all tips."""
    move = Move(sight, play)
    tips = TWO if sight.others == 1 and not sight.rules.mercy_limit else SEVERAL
    return sum([weight * measure(sight, move) for weight, measure in tips])


def _accept(sight: Sight, _: action_pb2.AcceptDraw) -> float:
    """Weigh taking the cards; where they would knock the seat out anything is better (B26)."""
    limit = sight.rules.mercy_limit
    if limit and sight.held + sight.pending >= limit:
        return BLUFF
    return DRAW + TAKEN * sight.pending


def _challenge(sight: Sight, _: action_pb2.Challenge) -> float:
    """
    Weigh a challenge by how likely the wild draw four just laid was a bluff (B23).

    Honest players lay one only without the colour, which is rare with many cards: the more the
    offender holds, the more likely he is one of those who do not look.
    """
    offender = sight.order[-2]
    if offender == sight.partner:
        return BLUFF
    honest = (1 - BLUFFERS) * OTHER_COLOUR ** sight.counts[offender]
    guilt = BLUFFERS * (1 - OTHER_COLOUR ** sight.counts[offender]) / (BLUFFERS + honest)
    return _accept(sight, action_pb2.AcceptDraw()) + guilt - DOUBT


def _jump(sight: Sight, jump: action_pb2.JumpIn) -> float:
    """Weigh a jump-in against passing: one card less, unless a threat comes next (B27)."""
    play = action_pb2.PlayCard(card=jump.card)
    if jump.HasField("target_seat"):
        play.target_seat = jump.target_seat
    move = Move(sight, play)
    return 1.0 - (2.0 if sight.threats[move.follower] == FEW else 0.0)


def _name(sight: Sight, named: action_pb2.ChooseColour) -> float:
    """Weigh a colour: one the hand can follow (B12) and the next seat cannot (B03)."""
    held = sight.colours[named.colour]
    return HELD_COLOUR * (held > 0) + held + LACKING * sight.lacking[named.colour]


def _aim(sight: Sight, target: action_pb2.ChooseTarget) -> float:
    """Weigh whom to swap hands with: the smallest hand (B25)."""
    return -float(sight.counts[target.target_seat])


def _choose_card(sight: Sight, choice: action_pb2.ChooseCard) -> float:
    """Weigh a card that is to be laid out, or kept where all others go (S15)."""
    laid_out = sight.table.custom_question.hand_size > 0
    worth = _keeping(sight, choice.card)
    return -worth if laid_out else worth


def _keeping(sight: Sight, card: card_pb2.Card) -> float:
    """Weigh having a card: a wild in reserve (B13), what can follow, and its points (B08)."""
    worth = -POINTS[card.face] / 10 if sight.fewest <= FEW else 0.0
    if card.colour == card_pb2.COLOUR_WILD:
        return worth + (0.0 if last_is_number(sight) else KEEP_WILD)
    if last_is_number(sight) and card.face < card_pb2.FACE_SKIP:
        worth += KEEP_NUMBER
    return worth + KEEP_FOLLOWING * sight.colours[card.colour]


def _dare(_: Sight, answer: action_pb2.AnswerDare) -> float:
    """Do what one is dared to do rather than pay for refusing."""
    return float(answer.done)


def _always(_: Sight, __: object) -> float:
    """Call and catch whenever it is offered (B05, B20)."""
    return SURE


def _wait(_: Sight, __: object) -> float:
    """Draw, or keep the drawn card."""
    return DRAW


_WEIGHED: Mapping[str, Callable[[Sight, Any], float]] = {
    "play_card": _lay,
    "draw_card": _wait,
    "keep_card": _wait,
    "accept_draw": _accept,
    "challenge": _challenge,
    "jump_in": _jump,
    "catch_uno": _always,
    "call_uno": _always,
    "choose_colour": _name,
    "choose_target": _aim,
    "choose_card": _choose_card,
    "answer_dare": _dare,
}
"""How each kind of answer is weighed; one that is not listed, such as passing, is worth 0."""
