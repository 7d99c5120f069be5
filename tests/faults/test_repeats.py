"""Does the first outcome of an answer hold, however often and late it comes again?"""

import pytest

from tests.faults.repeats import SCENARIOS
from tests.faults.short import SECONDS, check_few


@pytest.mark.timeout(SECONDS)
def test_repeats() -> None:
    """Done a few times, as `make faults` does it more often."""
    (scenario,) = SCENARIOS
    check_few(scenario)
