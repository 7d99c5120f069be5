"""Does the reference page of the rules name every option, value and preset?"""

import re
from pathlib import Path

import lastcard_engine as engine
from lastcard_engine.options import OPTIONS

PAGE = Path("docs/reference/rules.md").read_text()


def rows(title: str) -> list[list[str]]:
    """Return the cells of the table below a title, without the marks of code."""
    table = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| ")][2:]
    return [line.replace("`", "").strip("| ").split(" | ") for line in lines]


def test_every_option_has_its_number() -> None:
    """All 38 stand there in the order of `Rules`, counted from 1, each with a meaning."""
    table = rows("Options")
    assert [row[:2] for row in table] == [[str(n), name] for n, name in enumerate(OPTIONS, 1)]
    assert all(len(row) == 5 and row[2].endswith(".") for row in table)


def test_every_value_has_a_meaning() -> None:
    """Each name that an option may be set to is explained once."""
    told = [(option, value) for option, value, _ in rows("Values")]
    names = [
        (option, value)
        for option, row in OPTIONS.items()
        for value in row.allowed
        if option != "stack_pairs" and re.fullmatch(r"[a-z]\w+", value)
        if value not in {"true", "false"}
    ]
    assert told == names


def test_every_preset_is_told() -> None:
    """All 25 stand there with what they change, and a match can be made by each of them."""
    table = dict(rows("Presets"))
    assert list(table) == list(engine.PRESETS)
    assert len(table) == 25
    defaults = engine.plain_rules(engine.Rules())
    for name, told in table.items():
        values = engine.plain_rules(engine.make_rules(name))
        changed = [option for option in values if values[option] != defaults[option]]
        assert re.findall(r"(\w+): ", told) == changed
