"""
How does one put a table into a position?

For tests, referees and scenarios. A position takes what it is given, a stock of cards that is no
deck included; nobody is on turn by chance and nothing is dealt. How one is written down is in
`position_text`.
"""

from collections.abc import Sequence
from typing import Final

from lastcard_engine.cards import Card, Colour, Seat, colour_of
from lastcard_engine.dealing import KEY_BYTES
from lastcard_engine.debts import refit
from lastcard_engine.events import Event
from lastcard_engine.opening import turn_start_card
from lastcard_engine.rules import Rules
from lastcard_engine.settings import Settings
from lastcard_engine.state import Phase, State

ZERO_KEY: Final = bytes(KEY_BYTES)
"""The deal key of positions that are given none."""

_PLAIN: Final = Settings()


def settle(state: State) -> None:
    """Work out what follows from the rest: how many seats play and owe, and which cards fit."""
    state.live = sum(state.active)
    state.duties = sum(opened > 0 for opened in state.duty)
    refit(state)


def _table(
    rules: Rules,
    hands: Sequence[Sequence[Card]],
    draw: Sequence[Card],
    settings: Settings,
    dealer: Seat | None,
    deal_key: bytes,
) -> State:
    state = State(rules, settings, len(hands), deal_key)
    state.round_number = 1
    state.dealer = Seat(len(hands) - 1) if dealer is None else dealer
    state.hands = [sorted(hand) for hand in hands]
    state.draw_pile = list(draw)[::-1]
    state.active = [True] * len(hands)
    return state


def position(  # noqa: PLR0913 - a position has many sides; all but the first three have defaults
    rules: Rules,
    hands: Sequence[Sequence[Card]],
    top: Card,
    *,
    colour: Colour | None = None,
    turn: Seat = Seat(0),  # noqa: B008 - a number
    direction: int = 1,
    draw: Sequence[Card] = (),
    discards: Sequence[Card] = (),
    drawn: Card | None = None,
    totals: Sequence[int] | None = None,
    dealer: Seat | None = None,
    settings: Settings = _PLAIN,
    deal_key: bytes = ZERO_KEY,
) -> State:
    """
    Return a match in the middle of its first round, as described.

    Args:
        rules: the rules to play on by.
        hands: one a seat, in any order of cards.
        top: the top discard, its effect over.
        colour: the colour in force; by default that of `top`, which is needed for a wild.
        turn: who lays or draws next.
        direction: 1 clockwise, -1 counter-clockwise.
        draw: the draw pile, top first.
        discards: the discards beneath `top`, bottom first.
        drawn: the card the seat on turn has just drawn and holds in its hand, if any.
        totals: points so far, one a seat; by default none.
        dealer: by default the last seat.
        settings: by default a polled table.
        deal_key: 32 bytes for reshuffles.

    Raises:
        ValueError: no colour is given for a wild top card, or one that a coloured card lacks.

    """
    printed = colour_of(top)
    if printed is None and colour is None:
        raise ValueError("a wild top card needs the colour that was named for it")
    if printed is not None and colour not in (None, printed):
        raise ValueError("the colour in force is that of a coloured top card")
    state = _table(rules, hands, draw, settings, dealer, deal_key)
    state.phase = Phase.PLAY if drawn is None else Phase.PLAY_OR_KEEP
    state.serial = 1
    state.turn = turn
    state.direction = direction
    state.discards = [*discards, top]
    state.colour = colour if printed is None else printed
    state.drawn = drawn
    state.begun = drawn is not None
    if totals is not None:
        state.totals = list(totals)
    settle(state)
    return state


def opening_position(
    rules: Rules,
    hands: Sequence[Sequence[Card]],
    draw: Sequence[Card],
    *,
    dealer: Seat | None = None,
    settings: Settings = _PLAIN,
    deal_key: bytes = ZERO_KEY,
) -> tuple[State, list[Event]]:
    """
    Return a match whose hands are dealt as given and whose first card is then turned.

    Args:
        rules: the rules to play by; they say what the turned card does.
        hands: one a seat, in any order of cards.
        draw: the draw pile before the turn, top first.
        dealer: by default the last seat.
        settings: by default a polled table.
        deal_key: 32 bytes for what is shuffled.

    Raises:
        ValueError: no card of the draw pile may start the discard pile.

    """
    state = _table(rules, hands, draw, settings, dealer, deal_key)
    settle(state)
    events: list[Event] = []
    turn_start_card(state, events)
    return state, events
