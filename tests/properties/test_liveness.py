"""Does every round and every match come to an end, whoever plays?"""

from random import Random
from typing import Any

import pytest

import lastcard_engine as engine
from tests.properties.ledger import Ledger
from tests.properties.matches import PRESETS, go_on, seats_of, step


def started(preset: str, seats: int, seed: int, cap: int, **overrides: Any) -> engine.State:
    """Return a new match with a cap on the actions of a round."""
    rules = engine.make_rules(preset, overrides)
    return engine.new_match(
        rules,
        engine.Settings(action_cap=cap, rounds=3),
        seats_of(rules, seats),
        seed.to_bytes(32, "big"),
    )


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [2, 4, 10])
def test_matches_of_lazy_seats_end(preset: str, seats: int) -> None:
    """Seats that draw and keep whatever they draw, and never call, play a match to its end."""
    state = started(preset, seats, seed=seats, cap=400)
    ledger = Ledger(state)
    steps = 0
    while not state.over:
        events = go_on(state)
        if events is None:
            seat = engine.to_act(state)[0]
            events = list(engine.apply(state, seat, engine.default_action(state, seat)))
        ledger.read(events)
        steps += 1
        assert steps < 3 * 400 * 12
    ledger.compare()
    assert ledger.rounds <= 3


@pytest.mark.parametrize("preset", PRESETS)
def test_matches_of_random_seats_end(preset: str) -> None:
    """Seats that act at random, silent or not, play a match of any preset to its end."""
    dice = Random(preset)
    state = started(preset, 3, seed=1, cap=2000)
    ledger = Ledger(state)
    steps = 0
    while not state.over:
        ledger.read(step(state, dice))
        steps += 1
        assert steps < 3 * 2000 * 5
    ledger.compare()


@pytest.mark.parametrize("seats", range(2, 11))
def test_rounds_of_card_players_end_by_going_out(seats: int) -> None:
    """Seats that lay whatever fits and call end a round by going out, at every size of table."""
    state = started("standard_no", seats, seed=seats, cap=2000)
    events: list[engine.Event] = list(engine.start_round(state))
    while not state.over:
        due = go_on(state)
        if due is None:
            seat = engine.to_act(state)[0]
            action = engine.legal_actions(state, seat)[0]
            call = isinstance(action, engine.Play)
            events = list(engine.apply(state, seat, action, call))
        else:
            events = due
    (ended,) = [event for event in events if isinstance(event, engine.RoundEnded)]
    assert ended.reason == "went_out"
