"""A real server in this process, and clients that speak to it over loopback."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from lastcard.v1 import (
    error_reason_pb2,
    key_service_pb2,
    match_service_pb2,
    play_service_pb2,
    rules_pb2,
    turn_pb2,
)
from lastcard.v1.contest_service_pb2_grpc import ContestServiceStub
from lastcard.v1.key_service_pb2_grpc import KeyServiceStub
from lastcard.v1.match_service_pb2_grpc import MatchServiceStub
from lastcard.v1.play_service_pb2_grpc import PlayServiceStub
from lastcard.v1.replay_service_pb2_grpc import ReplayServiceStub
from lastcard.v1.rules_service_pb2_grpc import RulesServiceStub
from lastcard_server.app import Server, serving
from lastcard_server.config import Config
from lastcard_server.errors import Reason
from lastcard_server.status import DETAIL_KEY, STATUS

SECONDS = 10.0
"""How long a test waits for what has to come."""
HOUR = Duration(seconds=3_600)
PATIENT = match_service_pb2.MatchSettings(
    start_limit_duration=HOUR,
    move_limit_duration=HOUR,
    reaction_limit_duration=Duration(seconds=60),
)
"""Settings under which no clock runs out while a test looks on."""
OPEN = match_service_pb2.SeatSpec(open=match_service_pb2.OpenSeat())


def house(strategy: str = "random") -> match_service_pb2.SeatSpec:
    """Return a seat for a bot of the house."""
    return match_service_pb2.SeatSpec(house_bot=match_service_pb2.HouseBot(strategy=strategy))


def reserved(key_id: str) -> match_service_pb2.SeatSpec:
    """Return a seat for the holder of a key."""
    return match_service_pb2.SeatSpec(reserved=match_service_pb2.ReservedSeat(key_id=key_id))


def metadata(credential: str) -> tuple[tuple[str, str], ...]:
    """Return what carries a credential."""
    return (("authorization", f"Bearer {credential}"),)


class Edge:
    """A server, and an organiser's calls to it."""

    def __init__(self, server: Server, folder: Path, channel: grpc.aio.Channel) -> None:
        self.server = server
        self.folder = folder
        self.channel = channel
        self.organiser = (folder / "organiser.key").read_text().strip()
        self.matches = MatchServiceStub(channel)
        self.plays = PlayServiceStub(channel)
        self.replays = ReplayServiceStub(channel)
        self.rules = RulesServiceStub(channel)
        self.keys = KeyServiceStub(channel)
        self.contests = ContestServiceStub(channel)
        self._requests = 0

    async def call(self, method: Any, request: Message, key: str | None = None) -> Any:
        """Make a call, as the organiser unless told otherwise."""
        return await method(request, metadata=metadata(key or self.organiser), timeout=SECONDS)

    async def key(self, role: str = "KEY_ROLE_BOT", name: str = "bot") -> tuple[str, str]:
        """Create a key; return its id and its secret."""
        request = key_service_pb2.CreateKeyRequest(name=name, role=role)
        made = await self.call(self.keys.CreateKey, request)
        return made.key.key_id, made.secret

    async def create(
        self,
        *seats: match_service_pb2.SeatSpec,
        preset: str = "standard_no",
        overrides: Iterable[tuple[str, str]] = (),
        settings: match_service_pb2.MatchSettings = PATIENT,
        key: str | None = None,
        request_id: str = "",
    ) -> match_service_pb2.Match:
        """Create a match."""
        self._requests += 1
        options = [rules_pb2.RulesOverride(option=o, value=v) for o, v in overrides]
        request = match_service_pb2.CreateMatchRequest(
            rules=rules_pb2.RulesChoice(preset=preset, overrides=options),
            settings=settings,
            seats=seats,
            request_id=request_id or f"m{self._requests}",
        )
        response: match_service_pb2.CreateMatchResponse
        response = await self.call(self.matches.CreateMatch, request, key)
        return response.match

    async def join(
        self, match_id: str, name: str = "me", key: str | None = None, **more: Any
    ) -> match_service_pb2.JoinMatchResponse:
        """Join a match."""
        self._requests += 1
        fields = {"request_id": f"j{self._requests}"} | more
        request = match_service_pb2.JoinMatchRequest(match_id=match_id, name=name, **fields)
        response: match_service_pb2.JoinMatchResponse
        response = await self.call(self.matches.JoinMatch, request, key)
        return response

    def play(self, key: str) -> "Player":
        """Open a Play stream, on a connection of its own to nobody's but the test's."""
        return Player(self.plays.Play(metadata=metadata(key)))


