"""Do the ids in the engine's text, in the tests and in the table of the law agree both ways?"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.rules.summary import FAMILIES, family, lines
from tests.rules.table import IN_NAME, IN_PARAMETER, STATES, carried, ids, rows

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "server" / "lastcard_engine"
TESTS = [*ROOT.glob("tests/**/test_*.py")]
IN_TEXT = re.compile(
    r"\b(?:R\d{3}|[SQCF]\d\d|W\d\d|NM\d\d|CR\d\d)(?!\d)(?:-(?:R\d{3}|[SQCF]\d\d))?"
)
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
CARDS = {"W4", "W6", "W10"}


def span(found: str) -> Iterator[str]:
    """Yield the ids of one find; `R193-R203` stands for all between."""
    first, _, last = found.partition("-")
    if not last:
        yield first
        return
    letter, width = first[0], len(first) - 1
    for number in range(int(first[1:]), int(last[1:]) + 1):
        yield f"{letter}{number:0{width}}"


def comments_and_strings(path: Path) -> Iterator[str]:
    """Yield the comments and string literals of a source file, noqa marks left out."""
    source = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING):
            yield token.string.split("noqa", maxsplit=1)[0]


def named_in_engine() -> dict[str, set[str]]:
    """Return the ids the engine's text names, each with the files that name it."""
    named: dict[str, set[str]] = {}
    for path in ENGINE.rglob("*.py"):
        for text in comments_and_strings(path):
            for found in IN_TEXT.findall(text):
                for name in span(found):
                    named.setdefault(name, set()).add(path.name)
    return {name: files for name, files in named.items() if name not in CARDS}


def named_in_tests() -> set[str]:
    """Return the ids that names and parameters of tests carry, those of scenarios included."""
    named = set()
    for path in TESTS:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith(
                "test_"
            ):
                named |= {name.upper() for name in IN_NAME.findall(node.name)}
            if isinstance(node, ast.keyword) and node.arg in ("id", "ids"):
                for constant in ast.walk(node.value):
                    if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                        named |= set(IN_PARAMETER.findall(constant.value))
    return named | {name for name in ids("tested") if name[0] == "W"}


def test_every_row_has_one_known_state() -> None:
    """Each row is tested, or says why software cannot test it."""
    for name, row in rows().items():
        assert row["state"] in STATES, name
        assert ("reason" in row) is (row["state"] == "outside"), name


def test_the_table_is_complete() -> None:
    """All rules, points, silences, conflicts, scenarios and cases are there without gaps."""
    counts = {"R": 248, "S": 21, "Q": 72, "C": 50, "W": 27, "F": 66, "NM": 27, "CR": 10}
    for letters, count in counts.items():
        width = 3 if letters == "R" else 2
        wanted = {f"{letters}{number:0{width}}" for number in range(1, count + 1)}
        assert wanted <= set(rows())
    assert len(rows()) == sum(counts.values())


def test_every_id_in_the_engine_stands_in_the_table() -> None:
    """No docstring or comment of the engine names an id the law does not have."""
    strange = {n: files for n, files in named_in_engine().items() if n not in rows()}
    assert not strange


def test_every_tested_row_has_a_test_and_no_other_has() -> None:
    """The ids carried by tests are exactly those of the rows marked as tested."""
    named = named_in_tests()
    assert ids("tested") - named == set(), "marked as tested, but no test carries the id"
    assert named - ids("tested") == set(), "a test carries the id, but the row is not marked"


def test_a_node_carries_the_ids_of_its_name_and_of_its_case() -> None:
    """Cards in the names of cases are no ids; worked examples are known by their file."""
    assert carried("tests/rules/test_x.py::test_r041_c06_a_reverse[gR-W10]") == {"R041", "C06"}
    assert carried("tests/rules/test_x.py::test_row[R002-Q70]") == {"R002", "Q70"}
    assert carried("tests/rules/test_scenarios.py::test_scenario[W10]") == {"W10"}


def test_the_summary_counts_what_passed_alone() -> None:
    """A row of which one test failed has not passed; each family has its line."""
    assert {family(row) for row in rows()} == set(FAMILIES)
    told = lines(["t.py::test_r001_a", "t.py::test_r002_b"], ["t.py::test_r002_c"])
    assert told[1].split() == ["R", "rules", "1", "248"]
    assert "R002" in told[-2]
