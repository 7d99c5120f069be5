"""Does the main thread wait for the library as if it had called it, but outside?"""

import sys
import threading
from pathlib import Path
from queue import SimpleQueue

import pytest

from lastcard import apart as module
from lastcard.apart import apart, release
from tests.processes import ServerProcess, said

WORST = Path(__file__).with_name("interrupted.py")


def test_main_thread_works_elsewhere_and_others_themselves() -> None:
    """What is done apart returns and raises here; threads that hear no signals need no other."""
    main = threading.get_ident()
    assert apart(threading.get_ident) != main
    with pytest.raises(ZeroDivisionError):
        apart(lambda: 1 // 0)
    seen: SimpleQueue[int] = SimpleQueue()
    other = threading.Thread(target=lambda: seen.put(apart(threading.get_ident)))
    other.start()
    other.join()
    assert seen.get() == other.ident


def test_closing_that_hangs_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program ends even if a channel of its does not close."""
    monkeypatch.setattr(module, "CLOSE_SECONDS", 0.01)
    hanging: SimpleQueue[None] = SimpleQueue()
    release(hanging.get)
    hanging.put(None)


def test_ctrl_c_at_the_worst_moments_ends_a_play(tmp_path: Path) -> None:
    """Whatever lock a thread has just taken: the main thread holds none, and the play ends."""
    with ServerProcess(tmp_path) as server:
        bot = server.bot(sys.executable, WORST)
        assert said(bot) == ""
