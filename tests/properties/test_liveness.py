"""Does every round and every match come to an end, whoever plays?"""

from random import Random
from typing import Any

import pytest

import lastcard_engine as engine
from tests.properties.ledger import Ledger
from tests.properties.matches import PRESETS, go_on, seats_of, step
from tests.written import IDEAS, written


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
        ledger.compare()
        steps += 1
        assert steps < 3 * 2000 * 5


@pytest.mark.parametrize("answers", ["dare_refuse vote no pass", "dare_done vote yes choose_card"])
@pytest.mark.parametrize("names", [tuple(IDEAS)[:8], tuple(IDEAS)[2:]])
@pytest.mark.parametrize("seats", [2, 5, 10])
def test_matches_with_custom_rules_end(answers: str, names: tuple[str, ...], seats: int) -> None:
    """Whether seats always refuse or always agree, and lay custom wilds first, matches end."""
    state = started("official_se", seats, seed=seats, cap=400, **written(*names, rules=IDEAS))
    steps = 0
    while not state.over:
        if go_on(state) is None:
            seat = engine.to_act(state)[0]
            legal = engine.legal_actions(state, seat)
            texts = [engine.format_action(action) for action in legal]
            wild = [n for n, text in enumerate(texts) if text.startswith("play WC")]
            wanted = [n for n, text in enumerate(texts) if text in answers]
            chosen = (wild or wanted or [engine.default_choice(state, legal)])[0]
            engine.apply(state, seat, legal[chosen])
        steps += 1
        assert steps < 3 * 400 * 20


@pytest.mark.parametrize("seats", [2, 4, 10])
def test_custom_rules_end_although_nobody_answers(seats: int) -> None:
    """Seats that lay custom wilds and then fall silent are timed out of every question."""
    state = started("official_se", seats, seed=seats, cap=200, **written())
    steps = 0
    while not state.over:
        if go_on(state) is None:
            seat = engine.to_act(state)[0]
            legal = engine.legal_actions(state, seat)
            wild = [a for a in legal if engine.format_action(a).startswith("play WC")]
            engine.apply(state, seat, wild[0]) if wild else engine.time_out(state, seat)
        steps += 1
        assert steps < 3 * 200 * 20


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


@pytest.mark.parametrize("seats", [2, 4, 7])
@pytest.mark.parametrize("calls", [False, True])
def test_rounds_of_swappers_end(seats: int, *, calls: bool) -> None:
    """Seats that move hands whenever they can, and never call where a call is needed, end too."""
    overrides = {"seven_zero": True, "deck_extras": {"swap_hands": 4}, "jump_in": "identical"}
    state = started("family_se_literal", seats, seed=seats, cap=300, **overrides)
    ledger = Ledger(state)
    moves = steps = 0
    while not state.over:
        events = go_on(state)
        if events is None:
            seat = engine.to_act(state)[0]
            legal = engine.legal_actions(state, seat)
            aimed = [action for action in legal if getattr(action, "target", None) is not None]
            plays = [action for action in legal if isinstance(action, engine.Play)]
            choice = next(iter(aimed or plays), engine.default_action(state, seat))
            events = list(engine.apply(state, seat, choice, calls))
        moves += sum(isinstance(event, engine.HandReceived) for event in events)
        ledger.read(events)
        steps += 1
        assert steps < 3 * 300 * 12
    ledger.compare()
    assert moves > 0
