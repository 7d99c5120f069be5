"""
What happens when UNO is called, forgotten or caught?

Whether a catch or a call may be made at this moment is for `reactions` and `groups` to say.
"""

from lastcard_engine.absence import hand_on
from lastcard_engine.cards import Seat
from lastcard_engine.duties import drop_duty, open_duty
from lastcard_engine.events import DrawCause, Event, UnoCalled, UnoCaught
from lastcard_engine.mercy import room
from lastcard_engine.piles import give, pull, pull_discards
from lastcard_engine.rules import UnoPenaltySource
from lastcard_engine.settings import Reactions
from lastcard_engine.state import State
from lastcard_engine.turns import reach


def after_play(state: State, seat: Seat, serial: int, events: list[Event], *, called: bool) -> None:
    """
    Settle the call after a play that left one card: it was made, or a duty opens.

    Rule: R166, R167, S07. `serial` is the turn of the play.
    """
    if called:
        state.called[seat] = True
        events.append(UnoCalled(seat))
    else:
        open_duty(state, seat, serial)


def call(state: State, seat: Seat, events: list[Event]) -> None:
    """
    Call UNO outside a play.

    With one card it counts at once and, with `uno_self_correct`, ends the duty (R177). On the own
    turn it goes with a play of this turn that leaves one card (Q07, S07). Otherwise nothing follows
    (Q08), nor where the call is required to finish and the seat was caught without it (Q69).
    """
    held = len(state.hands[seat])
    if held == 1 and not state.called[seat] and not state.caught[seat]:
        if state.duty[seat] and not state.rules.uno_self_correct:
            return
        drop_duty(state, seat)
        state.called[seat] = True
        events.append(UnoCalled(seat))
    elif seat == state.turn and not state.window and _may_fall_to_one(state, held):
        state.credit = seat


def _may_fall_to_one(state: State, held: int) -> bool:
    return held == 2 or (held > 2 and state.tables.sheds_many)


def catch(state: State, catcher: Seat, target: Seat, events: list[Event]) -> None:
    """Make a seat draw the penalty for a forgotten call (R168, R171, R174, R175)."""
    rules = state.rules
    drop_duty(state, target)
    state.caught[target] = rules.uno_required_to_finish
    events.append(UnoCaught(catcher, target))
    if rules.uno_penalty_skip_turn:
        state.owed_skip[target] = True
    if rules.uno_penalty_cards:
        under = rules.uno_penalty_source is UnoPenaltySource.DISCARD_PILE
        source = pull_discards if under else pull
        amount = min(rules.uno_penalty_cards, room(state, target))
        give(state, target, source(state, amount, events), DrawCause.UNO_PENALTY, events)
        if not state.active[target] and target == state.turn and state.live > 1:
            _pass_on(state, target, events)


def _pass_on(state: State, target: Seat, events: list[Event]) -> None:
    """Give on the turn of a seat the penalty has knocked out; a closing group does the rest."""
    hand_on(state, target)
    if state.settings.reactions is Reactions.RACE and not state.window:
        reach(state, events)
