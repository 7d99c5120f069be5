"""
Which card stays in hand when a discard-all would leave none, and the last card must be a number?

Its player chooses it; the play is settled when it is named (S15).
"""

from lastcard_engine.actions import ChooseCard
from lastcard_engine.cards import Seat
from lastcard_engine.duties import after_play
from lastcard_engine.effects import discard
from lastcard_engine.errors import Reason, RuleViolation
from lastcard_engine.events import Event
from lastcard_engine.overlays import open_reactions
from lastcard_engine.rounds import require_running
from lastcard_engine.state import PLAYING, Phase, State
from lastcard_engine.turns import pass_turn


def check_choice(state: State, seat: Seat, action: ChooseCard) -> None:
    """Refuse to choose a card where none is asked for, or one the seat does not hold."""
    if state.phase is not Phase.KEEP_CARD:
        require_running(state)
        raise RuleViolation(Reason.NOT_OFFERED, "no card of your hand is asked for")
    if action.card not in state.hands[seat]:
        raise RuleViolation(Reason.CARD_NOT_IN_HAND, "you do not hold that card")


def do_choose(state: State, seat: Seat, action: ChooseCard, events: list[Event]) -> None:
    """
    Keep the card and discard the rest; the call of the play counts for it (S07, NM19).

    On a first card that the dealer played nobody jumps in (S11).
    """
    rest = state.hands[seat].copy()
    rest.remove(action.card)
    discard(state, seat, rest, events)
    state.phase = PLAYING
    if not state.called[seat]:  # who held one card beside it may have called it since (R177)
        after_play(state, seat, state.serial, events, called=state.credit == seat)
    pass_turn(state)
    open_reactions(state, seat, state.discards[-1] if state.actions else None, events)
