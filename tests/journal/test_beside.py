"""Does the event loop stand back for a thread that waits too long, and only then?"""

import asyncio
import threading
import time
from collections.abc import Iterator

import pytest

from lastcard_server.journal import beside
from lastcard_server.journal.beside import Beside


@pytest.fixture
def thread() -> Iterator[Beside]:
    """Return a thread of its own."""
    made = Beside("test")
    yield made
    made.close()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the pauses of the loop, which are noted instead of slept."""
    noted: list[float] = []
    monkeypatch.setattr(time, "sleep", noted.append)
    return noted


async def test_a_quick_call_costs_no_pause(thread: Beside, pauses: list[float]) -> None:
    """A call that is done within the patience returns its result without any pause."""
    assert await thread.call(divmod, 7, 2) == (3, 1)
    assert pauses == []


async def test_the_loop_stands_back_for_a_slow_call(thread: Beside, pauses: list[float]) -> None:
    """While a call takes long the loop pauses now and then, and stops when it is done."""
    done = threading.Event()
    slow = thread.call(done.wait, 20)
    while len(pauses) < 3:  # noqa: ASYNC110 - the loop has to stay busy
        await asyncio.sleep(0)
    done.set()
    assert await slow is True
    count = len(pauses)
    await asyncio.sleep(5 * beside._PATIENCE)
    assert len(pauses) == count
    assert set(pauses) == {beside._PAUSE}


async def test_errors_come_back(thread: Beside) -> None:
    """An error in the thread is the caller's."""
    with pytest.raises(ZeroDivisionError):
        await thread.call(divmod, 1, 0)
