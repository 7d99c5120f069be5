"""Which rows has the law, and in what state is each of them?"""

import json
import re
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
"""A test carries the id; or software cannot test it, and the row says why."""
IN_NAME: Final = re.compile(r"(?<![a-z0-9])(r\d{3}|(?:[sqcwf]|nm|cr)\d\d)(?![a-z0-9])")
IN_PARAMETER: Final = re.compile(r"\b(R\d{3}|(?:[SQCF]|NM|CR)\d\d)\b")
SCENARIO: Final = re.compile(r"/test_scenarios\.py::.*\b(W\d\d)\b")
"""Elsewhere W10 is a card."""


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


def carried(node: str) -> set[str]:
    """Return the ids that a test carries by its node id: in its name, or in that of its case."""
    _, _, name = node.partition("::")
    function, _, case = name.partition("[")
    found = {row.upper() for row in IN_NAME.findall(function)}
    return found | set(IN_PARAMETER.findall(case)) | set(SCENARIO.findall(node))


@cache
def option_table() -> dict[str, Any]:
    """Return the defaults of all options and the differences of all presets."""
    table: dict[str, Any] = json.loads((HERE / "options.json").read_text(encoding="utf-8"))
    return table
