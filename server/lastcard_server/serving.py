"""How does a server run as a program? Until a signal, with an exit code that says how it went."""

import asyncio
import gc
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Final

import click
import structlog

from lastcard_server.app import Server, serving
from lastcard_server.config import Config, ConfigError
from lastcard_server.journal.open_store import StoreAddressError
from lastcard_server.journal.port import StoreError
from lastcard_server.ports import PortError
from lastcard_server.secrets import KeyFileError

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


async def serve(config: Config) -> Exit:
    """Serve until a signal comes; whatever prevents that is one sentence on standard error."""
    try:
        async with serving(config) as server:
            return await _until_stopped(server)
    except (ConfigError, StoreAddressError) as error:
        return _refused(Exit.USAGE, error)
    except PortError as error:
        return _refused(Exit.PORT, error)
    except (StoreError, KeyFileError) as error:
        return _refused(Exit.STORE, error)


def _settle_garbage() -> None:
    """Keep what start-up made out of every collection; matches are trees, calls leave garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 200, 100)


def _refused(code: Exit, error: Exception) -> Exit:
    click.echo(f"lastcard serve: {error}", err=True)
    return code


async def _until_stopped(server: Server) -> Exit:
    """Announce the server, wait for a signal, drain; a second signal ends it at once."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in _SIGNALS:
        loop.add_signal_handler(number, stop.set)
    _settle_garbage()  # takes a while; calls are served already
    log = structlog.get_logger()
    log.info(
        "serving",
        address=server.address,
        health=server.health_address,
        metrics=server.metrics_address,
    )
    click.echo(f"serving on {server.address}")
    await _either(stop, server.broken)
    with _ended_by_signals():
        if server.broken.is_set():
            log.error("giving up")
            await server.give_up()
            return Exit.FAULT
        log.info("draining")
        complete = await server.drain()
        log.info("stopped", complete=complete)
        return Exit.STOPPED if complete else Exit.CUT


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
