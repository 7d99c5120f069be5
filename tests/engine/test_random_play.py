"""
Does everything hold that must hold, step by step, in matches played at random?

All presets that are built, 2 to 10 seats, both ways of reacting, with and without jump-in, seats
that leave, and the options that change most.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import lastcard_engine as engine
from tests.written import written

Step = Callable[[engine.State], list[engine.Event]]

CASES: list[tuple[str, dict[str, Any]]] = [
    ("standard_no", {}),
    ("official_se", {}),
    ("guide_se", {}),
    ("short_se", {}),
    ("short_se_literal", {}),
    ("family_se", {}),
    ("family_se_elimination", {"target_points": 100}),
    ("official_se_low_total", {"target_points": 100}),
    ("official_dk_literal", {}),
    ("official_se_literal", {"deck_extras": {"shuffle_hands": 4, "custom_wild": 8}}),
    ("standard_no", {"uno_window": "own_next_turn", "uno_penalty_skip_turn": True}),
    ("standard_no", {"uno_self_correct": False, "uno_window": "next_turn_ends"}),
    ("standard_no", {"draw_mode": "until_playable", "drawn_card": "must_play"}),
    ("standard_no", {"wd4_enforcement": "block", "finish_card": "number_only"}),
    ("guide_se", {"wd4_enforcement": "auto_penalty", "uno_penalty_cards": 0}),
    ("official_se", {"first_card_rejects": "under_discard", "next_dealer": "winner"}),
    ("standard_no_points", {"first_card_rejects": "bottom", "next_dealer": "draw_high"}),
    ("official_se", written()),
    ("short_se", {**written(), "hand_size": 2}),
    ("short_se", {"dealer_pick": "random", "hand_size": 3, "voluntary_draw": False}),
]


def new(preset: str, options: dict[str, Any], dice: Random) -> engine.State:
    """Return a match with a random number of seats and way of reacting."""
    options = {**options, "jump_in": dice.choice(["off", "identical"])}
    settings = engine.Settings(dice.choice(list(engine.Reactions)), action_cap=200, rounds=4)
    rules = engine.make_rules(preset, options)
    return engine.new_match(rules, settings, dice.choice([2, 3, 4, 7, 10]), dice.randbytes(32))


def acts(state: engine.State) -> list[tuple[engine.Seat, engine.Action]]:
    """Return everything any seat may do now."""
    seats = [engine.Seat(seat) for seat in range(state.seat_count)]
    return [
        (seat, action)
        for seat in seats
        for action in [*engine.legal_actions(state, seat), *engine.reactions(state, seat)]
    ]


def leave(state: engine.State, dice: Random) -> Step:
    """Take a seat out of the round or the match."""
    seat = dice.choice([engine.Seat(s) for s in range(state.seat_count) if state.active[s]])
    verb = dice.choice([engine.knock_out, engine.forfeit])
    return lambda other: verb(other, seat)


def choose(state: engine.State, dice: Random) -> Step:
    """Choose the next step at random."""
    if engine.needs_round(state):
        return engine.start_round
    if state.group is not None and not engine.to_act(state):
        return engine.close_group
    if state.window and dice.random() < 0.5:
        return engine.close_window
    asked = engine.to_act(state)
    if dice.random() < 0.01:
        return leave(state, dice)
    if asked and dice.random() < 0.03:
        seat = dice.choice(asked)
        return lambda other: engine.time_out(other, seat)
    able, action = dice.choice(acts(state))
    uno = dice.random() < 0.5
    return lambda other: engine.apply(other, able, action, uno)


def assert_deaf(state: engine.State, dice: Random) -> None:
    """An action nobody offers is refused by check and apply alike and changes nothing."""
    seat = engine.Seat(dice.randrange(state.seat_count))
    every: list[engine.Action] = [
        *engine.BARE_PLAYS,
        *engine.JUMP_INS,
        *engine.CATCHES,
        engine.KEEP,
    ]
    action = dice.choice(every)
    offered = [*engine.legal_actions(state, seat), *engine.reactions(state, seat)]
    if action in offered:
        return
    before = engine.state_hash(state)
    with pytest.raises(engine.RuleViolation) as checked:
        engine.check(state, seat, action)
    with pytest.raises(engine.RuleViolation) as applied:
        engine.apply(state, seat, action)
    assert str(checked.value) == str(applied.value) != ""
    assert engine.state_hash(state) == before


def assert_views(state: engine.State) -> None:
    """Views agree with the state and with each other."""
    table = engine.table_view(state)
    assert table.counts == tuple(map(len, state.hands))
    for seat in range(state.seat_count):
        seen = engine.view(state, engine.Seat(seat))
        assert seen[5:] == table
        assert len(seen.hand) == table.counts[seat]
        assert seen.asked is (seat in engine.to_act(state))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("preset", "options"), CASES)
def test_invariants_refusals_copies_and_replay(
    preset: str, options: dict[str, Any], seed: int
) -> None:
    """After every step the state is sound, a copy goes the same way, and views agree."""
    dice = Random(f"{preset} {options} {seed}")
    state = new(preset, options, dice)
    twin = state.clone()
    for _ in range(400):
        if state.over:
            break
        step = choose(state, dice)
        assert step(state) == step(twin)
        assert engine.violations(state) == ()
        assert engine.state_hash(twin) == engine.state_hash(state)
        if dice.random() < 0.2:
            assert_deaf(state, dice)
            assert_views(state)
            assert engine.state_hash(state.clone()) == engine.state_hash(state)
            text = engine.format_position(state)
            assert engine.state_hash(engine.parse_position(text)) == engine.state_hash(state)
