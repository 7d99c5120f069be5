"""Does a match replay bit by bit?"""

from random import Random

import pytest

import lastcard_engine as engine
from tests.properties.matches import PRESETS, go_on, new_match, random_act


@pytest.mark.parametrize("reactions", ["race", "polled"])
@pytest.mark.parametrize("preset", PRESETS)
def test_the_accepted_acts_in_notation_replay_the_match(preset: str, reactions: str) -> None:
    """From the deal key and the acts as text come the same events and the same state hashes."""
    dice = Random(preset)
    first = new_match(preset, 11, reactions=reactions, seats=2)
    second = new_match(preset, 11, reactions=reactions, seats=2)
    for _ in range(250):
        if first.over:
            break
        events = go_on(first)
        if events is not None:
            assert go_on(second) == events
        elif (act := random_act(first, dice)) is None:
            assert engine.close_window(first) == engine.close_window(second)
        else:
            seat, action, uno = act
            text = engine.format_action(action, uno)
            events = list(engine.apply(first, seat, action, uno))
            assert list(engine.apply(second, seat, *engine.parse_action(text))) == events
        assert engine.state_hash(first) == engine.state_hash(second)


def test_a_clone_is_independent() -> None:
    """Playing on with a copy leaves the original alone, and both go the same way."""
    dice = Random(3)
    for seed in range(4):
        state = new_match("official_se", seed, reactions="polled", jump_in="identical")
        for _ in range(60):
            if state.over:
                break
            before = engine.state_hash(state)
            copy = state.clone()
            assert engine.state_hash(copy) == before
            roll = dice.randrange(10**9)
            for table in (copy, state):
                events = go_on(table)
                if events is None:
                    act = random_act(table, Random(roll))
                    assert act is not None
                    engine.apply(table, *act)
                if table is copy:
                    assert engine.state_hash(state) == before
            assert engine.state_hash(copy) == engine.state_hash(state)


def test_the_hash_sees_every_difference() -> None:
    """Another card, another order of the draw pile, another seat on turn: another hash."""
    base = new_match("standard_no", 5)
    hashes = {engine.state_hash(base)}
    swapped, reordered, turned = base.clone(), base.clone(), base.clone()
    swapped.hands[0], swapped.hands[1] = swapped.hands[1], swapped.hands[0]
    reordered.draw_pile[0], reordered.draw_pile[-1] = base.draw_pile[-1], base.draw_pile[0]
    turned.turn = engine.Seat((base.turn + 1) % 3)
    hashes |= {engine.state_hash(state) for state in (swapped, reordered, turned)}
    assert len(hashes) == 4
    assert all(len(value) == 32 for value in hashes)
