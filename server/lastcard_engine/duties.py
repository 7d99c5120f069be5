"""
Who can still be caught for a call of UNO that was forgotten?

A seat that lays its next-to-last card without a call owes it from then on (S06). The duty
ends by a call, by being caught, when the hand is no longer one card, or when the window closes;
the option `uno_window` says when that is. Catching itself is in `uno`.
"""

from lastcard_engine.cards import Seat
from lastcard_engine.custom_events import RestrictionsLifted
from lastcard_engine.events import Event, UnoCalled
from lastcard_engine.rules import UnoWindow
from lastcard_engine.state import State


def open_duty(state: State, seat: Seat, serial: int) -> None:
    """Record that a seat laid its next-to-last card in turn `serial` without a call."""
    state.duty[seat] = serial
    state.duties += 1


def drop_duty(state: State, seat: Seat) -> None:
    """Forget the duty of a seat, if it has one."""
    if state.duty[seat]:
        state.duty[seat] = 0
        state.duties -= 1


def forget_call(state: State, seat: Seat) -> None:
    """Void call and duty of a seat whose hand has changed (S06)."""
    state.called[seat] = False
    state.caught[seat] = False
    drop_duty(state, seat)


def replace_call(state: State, seat: Seat) -> None:
    """
    Settle the call of a seat that holds another hand: it owes none (S06).

    A single card counts as called where a call is required to finish.
    """
    forget_call(state, seat)
    state.called[seat] = state.rules.uno_required_to_finish and len(state.hands[seat]) == 1


def _drop_before(state: State, serial: int) -> None:
    for seat, opened in enumerate(state.duty):
        if 0 < opened < serial:
            drop_duty(state, Seat(seat))


def start_duties(state: State) -> None:
    """
    Close the windows that end with the first act of the turn (R169, Q05, Q06).

    A seat's own act closes its own window under every option but `open`, where only the hand and
    the round end it (Q54).
    """
    if state.rules.uno_window is UnoWindow.OPEN:
        return
    if state.duty[state.turn] < state.serial:
        drop_duty(state, state.turn)
    if state.rules.uno_window is UnoWindow.NEXT_TURN_STARTS:
        _drop_before(state, state.serial)


def end_duties(state: State, serial: int) -> None:
    """Close the windows that end with turn `serial` (R170)."""
    if state.rules.uno_window is UnoWindow.NEXT_TURN_ENDS:
        _drop_before(state, serial)


def defer_duties(state: State) -> None:
    """
    Let a window last for one more turn, since the seat whose turn was to end it left unheard.

    Rule: R170. The next turn is that of the next seat that acts.
    """
    if state.rules.uno_window is UnoWindow.NEXT_TURN_ENDS:
        for seat, opened in enumerate(state.duty):
            if 0 < opened == state.serial - 1:
                state.duty[seat] = state.serial


def lift_restrictions(state: State, events: list[Event]) -> None:
    """End what holds until somebody calls UNO, by a call or a catch that counts (R165, C20)."""
    if state.custom is not None and state.custom.restrictions:
        state.custom.restrictions = []
        events.append(RestrictionsLifted())


def after_play(state: State, seat: Seat, serial: int, events: list[Event], *, called: bool) -> None:
    """
    Settle the call after a play that left one card: it was made, or a duty opens.

    Rule: R166, R167, S07. `serial` is the turn of the play.
    """
    if called:
        state.called[seat] = True
        events.append(UnoCalled(seat))
        lift_restrictions(state, events)
    else:
        open_duty(state, seat, serial)
