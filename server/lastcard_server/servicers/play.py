"""
PlayService: how seats are played, call by call or over one stream.

A stream is one task that writes what is pending and one that reads: all answers of a message are
decided together as far as they are not too many, when it is the caller's turn. While they become
durable the next messages are read, as long as those are few and not so much is pending that the
client must be slow. Answers are stamped before they wait for anything.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Final

from lastcard.v1 import play_service_pb2 as pb
from lastcard_server import fields
from lastcard_server.access import own_seat, visible_match
from lastcard_server.clock import Clock
from lastcard_server.convert.play import (
    Sender,
    accepted_bytes,
    act_from,
    answer_from,
    refused_bytes,
)
from lastcard_server.convert.times import milliseconds_from
from lastcard_server.convert.turns import seat_view_response
from lastcard_server.errors import Reason, Refusal
from lastcard_server.fragments import framing
from lastcard_server.holders import Holder
from lastcard_server.hub import Hub
from lastcard_server.keys import Caller, Role
from lastcard_server.matches.commands import Accepted, Command, Outcome
from lastcard_server.matches.registry import Matches
from lastcard_server.outbox import MOST_TURNS
from lastcard_server.servicers.polling import Poll
from lastcard_server.share import MOST_ANSWERS, FairShare
from lastcard_server.streams import Closing, Delivery, Layout, Stream, Wish
from lastcard_server.telemetry import Telemetry

_MOST_KNOWN: Final = 1_000
HELLO_SECONDS: Final = 10.0
STALLED_SECONDS: Final = 20.0
"""How long a client may take nothing of what its answers have brought, once that is too much."""
_MOST_PIECES: Final = 4
"""How many pieces of a stream's answers may be on their way to the journal at once."""
_Decide = Callable[[Sequence[Command]], Awaitable[list[Outcome]]]
_DELIVERIES: Final = {
    pb.EVENT_DELIVERY_UNSPECIFIED: Delivery.NEVER,
    pb.EVENT_DELIVERY_NEVER: Delivery.NEVER,
    pb.EVENT_DELIVERY_WITH_TURN: Delivery.WITH_TURN,
    pb.EVENT_DELIVERY_AS_THEY_HAPPEN: Delivery.AS_THEY_HAPPEN,
}


def layout_of(response: type[pb.PlayResponse | pb.WatchSeatsResponse]) -> Layout:
    """Return how a response frames its elements."""

    def closing(reason: Closing) -> bytes:
        message = pb.Closing(reason=f"CLOSING_REASON_{reason.name}")
        return response(closing=message).SerializeToString()

    return Layout(
        turn=framing(response, "turns"),
        closed=framing(response, "closed_turns"),
        update=framing(response, "updates"),
        over=framing(response, "matches_over"),
        closing=closing,
    )


_PLAY: Final = layout_of(pb.PlayResponse)
_WATCH: Final = layout_of(pb.WatchSeatsResponse)
_ACCEPTED: Final = framing(pb.PlayResponse, "accepted")
_REFUSED: Final = framing(pb.PlayResponse, "refused")
_ACT: Final = framing(pb.ActResponse, "accepted")


class _Answers:
    """
    The answers of one Play stream, and where their outcomes go.

    Answers that are decided together are a piece; pieces are decided in the order in which they
    came, and several may be on their way to the journal at once.
    """

    def __init__(self, caller: Caller, stream: Stream, holder: Holder, decide: _Decide) -> None:
        self.caller = caller
        self.stream = stream
        self._holder = holder
        self._decide = decide
        self._pieces: set[asyncio.Task[None]] = set()
        self._waiting = asyncio.Lock()

    async def begin(self, commands: Sequence[Command]) -> None:
        """Have a piece decided and its outcomes sent; wait where too many are being decided."""
        self._holder.answering(self.stream, commands)
        self.stream.busy = True
        piece = asyncio.create_task(self._outcomes(commands))
        self._pieces.add(piece)
        piece.add_done_callback(self._end)
        while len(self._pieces) >= _MOST_PIECES:
            await asyncio.wait(self._pieces, return_when=asyncio.FIRST_COMPLETED)

    async def _outcomes(self, commands: Sequence[Command]) -> None:
        """Send the outcomes of a piece; it is done when there is room for more."""
        self.put(commands, await self._decide(commands))
        if self.stream.outbox.is_full:
            async with self._waiting:
                await _room(self.stream)

    def _end(self, piece: asyncio.Task[None]) -> None:
        """Let the stream end once nothing is being decided any more."""
        self._pieces.discard(piece)
        self.stream.busy = bool(self._pieces)
        if not piece.cancelled() and isinstance(error := piece.exception(), Exception):
            self.stream.fail(error)
        elif not self._pieces:
            self.stream.outbox.wake()

    async def all(self) -> None:
        """Wait until every piece is decided."""
        if self._pieces:
            await asyncio.wait(self._pieces)

    async def drop(self) -> None:
        """Wait for no outcome any more; what was decided stays so."""
        for piece in self._pieces:
            piece.cancel()
        await self.all()

    def put(self, commands: Sequence[Command], outcomes: Sequence[Outcome]) -> None:
        """Send the outcomes of commands."""
        self.stream.outbox.put_all(list(map(self._element, commands, outcomes)))

    def _element(self, command: Command, outcome: Outcome) -> bytes:
        if isinstance(outcome, Accepted):
            return _ACCEPTED(accepted_bytes(outcome))
        self._holder.refused(command)
        return _REFUSED(refused_bytes(command, outcome))


