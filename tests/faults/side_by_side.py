"""
How are scenarios run two at a time? Each in a process of its own, which says how far it is.

Most of a scenario is waiting, for clocks and for programs that start, so that two of them take
little longer than one. Whatever ends the suite ends them, and they end what they have started.
"""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Final

from tests.faults.outcome import Outcome, Promise, Scenario
from tests.faults.table import Line

_ROOT: Final = Path(__file__).parents[2]
_END_SECONDS: Final = 30.0
Told = Callable[[str, str], None]
"""Is told a scenario's name and how far it is; "" = it has ended."""


class SideBySide:
    """
    Runs scenarios, some at a time.

    Args:
        jobs: how many.
        options: of the suite, for each of them: its length and its seed.
        told: is told how far they are.

    """

    def __init__(self, jobs: int, options: Sequence[str], told: Told) -> None:
        self._jobs = jobs
        self._options = options
        self._told = told
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self._ended = threading.Event()

    def run(self, scenarios: Sequence[Scenario], done: Callable[[Line], None]) -> None:
        """Run all; tell each line when it is known. What interrupts this ends them all."""
        with ThreadPoolExecutor(self._jobs) as pool:
            try:
                for line in as_completed(pool.submit(self._one, one.name) for one in scenarios):
                    done(line.result())
            finally:
                self._end()

    def _one(self, name: str) -> Line:
        """Run one scenario in a process; return its line, of one that broke down an invalid one."""
        command = [sys.executable, "-m", "tests.faults", "--only", name, "--json", "--steps"]
        with self._lock:
            if self._ended.is_set():
                return Line(name, None, "the suite was interrupted", 0.0)
            process = subprocess.Popen(
                [*command, *self._options],
                cwd=_ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,  # Ctrl-C is for the suite, which ends it
            )
            self._running.add(process)
        assert process.stderr is not None
        said = [line for line in process.stderr if not self._is_step(name, line)]
        printed, _ = process.communicate()
        self._told(name, "")
        with self._lock:
            self._running.discard(process)
        if self._ended.is_set():
            return Line(name, None, "the suite was interrupted", 0.0)
        if process.returncode not in (0, 1) or not printed:
            print(*said, sep="", file=sys.stderr)  # noqa: T201
            note = f"it broke down ({process.returncode}): {''.join(said[-1:]).strip()}"
            return Line(name, Outcome(name, 0, 0, valid=False, note=note), "", 0.0)
        return _line(json.loads(printed)["scenarios"][0])

    def _is_step(self, name: str, line: str) -> bool:
        """Tell what a line says if it says how far the scenario is."""
        is_step = line.startswith(f"{name}: ")
        if is_step:
            self._told(name, line.strip())
        return is_step

    def _end(self) -> None:
        """End what still runs, as Ctrl-C does, and wait for it."""
        with self._lock:
            self._ended.set()
            running = [*self._running]
        for process in running:
            process.terminate()
        for process in running:
            process.wait(_END_SECONDS)


def _line(plain: dict[str, object]) -> Line:
    """Return the line that was printed as JSON."""
    name, seconds = str(plain["name"]), plain.get("seconds", 0.0)
    assert isinstance(seconds, float)
    if "skipped" in plain:
        return Line(name, None, str(plain["skipped"]), 0.0)
    fields = {field: plain[field] for field in Outcome._fields}
    fields["promise"] = Promise(str(fields["promise"]))
    return Line(name, Outcome(**fields), "", seconds)  # type: ignore[arg-type]  # as it was printed
