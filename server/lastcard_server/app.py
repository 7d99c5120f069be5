"""
Of what does a server consist? The one place where everything is made and put together.

Whatever was opened is closed again in the opposite order, whether a start fails half-way or the
server stops. Nothing here waits for signals, prints or exits (see `commands.serve`).
"""

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import grpc
from grpc import aio
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2
from grpc_reflection.v1alpha.reflection import aio as reflection

from lastcard.v1 import (
    contest_service_pb2,
    key_service_pb2,
    match_service_pb2,
    play_service_pb2,
    replay_service_pb2,
    rules_service_pb2,
)
from lastcard_server.access import admitted
from lastcard_server.clock import Clock, StoreClock
from lastcard_server.config import Config, is_loopback
from lastcard_server.contests.contests import Contests
from lastcard_server.fingerprint import keys_for, refuse_unmigrated
from lastcard_server.house import strategies
from lastcard_server.hub import Hub
from lastcard_server.journal.measured import MeasuredJournal
from lastcard_server.journal.open_store import open_store
from lastcard_server.key_following import KeyFollower
from lastcard_server.key_registry import KeyRegistry
from lastcard_server.matches.registry import Matches
from lastcard_server.metrics import metrics_served
from lastcard_server.organiser import ORGANISER_FILE, ensure_organiser
from lastcard_server.ports import grpc_server, listen
from lastcard_server.quota import LiveMatches
from lastcard_server.retention import deleting
from lastcard_server.rpc import Surface
from lastcard_server.secrets import (
    SERVER_KEYS,
    KeyFileError,
    ServerKeys,
    make_folder,
    read_server_keys,
)
from lastcard_server.servicers.contest import ContestServicer
from lastcard_server.servicers.health import HealthServicer
from lastcard_server.servicers.keys import KeyServicer
from lastcard_server.servicers.match import MatchServicer
from lastcard_server.servicers.play import PlayServicer
from lastcard_server.servicers.replay import ReplayServicer
from lastcard_server.servicers.rules import RulesServicer
from lastcard_server.tasks import Tasks
from lastcard_server.telemetry import Telemetry
from lastcard_server.tls import credentials_of

_FILES: Final = (
    match_service_pb2,
    play_service_pb2,
    replay_service_pb2,
    rules_service_pb2,
    key_service_pb2,
    contest_service_pb2,
)
SERVICES: Final = {
    service.full_name: service
    for file in _FILES
    for service in file.DESCRIPTOR.services_by_name.values()
}
"""The services of the contract by full name."""


_NOTICE_SECONDS: Final = 0.1
"""How long those who watch health have to hear that the server drains."""


class _Core(NamedTuple):
    """What serves calls, whoever calls."""

    journal: MeasuredJournal
    keys: KeyRegistry
    key_follower: KeyFollower
    server_keys: ServerKeys
    clock: Clock
    matches: Matches
    contests: Contests
    hub: Hub
    telemetry: Telemetry


class Server:
    """
    A server that accepts calls.

    Attributes:
        address: host and real port.
        health_address: of the plaintext health service; empty if there is none.
        metrics_address: of the metrics; empty if there are none.

    """

    def __init__(self, config: Config, core: _Core) -> None:
        self.address = ""
        self.health_address = ""
        self.metrics_address = ""
        self._config = config
        self._core = core
        self._surface = Surface(partial(admitted, core.matches, core.keys), core.telemetry)
        self._health = HealthServicer(SERVICES)
        core.journal.on_change(self._health.set_writable)
        core.key_follower.on_change(self._health.set_following)
        self._servers: list[aio.Server] = []
        self._tasks = Tasks()

    @property
    def broken(self) -> asyncio.Event:
        """Return what is set once the server cannot go on; `give_up` then."""
        return self._core.matches.broken

    async def give_up(self) -> None:
        """Tell those who watch health that no calls are welcome; what waits can only be cut."""
        self._health.set_ready(ready=False)
        await asyncio.sleep(_NOTICE_SECONDS)

    async def listen(self, credentials: grpc.ServerCredentials | None) -> None:
        """
        Accept calls from now on.

        Raises:
            PortError: a port cannot be listened on.

        """
        config, service = self._config, self._surface.service
        health = service(
            health_pb2.DESCRIPTOR.services_by_name["Health"], self._health, for_anybody=True
        )
        contract = [service(SERVICES[f"lastcard.v1.{n}"], s) for n, s in self._servicers().items()]
        main = self._server(*contract, health, *self._reflection())
        self.address = listen(main, config.host, config.port, credentials)
        if config.health_port is not None:
            self.health_address = listen(self._server(health), config.host, config.health_port)
        for server in self._servers:
            await server.start()
        self._health.set_ready(ready=True)

    def _server(self, *handlers: grpc.GenericRpcHandler) -> aio.Server:
        server = grpc_server()
        server.add_generic_rpc_handlers(handlers)
        self._servers.append(server)
        return server

    def _servicers(self) -> dict[str, object]:
        core = self._core
        quota = LiveMatches(core.journal, self._config.live_matches_per_key)
        return {
            "MatchService": MatchServicer(
                core.matches, core.journal, core.keys, core.server_keys, core.hub, quota
            ),
            "PlayService": PlayServicer(core.matches, core.hub, core.clock, core.telemetry),
            "ReplayService": ReplayServicer(core.matches),
            "RulesService": RulesServicer(core.matches),
            "KeyService": KeyServicer(core.keys),
            "ContestService": ContestServicer(core.contests, core.keys, strategies()),
        }

    def _reflection(self) -> list[grpc.GenericRpcHandler]:
        if not self._config.reflection:
            return []
        file = reflection_pb2.DESCRIPTOR
        service = file.services_by_name["ServerReflection"]
        servicer = reflection.ReflectionServicer((*SERVICES, service.full_name))
        return [self._surface.service(service, servicer, for_anybody=True)]

    async def drain(self) -> bool:
        """
        Accept no more, let calls finish, end streams with a reason; return whether all finished.

        Health says at once that no calls are welcome, and no store that is away holds up what
        comes after. What has not finished by the end of the grace is cut; nothing that was
        acknowledged is lost.
        """
        grace, loop = self._config.grace_seconds, asyncio.get_running_loop()
        began = loop.time()
        self._health.set_ready(ready=False)
        self._tasks.begin(self._core.matches.retire())
        await self._core.contests.aclose()
        await asyncio.sleep(min(_NOTICE_SECONDS, grace))
        await self._core.hub.drain(grace / 2)
        self._surface.end_streams()
        left = max(0.0, grace - (loop.time() - began))
        await asyncio.gather(*(server.stop(left) for server in self._servers))
        return loop.time() - began < grace

    async def aclose(self) -> None:
        """Stop at once, whoever still calls."""
        await self._tasks.aclose()
        await asyncio.gather(*(server.stop(None) for server in self._servers))


