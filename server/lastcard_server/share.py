"""
Whose answers are decided next? Keys take turns, however much each of them sends.

Deciding holds up the event loop, so in each of its passes only about one full message of answers
is let through; what is too much for a pass waits, and keys that wait are served round by round.
Where nobody has to wait, all this costs is one callback a pass.
"""

import asyncio
from collections import deque
from typing import Final

MOST_ANSWERS: Final = 256
"""Most answers that may be decided at a go."""
_MESSAGE: Final = 8
"""What reading a message costs, in answers that are refused."""
_PASS: Final = MOST_ANSWERS + _MESSAGE


class FairShare:
    """Lets accounts through in rounds; an account is whoever answers for what is sent."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[tuple[int, asyncio.Future[None]]]] = {}
        """By account, whose turn is next first."""
        self._left = _PASS
        self._passing = False

    def __len__(self) -> int:
        """Return how many messages wait; safe in another thread."""
        return sum(map(len, tuple(self._waiting.values())))

    async def turn(self, account: str, answers: int) -> None:
        """Return when an account may have so many answers, at most 256, decided at a go."""
        weight = _MESSAGE + answers
        if weight <= self._left and not self._waiting:
            self._spend(weight)
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(account, deque()).append((weight, turn))
        await turn

    def _spend(self, weight: int) -> None:
        self._left -= weight
        if not self._passing:
            self._passing = True
            asyncio.get_running_loop().call_soon(self._pass)

    def _pass(self) -> None:
        """Let through as much as one pass of the loop may hold; what it wakes runs before it."""
        self._left, self._passing = _PASS, False
        while self._waiting:
            account = next(iter(self._waiting))
            if self._waiting[account][0][0] > self._left:
                return
            pieces = self._waiting.pop(account)
            self._let_through(pieces)
            if pieces:
                self._waiting[account] = pieces

    def _let_through(self, pieces: deque[tuple[int, "asyncio.Future[None]"]]) -> None:
        """Let through what an account has waiting until that is more than the pass may hold."""
        while pieces and pieces[0][0] <= self._left:
            weight, turn = pieces.popleft()
            if not turn.done():
                turn.set_result(None)
                self._spend(weight)
