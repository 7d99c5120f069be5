"""
Who plays the seats of house bots? Strategies, asked like anybody else and answering in batches.

A strategy decides while the news is told; its answer goes the way of every answer. One that fails
is logged by the `audience`, and its seat runs out of time.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

from lastcard_engine.actions import Action
from lastcard_server.clock import Clock
from lastcard_server.matches.commands import Answer, Outcome
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Update
from lastcard_server.matches.setup import HOUSE
from lastcard_server.matches.turns import READY, OpenTurn, Ready, TurnClose, TurnKind

Strategy = Callable[[Match, OpenTurn], tuple[int | Action | Ready, bool]]
"""A house bot: from its match and open turn to its reply and whether it calls UNO with it."""


@runtime_checkable
class Listener(Protocol):
    """A strategy that is also told what happens in the matches of its seats."""

    def hear(self, match: Match, seat: int, update: Update) -> None:
        """Hear what happened, as the match stands after it."""

    def forget(self, match: Match) -> None:
        """Hear that the match is over."""


class House:
    """
    The sink of the house's seats.

    Args:
        strategies: by name.
        submit: where answers go.
        clock: stamps them.

    """

    def __init__(
        self,
        strategies: Mapping[str, Strategy],
        submit: Callable[[Sequence[Answer]], Awaitable[list[Outcome]]],
        clock: Clock,
    ) -> None:
        self.strategies = strategies
        bots: Mapping[str, object] = strategies
        self._listening = {name: bot for name, bot in bots.items() if isinstance(bot, Listener)}
        self._submit = submit
        self._clock = clock
        self._answers: list[Answer] = []
        self._wake = asyncio.Event()

    def turn_opened(self, match: Match, turn: OpenTurn) -> None:
        """Decide an answer."""
        if turn.kind is TurnKind.READY:
            reply: int | Action | Ready = READY
            uno = False
        else:
            reply, uno = self.strategies[match.seats[turn.seat].strategy](match, turn)
        answer = Answer(match.match_id, turn.seat, turn.turn, reply, uno, HOUSE, 0)
        self._answers.append(answer)
        self._wake.set()

    def turn_closed(self, match: Match, seat: int, turn: int, reason: TurnClose) -> None:
        """Pass over it."""

    def update(self, match: Match, update: Update) -> None:
        """Tell the strategies that listen; to all others a turn says all."""
        for seat, listener in self._listeners(match):
            listener.hear(match, seat, update)

    def match_over(self, match: Match) -> None:
        """Tell the strategies that listen."""
        for _, listener in self._listeners(match):
            listener.forget(match)

    def left(self, match: Match) -> None:
        """Let the strategies that listen forget it."""
        self.match_over(match)

    def _listeners(self, match: Match) -> Iterator[tuple[int, Listener]]:
        for seat, occupant in enumerate(match.seats):
            strategy = self._listening.get(occupant.strategy)
            if strategy is not None:
                yield seat, strategy

    async def run(self) -> None:
        """Hand in what has been decided, batch after batch, until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            answers, self._answers = self._answers, []
            received_us = self._clock.now_us()
            for answer in answers:
                answer.received_us = received_us
            await self._submit(answers)
