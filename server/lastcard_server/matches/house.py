"""
Who plays the seats of house bots? Strategies, asked like anybody else and answering in batches.

A strategy decides while the news is told; its answer goes the way of every answer. One that fails
is logged, and its seat runs out of time.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence

from lastcard_engine.actions import Action
from lastcard_server.clock import Clock
from lastcard_server.matches.commands import Answer, Outcome
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Update
from lastcard_server.matches.setup import HOUSE
from lastcard_server.matches.turns import READY, OpenTurn, Ready, TurnClose, TurnKind

_log = logging.getLogger(__name__)

Strategy = Callable[[Match, OpenTurn], tuple[int | Action | Ready, bool]]
"""A house bot: from its match and open turn to its reply and whether it calls UNO with it."""


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
        """Pass over it: a turn says all."""

    def match_over(self, match: Match) -> None:
        """Pass over it."""

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
