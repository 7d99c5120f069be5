"""Which rows has the law, and in what state is each of them?"""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
FILES: Final = (
    HERE / "rules.json",
    HERE / "points.json",
    HERE / "scenarios.json",
    HERE.parent / "cases" / "cases.json",
)
STATES: Final = ("tested", "outside")
"""A test exists; another part, or none, answers for it."""


@cache
def rows() -> dict[str, dict[str, Any]]:
    """Return every row by its id."""
    found = [row for file in FILES for row in json.loads(file.read_text(encoding="utf-8"))]
    table = {row["id"]: row for row in found}
    assert len(table) == len(found), "an id stands twice"
    return table


def ids(state: str) -> set[str]:
    """Return the ids of the rows in this state."""
    return {name for name, row in rows().items() if row["state"] == state}


@cache
def option_table() -> dict[str, Any]:
    """Return the defaults of all options and the differences of all presets."""
    table: dict[str, Any] = json.loads((HERE / "options.json").read_text(encoding="utf-8"))
    return table
