"""
How is a server kept busy cheaply? A key a seat, one stream each, that play many matches at once.

The bots lay the first card they can and call UNO with everything: what they cost is parsing a turn
and writing an answer, so that the server is what is measured.
"""

import asyncio
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import grpc
from google.protobuf import duration_pb2

from lastcard.v1 import (
    key_service_pb2,
    match_service_pb2,
    play_service_pb2,
    rules_pb2,
    turn_pb2,
)
from lastcard.v1.key_service_pb2_grpc import KeyServiceStub
from lastcard.v1.match_service_pb2_grpc import MatchServiceStub
from lastcard.v1.play_service_pb2_grpc import PlayServiceStub

SEATS = 4
_CREATORS = 16
"""So many calls may create matches at once: one alone does not keep up with those that end."""
_HOUR = duration_pb2.Duration(seconds=3_600)
_MINUTE = duration_pb2.Duration(seconds=60)
_SETTINGS = match_service_pb2.MatchSettings(
    start_limit_duration=_HOUR, move_limit_duration=_HOUR, reaction_limit_duration=_MINUTE
)


@dataclass
class Tally:
    """What the bots have seen since it was made."""

    decisions: int = 0
    """Answers to turns that offered at least two actions, reaction turns not counted."""
    answers: int = 0
    turns: int = 0
    received_bytes: int = 0
    sent_bytes: int = 0
    messages: int = 0
    matches: int = 0
    """Ends that were told: one a seat and match."""
    refused: int = 0


@dataclass
class Table:
    """How the matches are that are played."""

    preset: str
    seats: int = SEATS
    key_ids: list[str] = field(default_factory=list)


class Bots:
    """
    A bot for each seat, on servers of one store; `tally` may be replaced at any time to count anew.

    Attributes:
        most: how many matches are created in all; None = one for each that ends, on and on.

    """

    def __init__(self, addresses: Sequence[str], organiser_key: str, table: Table) -> None:
        self.tally = Tally()
        self.most: int | None = None
        self._organiser = _metadata(organiser_key)
        # Channels with the same options would share one connection.
        self._channels = [
            [grpc.aio.insecure_channel(address, options=[("bot", n)]) for address in addresses]
            for n in range(table.seats + 1)
        ]
        self._matches = itertools.cycle(map(MatchServiceStub, self._channels[-1]))
        self._table = table
        self._created = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._missing = asyncio.Queue[None]()
        self._may_play = asyncio.Event()

    async def start(self, live: int) -> None:
        """Make the keys, open the streams, and keep so many matches going from now on."""
        secrets = [await self._create_key(number) for number in range(self._table.seats)]
        for channels, secret in zip(self._channels, secrets, strict=False):
            for channel in channels:
                await self._open(channel, secret)
        await self.create(live)
        self._tasks += [asyncio.create_task(self._replace()) for _ in range(_CREATORS)]

    async def _open(self, channel: grpc.aio.Channel, secret: str) -> None:
        call = PlayServiceStub(channel).Play(metadata=_metadata(secret))
        hello = play_service_pb2.Hello(instance="bench", max_open_turns=4096)
        await call.write(play_service_pb2.PlayRequest(hello=hello))
        self._tasks.append(asyncio.create_task(self._play(call)))

    async def create(self, count: int) -> None:
        """Have so many more matches going."""
        for _ in range(count):
            await self._create_match()

    def pause(self) -> None:
        """Leave turns unanswered from now on; their clocks are long."""
        self._may_play.clear()

    def resume(self) -> None:
        """Answer what has gathered and go on."""
        self._may_play.set()

    async def stop(self) -> None:
        """Leave."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(
            *(channel.close() for channels in self._channels for channel in channels)
        )

    async def _create_key(self, number: int) -> str:
        request = key_service_pb2.CreateKeyRequest(name=f"bot{number}", role="KEY_ROLE_BOT")
        stub = KeyServiceStub(self._channels[-1][0])
        made = await stub.CreateKey(request, metadata=self._organiser)
        self._table.key_ids.append(made.key.key_id)
        return made.secret

    async def _create_match(self) -> None:
        self._created += 1
        table = self._table
        request = match_service_pb2.CreateMatchRequest(
            rules=rules_pb2.RulesChoice(preset=table.preset),
            settings=_SETTINGS,
            seats=[
                match_service_pb2.SeatSpec(reserved=match_service_pb2.ReservedSeat(key_id=key))
                for key in table.key_ids
            ],
            request_id=f"bench-{self._created}",
        )
        await next(self._matches).CreateMatch(request, metadata=self._organiser)

    async def _replace(self) -> None:
        """Create a match for each that ends."""
        while True:
            await self._missing.get()
            if self.most is None or self._created < self.most:
                await self._create_match()

    async def _play(self, call: "grpc.aio.StreamStreamCall") -> None:  # type: ignore[type-arg]
        """Answer every turn of one stream."""
        while True:
            response = await call.read()
            if not isinstance(response, play_service_pb2.PlayResponse):
                return
            await self._may_play.wait()
            tally = self.tally
            tally.messages += 1
            tally.received_bytes += response.ByteSize()
            tally.refused += len(response.refused)
            for _ in response.matches_over:
                self._over()
            answers = [self._answer(turn) for turn in response.turns]
            if answers:
                request = play_service_pb2.PlayRequest(answers=answers)
                tally.sent_bytes += request.ByteSize()
                await call.write(request)

    def _answer(self, turn: turn_pb2.Turn) -> turn_pb2.Answer:
        tally, offered = self.tally, len(turn.legal_actions)
        tally.turns += 1
        tally.decisions += offered > 1 and turn.kind != turn_pb2.TURN_KIND_REACTION
        tally.answers += 1
        return turn_pb2.Answer(
            match_id=turn.match_id,
            seat=turn.seat,
            turn=turn.turn,
            choice=_choice(turn),
            uno=True,
            history=turn.history,
        )

    def _over(self) -> None:
        """Count an end once, though every stream of the match hears of it."""
        self.tally.matches += 1
        if self.tally.matches % self._table.seats == 0:
            self._missing.put_nowait(None)


def _choice(turn: turn_pb2.Turn) -> int:
    """Lay the first card, else draw, keep or accept; pass in a reaction turn."""
    first = turn.legal_actions[0]
    lays = first.lawful and first.action.HasField("play_card")
    return 0 if lays else turn.default_choice


def _metadata(key: str) -> Sequence[tuple[str, str]]:
    return (("authorization", f"Bearer {key}"),)
