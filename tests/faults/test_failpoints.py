"""Is every named point really reached, and is nothing lost where a server dies there?"""

import inspect

import pytest

from tests.faults.failing import owner_of
from tests.faults.failpoints import SCENARIOS
from tests.faults.points import POINTS
from tests.faults.short import SECONDS, check_few


@pytest.mark.timeout(SECONDS)
def test_each_point_is_reached_and_loses_nothing() -> None:
    """A server dies once at each; `make faults` lets it die twenty times."""
    (scenario,) = SCENARIOS
    assert check_few(scenario).times == len(POINTS)


@pytest.mark.parametrize("name", POINTS)
def test_each_point_names_a_function(name: str) -> None:
    """Where the server's code moves, its points move with it."""
    target = POINTS[name].target
    if not target.startswith("sql:"):
        owner, function = owner_of(target)
        assert inspect.isroutine(getattr(owner, function))


def test_there_are_enough_points() -> None:
    """From receive to acknowledge, and all else that is written."""
    assert len(POINTS) >= 20
