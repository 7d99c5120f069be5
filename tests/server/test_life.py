"""How a server starts, says how it fares, and ends: health, metrics, TLS, drain, ports."""

import asyncio
import secrets
import socket
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from lastcard.v1 import match_service_pb2, play_service_pb2, rules_service_pb2
from lastcard.v1.rules_service_pb2_grpc import RulesServiceStub
from lastcard_server.app import SERVICES, serving
from lastcard_server.config import Config, ConfigError, is_loopback
from lastcard_server.journal.open_store import StoreAddressError
from lastcard_server.journal.port import StoreError
from lastcard_server.ports import PortError
from lastcard_server.secrets import SERVER_KEYS, KeyFileError, read_server_keys
from lastcard_server.telemetry import SPECS
from tests.server.edge import (
    OPEN,
    Edge,
    answer,
    detail_of,
    end_of,
    house,
    metadata,
    play_out,
    reason_of,
    reserved,
    running,
)

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def health(channel: Any, service: str = "") -> Any:
    """Return the status of a service."""
    stub: Any = health_pb2_grpc.HealthStub(channel)
    return (await stub.Check(health_pb2.HealthCheckRequest(service=service))).status


async def test_health_needs_no_credential(edge: Edge) -> None:
    """The whole, each service and the process are healthy; an unknown name is NOT_FOUND."""
    for service in ("", "liveness", *SERVICES):
        assert await health(edge.channel, service) == SERVING
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await health(edge.channel, "nothing")
    assert reason_of(detail_of(caught.value)) == "not_found"


async def test_health_is_also_served_on_a_port_of_its_own(tmp_path: Path) -> None:
    """That port serves health alone, and needs no TLS."""
    async with (
        running(tmp_path, health_port=0) as edge,
        grpc.aio.insecure_channel(edge.server.health_address) as channel,
    ):
        assert await health(channel) == SERVING
        call: Any = RulesServiceStub(channel).ListPresets(
            rules_service_pb2.ListPresetsRequest(), metadata=metadata(edge.organiser)
        )
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_draining_server_is_alive_but_not_ready(tmp_path: Path) -> None:
    """Who watches health hears NOT_SERVING at once; liveness stays; unknown names are told."""
    async with running(tmp_path) as edge:
        stub: Any = health_pb2_grpc.HealthStub(edge.channel)
        ready = stub.Watch(health_pb2.HealthCheckRequest())
        alive = stub.Watch(health_pb2.HealthCheckRequest(service="liveness"))
        unknown = stub.Watch(health_pb2.HealthCheckRequest(service="x"))
        assert (await ready.read()).status == SERVING
        assert (await alive.read()).status == SERVING
        assert (await unknown.read()).status == health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
        draining = asyncio.create_task(edge.server.drain())
        assert (await ready.read()).status == NOT_SERVING
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await alive.read()
        assert reason_of(detail_of(caught.value)) == "draining"
        assert await draining


async def test_drain_ends_streams_with_a_reason_and_finishes_calls(tmp_path: Path) -> None:
    """Play gets Closing{DRAIN}, WatchSeats too, spectators and polls end; nothing is cut."""
    async with running(tmp_path) as edge:
        key_id, bot = await edge.key()
        match = await edge.create(reserved(key_id), house())
        player = edge.play(bot)
        await player.hello()
        turn = await player.turn()
        hello = play_service_pb2.Hello(instance="w")
        seats: Any = edge.plays.WatchSeats(
            play_service_pb2.WatchSeatsRequest(hello=hello), metadata=metadata(bot)
        )
        table: Any = edge.matches.WatchMatch(
            match_service_pb2.WatchMatchRequest(match_id=match.match_id), metadata=metadata(bot)
        )
        await table.read()
        known = play_service_pb2.TurnRef(match_id=turn.match_id, seat=turn.seat, turn=turn.turn)
        request = play_service_pb2.WaitTurnsRequest(
            known=[known], wait_duration=Duration(seconds=30)
        )
        poll = asyncio.ensure_future(edge.plays.WaitTurns(request, metadata=metadata(bot)))
        await asyncio.sleep(0.1)
        await player.send(answer(turn))
        draining = asyncio.create_task(edge.server.drain())
        assert await player.closing() == "DRAIN"
        last = await seats.read()
        while not last.HasField("closing"):
            last = await seats.read()
        assert last.closing.reason == play_service_pb2.CLOSING_REASON_DRAIN
        assert await end_of(table) == "draining"
        await poll
        assert await draining


