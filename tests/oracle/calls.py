"""
When a call of UNO is owed, until when it may be caught, and what being caught costs.

Windows are named as the option `uno_window` does; how they are asked of seats is told in groups.py.
"""

from tests.oracle import stock
from tests.oracle.table import Duty, State


def begin_turn(state: State, seat: int) -> None:
    """Note the first act of the seat on turn: it closes windows and ends jump-ins (Q05, S09)."""
    if state.begun:
        return
    state.begun = True
    state.jumpable = False
    window = state.option("uno_window")
    for duty in list(state.duties):
        if duty.seat == seat:  # Q06
            closes = window != "open"
        else:
            closes = window == "next_turn_starts"
            duty.next_turn_runs = True
        if closes:
            state.duties.remove(duty)


def end_turn(state: State) -> None:
    """Note that a turn is complete: next_turn_ends closes, in polled after one more group."""
    if state.option("uno_window") != "next_turn_ends":
        return
    for duty in list(state.duties):
        if duty.next_turn_runs and state.polled:
            duty.last_group = True
        elif duty.next_turn_runs:
            state.duties.remove(duty)


def jump_closes(state: State, jumper: int) -> None:
    """Let a jump-in be the whole next turn, and close the window of who laid before (S11)."""
    window = state.option("uno_window")
    for duty in list(state.duties):
        short = window in ("next_turn_starts", "next_turn_ends")
        own = window == "own_next_turn" and duty.seat == jumper
        if short or own or duty.seat == state.last_player:
            state.duties.remove(duty)


def left_with_one(state: State, seat: int, *, said_uno: bool) -> None:
    """Open the duty of a seat whose own play has left it one card, unless it called (R166, Q10)."""
    if len(state.hands[seat]) != 1:
        return
    if said_uno:
        state.called.add(seat)
        state.restricted = []  # CR10: somebody has called
    else:
        state.duties.append(Duty(seat))


def received_hand(state: State, seat: int) -> None:
    """Let a seat owe nothing for a hand that came by swap, rotation or shuffle (S06)."""
    state.duties = [d for d in state.duties if d.seat != seat]
    state.caught.discard(seat)
    state.called.discard(seat)
    if len(state.hands[seat]) == 1 and state.option("uno_required_to_finish"):
        state.called.add(seat)


def call(state: State, seat: int) -> None:
    """Take a call of UNO; a useless one changes nothing (Q07, Q08, R177, Q69)."""
    duty = state.duty_of(seat)
    if duty is not None:
        if state.option("uno_self_correct"):
            state.duties.remove(duty)
            state.called.add(seat)
            state.restricted = []  # R165
    elif len(state.hands[seat]) == 1:
        if seat not in state.caught and seat not in state.called:
            state.called.add(seat)
            state.restricted = []  # R165
    elif seat == state.turn and not state.pause and state.group is None:
        state.early_call = True


def catchable(state: State, catcher: int) -> list[int]:
    """List the seats that `catcher` may catch now (S04, Q12)."""
    return [d.seat for d in state.duties if state.opponents(catcher, d.seat)]


def catch(state: State, target: int) -> None:
    """Make a forgetful seat pay: cards, and a lost turn where that is the rule (R168, R171)."""
    state.duties = [d for d in state.duties if d.seat != target]
    state.caught.add(target)
    state.restricted = []  # R165: any uno event; the catcher has said it (C20)
    if state.option("uno_penalty_skip_turn"):
        state.owes_turn.add(target)
    number = state.option("uno_penalty_cards")
    if state.option("uno_penalty_source") == "discard_pile":  # R175, Q53
        while number and len(state.discard) > 1 and target in state.active:
            stock.receive(state, target, state.discard.pop(-2))
            number -= 1
    stock.take(state, target, number)
