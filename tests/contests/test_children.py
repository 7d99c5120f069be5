"""Do programs of the arena start again, within bounds, and end with all they have started?"""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lastcard_server.arena import children
from lastcard_server.arena.children import RESTARTS, Children, Lost, Program
from lastcard_server.arena.guard import Guard


@pytest.fixture
def guard() -> Iterator[Guard]:
    """Run a guard."""
    with Guard() as running:
        yield running


def a_program(folder: Path, code: str) -> Program:
    """Return a program that runs Python code."""
    command = (sys.executable, "-c", code)
    return Program("bot", command, folder, dict(os.environ), folder / "bot.log")


def eventually(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until something holds; fail when it does not in time."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it never came to hold"
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    """Tell whether a process exists and is no zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_output_goes_to_the_log(tmp_path: Path, guard: Guard) -> None:
    """Standard output and error are appended to the program's log."""
    code = (
        "import sys,time; print('out', flush=True); print('err', file=sys.stderr); time.sleep(60)"
    )
    with Children(guard, 0.5, print, print) as running:
        running.add(a_program(tmp_path, code))
        eventually(lambda: (tmp_path / "bot.log").read_text() == "out\nerr\n")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks processes up in /proc")
def test_what_a_program_has_started_ends_with_it(tmp_path: Path, guard: Guard) -> None:
    """A program that ignores the request to end, and its own child, are ended at the end."""
    code = (
        "import os,signal,subprocess,sys,time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = subprocess.Popen(['sleep', '60'])\n"
        "open('pids', 'w').write(f'{os.getpid()} {child.pid}')\n"
        "time.sleep(60)"
    )
    pids = tmp_path / "pids"
    with pytest.MonkeyPatch.context() as patch, Children(guard, 0.5, print, print) as running:
        patch.setattr(children, "GRACE_SECONDS", 0.2)
        running.add(a_program(tmp_path, code))
        eventually(lambda: pids.exists() and len(pids.read_text().split()) == 2)
        started = [int(pid) for pid in pids.read_text().split()]
        assert all(map(is_alive, started))
        running.__exit__(None, None, None)
        eventually(lambda: not any(map(is_alive, started)))


def test_a_program_that_ends_is_started_again_within_bounds(tmp_path: Path, guard: Guard) -> None:
    """It runs once and RESTARTS times more, each restart is told, then its loss."""
    told: list[str] = []
    lost: list[Lost] = []
    with Children(guard, 0.001, told.append, lost.append) as running:
        running.add(a_program(tmp_path, "print('x', flush=True); raise SystemExit(3)"))
        eventually(lambda: bool(lost))
    assert (tmp_path / "bot.log").read_text() == "x\n" * (RESTARTS + 1)
    assert "bot ended with code 3; started again" in told[0]
    assert len(told) == RESTARTS
    assert [(one.program.name, one.code) for one in lost] == [("bot", 3)]


def test_a_restart_waits_for_its_pause_but_the_end_does_not(tmp_path: Path, guard: Guard) -> None:
    """While a program's restart waits it stays ended, and leaving the context does not wait."""
    told: list[str] = []
    began = time.monotonic()
    with Children(guard, 60, told.append, print) as running:
        running.add(a_program(tmp_path, "raise SystemExit(3)"))
        (child,) = running._running.values()
        assert child.popen.wait(20) == 3
    assert not told
    assert time.monotonic() - began < 30


def test_a_program_that_does_not_exist_is_an_error(tmp_path: Path, guard: Guard) -> None:
    """A program that cannot be started is told at once."""
    with Children(guard, 0.5, print, print) as running, pytest.raises(OSError, match="no-such"):
        running.add(
            Program("bot", ("/no-such-program",), tmp_path, dict(os.environ), tmp_path / "log")
        )


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks processes up in /proc")
def test_programs_are_ended_when_the_one_that_runs_them_is_killed(tmp_path: Path) -> None:
    """Killed with kill -9, a run leaves neither its programs nor what they have started."""
    program = "import os,subprocess; subprocess.Popen(['sleep', '60']); os.wait()"
    code = (
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from lastcard_server.arena.children import Children, Program\n"
        "from lastcard_server.arena.guard import Guard\n"
        "folder = Path(sys.argv[1])\n"
        "with Guard() as guard, Children(guard, 0.5, print, print) as running:\n"
        f"    command = (sys.executable, '-c', {program!r})\n"
        "    running.add(Program('bot', command, folder, dict(os.environ), folder / 'log'))\n"
        "    print(*[child.popen.pid for child in running._running.values()], flush=True)\n"
        "    time.sleep(60)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        group = int(run.stdout.readline())
        eventually(lambda: len(list(members(group))) == 2)
        run.kill()
    eventually(lambda: not list(members(group)))


def members(group: int) -> Iterator[int]:
    """Yield the living processes of a group."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and is_alive(int(entry.name)):
            with contextlib.suppress(OSError):
                if os.getpgid(int(entry.name)) == group:
                    yield int(entry.name)
