"""The engine and the oracle agree, act by act, on a bounded sample of random games."""

import random
from typing import Any

import pytest

import lastcard_engine as engine
from tests.oracle import compare, random_play, starts
from tests.oracle.options import PRESETS, contradictions, options_of

SEEDS = range(16)


@pytest.mark.parametrize("seed", SEEDS)
def test_engine_and_oracle_agree(seed: int) -> None:
    """Same seats asked, same legal actions, same state, same refusals, same results."""
    dice = random.Random(seed)
    for _ in range(16):
        random_play.play(compare.lay_out(starts.random_start(dice)), dice, acts=80)


@pytest.mark.parametrize("preset", starts.presets())
def test_every_preset_agrees(preset: str) -> None:
    """Each preset the engine plays is played through on race and polled tables."""
    for polled in (False, True):
        dice = random.Random(f"{preset} {polled}")
        seats = 2 if options_of(preset)["max_players"] == 2 else 4
        start = compare.Start(preset, {}, seats, polled, key=dice.randbytes(32))
        random_play.play(compare.lay_out(start), dice, acts=150)


@pytest.mark.parametrize("seed", SEEDS)
def test_contradictions_agree(seed: int) -> None:
    """What the engine accepts or calls contradictory is the same for the oracle (S08, Q22, Q63)."""
    dice = random.Random(seed)
    for _ in range(30):
        preset = dice.choice(sorted(PRESETS))
        overrides = {name: dice.choice(starts.VALUES[name]) for name in dice.sample(CHOICES, 4)}
        seats = dice.randint(1, 11)
        wrong = contradictions(options_of(preset, **overrides), seats)
        refused = _refusal(preset, overrides, seats)
        if refused is not engine.OptionReason.OPTION_NOT_AVAILABLE:
            assert bool(wrong) == (refused is not None), (preset, overrides, seats)


def _refusal(preset: str, overrides: dict[str, Any], seats: int) -> engine.OptionReason | None:
    try:
        engine.validate(engine.make_rules(preset, overrides), seats)
    except engine.RulesError as error:
        return error.reason
    return None


CHOICES = sorted(starts.VALUES)
