"""Which fault scenarios are there? Those of the modules named here, in the order of the table."""

from typing import Final

from tests.faults import (
    clocks,
    databases,
    failpoints,
    kills,
    pauses,
    pods,
    powercuts,
    readers,
    repeats,
)
from tests.faults.outcome import Scenario

SCENARIOS: Final[tuple[Scenario, ...]] = (
    *kills.SCENARIOS,
    *powercuts.SCENARIOS,
    *failpoints.SCENARIOS,
    *pauses.SCENARIOS,
    *clocks.SCENARIOS,
    *repeats.SCENARIOS,
    *readers.SCENARIOS,
    *pods.SCENARIOS,
    *databases.SCENARIOS,
)
"""Every scenario; each module adds its own `SCENARIOS`."""
