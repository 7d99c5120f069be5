"""How do the house's bots play? As any bot does: by the message of a turn and nothing else."""

from collections.abc import Callable, Mapping
from functools import partial

from lastcard.bots import HOUSE
from lastcard.v1.turn_pb2 import Turn
from lastcard_server.convert.turns import turn_bytes
from lastcard_server.matches.house import Strategy
from lastcard_server.matches.match import Match
from lastcard_server.matches.turns import OpenTurn, TurnKind


def strategies() -> Mapping[str, Strategy]:
    """Return the strategies a house bot may have, by name."""
    return {name: partial(_play, choose) for name, choose in HOUSE.items()}


def _play(choose: Callable[[Turn], int], match: Match, turn: OpenTurn) -> tuple[int, bool]:
    """Return a choice; UNO goes with every answer, as it counts only where one card is left."""
    if turn.kind is TurnKind.READY:
        return turn.default_choice, False
    return choose(Turn.FromString(turn_bytes(match, turn))), True
