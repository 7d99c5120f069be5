"""How does a test run a real server and real bots? As processes of their own, on loopback."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from lastcard import Client

LASTCARD = Path(sys.executable).parent / "lastcard"
END_SECONDS = 60


class ServerProcess:
    """
    A `lastcard serve` in a directory of its own, which can be killed and started again.

    Its store is a file there unless an option says otherwise.

    Attributes:
        folder: Its working directory; a bot started there finds the organiser key.
        address: Host and port; the same after a restart.
        line: What it said when it began to serve.
    """

    def __init__(self, folder: Path, *options: str, within: Sequence[str] = ()) -> None:
        """Its options, and the command that starts it in other surroundings."""
        self.folder = folder
        self.line = ""
        self._options = options
        self._within = within
        self.address = "127.0.0.1:0"
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def start(self) -> None:
        """Start it and wait until it accepts calls."""
        port = self.address.rpartition(":")[2]
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [*self._within, str(LASTCARD), "serve", "--port", port, *self._options],
                cwd=self.folder,
                env={k: v for k, v in os.environ.items() if not k.startswith("LASTCARD_")},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout
        self.line = self._process.stdout.readline()
        assert self.line, self._log.read_text()
        self.address = self.line.removeprefix("serving on ").strip()

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str, str]:
        """Send a signal and wait for its end; return code, further output and log."""
        assert self._process is not None
        self._process.send_signal(number)
        out, _ = self._process.communicate(timeout=END_SECONDS)
        return self._process.returncode, out, self._log.read_text()

    def signal(self, number: int) -> None:
        """Send a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        """End it without any notice, as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._process is not None
        return self._process.pid

    @property
    def _log(self) -> Path:
        return self.folder / "serve.log"

    @property
    def log(self) -> str:
        """What it has logged so far."""
        return self._log.read_text()

    @property
    def state(self) -> Path:
        """Where its files lie."""
        return self.folder / "var"

    @property
    def key_file(self) -> Path:
        """Where it wrote the organiser key."""
        return self.state / "organiser.key"

    @property
    def key(self) -> str:
        """The organiser key that it wrote."""
        return self.key_file.read_text().strip()

    def client(self) -> Client:
        """Return a client with the organiser key."""
        return Client(self.address, self.key)

    def bot(self, *command: str | Path, cwd: Path | None = None) -> subprocess.Popen[str]:
        """Start a bot that finds this server and its key in the environment."""
        env = {**os.environ, "LASTCARD_ADDRESS": self.address, "LASTCARD_KEY": self.key}
        return subprocess.Popen(
            [str(part) for part in command],
            cwd=cwd or self.folder,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


def said(bot: subprocess.Popen[str]) -> str:
    """Wait for a bot to end well and return what it printed."""
    try:
        out, err = bot.communicate(timeout=END_SECONDS)
    finally:
        bot.kill()
    assert bot.returncode == 0, err
    return out.strip()
