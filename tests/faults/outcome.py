"""
What is a fault scenario, and what came of it? The one type that every scenario of the suite gives.

A module of the suite has `SCENARIOS`; `suite.py` names the modules. A scenario ends by itself,
stops what it has started, and never reports a run with too little traffic as passed.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Final, NamedTuple


class Promise(StrEnum):
    """What a scenario's losses mean."""

    KEEPS = "keeps"
    """Nothing acknowledged is lost."""
    TELLS = "tells"
    """What is lost is told: DATA_LOSS, a frozen match; nothing is lost silently."""
    LOSES = "loses"
    """A control run: a server that breaks the promise; the suite must see it lose."""


class Outcome(NamedTuple):
    """What a scenario did and what came of it."""

    fault: str
    """What was done, as the table names it: `kill -9`."""
    times: int
    """How often it was done."""
    acknowledged: int
    """Answers (or appends) that were acknowledged."""
    lost: int = 0
    """Acknowledged and not in the journal afterwards; of a match only seen there, one."""
    duplicated: int = 0
    """Answers that were applied twice, or two of them acknowledged at one version."""
    forks: int = 0
    """Versions of which two contents were seen."""
    silent: int = 0
    """Of the lost ones: those of which nobody was told."""
    broken: int = 0
    """Other promises broken: gaps, order, stale reads, wrong timeouts."""
    valid: bool = True
    """Whether there was enough traffic, and the fault was really done, to say anything."""
    note: str = ""
    """One line: figures of its own, the first violation, or why it is invalid."""
    promise: Promise = Promise.KEEPS

    @property
    def good(self) -> bool:
        """Tell whether the run is valid and kept what was promised."""
        if self.promise is Promise.LOSES:  # and whatever else comes of that
            return self.valid and self.lost > 0
        if not self.valid or self.duplicated or self.forks or self.broken:
            return False
        if self.promise is Promise.TELLS:
            return self.silent == 0
        return self.lost == 0 and self.silent == 0

    @property
    def verdict(self) -> str:
        """Return `ok`, `FAILED` or `INVALID`."""
        if not self.valid:
            return "INVALID"
        return "ok" if self.good else "FAILED"


Progress = Callable[[int, str], None]
"""Is told how often the fault was done so far, and what is going on in a few words."""

Run = Callable[[int, int, Progress], Outcome]
"""Does a fault so many times, by a seed, and tells of its progress; as `Scenario` says."""


def _nothing_missing() -> str:
    return ""


class Scenario(NamedTuple):
    """
    A fault, and how to do it to real servers.

    `run(times, seed, progress)` does it so many times and returns the outcome; the same seed gives
    the same choices, as far as the machine's timing lets it. It raises for what is no finding.
    """

    name: str
    """For `--only`: lower case, `-`."""
    run: Run
    times: int
    """How often `make faults` does it; `make faults-long` ten times as often."""
    few: int
    """How often `make check` does it, in a few seconds."""
    missing: Callable[[], str] = _nothing_missing
    """Returns why it cannot run here (a tool, root), as a sentence; "" where it can."""


LONG: Final = 10
"""How many times as often `make faults-long` does everything."""
