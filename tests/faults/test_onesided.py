"""Do two servers say one thing while one of them cannot reach their database?"""

import pytest

from tests.faults.onesided import LEAST, SCENARIOS, Cut, seen
from tests.faults.outcome import Outcome
from tests.faults.short import SECONDS, check_few

GOOD = Outcome("partition", 2, 900)
CUT = Cut(dropped=50, by_other=LEAST, by_cut_off=0, came_back=True)


@pytest.mark.timeout(SECONDS)
def test_one_sided() -> None:
    """Done a few times, as `make faults` does it more often."""
    (scenario,) = SCENARIOS
    check_few(scenario)


def test_whole_cuts_are_good() -> None:
    """One pod was cut off, the other went on, and the first came back: that says something."""
    assert seen(GOOD, [CUT, CUT]).verdict == "ok"


@pytest.mark.parametrize(
    "cut", [CUT._replace(dropped=0), CUT._replace(by_other=0), CUT._replace(came_back=False)]
)
def test_a_cut_that_was_none_says_nothing(cut: Cut) -> None:
    """So does one less than asked for."""
    assert seen(GOOD, [CUT, cut]).verdict == "INVALID"
    assert seen(GOOD, [CUT]).verdict == "INVALID"


def test_who_can_store_nothing_acknowledges_nothing() -> None:
    """An acknowledgement of a pod that is cut off is a failure, wherever its answer may stand."""
    outcome = seen(GOOD, [CUT, CUT._replace(by_cut_off=1)])
    assert outcome.verdict == "FAILED"
    assert outcome.broken == 1
