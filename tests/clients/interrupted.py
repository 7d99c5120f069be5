"""
Is a bot interrupted at the worst moments, one play each: right after the n-th lock was taken.

Run as a program with the addresses in the environment; prints what went wrong, nothing if all is
well. In the midst of gRPC such a moment would leave a lock behind, and the play would never end.
"""

import gc
import os
import signal
import sys
import threading

import click

import lastcard

LOCKS = 16
"""A bot that sits down and waits for others takes at least as many."""

MAIN = threading.get_ident()
enter = threading.Condition.__enter__
left = 0


def entered(condition: threading.Condition) -> bool:
    """Take a lock; press Ctrl-C if it is the one."""
    global left  # noqa: PLW0603 - threads of the library share it
    taken = enter(condition)
    left -= 1
    if left >= 0 and threading.get_ident() == MAIN:
        click.echo(f"the main thread takes a lock in {sys._getframe(1).f_code.co_name}")
    if left == 0:
        os.kill(os.getpid(), signal.SIGINT)
    return taken


def interrupted(number: int) -> bool:
    """Play until the lock of this number is taken; return whether that ended the play."""
    global left  # noqa: PLW0603
    gc.collect()  # so that nothing of earlier plays ends during this one
    left = number
    try:
        lastcard.play(lambda _: 0, f"table-{number}")
    except lastcard.Interrupted:
        return True
    return False


gc.disable()
threading.Condition.__enter__ = entered  # type: ignore[method-assign]
ended = [interrupted(number) for number in range(1, LOCKS + 1)]
if not all(ended):
    click.echo(f"went on: {ended}")
if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
    click.echo(f"another handler of Ctrl-C: {signal.getsignal(signal.SIGINT)}")
