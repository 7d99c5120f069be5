"""Does a signal end a run at once, and never between a program and those who know of it?"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lastcard_server.arena.children import Child, Program
from lastcard_server.arena.guard import Guard
from lastcard_server.arena.signals import SIGNALS, put_off, stopped_by_signals


def signals() -> list[object]:
    """Return what is done about each signal now."""
    return [signal.getsignal(number) for number in SIGNALS]


@pytest.mark.parametrize("number", SIGNALS)
def test_the_first_signal_counts(number: signal.Signals) -> None:
    """It is raised at once; those after it are ignored, and at the end all is as before."""
    before = signals()
    with stopped_by_signals():
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
        for other in SIGNALS:
            os.kill(os.getpid(), other)
        assert signals() == [signal.SIG_IGN] * 3
    assert signals() == before


def test_a_signal_is_not_lost_in_a_finalizer(capsys: pytest.CaptureFixture[str]) -> None:
    """What is raised there goes no further: it is raised again once the finalizer is over."""

    class Dying:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0)

    before = signals(), signal.getsignal(signal.SIGALRM), sys.unraisablehook
    with stopped_by_signals():
        Dying()
        with pytest.raises(KeyboardInterrupt):
            time.sleep(10)
    assert (signals(), signal.getsignal(signal.SIGALRM), sys.unraisablehook) == before
    assert capsys.readouterr().err == ""


def test_a_signal_can_be_put_off() -> None:
    """It is raised as soon as the block is over, and does not wait for the next run."""
    done = []

    def interrupted() -> None:
        with put_off():
            os.kill(os.getpid(), signal.SIGINT)
            done.append(True)

    with stopped_by_signals(), pytest.raises(KeyboardInterrupt):
        interrupted()
    assert done == [True]
    with put_off():
        pass


def test_a_program_that_is_being_started_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal before anybody knows of the program waits until its guard does."""
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def interrupted(*arguments: Any, **more: Any) -> subprocess.Popen[bytes]:
        started.append(popen(*arguments, **more))
        os.kill(os.getpid(), signal.SIGINT)
        return started[0]

    sleep = (sys.executable, "-c", "import time; time.sleep(60)")
    program = Program("bot", sleep, tmp_path, dict(os.environ), tmp_path / "bot.log")
    with stopped_by_signals(), Guard() as guard:
        monkeypatch.setattr(subprocess, "Popen", interrupted)
        with pytest.raises(KeyboardInterrupt):
            Child(program, guard)
    assert started[0].wait(10) == -signal.SIGKILL
