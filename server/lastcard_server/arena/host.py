"""
How does the arena get a server of its own? A child process on loopback over a sqlite store.

The server is the same `lastcard serve` that anybody else starts; its journal and its keys lie in
the folder of the run, so that a run that was broken off goes on from there.
"""

import importlib.util
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from lastcard_server.arena.children import GRACE_SECONDS, Child, Program
from lastcard_server.arena.guard import Guard

SAYS = "serving on "
"""What the server prints in front of its address."""
START_SECONDS = 30.0
"""How long it may take to start."""
SERVER_PACKAGES = ("structlog", "prometheus_client")


class HostError(Exception):
    """The server cannot be started; the message is one sentence."""


class Host(NamedTuple):
    """A server that runs."""

    address: str
    key: str
    """Its organiser key."""


@contextmanager
def own_server(folder: Path, guard: Guard) -> Iterator[Host]:
    """
    Run a server until the context ends; its journal, keys and log lie in `folder`.

    Raises:
        HostError: it does not start.

    """
    if missing := [name for name in SERVER_PACKAGES if importlib.util.find_spec(name) is None]:
        raise HostError(
            f"a server of its own needs the package {missing[0]}: pip install 'lastcard[server]', "
            "or name a server with --server"
        )
    folder.mkdir(parents=True, exist_ok=True)
    command, log = _command(folder), folder / "server.log"
    program = Program("server", command, folder, dict(os.environ), log)
    child = Child(program, guard, subprocess.PIPE)
    try:
        address = _address(child, log)
        yield Host(address, (folder / "organiser.key").read_text(encoding="utf-8").strip())
    finally:
        child.ask_to_end()
        child.end(time.monotonic() + GRACE_SECONDS)
        if child.popen.stdout is not None:
            child.popen.stdout.close()


def _command(folder: Path) -> tuple[str, ...]:
    """Return the command that serves from a folder on any free port."""
    store = f"sqlite:{folder / 'journal.sqlite'}"
    options = ("--port", "0", "--store", store, "--state-dir", str(folder), "--grace", "2")
    return (sys.executable, "-m", "lastcard_server", "serve", *options)


def _address(child: Child, log: Path) -> str:
    """Return the address the server prints once it serves."""
    pipe = child.popen.stdout
    ready = pipe is not None and select.select([pipe], [], [], START_SECONDS)[0]
    line = pipe.readline().decode(errors="replace").strip() if pipe is not None and ready else ""
    if line.startswith(SAYS):
        return line.removeprefix(SAYS)
    said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    raise HostError(
        f"the server did not start: {said[-1] if said else 'it said nothing'}; see {log}"
    )
