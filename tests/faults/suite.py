"""Which fault scenarios are there? Those of the modules named here, in the order of the table."""

from typing import Final

from tests.faults.outcome import Scenario

SCENARIOS: Final[tuple[Scenario, ...]] = ()
"""Every scenario; each module adds its own `SCENARIOS`."""
