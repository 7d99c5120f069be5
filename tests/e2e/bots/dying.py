"""A bot that dies after a few answers, each time it is started."""

import os

import lastcard

left = 5


def choose(_turn: lastcard.Turn) -> int:
    """Take the first answer, until the end."""
    global left  # noqa: PLW0603 - the count of a process that dies
    left -= 1
    if left < 0:
        os._exit(7)
    return 0


lastcard.play(choose)
