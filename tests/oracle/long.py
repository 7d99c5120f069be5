"""
Compare the engine with the oracle for a long time: `python -m tests.oracle.long --minutes 30`.

Shows progress, prints every difference with all that led to it, and ends with a summary. The exit
code is 1 if there was a difference. Ctrl-C ends the run with the summary so far.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from tests.oracle import starts
from tests.oracle.compare import Difference, lay_out
from tests.oracle.random_play import play


@dataclass
class Tally:
    """What has been compared so far."""

    games: int = 0
    steps: int = 0
    presets: Counter[str] = field(default_factory=Counter)
    option_sets: set[str] = field(default_factory=set)
    differences: list[str] = field(default_factory=list)

    def line(self) -> str:
        """Say it in one line."""
        return (
            f"{self.games:,} games, {self.steps:,} steps, {len(self.presets)} presets, "
            f"{len(self.option_sets):,} option sets, {len(self.differences)} differences"
        )


def one_game(seed: int, acts: int, tally: Tally) -> None:
    """Play and compare the game of a seed."""
    dice = random.Random(seed)
    start = starts.random_start(dice)
    tally.games += 1
    tally.presets[start.preset] += 1
    tally.option_sets.add(json.dumps([start.preset, start.overrides], sort_keys=True))
    try:
        tally.steps += play(lay_out(start), dice, acts)
    except Difference as difference:
        tally.differences.append(f"seed {seed}: {difference}")
        print(f"\nseed {seed}: {difference}", flush=True)  # noqa: T201


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare the engine with the oracle.")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (default: 10)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game (default: 0)")
    parser.add_argument("--acts", type=int, default=300, help="acts a game at most (default: 300)")
    parser.add_argument("--stop-after", type=int, default=10, help="differences (default: 10)")
    return parser.parse_args()


def main() -> int:
    """Run until the time is over; return the exit code."""
    wanted = _arguments()
    tally = Tally()
    end = time.monotonic() + wanted.minutes * 60
    shown = 0.0
    seed = wanted.seed
    try:
        while time.monotonic() < end and len(tally.differences) < wanted.stop_after:
            one_game(seed, wanted.acts, tally)
            seed += 1
            if time.monotonic() - shown > (1 if sys.stderr.isatty() else 30):
                shown = time.monotonic()
                start, stop = ("\r", "") if sys.stderr.isatty() else ("", "\n")
                print(start + tally.line(), end=stop, file=sys.stderr, flush=True)  # noqa: T201
    except KeyboardInterrupt:
        pass
    print(f"\nseeds {wanted.seed} to {seed - 1}: {tally.line()}")  # noqa: T201
    for preset, games in sorted(tally.presets.items()):
        print(f"  {preset:24}{games:8,} games")  # noqa: T201
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
