"""Does a server lose nothing when it is killed, and does the suite see one that does?"""

import pytest

from tests.faults.kills import SCENARIOS
from tests.faults.outcome import Scenario
from tests.faults.short import SECONDS, check_few


@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_kills(scenario: Scenario) -> None:
    """Killed a few times, as `make faults` does it hundreds of times."""
    check_few(scenario)
