"""
Which rules a table plays by: the 38 options, the 25 presets and what contradicts itself.

Options are a plain dict from option name to value, as in `tests/rules/options.json`.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.oracle.cards import deck, is_number

Options = dict[str, Any]

LAW = Path(__file__).parents[1] / "rules"  # the rules as data
_TABLE = json.loads((LAW / "options.json").read_text(encoding="utf-8"))
DEFAULTS: Options = _TABLE["defaults"]
PRESETS: dict[str, Options] = _TABLE["presets"]


def options_of(preset: str | None = None, **overrides: Any) -> Options:
    """
    Lay a preset and single options over the defaults.

    Raises:
        KeyError: a preset that does not exist.
        AssertionError: an option that does not exist.

    """
    options = dict(DEFAULTS)
    for layer in ({} if preset is None else PRESETS[preset], overrides):
        for name, value in layer.items():
            assert name in DEFAULTS, f"no option {name}"
            options[name] = value
    return options


def contradictions(options: Mapping[str, Any], seats: int) -> list[str]:
    """Name what these options and this number of seats make impossible (S08, Q22, Q63)."""
    o = options
    teams = o["teams"] == "pairs"
    wrong = {
        "seats": not 2 <= seats <= o["max_players"],
        "pairs_need_four": teams and seats != 4,
        "pairs_exclude": teams
        and (o["mercy_limit"] > 0 or o["scoring"] in ("low_total", "elimination")),
        "required_needs_self_correct": o["uno_required_to_finish"] and not o["uno_self_correct"],
        "mercy_exceeds_hand": 0 < o["mercy_limit"] <= o["hand_size"],
        "bonus_needs_mercy": o["mercy_bonus"] > 0 and not o["mercy_limit"],
        "pairs_only_with_pairs": o["stacking"] != "pairs"
        and o["stack_pairs"] != DEFAULTS["stack_pairs"],
        "deck_too_small": seats * o["hand_size"] + 1 + 10 > len(deck(o)),
        "counts_with_custom_deck": (o["deck"] == "custom") != (o["deck_counts"] is not None),
        "no_number_cards": not any(is_number(card) for card in deck(o)),  # R019
    }
    return [name for name, is_wrong in wrong.items() if is_wrong]
