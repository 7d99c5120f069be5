"""Lay a card of the colour or kind that the hand holds most of; draw when nothing fits."""

import sys

import lastcard


def choose(turn: lastcard.Turn) -> str:
    """Return one of the answers that the turn lists."""
    hand = "".join(turn.hand)
    return max(turn.lawful, key=lambda action: hand.count(action[0]))


print(lastcard.play(choose, *sys.argv[1:]))
