"""
What does the reference page of the rules say? Every option and every preset, from the tables.

Numbers and meanings are those of the comments in proto/, values and defaults the engine's own.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import lastcard_engine as engine
from lastcard_engine.options import OPTIONS
from lastcard_server.sheets.choice import option_text

_PROTO: Final = Path("proto/lastcard/v1/rules.proto")
_MESSAGE: Final = re.compile(r"^message Rules \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_FIELD: Final = re.compile(
    r"// (?P<text>[^\n]+)\n  (?P<kind>[\w ]+) (?P<name>\w+) = (?P<number>\d+);"
)
_ENUM: Final = re.compile(r"^enum (\w+) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_VALUE: Final = re.compile(r"// ([^\n]+)\n  (\w+) = [1-9]")
_HEAD: Final = """# Rules

A choice of rules is a preset and the options that differ from it. Every option of the rules and
every preset is listed and can be played; a value that is none is refused as `BAD_RULES`.

Overrides are written as text: names, numbers, `true` and `false` as they stand below; lists with
commas, `d2>d2,d2>wd4`; maps as `shuffle_hands=1,custom_wild=3`, where what is left out is 0, and
cards in [notation](notation.md). `custom_rules` are no text but messages, or tables of a file: see
[custom rules](custom-rules.md). `RulesService.ValidateRules` tells whether a choice can be played.

## Options

| number | option | meaning | values | default |
| --- | --- | --- | --- | --- |
"""
_VALUES_HEAD: Final = """
## Values

| option | value | meaning |
| --- | --- | --- |
"""
_PRESETS_HEAD: Final = """
## Presets

| preset | differs from the defaults in |
| --- | --- |
"""


class Described(NamedTuple):
    """An option as the contract describes it."""

    text: str
    kind: str
    name: str
    number: str


def rules_page() -> str:
    """Return the page of the rules."""
    options = _described()
    return "".join(
        (
            _HEAD,
            *map(_option_row, options),
            _VALUES_HEAD,
            *(row for option in options for row in _value_rows(option)),
            _PRESETS_HEAD,
            *map(_preset_row, engine.PRESETS),
        )
    )


def _described() -> list[Described]:
    """Return every option as the contract has it."""
    message = _MESSAGE.search(_PROTO.read_text())
    if message is None:
        raise LookupError(f"{_PROTO} has no message Rules")
    return [Described(*found) for found in _FIELD.findall(message[1])]


def _option_row(option: Described) -> str:
    name = option.name
    values = ", ".join(map(_word, OPTIONS[name].allowed))
    default = _word(_text(engine.plain_rules(engine.Rules())[name]))
    return f"| {option.number} | `{name}` | {option.text} | {values} | {default} |\n"


def _value_rows(option: Described) -> Iterator[str]:
    """Yield a row for each name an option may have as its value."""
    values = dict(_ENUM.findall(_PROTO.read_text())).get(option.kind, "")
    for text, name in _VALUE.findall(values):
        value = next(v for v in OPTIONS[option.name].allowed if name.endswith(f"_{v.upper()}"))
        yield f"| `{option.name}` | `{value}` | {text} |\n"


def _word(text: str) -> str:
    """Return a value as code, a sentence about values as it is."""
    return text if " " in text or text == "-" else f"`{text}`"


def _text(value: object) -> str:
    """Return a plain value as an override is written, without what counts nothing."""
    if isinstance(value, dict):
        value = {name: count for name, count in value.items() if count}
    return "-" if value is None else option_text(value) or "-"


def _preset_row(name: str) -> str:
    defaults = engine.plain_rules(engine.Rules())
    values = engine.plain_rules(engine.preset(name))
    changed = [f"`{n}: {_text(v)}`" for n, v in values.items() if v != defaults[n]]
    return f"| `{name}` | {', '.join(changed)} |\n"
