"""Does a round leave anything behind for the next one, apart from what a match is made of?"""

from random import Random
from typing import Final

import pytest

import lastcard_engine as engine
from tests.option_sets import random_options
from tests.properties.matches import go_on, random_act

LASTS: Final = ("round_number", "dealer", "totals", "left", "forfeited", "winners", "lawful")
"""
All of a state that outlives a round: what has been scored, who has left, who dealt and won.

And the verdict on the last wild draw four, which is read only after the play that sets it anew.
"""


def next_rounds(seed: int) -> int:
    """Play a match by random rules; compare each round but the first with one dealt afresh."""
    dice = Random(seed)
    rules = random_options(dice)
    settings = engine.Settings(dice.choice(tuple(engine.Reactions)), action_cap=40, rounds=4)
    made = engine.make_rules(rules.preset, rules.overrides)
    state = engine.new_match(made, settings, rules.seats, dice.randbytes(32))
    compared = 0
    while not state.over:
        if engine.needs_round(state):
            fresh = engine.new_match(made, settings, rules.seats, state.deal_key)
            for name in LASTS:
                value = getattr(state, name)
                setattr(fresh, name, value.copy() if isinstance(value, list) else value)
            fresh.phase = state.phase
            events = list(engine.start_round(state))
            assert list(engine.start_round(fresh)) == events
            assert engine.format_position(fresh) == engine.format_position(state)
            assert engine.state_hash(fresh) == engine.state_hash(state)
            compared += state.round_number > 1
        elif dice.random() < 0.01 and state.live > 2:
            engine.forfeit(state, engine.Seat(dice.choice(live(state))))
        elif go_on(state) is None:
            act = random_act(state, dice)
            engine.close_window(state) if act is None else engine.apply(state, *act)
    return compared


def live(state: engine.State) -> list[int]:
    """Return the seats that take part."""
    return [seat for seat, plays in enumerate(state.active) if plays]


@pytest.mark.parametrize("chunk", range(4))
def test_f09_a_round_begins_as_if_none_had_been_before(chunk: int) -> None:
    """Penalties, flags, direction, colour, calls and lost turns of a round end with it."""
    assert sum(map(next_rounds, range(chunk * 25, chunk * 25 + 25))) > 10
