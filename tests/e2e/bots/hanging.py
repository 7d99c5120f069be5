"""A bot that stays connected and stops answering after a few turns."""

import time

import lastcard

left = 3


def choose(_turn: lastcard.Turn) -> int:
    """Take the first answer, until it takes for ever."""
    global left  # noqa: PLW0603 - the count of a process that hangs
    left -= 1
    if left < 0:
        time.sleep(3600)
    return 0


lastcard.play(choose)
