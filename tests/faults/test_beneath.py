"""Do whole servers keep what they told while the database beneath them fails?"""

import pytest

from tests.faults.beneath import SCENARIOS
from tests.faults.outcome import Scenario
from tests.faults.short import SECONDS, check_few


@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_faults_beneath_servers(scenario: Scenario) -> None:
    """Done a few times, as `make faults` does it more often."""
    check_few(scenario)