@asynccontextmanager
async def serving(config: Config) -> AsyncIterator[Server]:
    """
    Serve while the context lasts; `drain` first for an end without cut calls.

    Raises:
        ConfigError: files of TLS are wrong.
        KeyFileError: a file of keys cannot be used, or holds others than those of the store.
        StoreError: the store cannot be opened.
        StoreAddressError: as `open_store`.
        PortError: a port cannot be listened on.

    """
    credentials = credentials_of(config)
    async with AsyncExitStack() as stack:
        core = await _open(config, stack)
        server = Server(config, core)
        stack.push_async_callback(server.aclose)
        await server.listen(credentials)
        if config.metrics_port is not None:
            served = metrics_served(core.telemetry, config.host, config.metrics_port)
            server.metrics_address = stack.enter_context(served)
        yield server


async def _keys_file(config: Config) -> Path:
    """Return the file of the server keys; refuse it before a store is made or migrated."""
    file = config.server_keys or config.state_dir / SERVER_KEYS
    keys = read_server_keys(file)
    if keys is None and config.server_keys:
        raise KeyFileError(f"{file} is missing: name a file of server keys, or none")
    await refuse_unmigrated(config.store_url, keys, file)
    return file


async def _open(config: Config, stack: AsyncExitStack) -> _Core:
    """Open the store and everything that lives on it."""
    keys_file = await _keys_file(config)
    if config.keeps_store:
        make_folder(config.state_dir)
    telemetry = Telemetry()
    store = await open_store(config.store_url, unsafe=config.unsafe_store)
    journal = MeasuredJournal(store, telemetry)
    stack.push_async_callback(journal.aclose)
    server_keys = await keys_for(journal, keys_file)
    keys = await KeyRegistry.open(journal, server_keys)
    if config.organiser_key or is_loopback(config.host):
        await ensure_organiser(keys, config.organiser_key or config.state_dir / ORGANISER_FILE)
    # Only a store that is shared has a clock that goes on being set.
    clock: Clock = store if store.shared else StoreClock(journal.now_us)
    pod = f"{socket.gethostname()}-{secrets.token_hex(3)}" if store.shared else "server"
    matches = Matches(
        journal, server_keys, clock, strategies(), pod=pod, revisions=config.revisions
    )
    await matches.start()
    stack.push_async_callback(matches.aclose)
    contests = Contests(journal, matches, server_keys, clock, matches.is_home)
    await contests.start()
    stack.push_async_callback(contests.aclose)
    await stack.enter_async_context(deleting(journal, config.keep_days))
    hub = Hub(matches, telemetry, config.streams_per_key)
    stack.callback(keys.on_revoked(hub.revoke))
    follower = KeyFollower(journal, keys)
    if journal.shared:
        tasks = Tasks(matches.broken)
        stack.push_async_callback(tasks.aclose)
        tasks.begin(follower.run(), vital=True)
        tasks.begin(follower.listen())
    gauges: dict[str, Callable[[], int]] = {
        "streams": lambda: len(hub),
        "stream_pending_bytes": lambda: hub.pending_bytes,
        "matches_in_memory": lambda: len(matches),
        "matches_remembered": lambda: matches.sizes.remembered,
        "contests_in_memory": lambda: len(contests),
        "contests_lost": lambda: contests.losses,
        "seats_in_memory": lambda: hub.seats,
        "subscriptions": lambda: matches.sizes.listeners,
        "deadlines": lambda: matches.sizes.deadlines,
    }
    for name in matches.counts.__slots__:
        gauges[name] = partial(getattr, matches.counts, name)
    for name, value in gauges.items():
        telemetry.gauge(f"lastcard_{name}", value)
    return _Core(journal, keys, follower, server_keys, clock, matches, contests, hub, telemetry)
