"""Does a wall clock that jumps move no deadline?"""

from tests.faults.clocks import SCENARIOS
from tests.faults.short import check_few


def test_clocks() -> None:
    """Done a few times, as `make faults` does it more often."""
    (scenario,) = SCENARIOS
    check_few(scenario)
