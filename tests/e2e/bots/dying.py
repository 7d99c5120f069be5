"""A bot that dies at its second turn in a match, each time it is started: it has answered one."""

import os

import lastcard

met: set[str] = set()


def choose(turn: lastcard.Turn) -> int:
    """Take the first answer, once in each match."""
    if turn.match_id in met:
        os._exit(7)
    met.add(turn.match_id)
    return 0


lastcard.play(choose)
