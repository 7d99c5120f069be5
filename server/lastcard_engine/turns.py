"""
Whose turn comes next?

Seats that are out of the round are passed over, and so is, once, a seat that owes a lost turn.
"""

from lastcard_engine.cards import Seat
from lastcard_engine.duties import end_duties
from lastcard_engine.events import Event, SeatSkipped, SkipCause
from lastcard_engine.settings import Reactions
from lastcard_engine.state import PLAYING, State


def next_seat(state: State, seat: Seat) -> Seat:
    """Return the active seat that follows in the direction of play (R034, R101, C46)."""
    active = state.active
    after = (seat + state.direction) % state.seat_count
    while not active[after]:
        after = (after + state.direction) % state.seat_count
    return Seat(after)


def active_seats(state: State) -> list[Seat]:
    """Return the seats that take part in the round, in seat order."""
    return [Seat(seat) for seat, plays in enumerate(state.active) if plays]


def from_left(state: State, actor: Seat) -> list[Seat]:
    """Return the active seats clockwise from the actor's left; the actor, if active, is last."""
    count = state.seat_count
    around = [Seat((actor + step) % count) for step in range(1, count + 1)]
    return [seat for seat in around if state.active[seat]]


def close_hands(state: State, seat: Seat) -> None:
    """Close the hands that lie open until the turn reaches this seat, skipped or not (S20)."""
    custom = state.custom
    if custom is not None and custom.opened:
        custom.opened = [opened for opened in custom.opened if opened[0] != seat]


def begin(state: State, seat: Seat) -> None:
    """Give the turn to a seat, lost turns aside."""
    state.turn = seat
    state.serial += 1
    state.begun = False
    state.credit = None


def pay_lost_turn(state: State, seat: Seat, events: list[Event]) -> None:
    """Use up the lost turn a seat owes for a forgotten call (R171)."""
    state.owed_skip[seat] = False
    events.append(SeatSkipped(seat, SkipCause.UNO_PENALTY))


def reach(state: State, events: list[Event]) -> None:
    """
    Let the turn reach the seat it has come to, or the next that owes no lost turn (Q11).

    Only when that seat would be asked: until then a catch or a jump-in may change who it is. A seat
    that faces a draw card loses that turn to the card, and still owes the other (S18).
    """
    while state.phase is PLAYING and state.owed_skip[state.turn]:
        pay_lost_turn(state, state.turn, events)
        if state.custom is not None:
            close_hands(state, state.turn)
        state.turn = next_seat(state, state.turn)
    if state.custom is not None:
        close_hands(state, state.turn)


def close_turn(state: State) -> None:
    """End the turn of the seat on turn; at a polled table the closing group does the rest."""
    if state.duties and state.settings.reactions is Reactions.RACE:
        end_duties(state, state.serial)


def pass_turn(state: State) -> None:
    """End the turn of the seat on turn and give it to the next."""
    if state.duties:
        close_turn(state)
    begin(state, next_seat(state, state.turn))
