"""
What becomes of a seat that falls out of the round?

By mercy, when it draws too many cards, or because it is gone: its hand goes beneath the discard
pile unseen, what it owed and was owed vanishes, the colour stays (S12, NM13, Q64). Whose turn it is
then is for the caller to say.
"""

from lastcard_engine.cards import Seat
from lastcard_engine.debts import settle_debt
from lastcard_engine.duties import defer_duties, forget_call
from lastcard_engine.events import Event, RoundEnd, SeatKnockedOut
from lastcard_engine.rounds import end_round, hand_values
from lastcard_engine.state import Phase, State
from lastcard_engine.turns import begin, close_turn, next_seat


def room(state: State, seat: Seat) -> int:
    """
    Return how many cards a seat may draw before the last of them knocks it out (NM12).

    A hand that was received and is over the limit already falls with the next card drawn.
    """
    return max(1, state.tables.mercy_limit - len(state.hands[seat]))


def fall_out(state: State, seat: Seat, events: list[Event]) -> None:
    """Take an active seat out of the round, which ends if one seat is left (NM17, R190)."""
    state.lost[seat] = hand_values(state)[seat]
    hand = state.hands[seat]
    state.hands[seat] = []
    state.discards[:0] = hand
    state.active[seat] = False
    state.live -= 1
    state.owed_skip[seat] = False
    state.lap = 0
    forget_call(state, seat)
    events.append(SeatKnockedOut(seat, len(hand)))
    if state.live == 1:
        end_round(state, RoundEnd.LAST_STANDING, next_seat(state, seat), events)


def hand_on(state: State, seat: Seat) -> None:
    """Give the turn of a seat that is gone to the next; a first card's colour is his to name."""
    state.drawn = None
    if state.phase is not Phase.CHOOSE_COLOUR or state.colour is not None:
        settle_debt(state)
    if state.begun:
        close_turn(state)
    else:
        defer_duties(state)
    begin(state, next_seat(state, seat))
