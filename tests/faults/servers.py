"""How does a scenario run real servers? Each `lastcard serve` is a child of a nursery."""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from lastcard_server.secrets import SERVER_KEYS, ServerKeys, read_server_keys

ROOT: Final = Path(__file__).parents[2]
PROGRAM: Final = "lastcard_server.__main__"
FAILING: Final = "tests.faults.failing"
_WARM: Final = ("lastcard_server.cli", "lastcard_server.serving", "lastcard_server.logs")
READY_SECONDS: Final = 20.0
_LOOK_SECONDS: Final = 0.01
_END_SECONDS: Final = 10.0
_REMOVALS: Final = 100


class Nursery:
    """
    The process that starts servers; `nursery` tells what it promises.

    Args:
        program: the module whose `main` a child runs.
        environment: on top of the suite's own.

    """

    def __init__(
        self, program: str = PROGRAM, environment: Mapping[str, str] | None = None
    ) -> None:
        own = {k: v for k, v in os.environ.items() if not k.startswith("LASTCARD_")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.nursery", program, *_WARM],
            cwd=ROOT,
            env={**own, "GRPC_VERBOSITY": "ERROR", **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is for the suite, which ends it
        )
        self._answer()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(_END_SECONDS)
        finally:
            self._process.kill()
            assert self._process.stdout is not None
            self._process.stdout.close()

    def ask(self, **asked: Any) -> Any:
        """Have something done; return what it says."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the nursery has ended"
        return json.loads(line)


class Server:
    """
    One server, which can be killed and started again at the same address.

    Attributes:
        folder: its working directory; a log named after it there has what it says.
        address: host and port.
        starts: how often it was started.

    """

    def __init__(
        self,
        nursery: Nursery,
        folder: Path,
        *options: str,
        before: tuple[str, ...] = (),
        name: str = "serve",
    ) -> None:
        self.folder = folder
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.starts = 0
        self.options = options
        self.before = before
        """Arguments before `serve`, for programs that wrap it."""
        self._nursery = nursery
        self._log_name = f"{name}.log"
        self._pid = 0
        self._said = 0

    def start(self) -> None:
        """Start it; it accepts calls some time later."""
        argv = [*self.before, "serve", "--port", str(self.port), *self.options]
        self._said = len(self.log)
        start = {"folder": str(self.folder), "argv": argv, "log": self._log_name}
        self._pid = self._nursery.ask(start=start)["pid"]
        self.starts += 1

    async def ready(self) -> bool:
        """Wait until it accepts calls; False if it ended before."""
        async with asyncio.timeout(READY_SECONDS):
            while not _listens(self.port):
                if self.ended:
                    return False
                await asyncio.sleep(_LOOK_SECONDS)
        return True

    async def announced(self) -> None:
        """Wait until it has said that it serves: from then on it takes its leave at SIGTERM."""
        async with asyncio.timeout(READY_SECONDS):
            while not self._serves and not self.ended:  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(_LOOK_SECONDS)

    @property
    def _serves(self) -> bool:
        return "\nserving on " in self.log[self._said :]

    def listens(self) -> bool:
        """Tell whether it accepts connections now."""
        return _listens(self.port)

    async def started(self) -> None:
        """Start it and wait until it accepts calls."""
        self.start()
        assert await self.ready(), self.log

    def signal(self, number: int) -> None:
        """Send it a signal unless it has ended."""
        self._nursery.ask(signal=self._pid, number=number)

    def kill(self) -> None:
        """End it with kill -9; it has ended at the return."""
        if self._pid:
            self.signal(signal.SIGKILL)

    @property
    def code(self) -> int | None:
        """Return its exit code, None while it runs."""
        code: int | None = self._nursery.ask(code=self._pid)["code"]
        return code

    @property
    def ended(self) -> bool:
        """Tell whether it has ended."""
        return self.code is not None

    async def end(self, seconds: float) -> int:
        """Wait for its end; return the exit code."""
        async with asyncio.timeout(seconds):
            while (code := self.code) is None:  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(_LOOK_SECONDS)
        return code

    @property
    def log(self) -> str:
        """Return what it has said."""
        path = self.folder / self._log_name
        return path.read_text() if path.exists() else ""

    @property
    def key(self) -> str:
        """Return the organiser key that it wrote."""
        return (self.folder / "var/organiser.key").read_text().strip()

    @property
    def keys(self) -> ServerKeys:
        """Return the server's own keys, which it has made when it started."""
        file = self.folder / "var" / SERVER_KEYS
        keys = read_server_keys(file)
        assert keys, f"there is no {file}: it has made none"
        return keys

    @property
    def store(self) -> str:
        """Return the address of its store."""
        if "--store" in self.options:
            return self.options[self.options.index("--store") + 1]
        return f"sqlite:{self.folder / 'var/journal.sqlite'}"


def free_port() -> int:
    """Return a port of loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def folder_of(name: str) -> Iterator[Path]:
    """Make a folder for one scenario and remove it afterwards."""
    folder = Path(tempfile.mkdtemp(prefix=f"lastcard-faults-{name}-"))
    try:
        yield folder
    finally:
        for _ in range(_REMOVALS):  # something that is dying may still have left a file behind
            shutil.rmtree(folder, ignore_errors=True)
            if not folder.exists():
                break
            time.sleep(_LOOK_SECONDS)
