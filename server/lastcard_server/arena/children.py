"""
How are the arena's programs started, watched and ended?

Every program runs in a process group of its own and writes to a file, so that whatever it starts
ends with it and nothing it prints disturbs the terminal. The file must never know what a program is
for.
"""

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from lastcard_server.arena.guard import Guard
from lastcard_server.arena.signals import put_off

GRACE_SECONDS = 5.0
"""How long a program may take to end when it is asked to."""
RESTARTS = 5
"""How often a program that ended is started again."""


@dataclass(frozen=True)
class Program:
    """What is run, where, and where its output goes."""

    name: str
    command: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    log: Path
    """Standard output and error are appended here."""


class Lost(NamedTuple):
    """A program that ended and is not started again."""

    program: Program
    code: int
    """Its exit code; negative = the signal that ended it."""


class Child:
    """
    A program that runs, under guard until it was ended.

    Raises:
        OSError: the program cannot be started or the log cannot be written.

    """

    def __init__(self, program: Program, guard: Guard, stdout: int | None = None) -> None:
        self._guard = guard
        with program.log.open("ab") as log, put_off():
            self.popen = subprocess.Popen(  # noqa: S603 - runs what the contest file names
                list(program.command),
                cwd=program.folder,
                env=dict(program.environment),
                stdin=subprocess.DEVNULL,
                stdout=log if stdout is None else stdout,
                stderr=log,
                start_new_session=True,
            )
            guard.started(self.popen.pid)

    def ask_to_end(self) -> None:
        """Ask the program and all it has started to end."""
        self._signal(signal.SIGTERM)

    def end(self, deadline: float) -> None:
        """Wait until `deadline` by the monotonic clock, then end it and all it has started."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.popen.wait(max(0.0, deadline - time.monotonic()))
        self._signal(signal.SIGKILL)
        self.popen.wait()
        self._guard.ended(self.popen.pid)

    def _signal(self, number: signal.Signals) -> None:
        """Signal the whole group; nothing happens where nothing of it is left."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, number)


class Children:
    """Programs that are kept running until the context ends; then all of them are ended."""

    def __init__(
        self, guard: Guard, pause: float, note: Callable[[str], None], lost: Callable[[Lost], None]
    ) -> None:
        """
        Take what is done about programs that end.

        Args:
            guard: ends the programs where this process cannot.
            pause: seconds before a program is first started again; they double each time.
            note: is told of every restart, in one sentence.
            lost: is told of what is lost for good.

        """
        self._guard = guard
        self._pause = pause
        self._note = note
        self._lost = lost
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._running: dict[str, Child] = {}
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._stopping.set()
            children = list(self._running.values())
        for child in children:
            child.ask_to_end()
        deadline = time.monotonic() + GRACE_SECONDS
        for child in children:
            child.end(deadline)
        for thread in self._threads:
            thread.join()

    def add(self, program: Program) -> None:
        """
        Start a program and keep it running.

        Raises:
            OSError: it cannot be started.

        """
        child = Child(program, self._guard)
        self._running[program.name] = child
        thread = threading.Thread(target=self._keep, args=(program, child), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _keep(self, program: Program, child: Child) -> None:
        """Start a program again each time it ends, a bounded number of times."""
        for restart in range(RESTARTS):
            code = child.popen.wait()
            if self._stopping.wait(self._pause * 2**restart):
                return
            child.end(0)
            rest = RESTARTS - restart - 1
            left = f"started again, {rest} restart{'' if rest == 1 else 's'} left"
            self._note(f"{program.name} ended with code {code}; {left}; see {program.log}")
            started = self._start_again(program)
            if started is None:
                break
            child = started
        code = child.popen.wait()
        if not self._stopping.is_set():
            self._lost(Lost(program, code))

    def _start_again(self, program: Program) -> Child | None:
        """Start a program anew; None where all are being ended or it cannot be started any more."""
        with self._lock:
            if self._stopping.is_set():
                return None
            try:
                child = self._running[program.name] = Child(program, self._guard)
            except OSError as error:
                self._note(f"{program.name} cannot be started again: {error}")
                return None
            return child