class PlayServicer:
    """Serves PlayService."""

    def __init__(self, matches: Matches, hub: Hub, clock: Clock, telemetry: Telemetry) -> None:
        self._matches = matches
        self._hub = hub
        self._clock = clock
        self._telemetry = telemetry
        self._share = FairShare()
        telemetry.source("lastcard_messages_waiting", lambda: [((), len(self._share))])

    async def GetView(self, request: pb.GetViewRequest, caller: Caller) -> bytes:
        """Return what one seat may know now."""
        match = await visible_match(self._matches, request.match_id, caller)
        seat = request.seat if request.HasField("seat") else None
        return seat_view_response(match, own_seat(match, caller, seat))

    async def WaitTurns(self, request: pb.WaitTurnsRequest, caller: Caller) -> bytes:
        """Return open turns the caller does not hold, and held ones that are closed."""
        if len(request.known) > _MOST_KNOWN:
            raise Refusal(Reason.BAD_FIELD, f"known may name at most {_MOST_KNOWN:,} turns.")
        match_ids = _match_ids_from(request)
        most = fields.between(request.max_turns, 1, MOST_TURNS, "max_turns", default=MOST_TURNS)
        wait_ms = milliseconds_from(request.wait_duration, 0, 60_000, "wait_duration")
        await self._require_player(caller)
        poll = Poll(self._matches, self._hub, caller, request, match_ids, most)
        return await poll.answer(wait_ms / 1000)

    async def Act(self, request: pb.ActRequest, caller: Caller) -> bytes:
        """Answer one turn or act out of turn."""
        sender = self._sender(caller)
        match request.WhichOneof("act"):
            case "answer":
                command: Command = answer_from(request.answer, sender)
            case "out_of_turn":
                command = act_from(request.out_of_turn, sender)
            case _:
                raise Refusal(Reason.BAD_FIELD, "Set answer or out_of_turn.")
        await self._share.turn(caller.account, 1)
        (outcome,) = await self._decide([command])
        if isinstance(outcome, Refusal):
            raise outcome
        return _ACT(accepted_bytes(outcome))

    async def WatchSeats(
        self, request: pb.WatchSeatsRequest, caller: Caller
    ) -> AsyncIterator[bytes]:
        """Stream turns and updates of the caller's seats."""
        wish = _wish_from(request.hello)
        await self._require_player(caller)
        async with self._hub.stream(caller, wish, _WATCH) as (stream, _):
            async for message in stream.messages():
                yield message

    async def Play(
        self, requests: AsyncIterator[pb.PlayRequest], caller: Caller
    ) -> AsyncIterator[bytes]:
        """Play every seat of the caller over one stream."""
        first = await _first_of(requests)
        wish = _wish_from(first.hello)
        await self._require_player(caller)
        async with self._hub.stream(caller, wish, _PLAY) as (stream, holder):
            answers = _Answers(caller, stream, holder, self._decide)
            reader = asyncio.create_task(self._read(first, requests, answers))
            try:
                async for message in stream.messages():
                    yield message
            finally:
                reader.cancel()
                await asyncio.wait([reader])
                await answers.drop()

    async def _read(
        self, first: pb.PlayRequest, requests: AsyncIterator[pb.PlayRequest], answers: _Answers
    ) -> None:
        """Apply what comes in until the client ends or errs, or the stream takes no more."""
        stream = answers.stream
        try:
            await self._apply(first, answers)
            async for request in requests:
                if stream.is_deaf:
                    return
                _refuse_hello(request)
                await self._apply(request, answers)
            await answers.all()
            stream.finish()
        except Exception as error:  # noqa: BLE001 - raised where the stream is written
            stream.fail(error)

    async def _apply(self, request: pb.PlayRequest, answers: _Answers) -> None:
        """Have what one message holds decided, piece by piece."""
        sender, stream = self._sender(answers.caller), answers.stream
        left = len(request.answers) + len(request.out_of_turn)
        commands = _commands(request, sender)
        await self._share.turn(answers.caller.account, min(left, MOST_ANSWERS))
        while piece := list(islice(commands, MOST_ANSWERS)):
            await answers.begin(piece)
            left -= len(piece)
            if not left or stream.is_deaf:
                return
            await self._share.turn(answers.caller.account, min(left, MOST_ANSWERS))

    async def _decide(self, commands: Sequence[Command]) -> list[Outcome]:
        began = time.perf_counter()
        outcomes = await self._matches.submit(commands)
        self._telemetry.answer_seconds.observe(time.perf_counter() - began)
        self._telemetry.batch_answers.observe(len(commands))
        refusals = [outcome for outcome in outcomes if isinstance(outcome, Refusal)]
        counts = self._telemetry.answers
        counts["accepted"] += len(outcomes) - len(refusals)
        for refusal in refusals:
            counts[refusal.reason.value] += 1
        return outcomes

    def _sender(self, caller: Caller) -> Sender:
        return Sender(caller.owner, caller.generation, self._clock.now_us())

    async def _require_player(self, caller: Caller) -> None:
        """Refuse keys that may only watch, and seat tokens that were superseded."""
        if caller.role is Role.SPECTATOR:
            raise Refusal(Reason.FORBIDDEN, "A spectator's key plays no seats.")
        if caller.seat is not None:
            match_id, seat = caller.seat
            match = await self._matches.get(match_id)
            if match.seat_of(caller.owner, seat, caller.generation) is None:
                raise Refusal(Reason.UNAUTHENTICATED, "This seat token is not valid any more.")


