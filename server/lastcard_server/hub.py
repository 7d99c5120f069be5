"""
Which streams are open, and who may open one more?

One hub a server. It ends streams when the server drains, when a key is revoked and when they get
old; it knows nothing of gRPC.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial

from lastcard_server.config import STREAM_AGE_SECONDS
from lastcard_server.errors import Reason, Refusal
from lastcard_server.holders import Holder
from lastcard_server.keys import Caller
from lastcard_server.matches.registry import Matches
from lastcard_server.streams import Closing, Layout, Stream, Wish
from lastcard_server.telemetry import Telemetry


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
        self._waits: set[asyncio.Event] = set()
        self.draining = False
        self._closed = asyncio.Event()

    def __len__(self) -> int:
        return sum(map(len, self._holders.values()))

    @asynccontextmanager
    async def stream(
        self, caller: Caller, wish: Wish, layout: Layout
    ) -> AsyncIterator[tuple[Stream, Holder]]:
        """
        Keep a stream open for a caller; turns that are open are pending in it from the start.

        Raises:
            Refusal: DRAINING, or QUOTA where the caller has too many streams.

        """
        holder = self._holder(caller, wish)
        stream = Stream(wish, layout, self._telemetry)
        stream.restore = partial(holder.restore, stream, self._matches)
        holder.add(stream)
        age = asyncio.get_running_loop().call_later(STREAM_AGE_SECONDS, stream.close, Closing.AGE)
        try:
            await holder.subscribe(self._matches)
            await holder.tell_end(stream, self._matches)
            yield stream, holder
        finally:
            age.cancel()
            holder.remove(stream)
            self._closed.set()
            if not len(holder):
                self._holders.pop((caller.owner, caller.generation), None)
                self._matches.unsubscribe(caller.owner, holder)

    def _holder(self, caller: Caller, wish: Wish) -> Holder:
        self._refuse_draining()
        key = caller.owner, caller.generation
        holder = self._holders.get(key)
        if holder is None:
            holder = self._holders[key] = Holder(caller, self._telemetry)
        if len(holder) >= self._streams_per_key and wish.instance not in holder:
            raise Refusal(
                Reason.QUOTA, f"A key may have {self._streams_per_key} streams open at once."
            )
        return holder

    @contextmanager
    def waiting(self) -> Iterator[asyncio.Event]:
        """
        Give an event to wait for news with; it is also set when the server drains.

        Raises:
            Refusal: DRAINING.

        """
        self._refuse_draining()
        event = asyncio.Event()
        self._waits.add(event)
        try:
            yield event
        finally:
            self._waits.discard(event)

    def _refuse_draining(self) -> None:
        if self.draining:
            raise Refusal(Reason.DRAINING, "The server is shutting down; connect again elsewhere.")

    def revoke(self, owner: str) -> None:
        """End the streams of a key that was revoked."""
        for holder in self._holders.values():
            if holder.owner == owner:
                holder.close(Closing.REVOKED)

    async def drain(self, seconds: float) -> None:
        """Open no more streams and end all there are; return when they have, or after a time."""
        self.draining = True
        for event in self._waits:
            event.set()
        for holder in self._holders.values():
            holder.close(Closing.DRAIN)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._holders:
                    self._closed.clear()
                    await self._closed.wait()
