"""
How do cards get from the draw pile into a hand?

An empty draw pile is rebuilt from the discards at the moment a draw finds it empty (Q01). The file
must never know why cards are drawn, beyond naming the cause in the event.
"""

from bisect import insort

from lastcard_engine.cards import Card, Seat
from lastcard_engine.dealing import Stream
from lastcard_engine.duties import forget_call
from lastcard_engine.events import CardsDrawn, DeckReshuffled, DrawCause, Event
from lastcard_engine.mercy import fall_out, room
from lastcard_engine.state import State


def can_draw(state: State) -> bool:
    """Tell whether any card can be drawn; public knowledge, for both piles can be counted."""
    return bool(state.draw_pile) or len(state.discards) > 1


def next_stream(state: State) -> Stream:
    """Return the numbers for the next shuffle of this round."""
    state.shuffles += 1
    return Stream(state.deal_key, state.round_number, state.shuffles)


def reshuffle(state: State, events: list[Event]) -> bool:
    """Make the discards but the top one the draw pile (R191, R192); False if there are none."""
    if len(state.discards) < 2:
        return False
    state.draw_pile = next_stream(state).shuffled(state.discards[:-1])
    del state.discards[:-1]
    events.append(DeckReshuffled(len(state.draw_pile)))
    return True


def pull(state: State, amount: int, events: list[Event]) -> list[Card]:
    """Take up to `amount` cards off the draw pile, in order; fewer if both piles run out (Q01)."""
    taken: list[Card] = []
    while len(taken) < amount and (state.draw_pile or reshuffle(state, events)):
        taken.append(state.draw_pile.pop())
    return taken


def give(
    state: State,
    seat: Seat,
    cards: list[Card],
    cause: DrawCause,
    events: list[Event],
    *,
    spared: bool = False,
) -> None:
    """
    Put drawn cards into a hand; its earlier call and duty lapse with the change (S06).

    A hand that reaches the limit of mercy falls out of the round, unless it is spared (R244, S12).
    """
    events.append(CardsDrawn(seat, tuple(cards), len(cards), cause))
    if cards:
        hand = state.hands[seat]
        for card in cards:
            insort(hand, card)
        forget_call(state, seat)
        state.lap = 0
        if len(hand) >= state.tables.mercy_limit and not spared:
            fall_out(state, seat, events)


def take(state: State, seat: Seat, amount: int, cause: DrawCause, events: list[Event]) -> None:
    """Let a seat draw up to `amount` cards, at most until it falls out of the round (NM12)."""
    give(state, seat, pull(state, min(amount, room(state, seat)), events), cause, events)


def take_last(state: State, seat: Seat, amount: int, events: list[Event]) -> None:
    """Let a seat draw what the last card of the round demands; mercy spares it (NM22)."""
    give(state, seat, pull(state, amount, events), DrawCause.DRAW_CARD, events, spared=True)


def pull_discards(state: State, amount: int, events: list[Event]) -> list[Card]:
    """Take cards from directly beneath the top card, the rest from the draw pile (Q53)."""
    below = state.discards[-1 - amount : -1]
    del state.discards[-1 - len(below) : -1]
    return below[::-1] + pull(state, amount - len(below), events)
