"""Does a round leave anything behind for the next one, apart from what a match is made of?"""

import json
from random import Random
from typing import Any

import pytest

import lastcard_engine as engine
from lastcard_engine.custom_state import write_custom
from lastcard_engine.state import Group, State
from tests.attributes import names_of
from tests.option_sets import random_options
from tests.properties.matches import go_on, random_act


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
            kept = json.loads(json.dumps(engine.plain_between(state)))
            fresh = engine.read_between(kept, made, settings, state.deal_key)
            events = list(engine.start_round(state))
            assert list(engine.start_round(fresh)) == events
            assert engine.format_position(fresh) == engine.format_position(state)
            assert engine.state_hash(fresh) == engine.state_hash(state)
            assert everything(fresh) == everything(state)
            compared += state.round_number > 1
        elif dice.random() < 0.01 and state.live > 2:
            engine.forfeit(state, engine.Seat(dice.choice(live(state))))
        elif go_on(state) is None:
            act = random_act(state, dice)
            engine.close_window(state) if act is None else engine.apply(state, *act)
    return compared


def everything(state: engine.State) -> dict[str, Any]:
    """Return every attribute of a state by name, groups and custom rules written out."""
    values = {name: getattr(state, name) for name in names_of(State)}
    group, custom = values["group"], values["custom"]
    values["group"] = group and [getattr(group, name) for name in names_of(Group)]
    values["custom"] = custom and write_custom(custom)
    return values


def live(state: engine.State) -> list[int]:
    """Return the seats that take part."""
    return [seat for seat, plays in enumerate(state.active) if plays]


@pytest.mark.parametrize("chunk", range(4))
def test_f09_a_round_begins_as_if_none_had_been_before(chunk: int) -> None:
    """Penalties, flags, direction, colour, calls and lost turns of a round end with it."""
    assert sum(map(next_rounds, range(chunk * 25, chunk * 25 + 25))) > 10


def test_nothing_can_be_put_aside_while_a_round_is_running_or_the_match_is_over() -> None:
    """Only between rounds no card is hidden; before and after the call the state is the same."""
    dice = Random(1)
    made = engine.make_rules("standard_no", {})
    state = engine.new_match(made, engine.Settings(action_cap=40), 3, bytes(32))
    assert engine.plain_between(state)["round_number"] == 0
    while not state.over:
        if go_on(state) is None:
            before = engine.state_hash(state)
            with pytest.raises(ValueError, match="between two rounds"):
                engine.plain_between(state)
            assert engine.state_hash(state) == before
            act = random_act(state, dice)
            engine.close_window(state) if act is None else engine.apply(state, *act)
    with pytest.raises(ValueError, match="between two rounds"):
        engine.plain_between(state)
