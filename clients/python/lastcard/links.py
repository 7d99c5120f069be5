"""
Which streams does a player have open? One to each server of its service, as servers come and go.

A stream that ends is opened anew after a pause of its own; nobody is given up as long as one server
answers. What goes over the streams is the player's business.
"""

import logging
import math
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import TypeAlias

import grpc

from lastcard.apart import SIGNAL_SECONDS, Call, Inbox, Stream, later, release
from lastcard.backoff import Backoff
from lastcard.connection import Connection
from lastcard.errors import Error, Refused, Unreachable, is_passing, while_it_passes
from lastcard.outbox import Outbox
from lastcard.v1 import play_service_pb2 as play_pb2
from lastcard.v1 import turn_pb2
from lastcard.v1.play_service_pb2_grpc import PlayServiceStub

LOG = logging.getLogger("lastcard")
LOOK_SECONDS = 30.0
"""How long a server may be there before it is found."""
LOOK_AGAIN_SECONDS = 1.0
"""The same once a stream has ended."""


class Link:
    """
    One server and the stream to it.

    Attributes:
        server: The server.
        outbox: What is to be sent; None while no stream is open.
        lives: Whether the server has answered on this stream.
        number: Of the stream among all of the player; a newer one has a higher one.
        due: When a stream is to be opened (monotonic seconds); never = one is open, or others are.
        backoff: The pauses between streams.
    """

    def __init__(self, server: Connection) -> None:
        self.server = server
        self.outbox: Outbox | None = None
        self.lives = False
        self.number = 0
        self.due = 0.0
        self.backoff = Backoff()
        self._stream: Stream[play_pb2.PlayResponse] | None = None
        self._channel: grpc.Channel | None = None
        self._closed = False

    def open(self, outbox: Outbox, number: int) -> Stream[play_pb2.PlayResponse]:
        """Open a stream, whose first message is to be fetched."""
        self.outbox, self.number, self.due = outbox, number, math.inf
        self._stream = stream = Stream(self.server, partial(self._call, outbox))
        return stream

    def send(self, answers: Sequence[turn_pb2.Answer]) -> None:
        """Leave answers to be sent; where no stream is open they are left out."""
        if self.outbox is not None:
            self.outbox.put(answers)

    def brings(self, stream: Stream[play_pb2.PlayResponse]) -> bool:
        """Tell whether a stream is the one that is open."""
        return self._stream is stream

    def end(self) -> None:
        """End the stream; what it still brings counts no more."""
        release(self._end)

    def close(self) -> None:
        """End everything, in a thread that may call the library."""
        self._closed = True
        self._end()
        channel, self._channel = self._channel, None
        if channel is not None:
            channel.close()

    def _call(self, outbox: Outbox) -> Call[play_pb2.PlayResponse]:
        if self._channel is None:
            self._channel = self.server.channel()
        stub = PlayServiceStub(self._channel)
        if self._closed:  # meanwhile, and `close` may not have seen the channel
            self.close()
        return stub.Play(outbox, metadata=self.server.metadata())

    def _end(self) -> None:
        outbox, stream = self.outbox, self._stream
        self.outbox, self._stream, self.lives = None, None, False
        if outbox is not None:
            outbox.close()
        if stream is not None:
            stream.end()


Heard: TypeAlias = tuple[Link, play_pb2.PlayResponse | Error]
"""What a stream has brought, or why it has ended."""