async def test_what_was_acknowledged_survives_a_restart(tmp_path: Path) -> None:
    """A match goes on where it was on the next server, to its end, with its record."""
    store = f"sqlite:{tmp_path / 'j.sqlite'}"
    async with running(tmp_path, store=store) as edge:
        key_id, bot = await edge.key()
        match = await edge.create(reserved(key_id), house())
        player = edge.play(bot)
        await player.hello()
        await player.send(answer(await player.turn()))
        turn = await player.turn()
        await edge.server.drain()
    async with running(tmp_path, store=store) as edge:
        player = edge.play(bot)
        await player.hello()
        again = await player.turn()
        assert (again.match_id, again.turn, again.view) == (turn.match_id, turn.turn, turn.view)
        player.call.cancel()
        await play_out(edge, match, bot)


async def test_metrics_count_what_was_done_and_name_nobody(tmp_path: Path) -> None:
    """Every metric of the reference is there; no line names a match, a key or a player."""
    async with running(tmp_path, metrics_port=0) as edge:
        key_id, bot = await edge.key()
        match = await edge.create(reserved(key_id), house())
        await play_out(edge, match, bot)
        url = f"http://{edge.server.metrics_address}/metrics"
        text = await asyncio.to_thread(lambda: urllib.request.urlopen(url).read().decode())
    for spec in SPECS:
        assert f"# HELP {spec.name}" in text
    assert 'grpc_server_handled_total{grpc_code="OK",grpc_method="CreateMatch"' in text
    assert 'lastcard_entries_total{kind="created"} ' in text
    assert 'lastcard_answers_total{outcome="accepted"} ' in text
    for secret in (match.match_id, key_id, bot, edge.organiser):
        assert secret not in text


async def test_reflection_is_off_unless_asked_for(tmp_path: Path, edge: Edge) -> None:
    """The contract is told to nobody by default, and to everybody with --reflection."""

    async def services(channel: Any) -> list[str]:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
        call = stub.ServerReflectionInfo()
        await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
        response = await call.read()
        return [service.name for service in response.list_services_response.service]

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await services(edge.channel)
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
    async with running(tmp_path, reflection=True) as open_edge:
        assert set(await services(open_edge.channel)) >= set(SERVICES)


def certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for this machine and its key."""
    cert, key = folder / "tls.crt", folder / "tls.key"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    command += ["-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    command += ["-keyout", str(key), "-out", str(cert)]
    subprocess.run(command, check=True, capture_output=True)
    return cert, key


async def test_tls_is_served_with_the_certificate_given(tmp_path: Path) -> None:
    """A client that trusts the certificate is served; plaintext is not."""
    cert, key = certificate(tmp_path)
    async with running(tmp_path, tls_cert=cert, tls_key=key, health_port=0) as edge:
        credentials = grpc.ssl_channel_credentials(cert.read_bytes())
        port = edge.server.address.rpartition(":")[2]
        async with grpc.aio.secure_channel(f"localhost:{port}", credentials) as channel:
            assert await health(channel) == SERVING
        with pytest.raises(grpc.aio.AioRpcError):
            await health(edge.channel)
        async with grpc.aio.insecure_channel(edge.server.health_address) as channel:
            assert await health(channel) == SERVING


async def test_files_that_are_no_certificate_are_refused(tmp_path: Path) -> None:
    """A missing file, rubbish, and a key of another certificate are one sentence each."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    cert, key = certificate(tmp_path / "a")
    _, other = certificate(tmp_path / "b")
    rubbish = tmp_path / "rubbish"
    rubbish.write_text("rubbish")
    for wrong_cert, wrong_key in (
        (cert, other),
        (rubbish, key),
        (cert, rubbish),
        (tmp_path / "no", key),
    ):
        config = Config(port=0, state_dir=tmp_path, tls_cert=wrong_cert, tls_key=wrong_key)
        with pytest.raises(ConfigError, match=r"\.$"):
            async with serving(config):
                pass


