"""
Whose turn comes next?

Seats that are out of the round are passed over, and so is, once, a seat that owes a lost turn.
"""

from lastcard_engine.cards import Seat
from lastcard_engine.duties import end_duties
from lastcard_engine.events import Event, SeatSkipped, SkipCause
from lastcard_engine.settings import Reactions
from lastcard_engine.state import State


def next_seat(state: State, seat: Seat) -> Seat:
    """Return the active seat that follows in the direction of play (R034, R101, C46)."""
    active = state.active
    after = (seat + state.direction) % state.seat_count
    while not active[after]:
        after = (after + state.direction) % state.seat_count
    return Seat(after)


def begin(state: State, seat: Seat) -> None:
    """Give the turn to a seat, lost turns aside."""
    state.turn = seat
    state.serial += 1
    state.begun = False
    state.credit = None


def enter(state: State, seat: Seat, events: list[Event]) -> None:
    """Give the turn to a seat, or to the next that does not owe a lost turn (Q11, S18)."""
    while state.owed_skip[seat]:
        state.owed_skip[seat] = False
        events.append(SeatSkipped(seat, SkipCause.UNO_PENALTY))
        seat = next_seat(state, seat)
    begin(state, seat)


def close_turn(state: State) -> None:
    """End the turn of the seat on turn; at a polled table the closing group does the rest."""
    if state.duties and state.settings.reactions is Reactions.RACE:
        end_duties(state, state.serial)


def pass_turn(state: State, events: list[Event]) -> None:
    """End the turn of the seat on turn and give it to the next."""
    if state.duties:
        close_turn(state)
    seat = next_seat(state, state.turn)
    if state.owed_skip[seat]:
        enter(state, seat, events)
    else:
        begin(state, seat)
