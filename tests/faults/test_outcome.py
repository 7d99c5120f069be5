"""Is a run of the fault suite good only where it should be, and does the table say so?"""

import json
import re

import pytest

from tests.faults.outcome import Outcome, Promise
from tests.faults.side_by_side import SideBySide
from tests.faults.suite import SCENARIOS
from tests.faults.table import Line, as_json, is_good, row, table

GOOD = Outcome("kill -9", 300, 9_000)


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (GOOD, "ok"),
        (GOOD._replace(lost=1), "FAILED"),
        (GOOD._replace(duplicated=1), "FAILED"),
        (GOOD._replace(forks=1), "FAILED"),
        (GOOD._replace(silent=1), "FAILED"),
        (GOOD._replace(broken=1), "FAILED"),
        (GOOD._replace(valid=False), "INVALID"),
        (GOOD._replace(promise=Promise.TELLS, lost=5), "ok"),
        (GOOD._replace(promise=Promise.TELLS, lost=5, silent=1), "FAILED"),
        (GOOD._replace(promise=Promise.LOSES), "FAILED"),
        (GOOD._replace(promise=Promise.LOSES, lost=1), "ok"),
        (GOOD._replace(promise=Promise.LOSES, lost=1, forks=1), "ok"),
        (GOOD._replace(promise=Promise.LOSES, lost=1, valid=False), "INVALID"),
    ],
)
def test_a_verdict_follows_from_the_figures(outcome: Outcome, verdict: str) -> None:
    """A control run must lose, any other must not; an invalid run has not passed."""
    assert outcome.verdict == verdict
    assert outcome.good is (verdict == "ok")
    assert is_good([Line("x", outcome, "", 1.0)]) is (verdict == "ok")


def test_a_run_in_which_everything_was_skipped_is_not_good() -> None:
    """A skip beside a good run is named and does no harm; alone it proves nothing."""
    skipped = Line("clock-jumps", None, "faketime is missing", 0.0)
    assert is_good([skipped, Line("kills", GOOD, "", 1.0)])
    assert not is_good([skipped])
    assert not is_good([])
    assert "skipped: faketime is missing" in table([skipped])


def test_the_table_and_the_json_say_the_same() -> None:
    """Each figure stands in its column, notes stand below."""
    line = Line("kills", GOOD._replace(lost=2, note="match m, version 7 is gone"), "", 61.4)
    head, row, _, note = table([line]).splitlines()
    assert head.split() == [
        *("fault", "times", "acknowledged", "lost", "duplicated", "forks", "silent", "broken"),
        *("promise", "s"),
    ]
    assert row.split() == [
        *("kills", "300", "9,000", "2", "0", "0", "0", "0", "keeps", "FAILED", "61")
    ]
    assert note == "kills: kill -9; match m, version 7 is gone"
    plain = json.loads(as_json([line], 7))
    assert plain["seed"] == 7
    assert plain["scenarios"][0]["lost"] == 2
    assert plain["scenarios"][0]["verdict"] == "FAILED"


def test_what_has_ended_is_said_at_once() -> None:
    """With its figures, so that they are known whatever becomes of the others."""
    assert row(Line("kills", GOOD._replace(note="30 early"), "", 61.4)) == (
        "kills: ok, 300 times, 9,000 acknowledged, 0 lost, 0 duplicated, 0 forks, 0 silent, "
        "0 broken, 61 s"
    )
    lost = Line("kills", GOOD._replace(lost=2, note="match m, version 7 is gone"), "", 61.4)
    assert row(lost).endswith("61 s; match m, version 7 is gone")
    assert row(Line("clocks", None, "faketime is missing", 0.0)) == (
        "clocks: skipped: faketime is missing"
    )


def test_a_scenario_that_breaks_down_takes_no_other_along(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """It is invalid, and what it said on standard error is there to be read."""
    unknown = SCENARIOS[0]._replace(name="unheard-of")
    lines: list[Line] = []
    SideBySide(1, ["--short"], lambda _name, _what: None).run([unknown, unknown], lines.append)
    assert [line.outcome and line.outcome.verdict for line in lines] == ["INVALID"] * 2
    assert not is_good(lines)
    assert "invalid choice: 'unheard-of'" in table(lines)
    assert "invalid choice: 'unheard-of'" in capfd.readouterr().err


def test_every_cell_ends_where_its_column_does() -> None:
    """Figures that are wider than the names of their columns stay apart from their neighbours."""
    big = 123_456_789
    wide = Outcome("all of them", 1_042_990, 2_004_024_240, big, big, big, big, big)
    lines = [Line("a", GOOD, "", 1.0), Line("b", wide, "", 12_345.0), Line("c", None, "why", 0.0)]
    head, *rows, _, _, note, _ = table(lines).splitlines()
    assert note == "b: all of them"
    assert re.split(r" {2,}", rows[1]) == [
        *("b", "1,042,990", "2,004,024,240", *["123,456,789"] * 5),
        *("keeps", "FAILED", "12345"),
    ]
    for name in ("times", "acknowledged", "lost", "duplicated", "forks", "silent", "broken"):
        end = head.index(name) + len(name)
        assert [row[end : end + 2] for row in rows] == ["  ", "  ", "  "], name
        assert [row[end - 1].isdigit() for row in rows] == [True, True, False], name
    assert len(head) == len(rows[0]) == len(rows[1])


def test_every_scenario_has_a_name_of_its_own() -> None:
    """`--only` names exactly one."""
    names = [scenario.name for scenario in SCENARIOS]
    assert len(names) == len(set(names))
