"""
What happens when UNO is called, forgotten or caught?

Whether a catch or a call may be made at this moment is for `reactions` and `groups` to say.
"""

from lastcard_engine.cards import Seat
from lastcard_engine.custom import leave_rule
from lastcard_engine.duties import drop_duty, lift_restrictions
from lastcard_engine.events import DrawCause, Event, UnoCalled, UnoCaught
from lastcard_engine.mercy import hand_on, room
from lastcard_engine.piles import give, pull, pull_discards
from lastcard_engine.rules import UnoPenaltySource
from lastcard_engine.settings import Reactions
from lastcard_engine.state import State
from lastcard_engine.turns import reach


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
        lift_restrictions(state, events)
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
    lift_restrictions(state, events)
    if rules.uno_penalty_skip_turn:
        state.owed_skip[target] = True
    if rules.uno_penalty_cards:
        under = rules.uno_penalty_source is UnoPenaltySource.DISCARD_PILE
        source = pull_discards if under else pull
        amount = min(rules.uno_penalty_cards, room(state, target))
        give(state, target, source(state, amount, events), DrawCause.UNO_PENALTY, events)
        if not state.active[target] and state.live > 1:
            _pass_on(state, target, events)


def _pass_on(state: State, target: Seat, events: list[Event]) -> None:
    """Go on without a seat the penalty has knocked out; a closing group does the rest."""
    if state.custom is not None and state.custom.rule is not None:
        leave_rule(state, target, events)
        return
    if target != state.turn:
        return
    hand_on(state, target)
    if state.settings.reactions is Reactions.RACE and not state.window:
        reach(state, events)
