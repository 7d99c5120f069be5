"""Does a contest on several pods end as if none had been killed or restarted?"""

import pytest

from tests.faults.contest import SCENARIOS, Game, Run, compared
from tests.faults.outcome import Scenario
from tests.faults.short import check_few

GAME = Game((b"secret", b"commitment", "nonces"), ("0 play r5 #1",), ("1 pass #0",), "ann won")
RUN = Run({"m": GAME}, answers=30, punished=0)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_contest(scenario: Scenario) -> None:
    """Done a few times, as `make faults` does it more often."""
    check_few(scenario)


def test_equal_runs_are_good() -> None:
    """Of runs that are alike nothing is said but how much was compared."""
    outcome = compared("kill", 2, RUN, RUN, "")
    assert outcome.good
    assert outcome.acknowledged == 30


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"m": GAME._replace(deal=(b"secret", b"commitment", ""))}, "m: another deal"),
        ({"m": GAME._replace(actions=("0 play r6 #1",))}, "m: another actions"),
        ({"m": GAME._replace(reactions=())}, "m: another reactions"),
        ({"m": GAME._replace(result="bob won")}, "m: another result"),
        ({}, ""),
    ],
)
def test_any_difference_is_a_failure(other: dict[str, Game], said: str) -> None:
    """A game that is another, or is not there, fails the run and is named."""
    outcome = compared("kill", 2, RUN, RUN._replace(games=other), "")
    assert outcome.valid
    assert not outcome.good
    assert outcome.note.startswith(said)


def test_a_match_that_cannot_be_played_again_is_a_failure() -> None:
    """Whichever run it was in."""
    broken = RUN._replace(broken=("m: cannot be played again",))
    for runs in ((broken, RUN), (RUN, broken)):
        outcome = compared("kill", 2, *runs, "")
        assert not outcome.good
        assert outcome.note.startswith("m: cannot be played again")


@pytest.mark.parametrize("bad", [RUN._replace(punished=1), RUN._replace(answers=3)])
def test_a_run_that_says_nothing_is_invalid(bad: Run) -> None:
    """A clock that ran out, or too little traffic, is no pass."""
    assert not compared("kill", 2, RUN, bad, "").valid


def test_a_clock_that_ran_out_in_the_undisturbed_run_says_nothing_either() -> None:
    """What was played by default there proves nothing."""
    assert not compared("kill", 2, RUN._replace(punished=1), RUN, "").valid