def test_other_machines_are_served_with_tls_or_an_explicit_word() -> None:
    """Off loopback neither TLS nor --insecure is a ConfigError; half of TLS always is."""
    with pytest.raises(ConfigError, match="--insecure"):
        Config(host="0.0.0.0")
    with pytest.raises(ConfigError, match="--insecure"):
        Config(host="example.org")
    with pytest.raises(ConfigError, match="--tls-key"):
        Config(tls_cert=Path("x"))
    assert Config(host="0.0.0.0", insecure=True).address == "0.0.0.0:50051"
    assert [is_loopback(h) for h in ("127.8.9.1", "::1", "localhost", "10.0.0.1", "::")] == [
        True,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("which", ["port", "health_port", "metrics_port"])
async def test_a_port_in_use_is_one_sentence(tmp_path: Path, which: str) -> None:
    """Whichever port another program has, the start is refused with its address."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        fields: dict[str, Any] = {"port": 0, "store": "memory", "state_dir": tmp_path}
        with pytest.raises(PortError, match=f"127.0.0.1:{port} is in use"):
            async with serving(Config(**(fields | {which: port}))):
                pass


async def test_a_second_server_does_not_share_the_port(tmp_path: Path, edge: Edge) -> None:
    """Two servers on one port are refused though the library would allow it."""
    port = int(edge.server.address.rpartition(":")[2])
    with pytest.raises(PortError, match="in use"):
        async with running(tmp_path / "other", port=port):
            pass


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.invalid"])
async def test_an_address_of_another_machine_is_refused(tmp_path: Path, host: str) -> None:
    """An address that is not ours, or none at all, is one sentence."""
    config = Config(host=host, port=0, store="memory", state_dir=tmp_path, insecure=True)
    with pytest.raises(PortError, match="cannot be listened on"):
        async with serving(config):
            pass


async def test_stores_and_key_files_that_cannot_be_are_refused(tmp_path: Path) -> None:
    """An unknown kind of store, a store without a folder, rubbish in place of keys."""
    for store, error in (
        ("redis:x", StoreAddressError),
        (f"sqlite:{tmp_path}/no/such/file", StoreError),
    ):
        config = Config(port=0, state_dir=tmp_path, store=store)
        with pytest.raises(error):
            async with serving(config):
                pass
    (tmp_path / "organiser.key").write_text("rubbish")
    (tmp_path / "organiser.key").chmod(0o600)
    with pytest.raises(KeyFileError):
        async with serving(Config(port=0, store="memory", state_dir=tmp_path)):
            pass


async def test_a_file_of_server_keys_is_used_where_one_is_named(tmp_path: Path) -> None:
    """Whoever has that file can check the seat tokens; neither that nor another one is made."""
    named = tmp_path / "named.keys"
    with pytest.raises(KeyFileError, match=r"named\.keys is missing"):
        async with running(tmp_path, server_keys=named):
            pass
    assert not named.exists()
    named.write_text(f"k1 {secrets.token_hex(32)}\n")
    named.chmod(0o440)
    async with running(tmp_path, server_keys=named) as edge:
        match = await edge.create(OPEN, house())
        taken = await edge.join(match.match_id)
        assert not (edge.folder / SERVER_KEYS).exists()
    keys = read_server_keys(named)
    assert keys
    assert keys.seat_claim(taken.seat_token)


async def test_no_organiser_is_made_for_other_machines(tmp_path: Path) -> None:
    """Off loopback no key file is written unless one is named."""
    fields: dict[str, Any] = {"host": "0.0.0.0", "insecure": True, "store": "memory", "port": 0}
    async with serving(Config(state_dir=tmp_path / "a", **fields)):
        assert not (tmp_path / "a/organiser.key").exists()
    named = tmp_path / "named.key"
    async with serving(Config(state_dir=tmp_path / "b", organiser_key=named, **fields)):
        assert named.read_text().startswith("lck_")
