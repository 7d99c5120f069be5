"""
How do hands change owners?

They are shuffled, swapped or passed on. A hand that came that way owes no call, and an earlier call
and duty of its new owner are void (S06); each owner alone sees what he now holds.
"""

from collections.abc import Sequence

from lastcard_engine.cards import Card, Seat
from lastcard_engine.duties import replace_call
from lastcard_engine.events import Event, HandReceived, HandsRotated, HandsShuffled, HandsSwapped
from lastcard_engine.piles import next_stream
from lastcard_engine.rules import ShufflePool
from lastcard_engine.state import State
from lastcard_engine.turns import active_seats, from_left, next_seat


def _counts(state: State) -> tuple[int, ...]:
    return tuple(map(len, state.hands))


def _receive(state: State, seats: Sequence[Seat], events: list[Event]) -> None:
    """Tell each of these seats its new hand; it owes nothing for it."""
    for seat in seats:
        hand = tuple(state.hands[seat])
        events.append(HandReceived(seat, hand, len(hand)))
        replace_call(state, seat)


def shuffle_hands(state: State, actor: Seat, events: list[Event]) -> None:
    """
    Collect, shuffle and deal the hands (R140-R145, S13).

    A player who keeps his cards out of the pool and is dealt none has the hand his own play left.
    """
    seats = from_left(state, actor)
    keeps = state.rules.shuffle_pool is ShufflePool.OTHERS_ONLY
    pool: list[Card] = []
    for seat in seats[:-1] if keeps else seats:
        pool += state.hands[seat]
        state.hands[seat] = []
    pool = next_stream(state).shuffled(pool)[::-1]
    for place, seat in enumerate(seats):
        dealt = pool[place :: len(seats)]
        if dealt:
            state.hands[seat] = sorted(state.hands[seat] + dealt)
    events.append(HandsShuffled(actor, _counts(state)))
    _receive(state, seats, events)


def swap_hands(state: State, actor: Seat, target: Seat, events: list[Event]) -> None:
    """Exchange the hands of two seats (R148, R234)."""
    hands = state.hands
    hands[actor], hands[target] = hands[target], hands[actor]
    events.append(HandsSwapped(actor, target, _counts(state)))
    _receive(state, (actor, target), events)


def pass_hands_on(state: State, actor: Seat, events: list[Event]) -> None:
    """Let every active seat give its hand to the next in the direction of play (R235)."""
    seats = active_seats(state)
    given = [state.hands[seat] for seat in seats]
    for seat, hand in zip(seats, given, strict=True):
        state.hands[next_seat(state, seat)] = hand
    events.append(HandsRotated(actor, _counts(state)))
    _receive(state, seats, events)
