"""Does the reference page of the rules name every option, value and preset, and what is built?"""

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
    assert all(len(row) == 6 and row[2].endswith(".") for row in table)


def test_what_is_said_not_to_be_played_is_refused() -> None:
    """Every name listed as not played is refused as not available, and every other is not."""
    for _, option, _, values, _, missing in rows("Options"):
        for value in re.findall(r"[\w>]+", values) if " " not in values.replace(", ", "") else ():
            plain = {"true": True, "false": False}.get(value, value)
            if not value.isdigit() and option != "stack_pairs":
                built = OPTIONS[option].built(OPTIONS[option].read(plain))
                assert built != (value in missing.split(", ")), (option, value)


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
    """All 25 stand there, with `yes` where a match can be made by them."""
    table = rows("Presets")
    assert [row[0] for row in table] == list(engine.PRESETS)
    assert len(table) == 25
    waiting = {name: option for name in engine.PRESETS if (option := waits_for(name))}
    told = {name: played for name, _, played in table if played != "yes"}
    assert told == {name: f"not yet: {option}" for name, option in waiting.items()}


def waits_for(preset: str) -> str:
    """Return the option that a preset needs and that is not built; empty if it can be played."""
    try:
        engine.make_rules(preset)
    except engine.RulesError as error:
        return error.option
    return ""
