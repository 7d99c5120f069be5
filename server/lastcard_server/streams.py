"""
What is one stream to a client? What it asked for, what is pending for it, and how it ends.

It decides nothing about turns (see `holders`) and reads no requests (see the servicers).
"""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from enum import StrEnum
from typing import Any, Final, NamedTuple

from lastcard_server.errors import Refusal
from lastcard_server.fragments import Framing
from lastcard_server.outbox import MOST_TURNS, Outbox
from lastcard_server.telemetry import Telemetry

_MANY_TURNS: Final = 8
_ENOUGH: Final = 0.75
"""Which part of the open turns is worth a message at once."""
_WAIT_TIMES: Final = 6.0
"""How often the time that handling a turn takes is waited for each open one."""
_LONGEST_TIMES: Final = 400.0


class Delivery(StrEnum):
    """Which events a stream receives."""

    NEVER = "never"
    WITH_TURN = "with_turn"
    AS_THEY_HAPPEN = "as_they_happen"


class Closing(StrEnum):
    """Why the server ends a stream; the names of the contract in lower case."""

    DRAIN = "drain"
    REPLACED = "replaced"
    REVOKED = "revoked"
    AGE = "age"


class Wish(NamedTuple):
    """What a stream asks for when it opens."""

    instance: str
    most_turns: int
    """Most turns that may be open on it at once."""
    delivery: Delivery
    match_ids: tuple[str, ...] = ()
    """Matches whose end it does not know."""


class Layout(NamedTuple):
    """How the elements of a response type are framed."""

    turn: Framing
    closed: Framing
    update: Framing
    over: Framing
    closing: Callable[[Closing], bytes]


class Stream:
    """
    One stream that a client has open.

    Attributes:
        wish: what it asked for.
        layout: how its elements are framed.
        outbox: what is pending for it.
        open_turns: how many turns lie with it, sent or about to be.
        most_turns: how many may; 0 once it is ending.
        busy: whether answers of it are being decided; it does not end meanwhile, unless REVOKED or
            hurried.
        cut: is told why it begins to end, to see to it that it does in time.
        told_end: whether it was told that a match is over.
        lost: seats whose updates had to be dropped, as keys.
        restore: sends their full views instead.

    """

    def __init__(self, wish: Wish, layout: Layout, telemetry: Telemetry) -> None:
        self.wish = wish
        self.layout = layout
        self.outbox = Outbox()
        self.open_turns = 0
        self.most_turns = wish.most_turns
        self.busy = False
        self.cut: Callable[[Closing | Refusal], None] | None = None
        self.told_end = False
        self.lost: dict[Any, None] = {}
        self.restore: Callable[[], Awaitable[None]] | None = None
        self._telemetry = telemetry
        self._closing: Closing | None = None
        self._error: Exception | None = None
        self._finished = False
        self._hurried = False
        self._sent = 0.0

    def close(self, reason: Closing) -> None:
        """
        End the stream once what is pending has been sent; at once, without that, if it is REVOKED.

        The first reason counts, but REVOKED comes before any other.
        """
        if self._closing is None or (reason is Closing.REVOKED and self._closing is not reason):
            self._closing = reason
            if self.cut is not None:
                self.cut(reason)
        self._end()

    @property
    def is_deaf(self) -> bool:
        """Tell whether the stream takes no more answers; one that drains still does."""
        return self._closing not in (None, Closing.DRAIN)

    def hurry(self) -> None:
        """Wait for no more outcomes once a reason has been given to end."""
        self._hurried = True
        self.outbox.wake()

    def finish(self) -> None:
        """End the stream because the client has: what is pending is still sent."""
        self._finished = True
        self._end()

    def fail(self, error: Exception) -> None:
        """End the stream with an error, which `messages` raises; cut it where nobody reads that."""
        self._error = error
        if self.cut is not None and isinstance(error, Refusal):
            self.cut(error)
        self._end()

    def _end(self) -> None:
        self.most_turns = 0
        self.outbox.wake()

    async def _gather(self) -> None:
        """
        Let turns gather where a message has just been sent and many more answers are due.

        A message costs as much as handling several turns, and while each answer brings the next
        turn one by one nothing would ever gather. Most of the open turns pending is enough, for the
        client may have little else to do. A stream with few open turns never waits.
        """
        if self.open_turns < _MANY_TURNS:
            return
        times = min(_LONGEST_TIMES, self.open_turns * _WAIT_TIMES)
        wait = times * self._telemetry.pace.turn_seconds
        left = self._sent + wait - time.monotonic()
        if left > 0:
            await self.outbox.gather(min(MOST_TURNS, int(self.open_turns * _ENOUGH)), left)

    async def messages(self) -> AsyncIterator[bytes]:
        """
        Yield messages as soon as something is pending, until the stream ends.

        The first comes at once, empty if nothing is pending: the client knows that it is served.

        Raises:
            Exception: what `fail` was given.

        """
        served = False
        while True:
            await self._gather()
            if self._error is not None:
                raise self._error
            if self._closing is Closing.REVOKED:
                yield self.layout.closing(self._closing)
                return
            message, turns = self.outbox.pack()
            if message or not served:
                served = True
                self._sent = time.monotonic()
                self._telemetry.turns_delivered += turns
                self._telemetry.pace.delivered(turns)
                self._telemetry.batch_turns.observe(turns)
                yield message
            elif self._closing is not None and (self._hurried or not self.busy):
                yield self.layout.closing(self._closing)
                return
            elif self._finished and not self.busy:
                return
            elif self.lost and self.restore is not None:
                await self.restore()
            else:
                await self.outbox.wait()
