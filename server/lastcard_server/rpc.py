"""
What surrounds every rpc? Parsing, authentication, refusals, faults, counting and one log line.

A servicer sees messages and a caller, and raises Refusal; nothing else that it does wrong reaches a
client. Parsing is done here and not by the library, whose own errors would carry the parser's text.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import Any, Final, NamedTuple, NoReturn

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc import StatusCode
from grpc.aio import ServicerContext

from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.port import StoreUnavailable, StoreUncertain
from lastcard_server.keys import Caller
from lastcard_server.status import DETAIL_KEY, STATUS, code_name, error_detail
from lastcard_server.telemetry import MethodCounts, Telemetry

Context = ServicerContext[bytes, bytes]
Reply = Message | bytes
Work = Callable[[Caller | None], Awaitable[bytes]]

_NO_REPLY: Final = b""


class _Rpc(NamedTuple):
    """One rpc of the contract with what serves it."""

    name: str
    parse: Callable[[bytes], Message]
    behaviour: Callable[..., Any]
    counts: MethodCounts
    for_anybody: bool


class Surface:
    """Turns servicers into what a gRPC server serves."""

    def __init__(
        self, admit: Callable[[str], Awaitable[Caller | None]], telemetry: Telemetry
    ) -> None:
        self._admit = admit
        self._telemetry = telemetry
        self._log = structlog.get_logger()
        self._streams: set[asyncio.Task[object]] = set()
        self._ended: set[asyncio.Task[object]] = set()

    def end_streams(self) -> None:
        """End every stream with DRAINING; those that end themselves should have done so."""
        self._ended |= self._streams
        for task in self._streams:
            task.cancel()

    def service(
        self, service: ServiceDescriptor, servicer: object, *, for_anybody: bool = False
    ) -> grpc.GenericRpcHandler:
        """
        Return what serves a whole service.

        Args:
            service: its descriptor.
            servicer: has a method for each rpc it offers, under the rpc's name; the others answer
                UNIMPLEMENTED.
            for_anybody: calls need no credential.

        """
        methods = {
            method.name: self._method(method, servicer, for_anybody=for_anybody)
            for method in service.methods
        }
        return grpc.method_handlers_generic_handler(service.full_name, methods)

    def _method(
        self, method: MethodDescriptor, servicer: object, *, for_anybody: bool
    ) -> "grpc.RpcMethodHandler[bytes, bytes]":
        service = method.containing_service.full_name
        shape = _SHAPES[method.client_streaming, method.server_streaming]
        rpc = _Rpc(
            name=f"{service}/{method.name}",
            parse=GetMessageClass(method.input_type).FromString,
            behaviour=getattr(servicer, method.name, None) or _not_offered,
            counts=self._telemetry.method(shape.kind, service, method.name),
            for_anybody=for_anybody,
        )
        return shape.make(shape.serve(self, rpc))

    def unary(self, rpc: _Rpc) -> Callable[[bytes, Context], Awaitable[bytes]]:
        """Return what serves one request with one response."""

        async def serve(body: bytes, context: Context) -> bytes:
            async def work(caller: Caller | None) -> bytes:
                rpc.counts.received += 1
                reply = await rpc.behaviour(_parsed(rpc, body), caller)
                rpc.counts.sent += 1
                return _serialised(reply)

            return await self._guarded(rpc, context, work)

        return serve

    def server_stream(self, rpc: _Rpc) -> Callable[[bytes, Context], Awaitable[bytes]]:
        """Return what serves one request with a stream."""

        async def serve(body: bytes, context: Context) -> bytes:
            async def work(caller: Caller | None) -> bytes:
                rpc.counts.received += 1
                return await _send(rpc, context, rpc.behaviour(_parsed(rpc, body), caller))

            with self._listed():
                return await self._guarded(rpc, context, work)

        return serve

    def bidi_stream(self, rpc: _Rpc) -> Callable[[object, Context], Awaitable[bytes]]:
        """Return what serves a stream with a stream."""

        async def serve(_requests: object, context: Context) -> bytes:
            async def work(caller: Caller | None) -> bytes:
                requests = _requests_of(rpc, context)
                return await _send(rpc, context, rpc.behaviour(requests, caller))

            with self._listed():
                return await self._guarded(rpc, context, work)

        return serve

    async def _guarded(self, rpc: _Rpc, context: Context, work: Work) -> bytes:
        """Do the work of a call; whatever happens, count and log it, and tell what may be told."""
        rpc.counts.started += 1
        began = time.perf_counter()
        caller, refusal, incident, code = None, None, "", StatusCode.OK
        try:
            caller = None if rpc.for_anybody else await self._caller(context)
            return await work(caller)
        except asyncio.CancelledError as cancelled:
            refusal = _cut_with(cancelled)
            if refusal is not None:
                pass
            elif self._was_ended():
                refusal = Refusal(Reason.DRAINING, "The server is shutting down; call again.")
            elif _is_cancelled():
                code = StatusCode.CANCELLED
                raise
            else:
                refusal, incident = self._fault(rpc)
        except (Refusal, StoreUnavailable) as error:
            refusal = self._refusal(error)
        except Exception:  # noqa: BLE001 - the outermost wrapper
            refusal, incident = self._fault(rpc)
        finally:
            code = STATUS[refusal.reason] if refusal else code
            self._count(rpc, code, time.perf_counter() - began)
            log = self._log.debug if rpc.for_anybody else self._log.info  # probes come all the time
            log(
                "call",
                rpc=rpc.name,
                caller=caller.owner if caller else None,
                code=code_name(code),
                reason=refusal.reason.value if refusal else None,
                ms=round((time.perf_counter() - began) * 1e3, 3),
            )
        return await _abort(context, refusal, incident)

    @contextmanager
    def _listed(self) -> Iterator[None]:
        """Keep the present task where `end_streams` finds it."""
        task = asyncio.current_task()
        if task is not None:
            self._streams.add(task)
        try:
            yield
        finally:
            self._streams.discard(task)

    def _was_ended(self) -> bool:
        """Tell whether it is `end_streams` that cancelled the present task; take that back then."""
        task = asyncio.current_task()
        if task is None or task not in self._ended:
            return False
        self._ended.discard(task)
        task.uncancel()
        return True

    async def _caller(self, context: Context) -> Caller:
        """Return who calls, by `authorization` metadata and nothing else."""
        for key, value in context.invocation_metadata() or ():
            if key == "authorization" and isinstance(value, str) and value[:7].lower() == "bearer ":
                caller = await self._admit(value[7:])
                if caller is not None:
                    return caller
        self._telemetry.credentials_refused += 1
        raise Refusal(
            Reason.UNAUTHENTICATED,
            "Send a valid credential as `authorization: Bearer ...` metadata.",
        )

    def _refusal(self, error: Refusal | StoreUnavailable) -> Refusal:
        if isinstance(error, Refusal):
            return error
        self._telemetry.store_failures += 1
        if isinstance(error, StoreUncertain):
            message = "The store broke off, and this may have been stored or not: send it again."
        else:
            message = "The store cannot answer; nothing was changed. Try again."
        return Refusal(Reason.STORE_UNAVAILABLE, message)

    def _fault(self, rpc: _Rpc) -> tuple[Refusal, str]:
        """Log the exception being handled under a new incident id, which is all a client gets."""
        incident = secrets.token_hex(8)
        self._telemetry.internal_errors += 1
        self._log.error("internal error", rpc=rpc.name, incident=incident, exc_info=True)
        return Refusal(Reason.INTERNAL, f"internal error id={incident}"), incident

    def _count(self, rpc: _Rpc, code: StatusCode, seconds: float) -> None:
        rpc.counts.handled[code_name(code)] += 1
        rpc.counts.seconds.observe(seconds)


async def _abort(context: Context, refusal: Refusal, incident: str) -> NoReturn:
    detail = error_detail(refusal, incident).SerializeToString()
    code, message = STATUS[refusal.reason], refusal.message
    await context.abort(code, message, ((DETAIL_KEY, detail),))


def _cut_with(cancelled: asyncio.CancelledError) -> Refusal | None:
    """Return the refusal with which the present task was cancelled; take that back then."""
    refusal, task = next(iter(cancelled.args), None), asyncio.current_task()
    if task is None or not isinstance(refusal, Refusal):
        return None
    task.uncancel()
    return refusal


def _is_cancelled() -> bool:
    """
    Tell whether it is the call that was cancelled, and not some task it waited for.

    Swallowing the first leaks memory in the library; raising the second would leave the client
    waiting for ever.
    """
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _parsed(rpc: _Rpc, body: bytes) -> Message:
    try:
        return rpc.parse(body)
    except DecodeError:
        raise Refusal(
            Reason.MALFORMED, "The bytes are no message of the kind this call takes."
        ) from None


def _serialised(reply: Reply) -> bytes:
    return reply if isinstance(reply, bytes) else reply.SerializeToString()


async def _requests_of(rpc: _Rpc, context: Context) -> AsyncIterator[Message]:
    while True:
        body: bytes | object = await context.read()
        if not isinstance(body, bytes):  # grpc.aio.EOF
            return
        rpc.counts.received += 1
        yield _parsed(rpc, body)


async def _send(rpc: _Rpc, context: Context, replies: AsyncGenerator[Reply]) -> bytes:
    async with aclosing(replies):
        async for reply in replies:
            rpc.counts.sent += 1
            await context.write(_serialised(reply))
    return _NO_REPLY


def _not_offered(_request: object, _caller: object) -> NoReturn:
    raise Refusal(Reason.UNIMPLEMENTED, "This release does not offer this call.")


class _Shape(NamedTuple):
    """How many messages go each way, and what serves that."""

    kind: str
    make: Callable[..., "grpc.RpcMethodHandler[bytes, bytes]"]
    serve: Callable[[Surface, _Rpc], Callable[..., Awaitable[bytes]]]


_SHAPES: Final = {
    (False, False): _Shape("unary", grpc.unary_unary_rpc_method_handler, Surface.unary),
    (False, True): _Shape(
        "server_stream", grpc.unary_stream_rpc_method_handler, Surface.server_stream
    ),
    (True, True): _Shape("bidi_stream", grpc.stream_stream_rpc_method_handler, Surface.bidi_stream),
}
