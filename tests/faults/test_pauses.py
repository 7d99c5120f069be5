"""Is no seat punished for a server that stood still?"""

import pytest

from tests.faults.pauses import SCENARIOS
from tests.faults.short import SECONDS, check_few


@pytest.mark.timeout(SECONDS)
def test_pauses() -> None:
    """Done a few times, as `make faults` does it more often."""
    (scenario,) = SCENARIOS
    check_few(scenario)
