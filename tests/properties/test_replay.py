"""Does a match replay bit by bit?"""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import lastcard_engine as engine
from tests.attributes import names_of
from tests.builders import at, cards, make_settings
from tests.properties.matches import PRESETS, go_on, new_match, random_act, step
from tests.written import written


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


DERIVED = {"rules", "settings", "tables", "row", "duties", "live"}


def other_value(value: Any) -> Any:
    """Return a value of the same kind that differs in one place."""
    if value is None:
        return engine.Seat(1)
    if isinstance(value, bool):
        return not value
    if isinstance(value, engine.Phase):
        return engine.Phase.ROUND_OVER
    if isinstance(value, int):
        return value + 1
    if isinstance(value, bytes):
        return value[:-1] + bytes([value[-1] ^ 1])
    if isinstance(value, tuple):
        return (*value, engine.Seat(1))
    return [other_value(value[0]), *value[1:]]


@pytest.mark.parametrize("name", sorted(set(names_of(engine.State)) - DERIVED))
def test_the_hash_sees_every_attribute(name: str) -> None:
    """A state that differs in one attribute, or in the order of a pile, has another hash."""
    state = new_match("official_se", 5, reactions="polled", jump_in="identical", **written())
    while state.group is None or len(state.discards) < 2:
        step(state, Random(1))
    before = engine.state_hash(state)
    changed = state.clone()
    if name == "offence":
        faced = new_match("standard_no", 5)
        while faced.offence is None:
            step(faced, Random(len(faced.discards) + faced.actions))
        changed.offence = faced.offence
    elif name == "group":
        changed.group = None
    elif name == "custom":
        assert changed.custom is not None
        changed.custom.next_draw[0] = 3
    else:
        setattr(changed, name, other_value(getattr(state, name)))
    assert len(before) == 32
    assert engine.state_hash(changed) != before
    assert engine.state_hash(state) == before


def test_the_hash_sees_answers_orders_and_verdicts() -> None:
    """Answers in an open group, the order of the draw pile and a verdict are part of the state."""
    table = at("r2 b3 | r1 g1 | y1 y2", "r6", settings=make_settings("polled"))
    table.act(0, "play r2")
    hashes = {engine.state_hash(table.state)}
    for action in ("pass", "catch 0"):
        answered = table.clone()
        answered.act(2, action)
        hashes.add(engine.state_hash(answered.state))
    reordered = table.clone()
    reordered.state.draw_pile.reverse()
    hashes.add(engine.state_hash(reordered.state))
    assert len(hashes) == 4
    lawful, unlawful = (at(f"W4 {card} b3 | g1 | y1", "r6") for card in ("g2", "r2"))
    lawful.act(0, "play W4 b")
    unlawful.act(0, "play W4 b")
    for table in (lawful, unlawful):
        table.state.hands[0] = [*cards("b3")]
        assert table.state.offence is not None
        table.state.offence.hand = cards("b3")
        table.state.lawful = True
    assert engine.state_hash(lawful.state) != engine.state_hash(unlawful.state)


def broken(state: engine.State) -> Iterator[tuple[str, engine.State]]:
    """Yield states that cannot be, each with a word for what is wrong."""
    for wrong in ("lost", "doubled", "unsorted", "colour", "dead", "drawn", "empty"):
        copy = state.clone()
        if wrong == "lost":
            copy.draw_pile.pop()
        elif wrong == "doubled":
            copy.draw_pile[0] = copy.draw_pile[1]
        elif wrong == "unsorted":
            copy.hands[0].reverse()
        elif wrong == "colour":
            copy.colour = None
        elif wrong == "dead":
            copy.active[copy.turn] = False
        elif wrong == "drawn":
            copy.drawn = copy.hands[copy.turn][0]
        else:
            copy.draw_pile += copy.hands[1]
            copy.hands[1] = []
        yield wrong, copy


def test_broken_states_are_recognised() -> None:
    """`violations` names what is wrong, and finds nothing wrong with a sound state."""
    state = new_match("standard_no", 9)
    assert engine.violations(state) == ()
    for wrong, copy in broken(state):
        assert engine.violations(copy), wrong
