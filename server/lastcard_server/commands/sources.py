"""Which rules does PRESET|FILE name?"""

from pathlib import Path
from typing import NamedTuple

from lastcard_engine.errors import RulesError
from lastcard_engine.options import shortened
from lastcard_engine.presets import PRESETS, preset_meant
from lastcard_server.arena.file import ContestFileError, load_rules
from lastcard_server.commands.inputs import BadInput
from lastcard_server.convert.rules import plain_value
from lastcard_server.sheets.choice import Choice, choose


class Named(NamedTuple):
    """What PRESET|FILE names."""

    name: str
    preset: str
    overrides: dict[str, object]


def named(source: str) -> Named:
    """
    Return what a preset's name or a file says; whether it can be played is not looked at.

    Raises:
        BadInput: there is no such preset or file, or the file says something else.

    """
    if source in PRESETS:
        return Named("", source, {})
    if "/" not in source and not _is_there(Path(source)):
        asked, presets = shortened(source) + preset_meant(source), ", ".join(PRESETS)
        raise BadInput(f"no preset or file is named {asked}; presets: {presets}")
    try:
        file = load_rules(Path(source))
    except ContestFileError as error:
        raise BadInput(str(error)) from None
    overrides = {name: plain_value(name, text) for name, text in file.overrides.items()}
    if file.custom_rules:
        overrides["custom_rules"] = [dict(rule) for rule in file.custom_rules]
    return Named(file.name, file.preset, overrides)


def _is_there(path: Path) -> bool:
    """Tell whether a file exists; one whose name is too long for a file does not."""
    try:
        return path.exists()
    except OSError:
        return False


def chosen(source: str) -> Choice:
    """
    Return the rules that a preset's name or a file says.

    Raises:
        BadInput: as `named`, or they cannot be played.

    """
    asked = named(source)
    try:
        return choose(asked.preset, asked.overrides, asked.name)
    except RulesError as error:
        raise BadInput(f"{source}: {error.message}") from None
