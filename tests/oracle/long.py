"""
Compare the engine with the oracle at length: `make oracle`.

Every preset and many random sets of options are played on race and polled tables. Shows progress,
prints every difference with the shortest game that comes to it, and ends with a table. The exit
code is 1 if there was a difference. Ctrl-C ends the run with the table so far, and with 130.
"""

import argparse
import itertools
import json
import multiprocessing
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import lastcard_engine as engine
from tests.option_sets import VALUES, OptionSet, options_in_force, random_options
from tests.oracle import starts, steps
from tests.oracle.compare import Difference, Start
from tests.oracle.options import PRESETS, options_of
from tests.oracle.random_play import play

ALSO = ("deck_counts", "custom_rules")  # options with values of their own in each set


class Job(NamedTuple):
    """One game to play: of a preset, or of the set of options that a number stands for."""

    preset: str
    number: int
    polled: bool
    acts: int


class Outcome(NamedTuple):
    """What came of a job."""

    job: Job
    start: Start
    steps: int
    difference: str


def start_of(job: Job) -> tuple[Start, random.Random]:
    """Return the beginning of a game, and the dice it goes on with."""
    if job.preset:
        dice = random.Random(f"{job.preset} {job.number} {job.polled}")
        rules = OptionSet(job.preset, {}, _seats(job.preset, job.number))
    else:
        rules = random_options(random.Random(job.number))  # the same for race and polled
        dice = random.Random(f"{job.number} {job.polled}")
    start = starts.start_of(rules, dice, polled=job.polled)
    return (starts.with_position(start, dice) if job.number % 3 == 2 else start), dice


def _seats(preset: str, number: int) -> int:
    """Go through the sizes of table in order."""
    options = options_of(preset)
    return 4 if options["teams"] == "pairs" else 2 + number % (options["max_players"] - 1)


def compared(job: Job) -> Outcome:
    """Play one game; a difference is made as short as can be."""
    start, dice = start_of(job)
    taken: list[steps.Step] = []
    try:
        play(steps.opened(start), dice, job.acts, taken)
    except Difference as difference:
        short = steps.shortest(start, taken)
        found = steps.play_again(*short) or str(difference)
        return Outcome(job, start, len(taken), f"{found}\n{steps.written(*short)}")
    return Outcome(job, start, len(taken), "")


def jobs(wanted: argparse.Namespace) -> Iterator[Job]:
    """Yield all games, presets first, race and polled in turn."""
    for number in range(wanted.games):
        for preset in PRESETS:
            for polled in (False, True):
                yield Job(preset, number, polled, wanted.acts)
    for number in _distinct(wanted.seed, wanted.sets):
        for polled in (False, True):
            yield Job("", number, polled, wanted.acts)


def _distinct(seed: int, sets: int) -> Iterator[int]:
    """Yield the numbers of so many sets of options, no two of which are the same rules."""
    known: set[str] = set()
    for number in itertools.count(seed):
        if len(known) == sets:
            return
        rules = _rules(random_options(random.Random(number)))
        if rules not in known:
            known.add(rules)
            yield number


def _rules(options: OptionSet | Start) -> str:
    return json.dumps(
        engine.plain_rules(engine.make_rules(options.preset, options.overrides)), sort_keys=True
    )


@dataclass
class Tally:
    """What has been compared so far."""

    games: int = 0
    steps: int = 0
    presets: Counter[str] = field(default_factory=Counter)
    option_sets: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    differences: int = 0

    def add(self, outcome: Outcome) -> None:
        """Count a game, and print a difference."""
        start = outcome.start
        self.games += 1
        self.steps += outcome.steps
        if outcome.job.preset:
            self.presets[start.preset] += 1
        else:
            self.option_sets.add(_rules(start))
        for name in (*VALUES, *ALSO):
            value = options_in_force(start.preset, start.overrides, name)
            self.values.add(f"{name} {value if name in VALUES else bool(value)}")
        if outcome.difference:
            self.differences += 1
            print(f"\ndifference in {outcome.job}: {outcome.difference}", flush=True)  # noqa: T201

    def line(self) -> str:
        """Say it in one line."""
        return (
            f"{self.games:,} games, {self.steps:,} steps, {len(self.presets)} presets, "
            f"{len(self.option_sets):,} option sets, {self.differences} differences"
        )

    def table(self, seconds: float) -> str:
        """Say it as a table."""
        options = len({value.partition(" ")[0] for value in self.values})
        rows = {
            "games": f"{self.games:,}",
            "steps": f"{self.steps:,}",
            "presets": f"{len(self.presets)}, {min(self.presets.values(), default=0)} games each",
            "option sets": f"{len(self.option_sets):,}",
            "options": f"{options}, with {len(self.values)} values of them in force",
            "differences": f"{self.differences}",
            "time": f"{seconds:.0f} s",
        }
        return "\n".join(f"{name:12} {figure}" for name, figure in rows.items())


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="make oracle",
        usage='make oracle O="[--games N] [--sets N] [--seed N] [--acts N] [--stop-after N]"\n'
        '       make oracle O="--again FILE"',
        description="Compare the engine with the oracle.",
    )
    parser.add_argument("--games", type=int, default=18, help="games of each preset a mode (18)")
    parser.add_argument("--sets", type=int, default=2000, help="sets of options (2000)")
    parser.add_argument("--seed", type=int, default=0, help="number of the first set (0)")
    parser.add_argument("--acts", type=int, default=250, help="steps a game at most (250)")
    parser.add_argument("--stop-after", type=int, default=5, help="differences (5)")
    parser.add_argument("--again", type=Path, help="play the games of a file, one a line")
    return parser.parse_args()


def _again(path: Path) -> int:
    """Play games once more that a run has printed."""
    found = [steps.play_again(*steps.read(line)) for line in path.read_text().splitlines()]
    print("\n".join(text or "no difference" for text in found))  # noqa: T201
    return 1 if any(found) else 0


def main() -> int:
    """Play all games on two processes; return the exit code."""
    wanted = _arguments()
    if wanted.again:
        return _again(wanted.again)
    tally, began = Tally(), time.monotonic()
    total = 2 * (wanted.games * len(PRESETS) + wanted.sets)
    quiet = 1 if sys.stderr.isatty() else 15
    shown, broken_off = began, False
    with multiprocessing.Pool(2, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            for outcome in pool.imap_unordered(compared, jobs(wanted), chunksize=4):
                tally.add(outcome)
                if time.monotonic() - shown > quiet:
                    shown = time.monotonic()
                    print(f"{tally.games / total:4.0%} {tally.line()}", file=sys.stderr, flush=True)  # noqa: T201
                if tally.differences >= wanted.stop_after:
                    break
        except KeyboardInterrupt:
            broken_off = True
    print(tally.table(time.monotonic() - began))  # noqa: T201
    if broken_off:
        print(f"broken off after {tally.games:,} of {total:,} games")  # noqa: T201
        return 130
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
