"""Does a contest on several pods end as if none had been killed or restarted?"""

import pytest

from tests.faults import contest
from tests.faults.checker import Verdict, check
from tests.faults.contest import LEAST, SCENARIOS, Game, Run, compared
from tests.faults.outcome import Scenario
from tests.faults.records import Journal, Records
from tests.faults.short import check_few

GAME = Game((b"secret", b"commitment", "nonces"), ("0 play r5 #1",), ("1 pass #0",), "ann won")
SOUND = Verdict([], [], [], [], [])
RUN = Run({"m": GAME}, acknowledged=30, punished=0, verdict=SOUND)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_contest(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    """Done a few times; of a journal that had lost half of each match the bots would know."""
    spoilt = []

    def checked(records: Records, journal: Journal) -> Verdict:
        halves = {match_id: entries[: len(entries) // 2] for match_id, entries in journal.items()}
        spoilt.append(check(records, halves))
        assert records.reads
        return check(records, journal)

    monkeypatch.setattr(contest, "check", checked)
    few = check_few(scenario).acknowledged // LEAST
    assert [len(verdict.lost) > few for verdict in spoilt] == [True, True]


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
        ({}, "m: is not there"),
    ],
)
def test_any_difference_is_a_failure(other: dict[str, Game], said: str) -> None:
    """A game that is another, or is not there, fails the run and is named."""
    outcome = compared("kill", 2, RUN, RUN._replace(games=other), "")
    assert outcome.valid
    assert not outcome.good
    assert outcome.note.startswith(said)


@pytest.mark.parametrize("kind", ["lost", "duplicated", "forks", "broken"])
def test_what_bots_were_told_is_in_the_journal(kind: str) -> None:
    """Whichever run it was in, what contradicts the journal is a failure and stands first."""
    wrong = RUN._replace(verdict=SOUND._replace(**{kind: ["m: was told otherwise"]}))
    for runs in ((wrong, RUN), (RUN, wrong)):
        outcome = compared("kill", 2, *runs, "")
        assert getattr(outcome, kind) == 1
        assert not outcome.good
        assert outcome.note.startswith("m: was told otherwise")


@pytest.mark.parametrize("bad", [RUN._replace(punished=1), RUN._replace(acknowledged=3)])
def test_a_run_that_says_nothing_is_invalid(bad: Run) -> None:
    """A clock that ran out, or too little traffic, is no pass."""
    assert not compared("kill", 2, RUN, bad, "").valid


def test_a_clock_that_ran_out_in_the_undisturbed_run_says_nothing_either() -> None:
    """What was played by default there proves nothing."""
    assert not compared("kill", 2, RUN._replace(punished=1), RUN, "").valid
