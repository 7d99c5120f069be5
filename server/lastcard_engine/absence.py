"""
What becomes of the table when a seat leaves the round or the match?

It falls out of the round as by mercy, and the turn passes on if it was its own (S12, Q64).
"""

from lastcard_engine.cards import Seat
from lastcard_engine.custom import leave_rule
from lastcard_engine.errors import Reason, RuleViolation
from lastcard_engine.events import Event, MatchEnd, SeatForfeited
from lastcard_engine.mercy import fall_out, hand_on
from lastcard_engine.overlays import open_reactions
from lastcard_engine.rounds import end_match
from lastcard_engine.state import State


def leave_round(state: State, seat: Seat, events: list[Event]) -> None:
    """Take an active seat out of the running round."""
    fall_out(state, seat, events)
    if state.live < 2:
        return
    if state.custom is not None and state.custom.rule is not None:
        leave_rule(state, seat, events)
        return
    if state.group is not None and seat in state.group.asked:
        state.group.asked.remove(seat)
        state.group.answers[seat] = None
    if seat == state.turn:
        hand_on(state, seat)
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
