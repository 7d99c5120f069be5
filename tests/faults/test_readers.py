"""Do clients that do not read harm nobody but themselves, and catch up?"""

import pytest

from tests.faults.readers import SCENARIOS
from tests.faults.short import SECONDS, check_few


@pytest.mark.timeout(SECONDS)
def test_readers() -> None:
    """A few of them, as `make faults` has more."""
    (scenario,) = SCENARIOS
    check_few(scenario)