class Player:
    """A Play stream of a client; a task reads it, as a read that is given up would cancel it."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self.turns: dict[tuple[str, int], turn_pb2.Turn] = {}
        self._came = asyncio.Queue[Any]()
        self._pump = asyncio.create_task(self._read_on())

    async def _read_on(self) -> None:
        """Queue what comes, an error or the end last."""
        try:
            while (response := await self.call.read()) is not grpc.aio.EOF:
                self._came.put_nowait(response)
            self._came.put_nowait(EOFError())
        except (grpc.aio.AioRpcError, asyncio.CancelledError) as error:
            self._came.put_nowait(error)

    async def hello(self, instance: str = "a", **wishes: Any) -> None:
        """Open the stream."""
        hello = play_service_pb2.Hello(instance=instance, **wishes)
        await self.call.write(play_service_pb2.PlayRequest(hello=hello))

    async def read(self) -> play_service_pb2.PlayResponse:
        """Return the next message and keep its turns; the end of the stream is an EOFError."""
        async with asyncio.timeout(SECONDS):
            return self._taken(await self._came.get())

    def _taken(self, response: Any) -> play_service_pb2.PlayResponse:
        if isinstance(response, BaseException):
            raise response
        for turn in response.turns:
            self.turns[turn.match_id, turn.seat] = turn
        message: play_service_pb2.PlayResponse = response
        return message

    async def quiet(self) -> None:
        """Read until nothing comes for a moment."""
        with contextlib.suppress(TimeoutError):
            while True:
                async with asyncio.timeout(0.3):
                    response = await self._came.get()
                self._taken(response)

    async def until(self, field: str) -> Any:
        """Read on until a message has something in a field; return that."""
        while True:
            found = getattr(await self.read(), field)
            if isinstance(found, Message) or len(found):
                return found

    async def turn(self) -> turn_pb2.Turn:
        """Return a turn that comes next."""
        found: Sequence[turn_pb2.Turn] = await self.until("turns")
        return found[0]

    async def send(self, *answers: turn_pb2.Answer) -> None:
        """Send answers in one message."""
        await self.call.write(play_service_pb2.PlayRequest(answers=answers))

    async def end(self) -> None:
        """Say that nothing more comes, and read to the end."""
        await self.call.done_writing()
        while True:
            try:
                await self.read()
            except EOFError:
                return

    async def closing(self) -> str:
        """Read to the end of the stream; return the reason the server gave."""
        reason = ""
        while True:
            try:
                response = await self.read()
            except EOFError:
                return reason
            if response.HasField("closing"):
                name = play_service_pb2.ClosingReason.Name(response.closing.reason)
                reason = name.removeprefix("CLOSING_REASON_")


def gauge(edge: Edge, name: str) -> float:
    """Return the value of a gauge of the server."""
    ((_, value),) = edge.server._core.telemetry._sources[f"lastcard_{name}"]()
    return float(value)


def answer(turn: turn_pb2.Turn, /, **fields: Any) -> turn_pb2.Answer:
    """Return an answer to a turn: the first card that may be laid, or what else is right."""
    if "action" not in fields and "choice" not in fields:
        fields["choice"] = choice(turn)
    named: dict[str, Any] = {"match_id": turn.match_id, "seat": turn.seat, "turn": turn.turn}
    return turn_pb2.Answer(**(named | {"uno": True, "history": turn.history} | fields))


def choice(turn: turn_pb2.Turn) -> int:
    """Return the choice of a simple bot."""
    first = turn.legal_actions[0]
    lays = first.lawful and first.action.HasField("play_card")
    return 0 if lays else turn.default_choice


async def refused(call: Awaitable[Any]) -> error_reason_pb2.ErrorDetail:
    """Return the detail of a call that must fail, with the status its reason has."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return detail_of(caught.value)


def detail_of(error: grpc.aio.AioRpcError) -> error_reason_pb2.ErrorDetail:
    """Return the detail of a failed call; status and message must agree with it."""
    trailers = dict(error.trailing_metadata() or ())
    detail = error_reason_pb2.ErrorDetail.FromString(trailers[DETAIL_KEY])
    assert error.code() is STATUS[Reason(reason_of(detail))]
    assert error.details() == detail.message
    return detail


def reason_of(detail: error_reason_pb2.ErrorDetail) -> str:
    """Return a reason as the server names it."""
    name = error_reason_pb2.ErrorReason.Name(detail.reason)
    return name.removeprefix("ERROR_REASON_").lower()


async def reason(call: Awaitable[Any]) -> str:
    """Return the reason for which a call is refused."""
    return reason_of(await refused(call))


async def read_on(stream: Any) -> None:
    """Read until that fails."""
    while True:
        await stream.read()


async def end_of(stream: Any) -> str:
    """Read to the end of a stream that must fail; return the reason."""
    return await reason(read_on(stream))


@asynccontextmanager
async def running(folder: Path, **config: Any) -> AsyncIterator[Edge]:
    """Run a server while the context lasts."""
    usual: dict[str, Any] = {"port": 0, "store": "memory", "grace_seconds": 2.0}
    async with (
        serving(Config(state_dir=folder, **(usual | config))) as server,
        grpc.aio.insecure_channel(server.address) as channel,
    ):
        yield Edge(server, folder, channel)


async def play_out(edge: Edge, match: match_service_pb2.Match, key: str) -> None:
    """Play every seat of a key in a match until it is over."""
    player = edge.play(key)
    await player.hello(f"out-{match.match_id[:8]}")
    while True:
        response = await player.read()
        assert not response.refused, response.refused
        if any(over.match_id == match.match_id for over in response.matches_over):
            await player.end()
            return
        if response.turns:
            await player.send(*map(answer, response.turns))
