"""
What must be true of every state?

A list of small questions, each answered with the sentence that is broken. Used by tests, by replay
in doubt and by nobody on the hot path.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from lastcard_engine.cards import (
    COLOUR_ROULETTE,
    COLOURS,
    FIRST_WILD,
    Card,
    Colour,
    Seat,
    colour_of,
)
from lastcard_engine.deck import deck
from lastcard_engine.state import Phase, State
from lastcard_engine.tables import NOTHING_FITS, Row
from lastcard_engine.transition import legal_actions, to_act


def _hands(state: State) -> Iterator[str]:
    for seat, hand in enumerate(state.hands):
        if hand != sorted(hand):
            yield f"the hand of seat {seat} is not in canonical order"
        if hand and not state.active[seat]:
            yield f"seat {seat} is out of the round and holds cards"
        if state.running and state.active[seat] and not hand:
            yield f"seat {seat} holds no card and the round goes on"


_UNNAMED: Final = "a colour is in force exactly unless that of the first card is being named"


def _colour(state: State) -> Iterator[str]:
    if not state.running:
        return
    top = state.discards[-1]
    if state.colour is None:
        if state.phase is not Phase.CHOOSE_COLOUR:
            yield _UNNAMED
        if state.row != NOTHING_FITS:
            yield "cards fit although no colour is in force"
    elif state.phase is Phase.CHOOSE_COLOUR and top != COLOUR_ROULETTE:
        yield _UNNAMED
    elif state.colour not in COLOURS or colour_of(top) not in (None, state.colour):
        yield "the colour in force is not that of the top card"
    elif state.row != _row(state, top, state.colour):
        yield "the row of fitting cards belongs to another top card"


def _row(state: State, top: Card, colour: Colour) -> Row:
    """Return what ought to fit: answers to a debt, else what lies on the top card."""
    if state.pending:
        return state.tables.answers[top]
    return state.tables.rows[top if top < FIRST_WILD else FIRST_WILD + colour]


def _asked(state: State) -> Iterator[str]:
    asked = to_act(state)
    if state.running and not state.active[state.turn]:
        yield "the seat on turn is out of the round"
    if state.running and not state.window and state.group is None and len(asked) != 1:
        yield "not exactly one seat is asked"
    if not state.running and (asked or state.window or state.group is not None):
        yield "a seat is asked although no round is running"
    if state.window and state.group is not None:
        yield "a group and a pause are open at once"
    for seat in range(state.seat_count):
        if bool(legal_actions(state, Seat(seat))) != (seat in asked):
            yield f"seat {seat} is asked without a legal action, or has one without being asked"


def _turn(state: State) -> Iterator[str]:
    drawn = state.drawn
    if (drawn is not None) != (state.phase is Phase.PLAY_OR_KEEP):
        yield "a drawn card is pending out of its phase"
    if drawn is not None and drawn not in state.hands[state.turn]:
        yield "the drawn card is not in the hand of the seat on turn"
    if (state.offence is not None) != (state.phase is Phase.CHALLENGE):
        yield "a wild draw four is faced out of its phase"
    if (state.pending > 0) != (state.phase in (Phase.CHALLENGE, Phase.ANSWER_DRAW)):
        yield "cards are demanded out of the phases that say so"


def _calls(state: State) -> Iterator[str]:
    if state.duties != sum(opened > 0 for opened in state.duty):
        yield "the number of open duties is wrong"
    for seat, hand in enumerate(state.hands):
        if not state.running or len(hand) == 1:
            continue
        if state.duty[seat] or state.called[seat]:
            yield f"seat {seat} has a call or a duty without holding one card"
    if any(opened and called for opened, called in zip(state.duty, state.called, strict=True)):
        yield "a seat has called and can be caught"


def _seats(state: State) -> Iterator[str]:
    if state.live != sum(state.active):
        yield "the number of active seats is wrong"
    if state.running and state.live < 2:
        yield "a round goes on with fewer than two seats"
    for seat in range(state.seat_count):
        if state.forfeited[seat] and (state.active[seat] or not state.left[seat]):
            yield f"seat {seat} has forfeited and still takes part"


_QUESTIONS: Final[tuple[Callable[[State], Iterator[str]], ...]] = (
    _hands,
    _colour,
    _asked,
    _turn,
    _calls,
    _seats,
)


def violations(state: State, cards: Sequence[Card] | None = None) -> tuple[str, ...]:
    """
    Return what is wrong with a state, one sentence each; empty if nothing is.

    Args:
        state: any state, between rounds too.
        cards: all cards of the table, for positions with another stock than the deck of the
            rules; by default that deck, or none before the first round.

    """
    stock = cards if cards is not None else deck(state.rules) if state.round_number else ()
    held = [card for hand in state.hands for card in hand]
    found = [sentence for question in _QUESTIONS for sentence in question(state)]
    if sorted([*held, *state.draw_pile, *state.discards]) != sorted(stock):
        found.append("the cards of the table are not those of the deck")
    return tuple(found)
