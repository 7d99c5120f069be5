"""
What if clients do not read what they are sent? Others play on, memory is bounded, they catch up.

Watchers of fast matches read nothing, or one message now and then; a bot never reads its stream, so
that its clocks run out. When they wake up, a full view stands for what they have missed, what
follows is a chain without gaps, and the bot plays on.
"""

import asyncio
import re
import urllib.request
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import grpc
from google.protobuf.duration_pb2 import Duration

from lastcard.v1 import key_service_pb2, match_service_pb2, rules_pb2, turn_pb2
from lastcard.v1.key_service_pb2_grpc import KeyServiceStub
from lastcard.v1.match_service_pb2_grpc import MatchServiceStub
from tests.faults import clients
from tests.faults.clients import Bot
from tests.faults.fleet import Fleet, judged
from tests.faults.outcome import Outcome, Progress, Scenario
from tests.faults.servers import Nursery, Server, folder_of, free_port

_FAST: Final = match_service_pb2.MatchSettings(max_rounds=1_000)
_PATIENT_ENOUGH: Final = match_service_pb2.MatchSettings(
    move_limit_duration=Duration(nanos=300_000_000),
    reaction_limit_duration=Duration(nanos=300_000_000),
    max_rounds=1_000,
)
"""A bot that does not read loses its turns, one that reads does not."""
_HOUSE: Final = match_service_pb2.SeatSpec(house_bot=match_service_pb2.HouseBot(strategy="random"))
_LONG: Final = rules_pb2.RulesChoice(
    preset="official_se",
    overrides=[rules_pb2.RulesOverride(option="target_points", value="5000")],
)
_SLEEPERS_MATCHES: Final = 4
_LEAST_SECONDS: Final = 5
_SLEEPS_SECONDS: Final = 60
_AT_A_KEY: Final = 30
"""Watchers: a key may have 64 streams, a connection 128 calls."""
_MISSED: Final = 700
"""So many versions are more than a server keeps for a watcher, and more than lie under way."""
_CATCH_UP_SECONDS: Final = 30.0
_SLOWLY_SECONDS: Final = 0.25
MOST_PENDING: Final = 128 << 10
"""Bytes that may be pending for a stream that is not read: 256 updates take less."""
LEAST: Final = 200
"""Acknowledged answers of the others, at least, or the run is invalid."""


def readers(times: int, seed: int, progress: Progress) -> Outcome:
    """Let so many watchers read slowly or not at all."""
    return asyncio.run(_readers(times, seed, progress))


async def _readers(times: int, seed: int, progress: Progress) -> Outcome:
    with folder_of("readers") as folder, Nursery() as nursery:
        metrics = free_port()
        server = Server(nursery, folder, "--metrics-port", str(metrics))
        await server.started()
        fleet = Fleet([server.address], server.key, server.keys, seed)
        async with fleet.playing(), _watching(server, times) as slow:
            sleeper = await _sleeper(fleet, server)
            most, before = 0, fleet.acknowledged
            for second in range(_SLEEPS_SECONDS):
                progress(times, f"slow readers, {fleet.acknowledged:,} acknowledged")
                await asyncio.sleep(1)
                most = max(most, await asyncio.to_thread(_pending, metrics))
                versions = [await watcher.version() for watcher in slow]
                if second >= _LEAST_SECONDS and min(versions) > _MISSED:
                    break
            others = fleet.acknowledged - before
            async with asyncio.timeout(_CATCH_UP_SECONDS):
                await asyncio.gather(*(watcher.catch_up() for watcher in slow))
                sleeper.links[0].awake.set()
                while not sleeper.done:  # noqa: ASYNC110 - nothing tells
                    await asyncio.sleep(0.05)
            wrong = [text for watcher in slow for text in watcher.wrong]
        server.kill()
        fleet.records.unchained += wrong
        if most > times * MOST_PENDING:
            fleet.records.unchained.append(f"{most:,} bytes were pending for {times} streams")
        replaced = sum(watcher.replaced for watcher in slow)
        return await judged(
            "streams that are hardly read",
            times,
            fleet,
            server,
            least=LEAST,
            note=f"{replaced} full views replaced what was missed, {most >> 10:,} KiB pending",
            valid=others >= LEAST and replaced >= times // 2,
        )


@asynccontextmanager
async def _watching(server: Server, count: int) -> AsyncIterator[list["_Watcher"]]:
    """Have so many watchers, as few of them to a key and to a connection as may have streams."""
    slow: list[_Watcher] = []
    async with AsyncExitStack() as stack:
        while len(slow) < count:
            channel = await stack.enter_async_context(_narrow(server))
            key = await _organiser(channel, server.key)
            some = range(len(slow), min(count, len(slow) + _AT_A_KEY))
            slow += [_Watcher(channel, key, number) for number in some]
        for watcher in slow:
            await watcher.begin()
        yield slow


