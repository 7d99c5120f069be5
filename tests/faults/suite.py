"""Which fault scenarios are there? Those of the modules named here, in the order of the table."""

from typing import Final

from tests.faults import (
    beneath,
    clocks,
    contest,
    databases,
    failpoints,
    kills,
    onesided,
    pauses,
    pods,
    powercuts,
    readers,
    repeats,
    shared_clocks,
)
from tests.faults.outcome import Scenario

SCENARIOS: Final[tuple[Scenario, ...]] = (
    *failpoints.SCENARIOS,  # two run at a time, and these take longest
    *kills.SCENARIOS,
    *powercuts.SCENARIOS,
    *pauses.SCENARIOS,
    *clocks.SCENARIOS,
    *shared_clocks.SCENARIOS,
    *repeats.SCENARIOS,
    *readers.SCENARIOS,
    *pods.SCENARIOS,
    *databases.SCENARIOS,
    *beneath.SCENARIOS,
    *onesided.SCENARIOS,
    *contest.SCENARIOS,
)
"""Every scenario; each module adds its own `SCENARIOS`."""
