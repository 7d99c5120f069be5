"""
Do faults to real servers and look whether anything acknowledged is lost: `make faults`.

Shows progress on a terminal, ends with a table (see docs/howto/run-the-faults.md). The exit code
is 0 if every scenario that ran is good, 1 if something was lost, duplicated, forked or broken or a
run was invalid, 130 after Ctrl-C. Nothing that was started is left running.
"""

import argparse
import gc
import sys
import time
from collections.abc import Sequence

from lastcard_server.arena.signals import stopped_by_signals
from tests.faults.outcome import LONG, Scenario
from tests.faults.side_by_side import SideBySide
from tests.faults.suite import SCENARIOS
from tests.faults.table import Line, as_json, is_good, row, table

INTERRUPTED = 130


def main() -> int:
    """Run what the command line asks for; return the exit code."""
    wanted = _arguments().parse_args()
    chosen = [one for one in SCENARIOS if not wanted.only or one.name in wanted.only]
    lines: list[Line] = []
    try:
        with stopped_by_signals():
            _run(chosen, wanted, lines)
        code = 0 if is_good(lines) else 1
    except KeyboardInterrupt:
        code = INTERRUPTED
    names = [one.name for one in chosen]
    lines.sort(key=lambda line: names.index(line.name))
    print(as_json(lines, wanted.seed) if wanted.json else table(lines))  # noqa: T201
    return code


def _run(chosen: Sequence[Scenario], wanted: argparse.Namespace, lines: list[Line]) -> None:
    """Run scenarios, two at a time where there are several; keep the lines of those that ended."""
    if len(chosen) == 1:
        lines.append(_run_here(chosen[0], wanted))
        return
    options = ["--seed", str(wanted.seed)]
    options += [f"--{length}" for length in ("short", "long") if getattr(wanted, length)]
    shown = _Shown()

    def done(line: Line) -> None:
        lines.append(line)
        shown.say(row(line))

    SideBySide(wanted.jobs, options, shown).run(chosen, done)


def _run_here(scenario: Scenario, wanted: argparse.Namespace) -> Line:
    """Run one scenario in this process unless something is missing."""
    # Records grow to millions; a pass over all of them stalls the bots until their clocks run out.
    gc.set_threshold(*gc.get_threshold()[:2], _NEVER)
    if reason := scenario.missing():
        return Line(scenario.name, None, reason, 0.0)
    began = time.monotonic()
    shown = _Shown(steps=wanted.steps)
    times = scenario.few if wanted.short else scenario.times * (LONG if wanted.long else 1)
    outcome = scenario.run(
        times, wanted.seed, lambda n, what: shown(scenario.name, f"{scenario.name}: {n:,} {what}")
    )
    shown(scenario.name, "")
    return Line(scenario.name, outcome, "", time.monotonic() - began)


class _Shown:
    """How far scenarios are: one line, drawn over on a terminal; `steps`: a line each time."""

    def __init__(self, *, steps: bool = False) -> None:
        self._steps = steps
        self._is_terminal = sys.stderr.isatty()
        self._doing: dict[str, str] = {}

    def __call__(self, name: str, what: str) -> None:
        """Show what a scenario does; "" = nothing more."""
        self._doing.pop(name, None)
        if what:
            self._doing[name] = what
        if self._steps and what:
            print(what, file=sys.stderr, flush=True)  # noqa: T201
        elif self._is_terminal:
            line = " | ".join(self._doing[name] for name in sorted(self._doing))
            print(f"\r\033[K{line[:_WIDTH]}", end="", file=sys.stderr, flush=True)  # noqa: T201

    def say(self, text: str) -> None:
        """Leave a line behind, on a terminal and in a log."""
        print("\r\033[K" if self._is_terminal else "", text, sep="", file=sys.stderr)  # noqa: T201


_WIDTH = 160
_NEVER = 1_000_000_000


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--short", action="store_true", help="as often as `make check`")
    length.add_argument("--long", action="store_true", help=f"{LONG} times as often")
    names = [scenario.name for scenario in SCENARIOS]
    parser.add_argument("--only", action="append", choices=names, help="may be given again")
    parser.add_argument("--seed", type=int, default=1, help="of every choice  [default: 1]")
    parser.add_argument("--jobs", type=int, default=2, help="scenarios at a time  [default: 2]")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--steps", action="store_true", help="say each step in a line")
    return parser


if __name__ == "__main__":
    sys.exit(main())
