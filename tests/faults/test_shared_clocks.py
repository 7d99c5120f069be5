"""Do two pods keep their time when the clock of their database jumps?"""

from itertools import product

import pytest

from tests.faults.clocks import WALL_CLOCKS
from tests.faults.shared_clocks import SCENARIOS, dead_at
from tests.faults.short import SECONDS, check_few


@pytest.mark.timeout(SECONDS)
def test_shared_clocks() -> None:
    """Done a few times, as `make faults` does it more often."""
    (scenario,) = SCENARIOS
    check_few(scenario)


def test_each_clock_is_shown_while_none_one_and_both_are_dead() -> None:
    """As often as `make faults` does it nothing is left out."""
    (scenario,) = SCENARIOS
    servers = ("one", "two")
    done = {(n % len(WALL_CLOCKS), len(dead_at(n, servers))) for n in range(scenario.times)}
    assert done == {*product(range(len(WALL_CLOCKS)), range(3))}
    assert {dead_at(n, servers) for n in range(scenario.few)} == {(), ("two",), servers}
