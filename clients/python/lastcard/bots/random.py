"""
How does the weakest sensible bot play? It lays a lawful card by chance and draws when it has none.

A bot that also drew by chance would make a round thirteen times as long. It never bluffs and
forgets nothing. Its dice are a digest of seed and turn, so that it plays a turn the same again.
"""

from hashlib import blake2b

from lastcard.v1 import turn_pb2


def choose(turn: turn_pb2.Turn, seed: int = 0) -> int:
    """Return the index of an action: a lawful play where there is one, otherwise any lawful one."""
    lawful = [number for number, legal in enumerate(turn.legal_actions) if legal.lawful]
    plays = [n for n in lawful if turn.legal_actions[n].action.HasField("play_card")]
    choices = plays or lawful or [turn.default_choice]
    return choices[_dice(turn, seed) % len(choices)]


def _dice(turn: turn_pb2.Turn, seed: int) -> int:
    """Return 64 bits that depend on the turn and the seed alone."""
    name = f"{seed}/{turn.match_id}/{turn.seat}/{turn.turn}"
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest())
