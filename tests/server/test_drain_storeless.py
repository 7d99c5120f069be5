"""A program that is told to stop while its store is away: who hears what, and when it has ended."""

import asyncio
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from lastcard_server.serving import CLOSING_SECONDS, Exit
from tests.postgres import running_server
from tests.processes import ServerProcess
from tests.proxy import Proxy
from tests.server.edge import OPEN
from tests.server.test_drain import DRAIN, SEATS, lost, players, reached, readiness, until

GRACE_SECONDS = 8
LATEST_SECONDS = CLOSING_SECONDS + 4.0
"""After the grace: what is promised, and what a busy machine adds to that."""
HANGS = """
import sys, time
from pathlib import Path
from lastcard_server.__main__ import main
from lastcard_server.journal.sqlite_writer import Writer

commit = Writer.commit

def hang(*arguments):
    while Path("hang").exists():
        time.sleep(0.01)
    return commit(*arguments)

Writer.commit = hang
del sys.argv[:1]
main()
"""
"""Runs the program it is given; its disk hangs as long as there is a file `hang`."""


@asynccontextmanager
async def through(proxy: Proxy, folder: Path, *options: str) -> AsyncIterator[ServerProcess]:
    """Run a program on a database behind a proxy."""
    address = await running_server().database(str(folder))
    name = address.partition("?")[0].rpartition("/")[2]
    store = f"postgresql://postgres@127.0.0.1:{proxy.port}/{name}?sslmode=disable"
    process = ServerProcess(folder, "--store", store, "--unsafe-store", *options)
    try:
        await asyncio.to_thread(process.start)  # the proxy has to pass on what it asks
        yield process
    finally:
        process.kill()


async def hung(folder: Path) -> None:
    """Let the disk of a program hang, and wait until the program has met that."""
    (folder / "hang").touch()
    await asyncio.sleep(1.5)  # it writes a sign of life a second


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    """Return a proxy to the database."""
    async with Proxy(str(running_server().folder / ".s.PGSQL.5432")) as proxy:
        yield proxy


async def silent(proxy: Proxy) -> None:
    """Let the database answer no more."""
    proxy.swallows_requests = proxy.swallows_replies = True


async def gone(proxy: Proxy) -> None:
    """Let there be no database."""
    await proxy.close()


async def stopped(process: ServerProcess) -> tuple[int, float, str]:
    """Tell a program to stop; return its code, how long it took and what it said."""
    began = time.monotonic()
    code, _, log = await asyncio.to_thread(process.stop)
    return code, time.monotonic() - began, log


@pytest.mark.parametrize("away", [silent, gone])
async def test_streams_hear_their_end_without_a_database(
    tmp_path: Path, proxy: Proxy, away: Callable[[Proxy], Any]
) -> None:
    """
    Readiness goes at once; each stream ends with its reason though its answers are undecided.

    What was acknowledged is in the database.
    """
    seen: list[str] = []
    async with (
        asyncio.timeout(100),
        through(proxy, tmp_path, "--grace", str(GRACE_SECONDS)) as process,
        reached(process) as edge,
    ):
        bots, _ = await players(edge, seen)
        watching = asyncio.create_task(readiness(edge, seen))
        playing = [asyncio.create_task(bot.play()) for bot in bots]
        await until(lambda: "SERVING" in seen and all(len(b.accepted) > 20 for b in bots))
        await away(proxy)
        code, seconds, log = await stopped(process)
        await asyncio.gather(*playing, watching)
    assert code == Exit.STOPPED, log
    assert seconds < GRACE_SECONDS + LATEST_SECONDS
    assert seen == ["SERVING", "NOT_SERVING", *[DRAIN] * SEATS]
    assert await lost(await running_server().database(str(tmp_path)), bots) == []


@pytest.mark.parametrize("away", [silent, gone])
async def test_a_call_that_waits_for_a_database_is_cut_at_the_end_of_the_grace(
    tmp_path: Path, proxy: Proxy, away: Callable[[Proxy], Any]
) -> None:
    """The exit code says so; whoever called knows nothing and asks again."""
    async with (
        asyncio.timeout(100),
        through(proxy, tmp_path, "--grace", "1") as process,
        reached(process) as edge,
    ):
        await away(proxy)
        call = asyncio.create_task(edge.create(OPEN, OPEN))
        await asyncio.sleep(0.2)
        code, seconds, log = await stopped(process)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call
    assert code == Exit.CUT, log
    assert seconds < LATEST_SECONDS
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_nobody_is_waited_for_without_calls(tmp_path: Path, proxy: Proxy) -> None:
    """A database that is away holds up no program that has nothing to do, whatever its grace."""
    async with asyncio.timeout(100), through(proxy, tmp_path, "--grace", "600") as process:
        await silent(proxy)
        code, seconds, log = await stopped(process)
    assert code == Exit.STOPPED, log
    assert seconds < LATEST_SECONDS


@pytest.mark.parametrize("calls", [True, False])
async def test_a_disk_that_hangs_holds_up_no_end(tmp_path: Path, *, calls: bool) -> None:
    """Though the thread that writes does not come back."""
    hanging = (sys.executable, "-c", HANGS)
    with ServerProcess(tmp_path, "--grace", "1", within=hanging) as process:
        async with asyncio.timeout(100), reached(process) as edge:
            await hung(tmp_path)
            begun = [asyncio.create_task(edge.create(OPEN, OPEN))] if calls else []
            await asyncio.sleep(0.2)
            code, seconds, log = await stopped(process)
            for call in begun:
                with pytest.raises(grpc.aio.AioRpcError):
                    await call
    assert code == (Exit.CUT if calls else Exit.STOPPED), log
    assert calls or "all calls had ended; the store did not close in time" in log
    assert seconds < LATEST_SECONDS


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_second_signal_ends_what_is_being_closed(tmp_path: Path, number: int) -> None:
    """Nobody has to wait for what the store is given either."""
    hanging = (sys.executable, "-c", HANGS)
    with ServerProcess(tmp_path, within=hanging) as process:
        async with asyncio.timeout(100):
            await hung(tmp_path)
            process.signal(number)
            await until(lambda: "stopped" in process.log)
            code, _, log = await asyncio.to_thread(process.stop, number)
    assert code == -number, log
