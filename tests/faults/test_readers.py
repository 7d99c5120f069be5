"""Do clients that do not read harm nobody but themselves, and catch up?"""

from tests.faults.readers import SCENARIOS
from tests.faults.short import check_few


def test_readers() -> None:
    """A few of them, as `make faults` has more."""
    (scenario,) = SCENARIOS
    check_few(scenario)
