"""How does a test run a real server and real bots? As processes of their own, on loopback."""

import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from lastcard import Client

LASTCARD = Path(sys.executable).parent / "lastcard"
END_SECONDS = 60


class ServerProcess:
    """
    A `lastcard serve` on SQLite in a directory of its own, which can be killed and started again.

    Attributes:
        folder: Its working directory; a bot started there finds the organiser key.
        address: Host and port; the same after a restart.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
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
        command = [str(LASTCARD), "serve", "--port", self.address.rpartition(":")[2]]
        with (self.folder / "serve.log").open("a") as log:
            self._process = subprocess.Popen(
                command, cwd=self.folder, stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self._process.stdout
        self.address = self._process.stdout.readline().removeprefix("serving on ").strip()
        assert self.address, (self.folder / "serve.log").read_text()

    def kill(self) -> None:
        """End it without any notice, as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    @property
    def key(self) -> str:
        """The organiser key that it wrote."""
        return (self.folder / "var/organiser.key").read_text().strip()

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
