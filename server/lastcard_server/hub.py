"""
Which streams are open, and who may open one more?

One hub a server. It ends streams when the server drains, when a key is revoked and when they get
old; it knows nothing of gRPC.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Final

from lastcard_server.config import STREAM_AGE_SECONDS
from lastcard_server.errors import Reason, Refusal
from lastcard_server.holders import Holder
from lastcard_server.keys import Caller
from lastcard_server.matches.registry import Matches
from lastcard_server.streams import Closing, Layout, Stream, Wish
from lastcard_server.telemetry import Telemetry

_ENDS: Final = {
    Closing.REVOKED: (2.0, Refusal(Reason.UNAUTHENTICATED, "This key has been revoked.")),
    Closing.REPLACED: (20.0, Refusal(Reason.DRAINING, "A newer stream has replaced this one.")),
    Closing.AGE: (20.0, Refusal(Reason.DRAINING, "The stream is too old; connect again.")),
}
"""Seconds a client has to read that its stream ends, and what is said where it does not read."""
_REFUSED_SECONDS: Final = 2.0
"""Seconds a client has to read why its stream is refused."""
_DECIDED_SECONDS: Final = 2.0
"""How long a stream that drains waits for outcomes: else its client could go on elsewhere."""


class Waiting:
    """
    Someone who waits for news without a stream of turns.

    Attributes:
        account: who answers for the credential.
        news: what to wait with; also set when the server drains and when the key is revoked.
        pending: what has been told and not been sent yet, the oldest first.

    """

    def __init__(self, account: str, cut: Callable[[Closing], None]) -> None:
        self.account = account
        self.news = asyncio.Event()
        self.pending: deque[bytes] = deque()
        self._cut = cut
        self._is_revoked = False

    def revoke(self) -> None:
        """Let the call end, whether it waits or writes."""
        self._is_revoked = True
        self._cut(Closing.REVOKED)
        self.news.set()

    def refuse_revoked(self) -> None:
        """Raise Refusal, UNAUTHENTICATED, once the key has been revoked."""
        if self._is_revoked:
            raise _ENDS[Closing.REVOKED][1]


class Hub:
    """
    The streams of a server, by owner.

    Attributes:
        draining: whether the server shuts down and opens no more.

    """

    def __init__(self, matches: Matches, telemetry: Telemetry, streams_per_key: int) -> None:
        self._matches = matches
        self._telemetry = telemetry
        self._streams_per_key = streams_per_key
        self._holders: dict[tuple[str, int], Holder] = {}
        self._waits: set[Waiting] = set()
        self._watches: Counter[str] = Counter()
        self._revoked: set[str] = set()
        self.draining = False
        self._closed = asyncio.Event()

    def __len__(self) -> int:
        return sum(map(len, self._holders.values()))

    @property
    def seats(self) -> int:
        """Return how many seats streams are kept informed of; safe in another thread."""
        return sum(holder.seats for holder in tuple(self._holders.values()))

    @property
    def pending_bytes(self) -> int:
        """Return how much is pending in all streams, of spectators too; safe in another thread."""
        played = (stream.outbox.size for h in tuple(self._holders.values()) for stream in h)
        watched = (sum(map(len, tuple(one.pending))) for one in tuple(self._waits))
        return sum(played) + sum(watched)

    @asynccontextmanager
    async def stream(
        self, caller: Caller, wish: Wish, layout: Layout
    ) -> AsyncIterator[tuple[Stream, Holder]]:
        """
        Keep a stream open for a caller; turns that are open are pending in it from the start.

        Raises:
            Refusal: DRAINING, UNAUTHENTICATED where the key was revoked meanwhile, or QUOTA where
                the caller has too many streams.

        """
        holder = self._holder(caller, wish)
        stream = Stream(wish, layout, self._telemetry)
        stream.restore = partial(holder.restore, stream, self._matches)
        with _cutting() as stream.cut:
            async with self._kept(caller, stream, holder):
                yield stream, holder

    @asynccontextmanager
    async def _kept(self, caller: Caller, stream: Stream, holder: Holder) -> AsyncIterator[None]:
        """Keep a stream among those of its owner."""
        holder.add(stream)
        age = asyncio.get_running_loop().call_later(STREAM_AGE_SECONDS, stream.close, Closing.AGE)
        try:
            await holder.subscribe(self._matches)
            await holder.tell_ends(stream, self._matches)
            yield
        finally:
            age.cancel()
            holder.remove(stream)
            self._closed.set()
            if not len(holder):
                self._holders.pop((caller.owner, caller.generation), None)
                self._matches.unsubscribe(caller.owner, holder)

    def _holder(self, caller: Caller, wish: Wish) -> Holder:
        self._refuse_late(caller)
        key = caller.owner, caller.generation
        holder = self._holders.get(key)
        if holder is None:
            holder = self._holders[key] = Holder(caller, self._telemetry)
        if wish.instance not in holder:
            self._refuse_many(len(holder) + self._watches[caller.owner])
        return holder

    def _refuse_many(self, streams: int) -> None:
        if streams >= self._streams_per_key:
            raise Refusal(
                Reason.QUOTA, f"A key may have {self._streams_per_key} streams open at once."
            )

    @contextmanager
    def watching(self, caller: Caller) -> Iterator[Waiting]:
        """
        Wait as `waiting` does, in a call that is one more stream of the caller.

        Raises:
            Refusal: as `waiting`; QUOTA where the caller has too many streams.

        """
        owner = caller.owner
        holder = self._holders.get((owner, caller.generation), ())
        self._refuse_many(len(holder) + self._watches[owner])
        with self.waiting(caller) as waiting:
            self._watches[owner] += 1
            try:
                yield waiting
            finally:
                self._watches[owner] -= 1
                self._watches += Counter()  # drops what is zero

    @contextmanager
    def waiting(self, caller: Caller) -> Iterator[Waiting]:
        """
        Give a caller something to wait for news with.

        Raises:
            Refusal: DRAINING, or UNAUTHENTICATED where the key was revoked meanwhile.

        """
        self._refuse_late(caller)
        with _cutting() as cut:
            waiting = Waiting(caller.account, cut)
            self._waits.add(waiting)
            try:
                yield waiting
            finally:
                self._waits.discard(waiting)

    def _refuse_late(self, caller: Caller) -> None:
        """Refuse who comes when the server drains, or was let in before the key was revoked."""
        if self.draining:
            raise Refusal(Reason.DRAINING, "The server is shutting down; connect again elsewhere.")
        if caller.account in self._revoked:
            raise _ENDS[Closing.REVOKED][1]

    def revoke(self, owner: str) -> None:
        """End the streams of a key that was revoked and of seats taken with it, and waits alike."""
        self._revoked.add(owner)
        for waiting in self._waits:
            if waiting.account == owner:
                waiting.revoke()
        for holder in self._holders.values():
            if holder.account == owner:
                holder.close(Closing.REVOKED)

    async def drain(self, seconds: float) -> None:
        """
        Open no more streams and end all there are; return when they have, or after a time.

        The outcomes of answers are waited for only a while: clients send those again.
        """
        self.draining = True
        for waiting in self._waits:
            waiting.news.set()
        for holder in self._holders.values():
            holder.close(Closing.DRAIN)
        decided = min(_DECIDED_SECONDS, seconds / 2)
        await self._empty(decided)
        for holder in self._holders.values():
            holder.hurry()
        await self._empty(seconds - decided)

    async def _empty(self, seconds: float) -> None:
        """Wait until no stream is open, or for a time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._holders:
                    self._closed.clear()
                    await self._closed.wait()


@contextmanager
def _cutting() -> Iterator[Callable[[Closing | Refusal], None]]:
    """Give what cancels the present call with a refusal, some time after the reason is told."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    timers: list[asyncio.TimerHandle] = []

    def cut(reason: Closing | Refusal) -> None:
        if isinstance(reason, Refusal):
            end = _REFUSED_SECONDS, reason
        elif reason in _ENDS:
            end = _ENDS[reason]
        else:
            return
        if task is not None:
            timers.append(loop.call_later(end[0], task.cancel, end[1]))

    try:
        yield cut
    finally:
        for timer in timers:
            timer.cancel()
