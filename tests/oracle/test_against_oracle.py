"""The engine and the oracle agree, act by act, on a bounded sample of random games."""

import random
from typing import Any

import pytest

import lastcard_engine as engine
from tests.option_sets import VALUES
from tests.oracle import compare, random_play, starts, steps
from tests.oracle.cards import DRAWS
from tests.oracle.long import Job, compared
from tests.oracle.options import PRESETS, contradictions, options_of

SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_engine_and_oracle_agree(seed: int) -> None:
    """Same seats asked, same legal actions, same state, same refusals, same results."""
    dice = random.Random(seed)
    for _ in range(8):
        random_play.play(compare.lay_out(starts.random_start(dice)), dice, acts=80)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_agrees(preset: str) -> None:
    """Each preset is played on race and polled tables, as at length by `make oracle`."""
    for polled in (False, True):
        assert compared(Job(preset, 1, polled, acts=60)).difference == ""


@pytest.mark.parametrize("seed", SEEDS)
def test_contradictions_agree(seed: int) -> None:
    """What the engine accepts or calls contradictory is the same for the oracle (S08, Q22, Q63)."""
    dice = random.Random(seed)
    for _ in range(20):
        preset = dice.choice(sorted(PRESETS))
        overrides = {name: dice.choice(VALUES[name]) for name in dice.sample(CHOICES, 4)}
        seats = dice.randint(1, 11)
        if overrides.get("deck") == "custom" and dice.random() < 0.8:
            overrides["deck_counts"] = dice.choice([{"r5": 80, "rS": 40}, {"W": 50, "bS": 90}])
        wrong = contradictions(options_of(preset, **overrides), seats)
        assert bool(wrong) == _is_refused(preset, overrides, seats), (preset, overrides, seats)


def _is_refused(preset: str, overrides: dict[str, Any], seats: int) -> bool:
    try:
        engine.validate(engine.make_rules(preset, overrides), seats)
    except engine.RulesError:
        return True
    return False


CHOICES = sorted(VALUES)


def test_a_difference_is_found_and_made_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that only one side knows is noticed, and told by the shortest game that needs it."""
    start = compare.Start("standard_no", {"partner_talk": True, "hand_size": 5}, 3, polled=True)
    dice, taken = random.Random(1), list[steps.Step]()
    with monkeypatch.context() as wrong:
        wrong.setitem(DRAWS, "D2", 3)
        with pytest.raises(compare.Difference):
            random_play.play(steps.opened(start), dice, 2000, taken)
        short, few = steps.shortest(start, taken)
        assert "partner_talk" not in short.overrides
        assert few[-1].text.endswith("D2")
        assert len(few) < len(taken)
        assert steps.play_again(*steps.read(steps.written(short, few)))
    assert steps.play_again(start, taken) == ""
