"""What surrounds every rpc: parsing, credentials, refusals and faults, and what they tell."""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
import structlog
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from lastcard.v1 import rules_service_pb2 as rules_pb
from lastcard.v1.rules_service_pb2_grpc import RulesServiceStub
from lastcard_server.app import SERVICES
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.port import StoreUnavailable
from lastcard_server.keys import Caller, Role
from lastcard_server.rpc import Surface
from lastcard_server.telemetry import Telemetry
from tests.server.edge import Edge, detail_of, metadata, reason, reason_of

EVERY_RPC = [
    pytest.param(method, id=f"{service.name}.{method.name}")
    for service in SERVICES.values()
    for method in service.methods
]
BODIES = (b"\xff", b"\x0a\xff\x01", b"\x0a\x05ab", bytes(3), b"\x0b", b"\x80" * 11)
"""Bytes that are no message: no field, lengths beyond the end, field 0, an open group, no end."""
LOST = "Internal error from Core"
"""What the client's library says where it was writing when the server ended the call."""


async def raw(edge: Edge, method: Any, body: bytes, key: str | None) -> None:
    """Call an rpc with bytes and read its first reply."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    carried = metadata(key) if key else ()
    if method.client_streaming:
        call: Any = edge.channel.stream_stream(path)(metadata=carried, timeout=5)
        await call.write(body)
        await call.read()
        await call.code()
    elif method.server_streaming:
        stream: Any = edge.channel.unary_stream(path)
        await stream(body, metadata=carried, timeout=5).read()
    else:
        unary: Any = edge.channel.unary_unary(path)
        await unary(body, metadata=carried, timeout=5)


async def failure(edge: Edge, method: Any, body: bytes, key: str | None) -> str:
    """Return the reason with which an rpc refuses bytes; ask again where the library lost it."""
    while True:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await raw(edge, method, body, key)
        if caught.value.details() != LOST:
            return reason_of(detail_of(caught.value))


def is_message(method: Any, body: bytes) -> bool:
    """Tell whether bytes parse as what an rpc takes."""
    try:
        GetMessageClass(method.input_type).FromString(body)
    except DecodeError:
        return False
    return True


@pytest.mark.parametrize("method", EVERY_RPC)
async def test_malformed_bytes_are_malformed_to_every_rpc(edge: Edge, method: Any) -> None:
    """No rpc answers bytes that do not parse with anything but MALFORMED."""
    for body in BODIES:
        assert not is_message(method, body)
        assert await failure(edge, method, body, edge.organiser) == "malformed"


@pytest.mark.parametrize("method", EVERY_RPC)
async def test_random_bytes_never_reach_a_fault(edge: Edge, method: Any) -> None:
    """Random bodies are refused or served; INTERNAL and UNKNOWN do not occur."""
    dice = random.Random(method.full_name)
    reasons = set()
    for _ in range(40):
        body = dice.randbytes(dice.randrange(30))
        if method.server_streaming and is_message(method, body):
            continue
        try:
            await raw(edge, method, body, edge.organiser)
        except grpc.aio.AioRpcError as error:
            reasons.add(reason_of(detail_of(error)))
    assert "internal" not in reasons


@pytest.mark.parametrize("method", EVERY_RPC)
async def test_every_rpc_wants_a_credential(edge: Edge, method: Any) -> None:
    """Without a valid one every call is UNAUTHENTICATED, before anything is parsed."""
    for credential in (None, "", "lck_" + "0" * 33, "lcs_" + "A" * 50, "~", "x" * 3_000):
        assert await failure(edge, method, b"\xff", credential) == "unauthenticated"


async def test_a_credential_travels_in_authorization_alone(edge: Edge) -> None:
    """Another scheme, another entry or a bare key is no credential; the scheme's case is."""
    request = rules_pb.ListPresetsRequest()
    for carried in (
        (("authorization", f"Basic {edge.organiser}"),),
        (("authorization", edge.organiser),),
        (("x-authorization", f"Bearer {edge.organiser}"),),
        (("authorization-bin", f"Bearer {edge.organiser}".encode()),),
    ):
        call: Any = edge.rules.ListPresets(request, metadata=carried)
        assert await reason(call) == "unauthenticated"
    lower: Any = edge.rules.ListPresets(
        request, metadata=(("authorization", f"bearer {edge.organiser}"),)
    )
    assert (await lower).presets


async def test_a_service_that_is_not_there_is_unimplemented(edge: Edge) -> None:
    """A path outside the contract ends as the library says, without a detail."""
    call: Any = edge.channel.unary_unary("/lastcard.v1.NoService/Call")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(b"", metadata=metadata(edge.organiser))
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_request_that_is_too_large_is_refused(edge: Edge) -> None:
    """Beyond 64 KiB the library refuses, and the server goes on."""
    call: Any = edge.channel.unary_unary("/lastcard.v1.MatchService/GetMatch")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(bytes(65 << 10), metadata=metadata(edge.organiser))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    await edge.call(edge.rules.ListPresets, rules_pb.ListPresetsRequest())


class Faulty:
    """A servicer that does everything wrong, as its attribute says."""

    def __init__(self) -> None:
        self.error: BaseException = RuntimeError("the hand is r5 W4")
        self.waiting = asyncio.Event()

    async def ListPresets(  # noqa: N802 - the rpc's name
        self, request: Message, caller: Caller
    ) -> Message:
        """Raise."""
        raise self.error

    async def ValidateRules(  # noqa: N802 - the rpc's name
        self, request: Message, caller: Caller
    ) -> Message:
        """Wait for a task that is cancelled."""
        task = asyncio.create_task(asyncio.sleep(60))
        asyncio.get_running_loop().call_soon(task.cancel)
        await task
        return rules_pb.ValidateRulesResponse()

    async def GetSheet(  # noqa: N802 - the rpc's name
        self, request: Message, caller: Caller
    ) -> Message:
        """Wait for ever, and note when that is cancelled."""
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            self.waiting.set()
            raise
        return rules_pb.GetSheetResponse()


