"""How does a test do a fault a few times? Each module of the suite has a test file that does."""

import pytest

from tests.faults.outcome import Outcome, Scenario

SEED = 1
SECONDS = 400
"""Most a test may take, on a machine that is busy with much else."""


def check_few(scenario: Scenario) -> Outcome:
    """Run a scenario as often as `make check` does: valid, what is promised is kept; return it."""
    if reason := scenario.missing():
        pytest.skip(reason)
    outcome = scenario.run(scenario.few, SEED, lambda _times, _what: None)
    assert outcome.good, outcome
    assert outcome.times >= scenario.few, outcome
    return outcome