class Links:
    """
    The servers of a service and the streams to them.

    Everything but `wake` belongs to the thread that plays.
    """

    def __init__(self, service: Connection, patience: float) -> None:
        self._service = service
        self._patience = patience
        self._links: dict[str, Link] = {}
        self._inbox: Inbox[Heard | None] = SimpleQueue()
        self._opened = 0
        self._look_at = 0.0
        """Never = somebody is looking."""
        self._next = 0.0
        """When there is something to open or to look for, or before."""
        self._looked_at = 0.0
        self._silent_since: float | None = None
        self._is_missed = False
        """Whether it was said that a server is away, and not yet that one is back."""

    def due(self) -> list[Link]:
        """Return the links for which a stream is to be opened now."""
        now = time.monotonic()
        if now < self._next:
            return []
        if self._look_at <= now:
            self._look(now)
        self._next = min([self._look_at, *(link.due for link in self._links.values())])
        return [link for link in self._links.values() if link.due <= now]

    def open(self, link: Link, outbox: Outbox) -> None:
        """Open the stream of a link."""
        self._opened += 1
        self._fetch(link, link.open(outbox, self._opened))

    def wait(self, until: float) -> Heard | None:
        """Return what one stream has brought; None now and then, at the latest at a given time."""
        left = max(0.0, min(until, self._next) - time.monotonic())
        with suppress(Empty):
            return self._inbox.get(timeout=min(left, SIGNAL_SECONDS))()
        return None

    def wake(self) -> None:
        """Have `wait` return soon; may be called from any thread."""
        self._inbox.put(lambda: None)

    @property
    def serve(self) -> bool:
        """Whether a stream is open on which a server has answered."""
        return any(link.lives for link in self._links.values())

    def other(self, link: Link | None) -> Link | None:
        """Return where to send instead, if possible where a server has answered and not there."""
        links = [one for one in self._links.values() if one.outbox is not None]
        return max(links, key=lambda one: (one.lives, one is not link), default=None)

    def replaced(self, link: Link) -> bool:
        """
        End a stream that a newer one replaced; return False where that was none of these here.

        Two addresses may lead to one server, which keeps the newer stream. The older one rests
        until another ends.
        """
        newer = any(one.number > link.number and one.outbox for one in self._links.values())
        link.end()
        return newer

    def failed(self, link: Link, error: Error) -> None:
        """
        End a stream that has ended there; another is opened after a pause.

        Raises:
            Error: Why it ended, where that is for good or no server has answered for too long.
        """
        link.end()
        if self._links.get(link.server.target) is not link:
            return
        now, served = time.monotonic(), self.serve
        if served or self._silent_since is None:
            self._silent_since = now
        pause = link.backoff.pause()
        too_long = not served and now + pause - self._silent_since > self._patience
        passes = is_passing(error) or (served and not isinstance(error, Refused))
        if too_long or not passes:
            raise error
        self._again(link, now + pause)
        loud = link.backoff.failures == 1 and not served
        self._is_missed |= loud
        LOG.log(
            logging.WARNING if loud else logging.DEBUG, "%s; trying again", while_it_passes(error)
        )

    def close(self) -> None:
        """End everything."""
        release(self._close)

    def _close(self) -> None:
        for link in self._links.values():
            link.close()

    def _again(self, link: Link, due: float) -> None:
        """Have a stream opened again, with those that rest, and look for servers before."""
        link.due = due
        for one in self._links.values():
            if one.outbox is None:
                one.due = min(one.due, due)
        if self._look_at < math.inf:
            self._look_at = min(self._look_at, self._looked_at + LOOK_AGAIN_SECONDS)
        self._next = 0.0

    def _look(self, now: float) -> None:
        """Look for the servers that there are."""
        self._look_at, self._looked_at = math.inf, now
        if self._service.is_fixed:
            self._found(self._service.servers())
        else:
            later(self._service.servers, self._inbox, self._found)

    def _found(self, servers: list[Connection] | BaseException) -> None:
        """Take up the servers that are new, and leave those that are gone."""
        if isinstance(servers, BaseException):
            raise servers
        self._next = 0.0
        self._look_at = math.inf if self._service.is_fixed else self._looked_at + LOOK_SECONDS
        if not servers and self._links:
            return  # as far as is known
        found = {server.target: server for server in servers or [self._service]}
        for target in [target for target in self._links if target not in found]:
            gone = self._links.pop(target)
            release(gone.close)  # before a newer stream to the same server replaces it
            why = Unreachable(f"{gone.server} is no server of {self._service} any more")
            self._inbox.put(partial(_news, gone, why))
        for target, server in found.items():
            self._links.setdefault(target, Link(server))

    def _fetch(self, link: Link, stream: Stream[play_pb2.PlayResponse]) -> None:
        stream.fetch(self._inbox, partial(self._heard, link, stream))

    def _heard(
        self,
        link: Link,
        stream: Stream[play_pb2.PlayResponse],
        brought: play_pb2.PlayResponse | BaseException,
    ) -> Heard | None:
        """Return what a stream has brought, unless it was ended here before."""
        if not link.brings(stream):
            return None
        match brought:
            case play_pb2.PlayResponse():
                link.lives, self._silent_since = True, None
                link.backoff.succeeded()
                self._say_back(link)
                self._fetch(link, stream)
                return link, brought
            case StopIteration():
                return link, Unreachable(f"the server at {link.server} ended the stream")
            case Error():
                return link, brought
        raise brought

    def _say_back(self, link: Link) -> None:
        """Say that a server is there, as loud as it was said that none is."""
        if self._is_missed:
            self._is_missed = False
            LOG.warning("the server at %s answers again", link.server)


def _news(link: Link, error: Error) -> Heard:
    return link, error
