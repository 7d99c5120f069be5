"""How does a test do a fault a few times? Each module of the suite has a test file that does."""

import pytest

from tests.faults.outcome import Scenario

SEED = 1


def check_few(scenario: Scenario) -> None:
    """Run a scenario as often as `make check` does: valid, and what is promised is kept."""
    if reason := scenario.missing():
        pytest.skip(reason)
    outcome = scenario.run(scenario.few, SEED, lambda _times, _what: None)
    assert outcome.good, outcome
    assert outcome.times >= scenario.few, outcome
