"""
What does a run of a contest file remember? Enough to go on after it was broken off.

A run is a folder: what was agreed with the server (keys, the contest's identifier), the server's
own state where the arena has its own, the bots' output, the ledger and the replays. Started again
in the same folder, the same contest goes on.
"""

import fcntl
import hashlib
import json
import os
import secrets
import weakref
from pathlib import Path
from typing import Any

from lastcard_server.arena.file import ContestFile
from lastcard_server.arena.request import spec_of


class RunError(Exception):
    """A folder in which this contest cannot be run; the message is one sentence."""


class Run:
    """
    The folder of one contest.

    Attributes:
        folder: where everything lies.
        request_id: names the contest to the server, the same at every start.
        keys: by bot, the key that was made for it: `key_id` and `secret`.
        is_elsewhere: whether the server is another, which plays on when the run is broken off.
        plays_on: whether there is now something that it would play on, without the bots.
        seen: the games that were finished when the run was broken off; None = nobody knows.
        is_created: whether the server has the contest, so that this folder is for no other.
        finished: the contest's identifier once its results lie here and its keys may be revoked.

    Raises:
        ContestFileError: a setting of the file has no such value.
        RunError: the folder cannot be written, is another process's or holds another contest.

    """

    def __init__(self, folder: Path, contest: ContestFile, server: str) -> None:
        """Open the run of a contest at a server (empty: one of its own), or begin it."""
        self.folder = folder.resolve()
        self.request_id = secrets.token_hex(16)
        self.keys: dict[str, dict[str, str]] = {}
        self.is_elsewhere = bool(server)
        self.plays_on = False
        self.seen: int | None = None
        self.is_created = False
        self.finished = ""
        self._contest, self._server = _digest(contest), server
        try:
            for part in (self.logs, self.replays):
                part.mkdir(parents=True, exist_ok=True)
            self._claim()
            self._read()
            self.save()
        except OSError as error:
            raise RunError(f"{folder} cannot be used: {error.strerror}") from None

    @property
    def logs(self) -> Path:
        """The folder of what programs print."""
        return self.folder / "logs"

    @property
    def replays(self) -> Path:
        """The folder of the records."""
        return self.folder / "replays"

    @property
    def ledger(self) -> Path:
        """The ledger."""
        return self.folder / "ledger.jsonl"

    @property
    def server(self) -> Path:
        """The folder of a server of the arena's own."""
        return self.folder / "server"

    @property
    def server_log(self) -> Path:
        """The file a server of the arena's own logs to."""
        return self.server / "server.log"

    @property
    def _memory(self) -> Path:
        return self.folder / "run.json"

    def _claim(self) -> None:
        """Keep every other run out of the folder as long as this one is there."""
        lock = os.open(self.folder / "run.lock", os.O_RDWR | os.O_CREAT, 0o600)
        weakref.finalize(self, os.close, lock)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"another arena is at work in {self.folder}; choose another --out"
            raise RunError(message) from None

    def _read(self) -> None:
        """Take over what an earlier start in this folder agreed."""
        try:
            known: dict[str, Any] = json.loads(self._memory.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return
        except ValueError:
            known = {}
        if "is_created" not in known:
            message = f"{self._memory} is damaged or of an earlier release; choose another --out"
            raise RunError(message)
        is_here, is_same = known["server"] == self._server, known["contest"] == self._contest
        if not is_here and (known["keys"] or known["is_created"]):
            place = known["server"] or "a server of its own"
            raise RunError(f"{self.folder} holds a run on {place}; choose another --out")
        if not is_same and known["is_created"]:
            raise RunError(
                f"{self.folder} holds the run of another contest, or of this one before more than "
                "commands and restart_pause_ms changed in its file; choose another --out"
            )
        self.keys = known["keys"]
        if is_here and is_same:  # else whoever was asked may know the old identifier
            self.request_id, self.is_created = known["request_id"], known["is_created"]
            self.finished, self.seen = known["finished"], known["seen"]

    def save(self) -> None:
        """Write what has to be remembered; only its owner may read it, for it holds the keys."""
        known = {
            "contest": self._contest,
            "server": self._server,
            "request_id": self.request_id,
            "keys": self.keys,
            "is_created": self.is_created,
            "seen": self.seen,
            "finished": self.finished,
        }
        draft = self._memory.with_suffix(".new")
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:  # noqa: PTH123 - mode
            json.dump(known, file)
        draft.replace(self._memory)


def _digest(contest: ContestFile) -> str:
    """Return a digest of what a file asks the server to play: how its bots are run may change."""
    spec = spec_of(contest, dict.fromkeys((bot.name for bot in contest.bots), ""))
    return hashlib.sha256(spec.SerializeToString(deterministic=True)).hexdigest()
