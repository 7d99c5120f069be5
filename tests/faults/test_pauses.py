"""Is no seat punished for a server that stood still?"""

from tests.faults.pauses import SCENARIOS
from tests.faults.short import check_few


def test_pauses() -> None:
    """Done a few times, as `make faults` does it more often."""
    (scenario,) = SCENARIOS
    check_few(scenario)
