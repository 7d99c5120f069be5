"""Does a wall clock that jumps move no deadline?"""

import pytest

from tests.faults.clocks import SCENARIOS
from tests.faults.short import SECONDS, check_few


@pytest.mark.timeout(SECONDS)
def test_clocks() -> None:
    """Done a few times, as `make faults` does it more often."""
    (scenario,) = SCENARIOS
    check_few(scenario)
