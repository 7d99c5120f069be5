"""Does the page on field cases speak of every kind, and of every case once?"""

import re
from pathlib import Path

from tests.rules.table import rows

PAGE = Path(__file__).parents[2] / "docs/explanation/field-cases.md"
HEADING = re.compile(r"^## (FK\d\d) [^(]*\(F(\d\d)(?:-F(\d\d))?\)$", re.MULTILINE)


def test_every_kind_and_every_case_has_its_place() -> None:
    """Kinds are counted from 1 to 17, their cases together from 1 to 66."""
    found = HEADING.findall(PAGE.read_text(encoding="utf-8"))
    assert [kind for kind, _, _ in found] == [f"FK{number:02}" for number in range(1, 18)]
    spans = [range(int(first), int(last or first) + 1) for _, first, last in found]
    cases = [f"F{number:02}" for span in spans for number in span]
    assert cases == [row for row in rows() if row[0] == "F"]


def test_each_kind_says_what_else_what_keeps_it_out_and_which_test_looks() -> None:
    """None of the three is left out."""
    _, *sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for section in sections:
        assert "*Also:*" in section
        assert re.search(r"\*Kept\s+out\s+by:\*", section)
        assert "Test:" in section or "violations" in section
