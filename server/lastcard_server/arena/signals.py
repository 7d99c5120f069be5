"""
How do signals end a run of the arena? As Ctrl-C does: everything it has started is ended.

The first signal counts. It comes as KeyboardInterrupt at any point but one: while a program is
being started it waits until somebody knows of the program. Where a finalizer or a callback of C
swallows the exception it is raised again a moment later.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_AGAIN_SECONDS = 0.05


class _Pending:
    """Whether a signal has to wait, and whether one does. Only the main thread hears signals."""

    held = False
    came = False


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Raise KeyboardInterrupt for the first signal; ignore further ones until the context ends."""
    before = {number: signal.signal(number, _interrupt) for number in (*SIGNALS, signal.SIGALRM)}
    say, sys.unraisablehook = sys.unraisablehook, partial(_swallowed, sys.unraisablehook)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.unraisablehook = say
        for number, taken in before.items():
            signal.signal(number, taken)


@contextmanager
def put_off() -> Iterator[None]:
    """Put a signal off to the end of the context."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _Pending.held = True
    try:
        yield
    finally:
        _Pending.held = False
        came, _Pending.came = _Pending.came, False
    if came:
        raise KeyboardInterrupt


def _interrupt(_number: int, _frame: object) -> None:
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    if _Pending.held:
        _Pending.came = True
    else:
        raise KeyboardInterrupt


def _swallowed(
    say: "Callable[[sys.UnraisableHookArgs], object]", ignored: "sys.UnraisableHookArgs"
) -> None:
    """Interrupt once more if it was an interruption that went no further; say anything else."""
    if isinstance(ignored.exc_value, KeyboardInterrupt):
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_SECONDS)
    else:
        say(ignored)
