"""The oracle alone, in random play: cards are conserved and every round ends."""

import functools
import operator
import random

import pytest

from tests.oracle import absence, rounds, turns
from tests.oracle.cards import deck, in_order
from tests.oracle.dealing import Dealing
from tests.oracle.legal import asked, free_acts, legal
from tests.oracle.options import PRESETS, options_of
from tests.oracle.table import State


def _step(state: State, dice: random.Random) -> None:
    if state.pause and dice.random() < 0.5:
        turns.close_window(state)
        return
    free = [(s, a) for s in range(state.seats) for a in free_acts(state, s)]
    if free and dice.random() < 0.2:
        turns.step(state, *dice.choice(free), dice.random() < 0.5)
    elif state.pause:
        turns.close_window(state)
    elif not asked(state):
        turns.close_group(state)
    elif dice.random() < 0.01:
        absence.time_out(state, dice.choice(asked(state)))
    else:
        seat = dice.choice(asked(state))
        turns.step(state, seat, dice.choice(legal(state, seat)), dice.random() < 0.5)


@pytest.mark.parametrize("polled", [False, True], ids=["race", "polled"])
@pytest.mark.parametrize("preset", PRESETS)
def test_random_rounds(preset: str, polled: bool) -> None:  # noqa: FBT001
    """Cards are conserved after every act, somebody is always asked, and rounds end."""
    dice = random.Random(f"{preset} {polled}")
    options = options_of(preset)
    seats = 4 if options["teams"] == "pairs" else dice.randint(2, min(6, options["max_players"]))
    state = rounds.new_match(options, seats, Dealing(dice.randbytes(32)), polled=polled)
    whole = deck(options)
    for _ in range(3):
        rounds.start_round(state)
        while state.running:
            assert (
                in_order(
                    [
                        *functools.reduce(operator.iadd, state.hands, []),
                        *state.draw_pile,
                        *state.discard,
                    ]
                )
                == whole
            )
            assert asked(state) or state.pause or state.group
            assert all(legal(state, s) for s in asked(state))
            _step(state, dice)
        if state.match_winners is not None:
            break
    assert state.results