class Lines:
    """A log that is kept."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def __call__(self, _logger: object, _method: str, line: dict[str, Any]) -> str:
        """Keep a line."""
        self.lines.append(dict(line))
        raise structlog.DropEvent


@pytest.fixture
async def faulty() -> AsyncIterator[tuple[Faulty, Any, Lines, Telemetry]]:
    """Run a server whose servicer is faulty."""
    lines, servicer, telemetry = Lines(), Faulty(), Telemetry()
    processors: list[Any] = [structlog.processors.format_exc_info, lines]
    structlog.configure(processors=processors)
    caller = Caller("key:k", Role.BOT, "k")

    async def admit(_credential: str) -> Caller:
        return caller

    surface = Surface(admit, telemetry)
    server = grpc.aio.server()
    service = SERVICES["lastcard.v1.RulesService"]
    server.add_generic_rpc_handlers((surface.service(service, servicer),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield servicer, RulesServiceStub(channel), lines, telemetry
    await server.stop(None)


Fixture = tuple[Faulty, Any, Lines, Telemetry]


async def test_what_is_not_offered_says_so(faulty: Fixture) -> None:
    """A call of the contract without a behaviour is UNIMPLEMENTED with the reason."""
    _, stub, _, _ = faulty
    assert await reason(stub.Explain(rules_pb.ExplainRequest(), metadata=metadata("x"))) == (
        "unimplemented"
    )


async def test_an_unforeseen_exception_tells_nothing_but_its_incident(faulty: Fixture) -> None:
    """The client gets an id, the log the exception under the same id."""
    servicer, stub, lines, telemetry = faulty
    for error in (RuntimeError("the hand is r5 W4"), KeyError("r5"), RecursionError("r5")):
        servicer.error = error
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.ListPresets(rules_pb.ListPresetsRequest(), metadata=metadata("k"))
        detail = detail_of(caught.value)
        assert reason_of(detail) == "internal"
        assert detail.message == f"internal error id={detail.incident_id}"
        assert "r5" not in str(caught.value)
        (line,) = [entry for entry in lines.lines if entry.get("incident") == detail.incident_id]
        assert "r5" in line["exception"]
    assert telemetry.internal_errors == 3


async def test_a_cancelled_task_inside_is_a_fault_and_leaves_nobody_waiting(
    faulty: Fixture,
) -> None:
    """A CancelledError that is not the call's own ends it as INTERNAL at once."""
    _, stub, _, _ = faulty
    call = stub.ValidateRules(rules_pb.ValidateRulesRequest(), metadata=metadata("k"), timeout=5)
    assert await reason(call) == "internal"


async def test_a_call_that_is_cancelled_reaches_the_servicer_as_that(faulty: Fixture) -> None:
    """The client's cancellation is raised through and counted as Canceled."""
    servicer, stub, _, telemetry = faulty
    call = stub.GetSheet(rules_pb.GetSheetRequest(), metadata=metadata("k"))
    await asyncio.sleep(0.1)
    call.cancel()
    async with asyncio.timeout(5):
        await servicer.waiting.wait()
    await asyncio.sleep(0.1)
    counts = next(m for m in telemetry.methods if m.labels[2] == "GetSheet")
    assert dict(counts.handled) == {"Canceled": 1}
    assert telemetry.internal_errors == 0


async def test_refusals_and_a_store_that_is_away_have_their_status(faulty: Fixture) -> None:
    """A Refusal is told as it is, StoreUnavailable as STORE_UNAVAILABLE without its text."""
    servicer, stub, _, telemetry = faulty
    request = rules_pb.ListPresetsRequest()
    for wanted in Reason:
        servicer.error = Refusal(wanted, "A sentence.")
        assert await reason(stub.ListPresets(request, metadata=metadata("k"))) == wanted.value
    servicer.error = StoreUnavailable("/secret/path is full")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub.ListPresets(request, metadata=metadata("k"))
    assert reason_of(detail_of(caught.value)) == "store_unavailable"
    assert "secret" not in str(caught.value)
    assert telemetry.store_failures == 1


async def test_each_call_is_one_line_in_the_log(faulty: Fixture) -> None:
    """The line names rpc, caller, code, reason and time, and never a credential."""
    servicer, stub, lines, _ = faulty
    servicer.error = Refusal(Reason.QUOTA, "A sentence.")
    call = stub.ListPresets(rules_pb.ListPresetsRequest(), metadata=metadata("lck_secret"))
    assert await reason(call) == "quota"
    (line,) = lines.lines
    assert line["rpc"] == "lastcard.v1.RulesService/ListPresets"
    assert (line["caller"], line["code"], line["reason"]) == (
        "key:k",
        "ResourceExhausted",
        "quota",
    )
    assert line["ms"] >= 0
    assert "lck_" not in str(line)


async def test_metadata_beyond_its_limit_is_refused(edge: Edge) -> None:
    """More than 16 KiB of metadata never reaches a servicer, and the server goes on."""
    request = rules_pb.ListPresetsRequest()
    call: Any = edge.rules.ListPresets(request, metadata=(("x-more", "x" * 20_000),))
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (await edge.call(edge.rules.ListPresets, request)).presets
