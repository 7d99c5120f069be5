"""
What becomes of the table when a seat leaves the round or the match?

Its hand goes beneath the discard pile unseen, what it owed and was owed vanishes, the colour stays,
and the turn passes on if it was its own (S12, Q64).
"""

from lastcard_engine.cards import Seat
from lastcard_engine.debts import settle_debt
from lastcard_engine.duties import defer_duties, forget_call
from lastcard_engine.errors import Reason, RuleViolation
from lastcard_engine.events import Event, MatchEnd, RoundEnd, SeatForfeited, SeatKnockedOut
from lastcard_engine.overlays import open_reactions
from lastcard_engine.rounds import end_match, end_round, hand_values
from lastcard_engine.state import Phase, State
from lastcard_engine.turns import begin, close_turn, next_seat


def leave_round(state: State, seat: Seat, events: list[Event]) -> None:
    """Take an active seat out of the running round."""
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
        return
    if state.group is not None and seat in state.group.asked:
        state.group.asked.remove(seat)
        state.group.answers[seat] = None
    if seat == state.turn:
        _hand_on(state, seat, events)


def _hand_on(state: State, seat: Seat, events: list[Event]) -> None:
    """Give the turn of a seat that is gone to the next; a first card's colour is his to name."""
    state.drawn = None
    if state.phase is not Phase.CHOOSE_COLOUR:
        settle_debt(state)
    if state.begun:
        close_turn(state)
    else:
        defer_duties(state)
    begin(state, next_seat(state, seat))
    if state.group is None and not state.window:
        open_reactions(state, seat, None, events)


def leave_match(state: State, seat: Seat, events: list[Event]) -> None:
    """Take a seat out of this and all later rounds."""
    if state.forfeited[seat] or state.left[seat]:
        raise RuleViolation(Reason.SEAT_OUT, "that seat has left the match already")
    state.forfeited[seat] = True
    state.left[seat] = max(1, state.round_number)
    events.append(SeatForfeited(seat))
    if state.running and state.active[seat]:
        leave_round(state, seat, events)
        return
    if not state.running:
        state.live -= state.active[seat]
        state.active[seat] = False
        if state.left.count(0) == 1:
            end_match(state, MatchEnd.LAST_STANDING, events)
