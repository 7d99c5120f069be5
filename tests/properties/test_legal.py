"""Do legal actions, check and apply agree?"""

from random import Random
from typing import Any

import pytest

import lastcard_engine as engine
from tests.properties.candidates import candidates
from tests.properties.matches import PRESETS, new_match, step

STEPS = 40


def accepted_by_check(state: engine.State, seat: engine.Seat) -> dict[engine.Action, str | None]:
    """Return every candidate with None where check accepts it, else with the reason."""
    verdicts: dict[engine.Action, str | None] = {}
    for action in candidates(state):
        try:
            engine.check(state, seat, action)
            verdicts[action] = None
        except engine.RuleViolation as refusal:
            verdicts[action] = refusal.reason
    return verdicts


def accepted_by_apply(state: engine.State, seat: engine.Seat, action: engine.Action) -> str | None:
    """Return None where apply accepts, else the reason; a refusal leaves the state alone."""
    branch = state.clone()
    before = engine.state_hash(branch)
    try:
        engine.apply(branch, seat, action)
    except engine.RuleViolation as refusal:
        assert engine.state_hash(branch) == before
        return refusal.reason
    return None


def assert_agreement(state: engine.State, dice: Random) -> None:
    """Compare the three for every seat, apply for the accepted and a sample of the others."""
    before = engine.state_hash(state)
    for number in range(state.seat_count):
        seat = engine.Seat(number)
        verdicts = accepted_by_check(state, seat)
        accepted = {action for action, reason in verdicts.items() if reason is None}
        offered = {*engine.legal_actions(state, seat), *engine.reactions(state, seat)}
        assert accepted == offered
        refused = [action for action in verdicts if action not in accepted]
        for action in (*accepted, *dice.sample(refused, 6)):
            assert accepted_by_apply(state, seat, action) == verdicts[action]
    assert engine.state_hash(state) == before


@pytest.mark.parametrize("reactions", ["race", "polled"])
@pytest.mark.parametrize("preset", PRESETS)
def test_legal_check_and_apply_agree(preset: str, reactions: str) -> None:
    """An action is offered exactly when check accepts it and apply carries it out."""
    dice = Random(f"{preset} {reactions}")
    options = {"jump_in": "identical"} if dice.random() < 0.5 else {}
    seats = 2 if preset == "duel_no" else dice.choice((2, 3, 4))
    state = new_match(preset, dice.randrange(1000), reactions=reactions, seats=seats, **options)
    for _ in range(STEPS):
        if state.over:
            break
        if dice.random() < 0.5:
            assert_agreement(state, dice)
        step(state, dice)


def test_an_offered_play_may_carry_a_call() -> None:
    """Every play that is offered is accepted with the call as well."""
    dice = Random(4)
    state = new_match("standard_no", 4, reactions="race")
    for _ in range(200):
        if state.over:
            break
        for seat in engine.to_act(state):
            for action in engine.legal_actions(state, seat):
                if isinstance(action, engine.Play):
                    engine.check(state, seat, action, True)  # noqa: FBT003
        step(state, dice)


def test_the_default_action_is_always_legal() -> None:
    """Whoever is asked has a default among its legal actions."""
    for preset in PRESETS:
        dice = Random(preset)
        state = new_match(preset, 7, seats=2)
        for _ in range(60):
            if state.over:
                break
            for seat in engine.to_act(state):
                assert engine.default_action(state, seat) in engine.legal_actions(state, seat)
            step(state, dice)


def sort_key(action: engine.Action) -> tuple[int, int, int, int]:
    """Return the canonical place of an action."""
    kinds = [
        engine.Play,
        engine.Draw,
        engine.Keep,
        engine.AcceptDraw,
        engine.Challenge,
        engine.ChooseColour,
        engine.ChooseTarget,
        engine.ChooseCard,
        engine.BeginTurn,
        engine.JumpIn,
        engine.Catch,
        engine.CallUno,
        engine.Pass,
    ]
    card = getattr(action, "card", -1)
    colour = getattr(action, "colour", None)
    target = getattr(action, "target", None)
    return (
        kinds.index(type(action)),
        card,
        -1 if colour is None else colour,
        -1 if target is None else target,
    )


@pytest.mark.parametrize("reactions", ["race", "polled"])
def test_legal_actions_are_in_canonical_order(reactions: str) -> None:
    """Plays by card, colour and target, then the rest; reactions with the pass last."""
    dice = Random(reactions)
    sevens: dict[str, Any] = {"seven_zero": True, "deck_extras": {"swap_hands": 4}}
    for seed in range(8):
        options = sevens if seed % 2 else {}
        state = new_match("official_se", seed, reactions=reactions, jump_in="identical", **options)
        for _ in range(80):
            if state.over:
                break
            for seat in range(state.seat_count):
                for actions in (
                    engine.legal_actions(state, engine.Seat(seat)),
                    engine.reactions(state, engine.Seat(seat)),
                ):
                    assert actions == sorted(actions, key=sort_key)
            step(state, dice)
