"""
How do load and benchmarks start a server? As a process of its own on loopback, from its command.

A process that serves says on its first line where; nothing here knows what is done with it then.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

GRACE_SECONDS = 30
SERVE = "import sys; from lastcard_server.cli import main; sys.exit(main())"


class Child(NamedTuple):
    """A process that serves."""

    pid: int
    said: str
    """Its first line."""


class Server(NamedTuple):
    """A `lastcard serve`."""

    child: Child
    address: str
    key: str
    """Its organiser key."""


@contextmanager
def running(*command: str) -> Iterator[Child]:
    """
    Run a Python program that serves while the context lasts.

    Raises:
        SystemExit: it ended before it said where it serves; what it said on standard error stands.

    """
    started = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True)
    try:
        said = started.stdout.readline().strip() if started.stdout else ""
        if not said:
            sys.exit("loadtest: the server did not start")
        yield Child(started.pid, said)
    finally:
        started.terminate()
        try:
            started.communicate(timeout=GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            started.kill()
            started.communicate()


@contextmanager
def serving(folder: Path, store: str, *options: str) -> Iterator[Server]:
    """Run `lastcard serve` with its state in a folder and any store; see `running`."""
    state = ("--port", "0", "--state-dir", str(folder), "--store", store)
    with running("-c", SERVE, "serve", *state, "--log-level", "warning", *options) as child:
        key = (folder / "organiser.key").read_text(encoding="ascii").strip()
        yield Server(child, child.said.removeprefix("serving on "), key)
