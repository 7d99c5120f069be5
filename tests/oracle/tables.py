"""Small tables of the oracle for tests: hands, a top card, a draw pile, nothing shuffled."""

from typing import Any

from tests.oracle import rounds, turns
from tests.oracle.cards import in_order
from tests.oracle.legal import asked
from tests.oracle.options import options_of
from tests.oracle.table import State


def table(
    preset: str,
    hands: list[str],
    *,
    top: str = "r5",
    draw: str = "",
    polled: bool = False,
    **options: Any,
) -> State:
    """Lay out a table with seat 0 on turn; blanks separate cards, the draw pile is top first."""
    chosen = options_of(preset, **options)
    state = rounds.new_match(chosen, len(hands), lambda _, cards: list(cards), polled=polled)
    state.round, state.running, state.dealer = 1, True, len(hands) - 1
    state.colour, state.discard = top[0], [top]
    state.hands = [hand.split() for hand in hands]
    state.draw_pile = draw.split()
    return state


def do(state: State, *acts: str, uno: bool = True) -> list[list[str]]:
    """Do acts, each by the first seat asked, closing pauses; return the hands."""
    for act in acts:
        turns.step(state, asked(state)[0], act, uno)
        if state.pause:
            turns.close_window(state)
    return [in_order(hand) for hand in state.hands]
