"""
Do faults to real servers and look whether anything acknowledged is lost: `make faults`.

Shows progress on a terminal, ends with a table (see docs/howto/run-the-faults.md). The exit code
is 0 if every scenario that ran is good, 1 if something was lost, duplicated, forked or broken or a
run was invalid, 130 after Ctrl-C. Nothing that was started is left running.
"""

import argparse
import signal
import sys
import time
from types import FrameType
from typing import NoReturn

from tests.faults.outcome import LONG, Outcome, Scenario
from tests.faults.suite import SCENARIOS
from tests.faults.table import Line, as_json, is_good, table

INTERRUPTED = 130


def main() -> int:
    """Run what the command line asks for; return the exit code."""
    wanted = _arguments().parse_args()
    chosen = [one for one in SCENARIOS if not wanted.only or one.name in wanted.only]
    signal.signal(signal.SIGTERM, _terminated)
    lines: list[Line] = []
    try:
        for one in chosen:
            lines.append(_run(one, wanted))  # noqa: PERF401 - Ctrl-C keeps those that have run
        code = 0 if is_good(lines) else 1
    except KeyboardInterrupt:
        code = INTERRUPTED
    print(as_json(lines, wanted.seed) if wanted.json else table(lines))  # noqa: T201
    return code


def _run(scenario: Scenario, wanted: argparse.Namespace) -> Line:
    """Run one scenario unless something is missing."""
    if reason := scenario.missing():
        return Line(scenario.name, None, reason, 0.0)
    began = time.monotonic()
    show = _Shown(scenario.name)
    outcome = scenario.run(_times(scenario, wanted), wanted.seed, show)
    show.done(outcome)
    return Line(scenario.name, outcome, "", time.monotonic() - began)


def _times(scenario: Scenario, wanted: argparse.Namespace) -> int:
    if wanted.short:
        return scenario.few
    return scenario.times * LONG if wanted.long else scenario.times


class _Shown:
    """The progress of one scenario: one line, drawn over on a terminal, nothing elsewhere."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._is_terminal = sys.stderr.isatty()

    def __call__(self, times: int, what: str) -> None:
        if self._is_terminal:
            print(f"\r\033[K{self._name}: {times:,} {what}", end="", file=sys.stderr, flush=True)  # noqa: T201

    def done(self, outcome: Outcome) -> None:
        """Leave a line behind, on a terminal and in a log."""
        start = "\r\033[K" if self._is_terminal else ""
        print(f"{start}{self._name}: {outcome.verdict}", file=sys.stderr, flush=True)  # noqa: T201


def _terminated(_number: int, _frame: FrameType | None) -> NoReturn:
    """End as Ctrl-C does, so that everything that was started is stopped."""
    raise KeyboardInterrupt


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--short", action="store_true", help="as often as `make check`")
    length.add_argument("--long", action="store_true", help=f"{LONG} times as often")
    names = [scenario.name for scenario in SCENARIOS]
    parser.add_argument("--only", action="append", choices=names, help="may be given again")
    parser.add_argument("--seed", type=int, default=1, help="of every choice  [default: 1]")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


if __name__ == "__main__":
    sys.exit(main())
