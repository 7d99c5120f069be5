"""
How do rules and settings become plain values, and back?

Plain values are what JSON knows: names, numbers, flags, lists and maps. They are what records and
positions are written with; `options` reads the single values.
"""

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from enum import StrEnum
from typing import Any, Final

from lastcard_engine.cards import format_card
from lastcard_engine.options import read_option, shortened
from lastcard_engine.rules import CustomRule, DeckExtras, Rules
from lastcard_engine.settings import Absence, Reactions, Settings

_DEFAULTS: Final = Rules()
_MOST: Final = 2**31  # beyond it no number is worth a sentence of its own


def _plain(value: object) -> object:
    if isinstance(value, DeckExtras):
        return asdict(value)
    if isinstance(value, CustomRule):
        return {**asdict(value), "kind": str(value.kind), "ops": [*value.ops]}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, str) else value


def plain_rules(rules: Rules) -> dict[str, object]:
    """Return every option of the rules as a plain value, in the order of `Rules`."""
    values = {field.name: _plain(getattr(rules, field.name)) for field in fields(rules)}
    if rules.deck_counts is not None:
        values["deck_counts"] = {format_card(card): count for card, count in rules.deck_counts}
    return values


def read_rules(values: Mapping[str, object], base: Rules = _DEFAULTS) -> Rules:
    """
    Return the rules with these plain values; options left out are those of `base`.

    Raises:
        RulesError: an option or a value is unknown.

    """
    options: dict[str, Any] = {name: read_option(name, value) for name, value in values.items()}
    return replace(base, **options)


def plain_settings(settings: Settings) -> dict[str, object]:
    """Return the settings as plain values."""
    return {name: _plain(value) for name, value in asdict(settings).items()}


def read_settings(values: Mapping[str, Any]) -> Settings:
    """
    Return the settings with these plain values; those left out have their defaults.

    Raises:
        ValueError: a name or value is unknown.

    """
    unknown = [name for name in values if name not in Settings.__dataclass_fields__]
    if unknown:
        raise ValueError(f"{shortened(unknown[0])} is no setting of a match")
    options = dict(values)
    for name, kind in (("reactions", Reactions), ("absence", Absence)):
        if name in options:
            options[name] = _member(name, kind, options[name])
    for name in ("action_cap", "rounds"):
        value = options.get(name, 0)
        if type(value) is not int or abs(value) > _MOST:
            raise ValueError(f"{name} cannot be {shortened(value)}; it must be a number")
    return Settings(**options)


def _member(name: str, kind: type[StrEnum], value: object) -> StrEnum:
    if not isinstance(value, str) or value not in tuple(kind):
        raise ValueError(f"{name} cannot be {shortened(value)}; it may be {', '.join(kind)}")
    return kind(value)
