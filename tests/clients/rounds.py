"""Rounds between bots on the bare engine: the same deals each time, every bot on every seat."""

from collections.abc import Callable, Sequence
from itertools import count

from lastcard.v1 import action_pb2, turn_pb2, view_pb2
from lastcard_engine import (
    Action,
    RoundEnded,
    Seat,
    Settings,
    State,
    apply,
    close_group,
    deal_key,
    is_bluff,
    legal_actions,
    new_match,
    preset,
    start_round,
    to_act,
    view,
)
from lastcard_server.convert.actions import action_message
from lastcard_server.convert.views import seat_bytes

Choose = Callable[[turn_pb2.Turn], int]


def shares(bots: Sequence[Choose], rules: str, deals: int) -> list[float]:
    """Return which share of the rounds each bot won; each deal is played with the seats rotated."""
    wins = [0] * len(bots)
    for deal in range(deals):
        for shift in range(len(bots)):
            order = [(seat + shift) % len(bots) for seat in range(len(bots))]
            for winner in winners([bots[bot] for bot in order], rules, deal):
                wins[order[winner]] += 1
    return [won / sum(wins) for won in wins]


def winners(bots: Sequence[Choose], rules: str, deal: int) -> Sequence[int]:
    """Play one round; UNO is always called."""
    state = new_match(preset(rules), Settings(), len(bots), deal_key(deal.to_bytes(32), []))
    events, numbers = start_round(state), count(1)
    while asked := to_act(state):
        for seat in asked:
            actions = legal_actions(state, seat)
            turn = turn_of(state, seat, actions, deal * 10_000 + next(numbers))
            events = apply(state, seat, actions[bots[seat](turn)], uno=True)
        if state.group is not None and not to_act(state):
            events = close_group(state)
    return next(event.winners for event in events if isinstance(event, RoundEnded))


def turn_of(state: State, seat: Seat, actions: list[Action], number: int) -> turn_pb2.Turn:
    """Return the turn that asks a seat, as the server would put it."""
    legal = [
        action_pb2.LegalAction(
            action=action_message(action), lawful=not is_bluff(state, seat, action)
        )
        for action in actions
    ]
    seen = view_pb2.SeatView.FromString(seat_bytes(view(state, seat)))
    return turn_pb2.Turn(seat=seat, turn=number, view=seen, legal_actions=legal)
