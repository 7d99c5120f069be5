"""
Which rules does a sheet tell of, and from which does it mark deviations?

A sheet compares with the official rules of the edition that the preset belongs to. Editions that
are official themselves, No Mercy among them, compare with themselves.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lastcard_engine.plain import plain_rules
from lastcard_engine.presets import PRESETS, fewest_seats, make_rules, validate
from lastcard_engine.rules import Rules, Teams

_EDITIONS: Final = {
    "official_se": (
        "official_se",
        "guide_se",
        "short_se",
        "short_se_literal",
        "family_se",
        "family_se_elimination",
        "family_se_literal",
        "official_se_low_total",
        "official_se_literal",
        "pairs_se",
        "tournament_4_se",
        "tournament_8_se",
    ),
    "standard_no": ("standard_no", "starter_no", "duel_no", "house_no", "standard_no_points"),
    "standard_no_112": ("standard_no_112",),
    "standard_no_swap": ("standard_no_swap",),
    "official_dk": ("official_dk", "official_dk_literal", "house_dk"),
    "official_dk_old": ("official_dk_old",),
    "no_mercy": ("no_mercy", "no_mercy_points"),
}
OFFICIAL: Final = {name: official for official, names in _EDITIONS.items() for name in names}
"""The official preset of every preset's edition (C45, R238, R240)."""

TOURNAMENTS: Final = {"tournament_4_se": "tournament_4", "tournament_8_se": "tournament_8"}
"""The schedules of the presets that are played as tournaments (R221, R224)."""


@dataclass(frozen=True)
class Choice:
    """The rules of a table: a preset and what it changes."""

    preset: str
    rules: Rules
    name: str = ""
    """What the table calls its rules; empty for the preset's own name."""

    @property
    def tournament(self) -> str:
        """The schedule of the tournament that is played; empty for a match, as without pairs."""
        return TOURNAMENTS.get(self.preset, "") if self.rules.teams is Teams.PAIRS else ""

    @property
    def official(self) -> "Choice":
        """The official rules of the same edition."""
        name = OFFICIAL[self.preset]
        return Choice(name, PRESETS[name])


def choose(preset: str, overrides: Mapping[str, object], name: str = "", seats: int = 0) -> Choice:
    """
    Return a choice that a table can play by.

    Args:
        preset: its name.
        overrides: plain values by option.
        name: what the table calls its rules; may be empty.
        seats: 2 to 10; 0 = as few as can play.

    Raises:
        RulesError: a name or a value is unknown, the options contradict each other, or a table of
            so many seats cannot play by them.

    """
    rules = make_rules(preset, overrides)
    validate(rules, seats or fewest_seats(rules))
    return Choice(preset, rules, name)


def overrides_of(choice: Choice) -> dict[str, str | int | bool]:
    """
    Return the options in which a choice differs from its preset, as a file of rules has them.

    Custom rules are no override: they have tables of their own.
    """
    return {
        name: value if isinstance(value, int) else option_text(value)
        for name, value in _changed(choice).items()
    }


def override_texts(choice: Choice) -> dict[str, str]:
    """Return what a choice changes in its preset as a request has it, values in text."""
    return {name: option_text(value) for name, value in _changed(choice).items()}


def _changed(choice: Choice) -> dict[str, object]:
    preset = plain_rules(PRESETS[choice.preset])
    chosen = plain_rules(choice.rules)
    return {
        name: value
        for name, value in chosen.items()
        if value != preset[name] and name != "custom_rules"
    }


def option_text(value: object) -> str:
    """Return a plain value of an option as an override writes it: `d2>d2,d2>wd4`, `WC=3`."""
    if isinstance(value, dict):
        return ",".join(f"{name}={count}" for name, count in value.items())
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower()


def as_toml(choice: Choice) -> str:
    """Return a choice as a file that contests, sheets and validation read."""
    lines = [f'preset = "{choice.preset}"']
    if changed := overrides_of(choice):
        lines += ["", "[overrides]"]
        lines += [f"{name} = {_toml(value)}" for name, value in changed.items()]
    for rule in choice.rules.custom_rules:
        lines += ["", "[[custom_rules]]", f"id = {_toml(rule.id)}"]
        lines += [f"text = {_toml(rule.text)}"] if rule.text else []
        lines += [f"ops = [{', '.join(map(_toml, rule.ops))}]"]
        lines += ["lose_turn = true"] if rule.lose_turn else []
    return "\n".join(lines) + "\n"


def _toml(value: str | int | bool) -> str:  # noqa: FBT001 - a value, not a switch
    """Return a value as TOML writes it; its basic strings are those of JSON."""
    return json.dumps(value, ensure_ascii=False)
