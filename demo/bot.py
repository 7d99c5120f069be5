"""Lay a card of the colour or kind that the hand holds most of; draw when nothing fits."""

import sys

import lastcard


def choose(turn: lastcard.Turn) -> str:
    """Return one of the answers that the turn lists."""
    return max(turn.lawful, key=lambda action: "".join(turn.hand).count(action[0]))


try:
    print(lastcard.play(choose, *sys.argv[1:]))
except lastcard.Error as error:
    sys.exit(str(error))
