"""Which rows of the law have passed in a run? Printed at the end of `make test K=rules`."""

from collections.abc import Iterable
from typing import Final

import pytest

from tests.rules.table import carried, ids, rows

KEYWORD: Final = "rules"
"""Selects every test that carries a row, wherever it stands."""
FAMILIES: Final = {
    "R": "rules",
    "W": "worked examples",
    "NM": "No Mercy",
    "CR": "custom wilds",
    "C": "conflicts",
    "Q": "silences",
    "S": "settled points",
    "F": "field cases",
}


def family(row: str) -> str:
    """Return the letters a row begins with."""
    return row.rstrip("0123456789")


def lines(passed: Iterable[str], others: Iterable[str]) -> list[str]:
    """
    Return a line for each family: how many rows pass, of how many.

    Args:
        passed: node ids of the tests that passed.
        others: those of tests that failed, were skipped or were expected to fail.

    """
    good = {row for node in passed for row in carried(node)} & set(rows())
    good -= {row for node in others for row in carried(node)}
    told = [f"{'rows of the law':18} pass   of"]
    for letters, name in FAMILIES.items():
        of = [row for row in rows() if family(row) == letters]
        told.append(f"{letters:2} {name:15} {len(good & set(of)):4} {len(of):4}")
    missing = sorted(ids("tested") - good)
    told += [f"not passed: {', '.join(missing)}"] if missing else []
    outside = [f"{row}: {rows()[row]['reason']}" for row in sorted(ids("outside"))]
    return [*told, f"listed as untestable: {'; '.join(outside) or 'none'}"]


def write(reporter: pytest.TerminalReporter) -> None:
    """Print the rows of a run."""
    stats = {
        outcome: [report.nodeid for report in reports if hasattr(report, "nodeid")]
        for outcome, reports in reporter.stats.items()
    }
    others = ("failed", "error", "skipped", "xfailed", "xpassed")
    reporter.section("rows")
    for line in lines(stats.get("passed", []), [n for o in others for n in stats.get(o, [])]):
        reporter.write_line(line)
    reporter.write_line(f"expected failures: {len(stats.get('xfailed', []))}")
