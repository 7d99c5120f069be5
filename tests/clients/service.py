"""What does a trial of the contract run against? A real server in this process, from memory."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import grpc

from lastcard.v1 import key_service_pb2 as key_pb2
from lastcard.v1 import key_service_pb2_grpc as key_grpc
from lastcard.v1 import match_service_pb2 as match_pb2
from lastcard.v1 import match_service_pb2_grpc as match_grpc
from lastcard.v1 import rules_pb2
from lastcard_server.app import serving
from lastcard_server.config import Config
from tests.clients.trial_client import bearer, reserved


class Service(NamedTuple):
    """A server in this process and two callers."""

    channel: grpc.aio.Channel
    organiser: str
    key: str
    key_id: str

    async def create(
        self,
        seats: list[match_pb2.SeatSpec],
        name: str,
        reactions: match_pb2.Reactions = match_pb2.REACTIONS_POLLED,
        **overrides: str,
    ) -> match_pb2.Match:
        """Create a match of standard_no with long clocks."""
        stub = match_grpc.MatchServiceStub(self.channel)
        options = [rules_pb2.RulesOverride(option=k, value=v) for k, v in overrides.items()]
        settings = match_pb2.MatchSettings(reactions=reactions)
        for limit in (
            settings.start_limit_duration,
            settings.move_limit_duration,
            settings.reaction_limit_duration,
        ):
            limit.FromSeconds(60)
        request = match_pb2.CreateMatchRequest(
            rules=rules_pb2.RulesChoice(preset="standard_no", overrides=options),
            seats=seats,
            settings=settings,
            request_id=name,
        )
        response = await stub.CreateMatch(request, metadata=bearer(self.key))
        return response.match

    async def create_many(self, count: int) -> list[str]:
        """Create matches of two seats, both of the key; return their identifiers."""
        names = [f"m{number}" for number in range(count)]
        return [(await self.create(reserved(self.key_id, 2), n)).match_id for n in names]

    async def join(self, match_id: str, name: str) -> match_pb2.JoinMatchResponse:
        """Take a seat."""
        stub = match_grpc.MatchServiceStub(self.channel)
        request = match_pb2.JoinMatchRequest(match_id=match_id, name=name, request_id=name)
        return await stub.JoinMatch(request, metadata=bearer(self.key))


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[Service]:
    """Serve from memory in this process, with a bot's key."""
    config = Config(port=0, store="memory", state_dir=folder)
    async with serving(config) as server, grpc.aio.insecure_channel(server.address) as channel:
        yield await with_key(channel, folder)


async def with_key(channel: grpc.aio.Channel, folder: Path) -> Service:
    """Make a bot's key at a server whose state lies in a folder."""
    organiser = (folder / "organiser.key").read_text().strip()
    keys = key_grpc.KeyServiceStub(channel)
    request = key_pb2.CreateKeyRequest(name="trial", role=key_pb2.KEY_ROLE_BOT)
    made = await keys.CreateKey(request, metadata=bearer(organiser))
    return Service(channel, organiser, made.secret, made.key.key_id)
