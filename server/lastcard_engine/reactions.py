"""
Which acts out of turn are open to a seat, and what do they do at a race table?

Catches, late calls, jump-ins and the touch of the discard pile that begins a turn; the order of
arrival decides (Q48). Polled tables offer jump-ins and catches through `groups`.
"""

from collections.abc import Mapping
from typing import Final

from lastcard_engine.act import Act
from lastcard_engine.actions import (
    BEGIN_TURN,
    CALL_UNO,
    CATCHES,
    JUMP_INS,
    Action,
    BeginTurn,
    CallUno,
    Catch,
    JumpIn,
    aimed_jump_ins,
)
from lastcard_engine.cards import Seat
from lastcard_engine.errors import Reason, RuleViolation
from lastcard_engine.events import Event, TurnBegun
from lastcard_engine.legal import targets_of, why_not_last
from lastcard_engine.overlays import catchable
from lastcard_engine.plays import jump_in, start_turn
from lastcard_engine.refusals import bad_target, not_last
from lastcard_engine.settings import Reactions
from lastcard_engine.state import PLAYING, Phase, State
from lastcard_engine.uno import call, catch


def may_jump_in(state: State, seat: Seat) -> bool:
    """Tell whether a seat may lay on the top card now, if it holds the same (Q49, S11)."""
    return state.laid_by is not None and state.laid_by != seat and state.phase is PLAYING


def jump_ins_of(state: State, seat: Seat) -> list[Action]:
    """Return the jump-ins a seat may make now: with one card, by target (R232, Q49, S11)."""
    if not may_jump_in(state, seat):
        return []
    top = state.discards[-1]
    hand = state.hands[seat]
    if top not in hand:
        return []
    if len(hand) == 1:
        return [] if why_not_last(state, seat, top) else [JUMP_INS[top]]
    if state.tables.aimed[top]:
        return [*aimed_jump_ins(top, targets_of(state, seat))]
    return [JUMP_INS[top]]


def catches_of(state: State, seat: Seat) -> list[Action]:
    """Return the catches a seat may make now, in seat order (Q12); all follow from public facts."""
    if not state.duties:
        return []
    return [CATCHES[other] for other in catchable(state, seat)]


def may_begin(state: State, seat: Seat) -> bool:
    """Tell whether a seat may touch the discard pile to begin its turn (R169)."""
    waiting = state.phase is Phase.PLAY or state.pending > 0
    return waiting and seat == state.turn and not state.begun and not state.window


def race_actions(state: State, seat: Seat) -> list[Action]:
    """Return what a seat may do out of turn at a race table, in canonical order."""
    if state.settings.reactions is not Reactions.RACE or not state.running:
        return []
    if not 0 <= seat < state.seat_count or not state.active[seat]:
        return []
    touch: list[Action] = [BEGIN_TURN] if may_begin(state, seat) else []
    return [*touch, *jump_ins_of(state, seat), *catches_of(state, seat), CALL_UNO]


def check_jump_in(state: State, seat: Seat, action: JumpIn) -> None:
    """Refuse a jump-in that is not open to the seat; identity comes before the hand."""
    if action in jump_ins_of(state, seat):
        return
    if not state.tables.jump_in:
        raise RuleViolation(Reason.NOT_YOUR_TURN, "it is not your turn, and jump-in is off")
    if not may_jump_in(state, seat):
        raise RuleViolation(Reason.JUMP_IN_CLOSED, "you cannot jump in on the top card now")
    if action.card != state.discards[-1]:
        raise RuleViolation(Reason.NOT_IDENTICAL, "only a card identical to the top one jumps in")
    if action.card not in state.hands[seat]:
        raise RuleViolation(Reason.CARD_NOT_IN_HAND, "you do not hold that card")
    if len(state.hands[seat]) == 1 and (reason := why_not_last(state, seat, action.card)):
        raise not_last(reason, action)
    raise bad_target(state, seat, action)


def check_catch(state: State, seat: Seat, action: Catch) -> None:
    """Refuse every useless catch in the same way (S04)."""
    if action not in catches_of(state, seat):
        raise RuleViolation(Reason.NOTHING_TO_CATCH, "there is nothing to catch that seat for")


def _check_call(_state: State, _seat: Seat, _action: CallUno) -> None:
    """Accept any call: a false one is ignored (Q08, R181)."""


def _check_begin(state: State, seat: Seat, _action: BeginTurn) -> None:
    if may_begin(state, seat):
        return
    if seat != state.turn:
        raise RuleViolation(Reason.NOT_YOUR_TURN, "only the seat on turn begins it")
    if state.window:
        raise RuleViolation(Reason.WINDOW_OPEN, "the pause for reactions is not over")
    raise RuleViolation(Reason.ALREADY_BEGUN, "your turn has begun already")


def _do_jump_in(state: State, seat: Seat, action: JumpIn, events: list[Event]) -> None:
    jump_in(state, seat, action, events)


def _do_catch(state: State, seat: Seat, action: Catch, events: list[Event]) -> None:
    catch(state, seat, action.target, events)


def _do_call(state: State, seat: Seat, _action: CallUno, events: list[Event]) -> None:
    call(state, seat, events)


def _do_begin(state: State, seat: Seat, _action: BeginTurn, events: list[Event]) -> None:
    start_turn(state)
    events.append(TurnBegun(seat))


RACE_ACTS: Final[Mapping[type, Act]] = {
    JumpIn: Act(check_jump_in, _do_jump_in),
    Catch: Act(check_catch, _do_catch),
    CallUno: Act(_check_call, _do_call),
    BeginTurn: Act(_check_begin, _do_begin),
}
"""What any seat may send out of turn at a race table."""
