"""What becomes of a server whose log cannot be written, or one of whose tasks has died?"""

import asyncio
import io
import logging
import os
import signal
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import grpc
import pytest
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc

from lastcard_server import logs
from lastcard_server.config import Config
from lastcard_server.journal.memory import MemoryJournal
from lastcard_server.journal.port import StoreUnavailable
from lastcard_server.matches.custody import Custody
from lastcard_server.matches.patrol import Patrol
from lastcard_server.matches.slots import Slot
from lastcard_server.serving import Exit, serve
from tests.server.edge import OPEN, Edge, detail_of, reason_of, running


class _Full(io.StringIO):
    """A stream on a full disk."""

    def write(self, _text: str) -> NoReturn:
        """Fail."""
        raise OSError(28, "No space left on device")

    def flush(self) -> NoReturn:
        """Fail."""
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("closed", [False, True])
def test_a_log_that_cannot_be_written_fails_nobody(closed: bool) -> None:  # noqa: FBT001
    """A full disk and a closed stream lose lines, ours and the libraries', and raise nothing."""
    stream = io.StringIO() if closed else _Full()
    before = logging.root.handlers[:]
    logs.configure(pretty=False, to=stream)
    if closed:
        stream.close()
    try:
        structlog.get_logger().info("lost")
        logging.getLogger("library").warning("lost")
        logging.getLogger("library").error("lost", exc_info=ValueError())
    finally:
        logging.root.handlers = before


async def _die(_self: object) -> NoReturn:
    raise RuntimeError


def _fail(_self: object, _slot: Slot) -> NoReturn:
    raise RuntimeError


async def test_a_server_that_cannot_write_any_more_says_so_and_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the writing task dies the server is broken, not ready, and closes without waiting."""
    monkeypatch.setattr(Custody, "_landed", _fail)
    async with asyncio.timeout(10), running(tmp_path) as edge:
        creating = asyncio.ensure_future(edge.create(OPEN, OPEN))
        await edge.server.broken.wait()
        await edge.server.give_up()
        stub: Any = health_pb2_grpc.HealthStub(edge.channel)
        status = (await stub.Check(health_pb2.HealthCheckRequest())).status
        assert status == health_pb2.HealthCheckResponse.NOT_SERVING
        creating.cancel()


async def test_a_program_whose_patrol_died_exits_with_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No signal is needed: the exit code says that something unforeseen has happened."""
    monkeypatch.setattr(Patrol, "run", _die)
    config = Config(port=0, store="memory", state_dir=tmp_path)
    async with asyncio.timeout(10):
        assert await serve(config) is Exit.FAULT


async def test_a_server_that_is_stopped_is_not_broken(tmp_path: Path) -> None:
    """A signal ends the tasks too, and the exit code is none of a fault."""
    config = Config(port=0, store="memory", state_dir=tmp_path, grace_seconds=1.0)
    before = signal.getsignal(signal.SIGTERM)
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        served = tasks.create_task(serve(config))
        while signal.getsignal(signal.SIGTERM) is before:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)
        os.kill(os.getpid(), signal.SIGTERM)
    assert served.result() is Exit.STOPPED


async def test_a_server_that_serves_already_takes_its_leave_at_a_signal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It drains even where the signal comes before it has said that it serves."""
    stop = partial(os.kill, os.getpid(), signal.SIGTERM)
    monkeypatch.setattr("lastcard_server.serving._settle_garbage", stop)
    config = Config(port=0, store="memory", state_dir=tmp_path, grace_seconds=1.0)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # else the tests end here
    try:
        async with asyncio.timeout(10):
            assert await serve(config) is Exit.STOPPED
    finally:
        signal.signal(signal.SIGTERM, before)


async def statuses(edge: Edge, *expected: int) -> None:
    """Watch readiness until it has been each of these, in turn."""
    stub: Any = health_pb2_grpc.HealthStub(edge.channel)
    call = stub.Watch(health_pb2.HealthCheckRequest())
    async with asyncio.timeout(10):
        for status in expected:
            while (await call.read()).status != status:
                pass
    call.cancel()


async def test_a_store_that_cannot_be_written_is_not_ready_until_it_can(tmp_path: Path) -> None:
    """Nobody plays, and still health changes within seconds, both ways; the process is alive."""
    async with running(tmp_path, store=f"sqlite:{tmp_path / 'journal'}") as edge:
        writer = edge.server._core.journal._journal._file.writer  # type: ignore[attr-defined]
        writer.execute("PRAGMA query_only = ON")
        await statuses(edge, health_pb2.HealthCheckResponse.NOT_SERVING)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await edge.create(OPEN, OPEN)
        assert reason_of(detail_of(caught.value)) == "store_unavailable"
        stub: Any = health_pb2_grpc.HealthStub(edge.channel)
        alive = await stub.Check(health_pb2.HealthCheckRequest(service="liveness"))
        assert alive.status == health_pb2.HealthCheckResponse.SERVING
        writer.execute("PRAGMA query_only = OFF")
        await statuses(edge, health_pb2.HealthCheckResponse.SERVING)
        await edge.create(OPEN, OPEN)


async def test_an_append_that_fails_is_noticed_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not ready with the first failure, ready with the first success, never while it drains."""

    async def fail(_self: object, _appends: object) -> NoReturn:
        raise StoreUnavailable("the disk is full")

    told = list[bool]()
    async with running(tmp_path) as edge:
        edge.server._core.journal.on_change(told.append)
        with monkeypatch.context() as patch:
            patch.setattr(MemoryJournal, "append", fail)
            with pytest.raises(grpc.aio.AioRpcError):
                await edge.create(OPEN, OPEN)
        await edge.create(OPEN, OPEN)
        assert told == [False, True]
        health = edge.server._health
        health.set_ready(ready=False)
        health.set_writable(True)
        assert health._status("") == health_pb2.HealthCheckResponse.NOT_SERVING
