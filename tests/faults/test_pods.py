"""Do two servers on one database stay one service when one of them dies or stands still?"""

import pytest

from tests.faults.outcome import Scenario
from tests.faults.pods import SCENARIOS
from tests.faults.short import SECONDS, check_few


@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_pods(scenario: Scenario) -> None:
    """Done a few times, as `make faults` does it more often."""
    check_few(scenario)
