"""How does a server run as a program? Until a signal, with an exit code that says how it went."""

import asyncio
import gc
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from enum import IntEnum
from typing import Final

import click
import structlog

from lastcard_server.app import Server, serving
from lastcard_server.config import Config, ConfigError
from lastcard_server.journal.open_store import StoreAddressError
from lastcard_server.journal.port import LogCorrupt, StoreError
from lastcard_server.ports import PortError
from lastcard_server.secrets import KeyFileError

CLOSING_SECONDS: Final = 3.0
"""How long after its grace a server has ended at the latest, whatever its store does."""
_NEXT: Final = (
    "this log is damaged, and no server starts without it: `lastcard journal check` names all that "
    "is, and a copy of the journal has to be put back"
)
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


class Exit(IntEnum):
    """What the exit code of a server says."""

    STOPPED = 0
    """It was told to stop, and every call had ended."""
    FAULT = 1
    """Something unforeseen happened; the log says what."""
    USAGE = 2
    """Options or files of the configuration are wrong."""
    PORT = 3
    """A port cannot be listened on."""
    STORE = 4
    """The store or the state directory cannot be opened."""
    CUT = 5
    """It was told to stop, and some calls were cut at the end of the grace."""


End = Callable[[float, Exit], None]
"""Sees to it that the process has ended in so many seconds, with that code if it is ended by it."""


def _in_its_own_time(_seconds: float, _code: Exit) -> None:
    """See to nothing."""


async def serve(config: Config, end: End = _in_its_own_time) -> Exit:
    """Serve until a signal comes; whatever prevents that is one sentence on standard error."""
    try:
        with ExitStack() as ending:
            async with serving(config) as server:
                await _until_told(server)
                ending.enter_context(_ended_by_signals())  # until everything is closed
                return await _stop(server, config.grace_seconds, end)
    except (ConfigError, StoreAddressError) as error:
        return _refused(Exit.USAGE, error)
    except PortError as error:
        return _refused(Exit.PORT, error)
    except LogCorrupt as error:
        return _refused(Exit.STORE, f"{error}: {_NEXT}")
    except (StoreError, KeyFileError) as error:
        return _refused(Exit.STORE, error)


def _settle_garbage() -> None:
    """Keep what start-up made out of every collection; matches are trees, calls leave garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 200, 100)


def _refused(code: Exit, error: object) -> Exit:
    click.echo(f"lastcard serve: {error}", err=True)
    return code


async def _until_told(server: Server) -> None:
    """Announce the server and wait for a signal, or until it cannot go on."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in _SIGNALS:
        loop.add_signal_handler(number, stop.set)
    _settle_garbage()  # takes a while; calls are served already
    structlog.get_logger().info(
        "serving",
        address=server.address,
        health=server.health_address,
        metrics=server.metrics_address,
    )
    click.echo(f"serving on {server.address}")
    await _either(stop, server.broken)


async def _stop(server: Server, grace_seconds: float, end: End) -> Exit:
    """Let the server finish what it can in its grace; what is left to do is to close it."""
    log = structlog.get_logger()
    if server.broken.is_set():
        end(CLOSING_SECONDS, Exit.FAULT)
        log.error("giving up")
        await server.give_up()
        return Exit.FAULT
    end(grace_seconds + CLOSING_SECONDS, Exit.CUT)  # before a line that nobody may read
    log.info("draining")
    complete = await server.drain()
    code = Exit.STOPPED if complete else Exit.CUT
    end(CLOSING_SECONDS, code)
    log.info("stopped", complete=complete)
    return code


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let a signal end the process at once; of Ctrl-C Python would make an exception else."""
    for number in _SIGNALS:
        asyncio.get_running_loop().remove_signal_handler(number)
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


async def _either(*events: asyncio.Event) -> None:
    """Return when one of the events is set."""
    waits = [asyncio.create_task(event.wait()) for event in events]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()