def _commands(request: pb.PlayRequest, sender: Sender) -> Iterator[Command]:
    """Yield what a message asks for, each when it is wanted: whatever waits is still bytes."""
    return chain(
        (answer_from(answer, sender) for answer in request.answers),
        (act_from(act, sender) for act in request.out_of_turn),
    )


async def _room(stream: Stream) -> None:
    """Wait until a client has taken some of what is pending for it; refuse one that does not."""
    try:
        async with asyncio.timeout(STALLED_SECONDS):
            await stream.outbox.room()
    except TimeoutError:
        message = "Too much is pending that is not read: read outcomes while you answer."
        raise Refusal(Reason.QUOTA, message) from None


async def _first_of(requests: AsyncIterator[pb.PlayRequest]) -> pb.PlayRequest:
    """Return the message that opens a stream; it has to come soon and hold a hello."""
    request = None
    with suppress(TimeoutError, StopAsyncIteration):
        async with asyncio.timeout(HELLO_SECONDS):
            request = await anext(requests)
    if request is None or not request.HasField("hello"):
        raise Refusal(
            Reason.BAD_FIELD, f"The first message must hold a hello, within {HELLO_SECONDS:g} s."
        )
    return request


def _refuse_hello(request: pb.PlayRequest) -> None:
    if request.HasField("hello"):
        raise Refusal(Reason.BAD_FIELD, "Only the first message may hold a hello.")


def _wish_from(hello: pb.Hello) -> Wish:
    """
    Return what a stream asks for.

    Raises:
        Refusal: BAD_FIELD.

    """
    delivery = _DELIVERIES.get(hello.event_delivery)
    if delivery is None:
        raise Refusal(Reason.BAD_FIELD, "event_delivery must be one that proto/ lists.")
    most = fields.between(hello.max_open_turns, 1, 4_096, "max_open_turns", default=MOST_TURNS)
    match_ids = _match_ids_from(hello)
    return Wish(fields.token(hello.instance, "instance"), most, delivery, match_ids)


def _match_ids_from(asking: pb.Hello | pb.WaitTurnsRequest) -> tuple[str, ...]:
    """
    Return the matches whose end is asked for, each once, without ids that cannot exist.

    Raises:
        Refusal: BAD_FIELD if they are too many.

    """
    if len(asking.match_ids) > _MOST_KNOWN:
        raise Refusal(Reason.BAD_FIELD, f"match_ids may name at most {_MOST_KNOWN:,} matches.")
    return tuple(dict.fromkeys(filter(fields.is_id, asking.match_ids)))
