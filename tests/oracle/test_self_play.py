"""The oracle alone, in random play: cards are conserved and every round ends."""

import random
from collections import Counter
from itertools import chain

import pytest

from tests.oracle import absence, rounds, turns
from tests.oracle.cards import deck
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
@pytest.mark.parametrize("preset", [*PRESETS, "custom"])
def test_random_rounds(preset: str, polled: bool) -> None:  # noqa: FBT001
    """Cards are conserved after every act, somebody is always asked, and rounds end."""
    dice = random.Random(f"{preset} {polled}")
    options = CUSTOM if preset == "custom" else options_of(preset)
    seats = 4 if options["teams"] == "pairs" else dice.randint(2, min(6, options["max_players"]))
    state = rounds.new_match(
        options, seats, Dealing(dice.randbytes(32)), polled=polled, action_cap=300
    )
    whole = Counter(deck(options))
    for _ in range(2):
        rounds.start_round(state)
        while state.running:
            assert Counter(chain(*state.hands, state.draw_pile, state.discard)) == whole
            assert asked(state) or state.pause or state.group
            assert all(legal(state, s) for s in asked(state))
            _step(state, dice)
        if state.match_winners is not None:
            break
    assert state.results


CUSTOM = options_of(
    "official_se",
    deck_extras={"custom_wild": 8},
    custom_rules=[
        {"ops": ["dare(next,crow,draw(self,4))"]},
        {"ops": ["draw_until(next,named)"], "lose_turn": True},
        {"ops": ["discard_matching(all,wild)"]},
        {"ops": ["next_draw_count(next,3)", "reveal_hands(all,own_next_turn)"]},
        {"ops": ["adjust_hand(chosen,7)", "extra_turn(self)"]},
        {"ops": ["adjust_hand(all,3)"]},
        {"ops": ["vote(laughed?,discard_to(self,1),draw(self,4))"]},
        {"ops": ["restriction(next,elbows,uno_call)"]},
    ],
)
