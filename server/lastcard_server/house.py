"""How do the house's bots play? As any bot does: by the message of a turn and nothing else."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from lastcard.answer import calls_uno
from lastcard.bots import HOUSE, TOLD
from lastcard.v1.turn_pb2 import Turn
from lastcard_server.convert.events import event_bodies
from lastcard_server.convert.turns import turn_bytes, with_story
from lastcard_server.matches.house import Strategy
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Update
from lastcard_server.matches.turns import OpenTurn, TurnKind

Choose = Callable[[Turn], int]
_EVENTS_KEPT: Final = 256
_SEATS_KEPT: Final = 65_536


def strategies() -> Mapping[str, Strategy]:
    """Return the strategies a house bot may have, by name."""
    return {
        name: _Told(choose) if name in TOLD else partial(_play, choose)
        for name, choose in HOUSE.items()
    }


def _play(choose: Choose, match: Match, turn: OpenTurn) -> tuple[int, bool]:
    """Return a choice, and whether UNO is called with it."""
    if turn.kind is TurnKind.READY:
        return turn.default_choice, False
    return _called(choose, turn_bytes(match, turn))


def _called(choose: Choose, body: bytes) -> tuple[int, bool]:
    """Return what a bot chooses, with UNO called where it may leave one card."""
    turn = Turn.FromString(body)
    choice = choose(turn)
    return choice, calls_uno(turn, choice)


class _Told:
    """A bot whose turns tell the rules and what happened, as a stream may ask for them."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self._events: dict[tuple[str, int], list[bytes]] = {}
        """Since the last turn of each seat; lost with the process, and where there are too many."""

    def __call__(self, match: Match, turn: OpenTurn) -> tuple[int, bool]:
        """Return a choice, as `_play` does."""
        if turn.kind is TurnKind.READY:
            return turn.default_choice, False
        events = self._events.pop((match.match_id, turn.seat), [])
        body = with_story(turn_bytes(match, turn), match.setup.rules, events)
        return _called(self._choose, body)

    def hear(self, match: Match, seat: int, update: Update) -> None:
        """Keep what happened for the seat's next turn."""
        if len(self._events) >= _SEATS_KEPT:
            self._events.clear()
        events = self._events.setdefault((match.match_id, seat), [])
        events += event_bodies(match, update.events, seat)
        if len(events) > _EVENTS_KEPT:
            events.clear()

    def forget(self, match: Match) -> None:
        """Forget a match that is over."""
        for seat in range(len(match.seats)):
            self._events.pop((match.match_id, seat), None)
