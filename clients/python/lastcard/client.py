"""
How does a program create, join, watch and fetch? The calls of the contract, typed and repeated.

Calls whose repetition is harmless are repeated while the server is away; every failure is an
`Error` of ours. Playing seats is `lastcard.play`.
"""

from __future__ import annotations  # grpc's callables are generic for type checkers only

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Self, TypeVar

import grpc

from lastcard.apart import Stream, apart, ask, release
from lastcard.backoff import Backoff
from lastcard.connection import connection
from lastcard.errors import Error, is_passing, while_it_passes
from lastcard.v1 import match_service_pb2 as match_pb2
from lastcard.v1 import replay_service_pb2 as replay_pb2
from lastcard.v1 import rules_pb2, turn_pb2
from lastcard.v1.contest_service_pb2_grpc import ContestServiceStub
from lastcard.v1.key_service_pb2_grpc import KeyServiceStub
from lastcard.v1.match_service_pb2_grpc import MatchServiceStub
from lastcard.v1.play_service_pb2_grpc import PlayServiceStub
from lastcard.v1.replay_service_pb2_grpc import ReplayServiceStub

Request = TypeVar("Request")
Response = TypeVar("Response")

CALL_SECONDS = 30.0
AWAY_FAILURES = 2
"""Failures in a row that say that a server is away: of several, one alone may have gone."""


class Client:
    """
    The calls of one caller to one server; usable in several threads and as a context.

    Attributes:
        matches: The calls of MatchService, to be passed to `call` and `watch`.
        contests: Those of ContestService.
        keys: Those of KeyService.
        replays: Those of ReplayService.
        plays: Those of PlayService.

    Raises:
        BadSetting: Address or key are missing or cannot be understood.
    """

    def __init__(
        self,
        address: str | None = None,
        key: str | None = None,
        *,
        patience: float = 10.0,
        note: Callable[[str], object] | None = None,
    ) -> None:
        """
        Take where to call, and for whom.

        Args:
            address: as `lastcard.play` takes it.
            key: likewise.
            patience: seconds for which calls are tried again while the server is away.
            note: is told, in one sentence each, that the server is away and that it is back; in the
                thread that calls.

        """
        self.connection = connection(address, key)
        self._patience = patience
        self._note = note
        self._away = False
        self._channel = apart(self.connection.channel)
        self.matches = MatchServiceStub(self._channel)
        self.contests = ContestServiceStub(self._channel)
        self.keys = KeyServiceStub(self._channel)
        self.replays = ReplayServiceStub(self._channel)
        self.plays = PlayServiceStub(self._channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the channel; calls under way end."""
        release(self._channel.close)

    def call(
        self,
        method: grpc.UnaryUnaryMultiCallable[Request, Response],
        request: Request,
        *,
        repeat: bool = True,
    ) -> Response:
        """
        Make one call, again and again while the server is away, within the client's patience.

        `repeat=False` is for the calls that would do a thing twice (KeyService.CreateKey).

        Raises:
            Refused: The server refused; nothing changed.
            Unreachable: No server answered in time.
        """
        backoff = Backoff(self._patience if repeat else 0.0)
        made = partial(method, request, timeout=CALL_SECONDS, metadata=self.connection.metadata())
        while True:
            try:
                response = ask(self.connection, made)
            except Error as error:
                self._wait(error, backoff)
            else:
                self._answered()
                return response

    def watch(
        self, method: grpc.UnaryStreamMultiCallable[Request, Response], request: Request
    ) -> Iterator[Response]:
        """
        Yield what a watching call tells until the server ends it.

        A stream that breaks is opened anew: what was told may be told again, as the call says.

        Raises:
            Refused: The server refused.
            Unreachable: No server answered in time.
        """
        backoff = Backoff(self._patience)
        begin = partial(method, request, metadata=self.connection.metadata())
        while True:
            stream = Stream(self.connection, begin)
            try:
                for response in stream:
                    backoff.succeeded()
                    self._answered()
                    yield response
                return
            except Error as error:
                self._wait(error, backoff)
            finally:
                stream.cancel()

    def create(
        self,
        request_id: str,
        *,
        rules: str = "standard_no",
        overrides: Mapping[str, str] | None = None,
        custom_rules: Sequence[rules_pb2.CustomRule] = (),
        seats: int | list[match_pb2.SeatSpec] = 2,
        settings: match_pb2.MatchSettings | None = None,
    ) -> match_pb2.Match:
        """
        Create a match, or return the one that this caller created with this request_id.

        `seats` is a number of open seats or a specification of each. `custom_rules` are written on
        the customizable wilds, in order.
        """
        if isinstance(seats, int):
            seats = [match_pb2.SeatSpec(open=match_pb2.OpenSeat()) for _ in range(seats)]
        options = [
            rules_pb2.RulesOverride(option=option, value=value)
            for option, value in (overrides or {}).items()
        ]
        request = match_pb2.CreateMatchRequest(
            rules=rules_pb2.RulesChoice(preset=rules, overrides=options, custom_rules=custom_rules),
            settings=settings,
            seats=seats,
            request_id=request_id,
        )
        return self.call(self.matches.CreateMatch, request).match

    def join(
        self, match_id: str, name: str, request_id: str, *, seat: int | None = None
    ) -> match_pb2.JoinMatchResponse:
        """Take a seat, the first free one unless told; a repeat gets the same seat and token."""
        request = match_pb2.JoinMatchRequest(
            match_id=match_id, seat=seat, name=name, request_id=request_id
        )
        return self.call(self.matches.JoinMatch, request)

    def get(self, match_id: str) -> match_pb2.Match:
        """Return a match."""
        request = match_pb2.GetMatchRequest(match_id=match_id)
        return self.call(self.matches.GetMatch, request).match

    def cancel(self, match_id: str) -> match_pb2.Match:
        """End a match without result."""
        request = match_pb2.CancelMatchRequest(match_id=match_id)
        return self.call(self.matches.CancelMatch, request).match

    def watch_match(self, match_id: str) -> Iterator[turn_pb2.Update]:
        """Yield what spectators see: a full view, then updates, to the end."""
        request = match_pb2.WatchMatchRequest(match_id=match_id)
        for response in self.watch(self.matches.WatchMatch, request):
            yield response.update

    def record(self, match_id: str) -> bytes:
        """Return the record of a match that is over, as JSON lines."""
        request = replay_pb2.GetRecordRequest(match_id=match_id)
        return self.call(self.replays.GetRecord, request).record

    def _wait(self, error: Error, backoff: Backoff) -> None:
        """Sleep if a call may be tried again, otherwise raise what ended it."""
        pause = backoff.failed() if is_passing(error) else None
        if pause is None:
            raise error from None
        if self._note and not self._away and backoff.failures >= AWAY_FAILURES:
            self._away = True
            self._note(f"{while_it_passes(error)}; trying again for {self._patience:g} s")
        time.sleep(pause)

    def _answered(self) -> None:
        """Say that the server is back if it was said to be away."""
        if self._note and self._away:
            self._away = False
            self._note(f"the server at {self.connection} answers again")