async def _organiser(channel: grpc.aio.Channel, key: str) -> str:
    """Return a further organiser's key."""
    request = key_service_pb2.CreateKeyRequest(name="watcher", role="KEY_ROLE_ORGANISER")
    stub: Any = KeyServiceStub(channel)
    made = await stub.CreateKey(request, metadata=clients.metadata(key), timeout=10)
    secret: str = made.secret
    return secret


def _narrow(server: Server) -> grpc.aio.Channel:
    """Open a channel on which little is under way that is not read."""
    options = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 4 << 10))
    return clients.channel_to(server.address, *options)


async def _sleeper(fleet: Fleet, server: Server) -> Bot:
    """Seat a bot that reads nothing beyond the first message in matches against the house."""
    bot = await fleet.enlisted("sleeper", delivery=clients.AS_THEY_HAPPEN)
    seat = match_service_pb2.ReservedSeat(key_id=fleet.key_ids[-1])
    link = bot.link(server.address)
    link.awake.clear()
    async with _narrow(server) as channel:
        for number in range(_SLEEPERS_MATCHES):
            seats = [match_service_pb2.SeatSpec(reserved=seat), _HOUSE]
            await _create(channel, server.key, f"slept-{number}", seats, _PATIENT_ENOUGH)
    fleet.begin(link.run())
    return bot


async def _create(
    channel: grpc.aio.Channel,
    key: str,
    request_id: str,
    seats: Sequence[match_service_pb2.SeatSpec],
    settings: match_service_pb2.MatchSettings,
) -> str:
    """Create a match; return its id."""
    request = match_service_pb2.CreateMatchRequest(
        rules=_LONG,
        settings=settings,
        seats=seats,
        request_id=request_id,
    )
    stub: Any = MatchServiceStub(channel)
    created = await stub.CreateMatch(request, metadata=clients.metadata(key), timeout=10)
    match_id: str = created.match.match_id
    return match_id


class _Watcher:
    """Watches a match between bots of the house and reads slowly, or nothing until it wakes up."""

    def __init__(self, channel: grpc.aio.Channel, key: str, number: int) -> None:
        self.wrong: list[str] = []
        self.replaced = 0
        self._channel = channel
        self._key = key
        self._stub: Any = MatchServiceStub(channel)
        self._metadata = clients.metadata(key)
        self._number = number
        self._held = 0
        self._match_id = ""
        self._call: Any = None
        self._hurries = False
        self._reading: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Create the match and watch it."""
        name, seats = f"watched-{self._number}", [_HOUSE] * 2
        self._match_id = await _create(self._channel, self._key, name, seats, _FAST)
        watch = match_service_pb2.WatchMatchRequest(match_id=self._match_id)
        self._call = self._stub.WatchMatch(watch, metadata=self._metadata)
        self._follow((await self._call.read()).update)
        if self._number % 2:
            self._reading = asyncio.create_task(self._read_slowly())

    async def _read_slowly(self) -> None:
        while not self._hurries and (response := await self._call.read()) is not grpc.aio.EOF:
            self._follow(response.update)
            await asyncio.sleep(_SLOWLY_SECONDS)

    async def version(self) -> int:
        """Ask how far the match is."""
        request = match_service_pb2.GetMatchRequest(match_id=self._match_id)
        now = await self._stub.GetMatch(request, metadata=self._metadata, timeout=10)
        version: int = now.match.version
        return version

    async def catch_up(self) -> None:
        """Read until nothing is missing of what the match is now."""
        if self._reading is not None:
            self._hurries = True  # and no cancelling: a read that is cancelled ends the call
            await self._reading
        now = await self.version()
        while self._held < now:
            response = await self._call.read()
            if response is grpc.aio.EOF:
                self.wrong.append(f"{self._match_id}: the watch ended at {self._held}")
                return
            self._follow(response.update)
        self._call.cancel()

    def _follow(self, update: turn_pb2.Update) -> None:
        if self._held and not update.after:
            self.replaced += 1
        elif update.after != self._held:
            text = f"{self._match_id}: an update follows {update.after}, {self._held} was held"
            self.wrong.append(text)
        self._held = update.version


def _pending(port: int) -> int:
    """Return how many bytes are pending in all Play streams."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as page:
        text: str = page.read().decode()
    found = re.search(r"^lastcard_stream_pending_bytes (\S+)$", text, re.MULTILINE)
    assert found, text
    return int(float(found[1]))


SCENARIOS: Final = (Scenario("readers", readers, times=12, few=2),)
