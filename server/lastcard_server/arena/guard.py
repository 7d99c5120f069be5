"""
What ends the arena's programs when the arena itself is killed? A guard that outlives it.

The guard is this file run as a program. It reads from a pipe which process groups run, and at the
end of the pipe, which no way of dying can prevent, it kills those that still do. Standard library
only; it must never know what the programs are for.
"""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from types import TracebackType
from typing import Self


class Guard:
    """A guard that watches until the context ends; may be told from any thread."""

    def __init__(self) -> None:
        self._popen = subprocess.Popen(  # noqa: S603 - this very file
            [sys.executable, "-I", "-S", __file__],
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._popen.stdin is not None:
            self._popen.stdin.close()
        self._popen.wait()

    def started(self, group: int) -> None:
        """Say that a process group runs."""
        self._say(f"+{group}\n")

    def ended(self, group: int) -> None:
        """Say that a process group is gone."""
        self._say(f"-{group}\n")

    def _say(self, line: str) -> None:
        """Write a line; without the guard programs run unguarded, which is no reason to stop."""
        if self._popen.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._popen.stdin.write(line.encode())


def watch(lines: Iterable[str]) -> None:
    """Follow which groups run, and kill those that still do when there is nothing more to read."""
    groups: set[int] = set()
    for line in lines:
        group = int(line[1:])
        (groups.add if line[0] == "+" else groups.discard)(group)
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    watch(sys.stdin)
