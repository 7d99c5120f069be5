"""Rounds between bots on the bare engine: the same deals each time, every bot on every seat."""

from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any

from lastcard.bots import HOUSE, TOLD
from lastcard.v1 import turn_pb2
from lastcard_engine import (
    Event,
    Play,
    RoundEnded,
    Rules,
    Seat,
    Settings,
    apply,
    close_group,
    deal_key,
    is_bluff,
    legal_actions,
    new_match,
    preset,
    start_round,
    to_act,
    view,
)
from lastcard_engine.state import Phase
from lastcard_server.convert.actions import bluff_bytes, legal_bytes
from lastcard_server.convert.events import event_bodies
from lastcard_server.convert.turns import with_story
from lastcard_server.convert.views import seat_bytes

Choose = Callable[[turn_pb2.Turn], int]
_LISTENING = frozenset(HOUSE[name] for name in TOLD)


class Table:
    """
    One round of bots, asked as the server asks them; UNO is always called.

    Attributes:
        events: What happened, oldest first, not redacted.
    """

    def __init__(self, bots: Sequence[Choose], rules: Rules, deal: int) -> None:
        self.events: list[Event] = []
        self._bots = bots
        self._rules = rules
        self._state = new_match(rules, Settings(), len(bots), deal_key(deal.to_bytes(32), []))
        self._match: Any = SimpleNamespace(state=self._state, seats=bots, grouped=True)
        self._untold: list[list[bytes]] = [[] for _ in bots]
        self._number = deal * 10_000

    def play(self) -> RoundEnded:
        """
        Play the round and return how it ended.

        Raises:
            AssertionError: A bot chose a bluff or none of its legal actions.
        """
        state = self._state
        self._hear(start_round(state))
        while state.running:
            asked = to_act(state)
            if asked:
                self._ask(asked[0])
            else:
                self._hear(close_group(state))
        return next(event for event in reversed(self.events) if isinstance(event, RoundEnded))

    def _ask(self, seat: Seat) -> None:
        """Let a bot act."""
        turn = self._turn(seat)
        choice = self._bots[seat](turn)
        assert choice in range(len(turn.legal_actions))
        assert turn.legal_actions[choice].lawful
        self._hear(apply(self._state, seat, legal_actions(self._state, seat)[choice], uno=True))

    def _hear(self, events: Iterable[Event]) -> None:
        """Keep what happened, and tell those who listen with their next turn."""
        happened = list(events)
        self.events += happened
        for seat, choose in enumerate(self._bots):
            if choose in _LISTENING:
                self._untold[seat] += event_bodies(self._match, happened, seat)

    def _turn(self, seat: Seat) -> turn_pb2.Turn:
        """Return the turn that asks a seat, as the server would put it."""
        state = self._state
        self._number += 1
        actions = legal_actions(state, seat)
        legal = legal_bytes(actions)
        for number, action in enumerate(actions):
            if isinstance(action, Play) and is_bluff(state, seat, action):
                legal[number] = bluff_bytes(action)
        asked = turn_pb2.Turn(seat=seat, turn=self._number, kind=self._kind())
        asked.view.ParseFromString(seat_bytes(view(state, seat)))
        body = asked.SerializeToString() + b"".join(legal)
        if self._bots[seat] in _LISTENING:
            body = with_story(body, self._rules, self._untold[seat])
            self._untold[seat] = []
        return turn_pb2.Turn.FromString(body)

    def _kind(self) -> str:
        """Return what the table asks now, by its name in the contract."""
        phase = self._state.phase
        if self._state.group is not None and phase is not Phase.VOTE:
            return "TURN_KIND_REACTION"
        name = "CHOOSE_CARD" if phase is Phase.KEEP_CARD else phase.name
        return f"TURN_KIND_{name}"


def games(bots: Sequence[Choose], rules: str, deals: int) -> list[list[list[int]]]:
    """Return the points of each bot, by deal and game; each deal in every rotation that differs."""
    shifts = range(1, len(bots) + 1)
    differing = next(shift for shift in shifts if [*bots[shift:], *bots[:shift]] == [*bots])
    return [
        [_points(bots, shift, preset(rules), deal) for shift in range(differing)]
        for deal in range(deals)
    ]


def _points(bots: Sequence[Choose], shift: int, rules: Rules, deal: int) -> list[int]:
    """Return what each bot takes of a round in which it sits `shift` seats further on."""
    seated = [bots[(seat - shift) % len(bots)] for seat in range(len(bots))]
    ended = Table(seated, rules, deal).play()
    won = [ended.value if seat in ended.winners else 0 for seat in range(len(bots))]
    return [won[(bot + shift) % len(bots)] for bot in range(len(bots))]


def share(bots: Sequence[Choose], rules: str, deals: int) -> float:
    """Return which share of the rounds the first bot won; each deal in every rotation."""
    wins = [bool(points[0]) for block in games(bots, rules, deals) for points in block]
    return sum(wins) / len(wins)
