"""
How does the suite start hundreds of servers? A process that has imported everything forks them.

It reads one JSON object a line and answers each with one: `{"start": {"folder", "argv", "log"}}`
with `{"pid"}`; `{"signal": pid, "number"}` and `{"code": pid}` with `{"code"}`, null while the
child runs; `{"clock": 0}` with the seconds that its wall clock shows. It signals no process but its
own children, and kills all that are left when its input ends, however the suite came to its end.
"""

import ctypes
import gc
import importlib
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

_PR_SET_PDEATHSIG = 1


class _Children:
    """The children that were started; those that have ended are known by their exit code."""

    def __init__(self, program: Any) -> None:
        self._program = program
        self._codes: dict[int, int | None] = {}
        self._libc = ctypes.CDLL(None, use_errno=True)

    def start(self, wish: dict[str, Any]) -> int:
        """Fork a child that leads a process group of its own."""
        pid = os.fork()
        if pid == 0:
            os.setsid()
            self._libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            _become(self._program, wish)
        self._codes[pid] = None
        return pid

    def signal(self, pid: int, number: int) -> int | None:
        """Signal a child that has not ended; one that is killed has ended at the return."""
        if self.code(pid) is None:
            try:
                os.killpg(pid, number)
            except ProcessLookupError:  # it has not got its group yet
                os.kill(pid, number)
            self.code(pid, wait=number == signal.SIGKILL)
        return self._codes[pid]

    def code(self, pid: int, *, wait: bool = False) -> int | None:
        """Return how a child ended, None while it runs."""
        if self._codes[pid] is None:
            ended, status = os.waitpid(pid, 0 if wait else os.WNOHANG)
            if ended:
                self._codes[pid] = os.waitstatus_to_exitcode(status)
        return self._codes[pid]

    def kill_all(self) -> None:
        """Leave none behind."""
        for pid in self._codes:
            self.signal(pid, signal.SIGKILL)


def main() -> None:
    """Import the program, then do what the input says until it ends."""
    program = importlib.import_module(sys.argv[1])
    for name in sys.argv[2:]:
        importlib.import_module(name)
    children = _Children(program)
    gc.collect()
    gc.freeze()
    _say({"pid": os.getpid()})
    try:
        for line in sys.stdin:
            _say(_done(children, json.loads(line)))
    finally:
        children.kill_all()


def _done(children: _Children, asked: dict[str, Any]) -> dict[str, int | None]:
    if "start" in asked:
        return {"pid": children.start(asked["start"])}
    if "signal" in asked:
        return {"code": children.signal(asked["signal"], asked["number"])}
    if "clock" in asked:
        return {"clock": int(time.time())}
    return {"code": children.code(asked["code"])}


def _say(answer: dict[str, int | None]) -> None:
    print(json.dumps(answer), flush=True)  # noqa: T201


def _become(program: Any, wish: dict[str, Any]) -> NoReturn:
    """Run the program as its console script would, with its output in a file."""
    code = 1
    try:
        folder = Path(wish["folder"])
        os.chdir(folder)
        nothing, log = os.open(os.devnull, os.O_RDONLY), _appended(folder / wish["log"])
        for to, source in enumerate((nothing, log, log)):
            os.dup2(source, to)
        sys.argv = ["lastcard", *wish["argv"]]
        program.main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:  # noqa: BLE001 - the child ends here, whatever it was
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _appended(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


if __name__ == "__main__":
    main()
