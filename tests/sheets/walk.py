"""Every option of the rules with its values, each beside rules in which it matters."""

import itertools
from collections.abc import Mapping
from typing import Any, Final

from lastcard_engine.cards import NAMES, is_number, parse_card
from lastcard_engine.custom_ops import SHAPES, Argument
from lastcard_engine.options import OPTIONS
from lastcard_server.sheets.choice import Choice, choose

CUSTOM: Final = {name: 2 for name in NAMES if is_number(parse_card(name))}
"""A custom deck of 80 numbers."""
BOX: Final = {"shuffle_hands": 1, "swap_hands": 1, "custom_wild": 3}

WHERE: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "deck_counts": ("standard_no", {"deck": "custom"}),
    "stack_pairs": ("standard_no", {"stacking": "pairs"}),
    "shuffle_pool": ("official_se", {}),
    "roulette_chooser": ("no_mercy", {}),
    "custom_rules": ("official_se", {}),
    "target_points": ("standard_no_points", {}),
    "extra_wild_points": ("official_se", {}),
    "mercy_bonus": ("no_mercy_points", {}),
    "partner_talk": ("pairs_se", {}),
}
"""The rules beside which an option says something; all others do beside standard_no."""


def operations() -> list[str]:
    """Return an operation of every kind for every word, target and outcome it may have."""
    return [
        f"{kind}({','.join(parts)})"
        for kind, shape in SHAPES.items()
        for parts in itertools.product(*map(_samples, shape))
    ]


def _samples(argument: Argument) -> tuple[str, ...]:
    """Return what may stand in one place of an operation, of numbers and texts two."""
    if argument.words:
        return argument.words
    if argument.high:
        return str(argument.low), str(argument.high)
    return ("hop", "sing!") if argument.field == "word" else ("", "draw(self,1);draw(others,2)")


def with_rule(*operations: str, **more: Any) -> Choice:
    """Return rules with one custom rule, of these operations."""
    rule = {"id": "a", "ops": list(operations), **more}
    return choose("standard_no", {"deck_extras": {"custom_wild": 1}, "custom_rules": [rule]})


VALUES: Final[Mapping[str, list[Any]]] = {
    "deck_extras": [{}, *({name: n} for name, n in BOX.items()), {"custom_wild": 8}, BOX],
    "deck_counts": [
        CUSTOM,
        {**CUSTOM, "r5": 4},
        {**CUSTOM, "g5": 4},
        {**CUSTOM, "bS": 2},
        {**CUSTOM, "W4": 2},
    ],
    "stack_pairs": [
        ["d2>d2"],
        ["d2>wd4"],
        ["wd4>d2"],
        ["wd4>wd4"],
        ["d2>d2", "d2>wd4", "wd4>wd4"],
        ["d2>d2", "d2>wd4", "wd4>d2", "wd4>wd4"],
    ],
    "mercy_limit": [0, 8, 25, 167],
    "custom_rules": [
        [],
        [{"id": "one", "text": "The next player draws one.", "ops": ["draw(next,1)"]}],
    ],
    "target_points": [50, 499, 500, 5000],
    "mercy_bonus": [0, 1, 250, 1000],
}
"""Values of the options that are maps, lists or numbers of a wide range."""


def values_of(option: str) -> list[Any]:
    """Return values of an option: every one of a name, a flag or a narrow range."""
    if option in VALUES:
        return VALUES[option]
    allowed = OPTIONS[option].allowed
    if allowed == ("true", "false"):
        return [True, False]
    low, to, high = allowed[0].partition(" to ")
    if to:
        return list(range(int(low), int(high) + 1))
    return [int(name) if name.isdigit() else name for name in allowed]


def variants(option: str) -> list[Choice]:
    """Return a choice for every value of an option, alike but for it."""
    preset, around = WHERE.get(option, ("standard_no", {}))
    counts = {"deck_counts": CUSTOM}  # a custom deck needs them, and no other may have them
    return [
        choose(preset, {**around, **(counts if value == "custom" else {}), option: value})
        for value in values_of(option)
    ]
