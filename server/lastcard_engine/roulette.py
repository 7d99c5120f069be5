"""
What does a colour roulette do to the next seat?

It takes cards until one of the named colour comes up and loses its turn. Who names the colour is an
option; the colour stays in force (NM21, C40, R248).
"""

from lastcard_engine.cards import COLOUR_ROULETTE, FIRST_WILD, Card, Colour, Seat, colour_of
from lastcard_engine.events import DrawCause, Event, SeatSkipped, SkipCause
from lastcard_engine.mercy import room
from lastcard_engine.piles import give, pull
from lastcard_engine.rules import FirstCard, RouletteChooser
from lastcard_engine.state import Phase, State
from lastcard_engine.turns import begin, close_turn, next_seat


def ask_colour(state: State, _actor: Seat, _events: list[Event]) -> None:
    """Ask the next seat for the colour; until it is named, the one before stays in force."""
    state.phase = Phase.CHOOSE_COLOUR
    close_turn(state)
    begin(state, next_seat(state, state.turn))


def spinning(state: State) -> bool:
    """Tell whether the colour that is asked for is a roulette's, not just that of a first card."""
    if state.discards[-1] != COLOUR_ROULETTE:
        return False
    return state.colour is not None or (
        state.rules.first_card is FirstCard.DEALER_PLAYED
        and state.rules.roulette_chooser is RouletteChooser.VICTIM
    )


def name_colour(state: State, colour: Colour) -> None:
    """Put a colour in force over the wild on top."""
    state.colour = colour
    state.row = state.tables.rows[FIRST_WILD + colour]


def spin(state: State, victim: Seat, events: list[Event]) -> None:
    """Let a seat take cards until one has the colour in force; wilds have none (F61, NM15)."""
    cards: list[Card] = []
    while len(cards) < room(state, victim) and not _has_come(state, cards):
        more = pull(state, 1, events)
        if not more:
            break
        cards += more
    give(state, victim, cards, DrawCause.ROULETTE, events)
    if state.active[victim]:
        events.append(SeatSkipped(victim, SkipCause.ROULETTE))


def _has_come(state: State, cards: list[Card]) -> bool:
    return bool(cards) and colour_of(cards[-1]) == state.colour
