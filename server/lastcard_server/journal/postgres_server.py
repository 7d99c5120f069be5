"""May a journal be kept on this server? Connects, refuses what forgets, has the tables ready."""

import asyncio
import re
import socket
import ssl
from collections.abc import Coroutine, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

import asyncpg
from asyncpg.connect_utils import SessionAttribute

from lastcard_server.journal.port import StoreError, StoreUnsafe
from lastcard_server.journal.postgres_address import MALFORMED, host_of
from lastcard_server.journal.postgres_connection import LOST
from lastcard_server.journal.postgres_schema import ensure_schema
from lastcard_server.journal.postgres_sql import BARRIER, SAFETY
from lastcard_server.journal.postgres_tls import TlsFileError, wrong_file

if TYPE_CHECKING:
    from lastcard_server.journal.postgres_connection import Connection

HOST_SECONDS = 5.0
"""How long a host may take to connect."""
_BARRIER_SECONDS = 30.0  # each attempt that is given up leaves a session waiting on the server
_SETTINGS = {
    "application_name": "lastcard",
    "search_path": "lastcard",
    "default_transaction_isolation": "read committed",
    "statement_timeout": "0",  # would cancel the wait for a standby, which then looks like success
    "lock_timeout": "3000",  # milliseconds; less than a call waits
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",  # a plan made for a small table is kept when it is large
    "jit": "off",
}


class Server:
    """
    A database by its address, which no message shows.

    Several hosts are tried at once, and the first that fits is taken: one that is cut off would
    else use up all the time there is.
    """

    def __init__(self, address: str, *, unsafe: bool = False) -> None:
        self._hosts = [_Host(host, unsafe=unsafe) for host in addresses_of(address)]

    async def connect(self) -> "Connection":
        """
        Return a connection to a host that takes writes.

        Raises:
            ValueError: the address is malformed.
            OSError, asyncpg.PostgresError, asyncpg.InternalClientError: no connection.
        """
        return await _first([host.connect() for host in self._hosts])

    async def dial(self) -> "Connection":
        """
        Return a connection whose reads may be believed, as it has written.

        Raises:
            StoreUnsafe: a crash of the server may lose what it has acknowledged.
            StoreCorrupt, StoreUnavailable: as `ensure_schema`.
            ValueError, OSError, asyncpg.PostgresError, asyncpg.InternalClientError: as `connect`.
        """
        return await _first([host.dial() for host in self._hosts])


def addresses_of(address: str) -> list[str]:
    """Return the addresses of the single hosts that the place before the database's name lists."""
    kind, _, rest = address.partition("://")
    place = re.split("[/?]", rest, maxsplit=1)[0]
    user, at, hosts = place.rpartition("@")
    return [f"{kind}://{user}{at}{host}{rest[len(place) :]}" for host in hosts.split(",")]


async def _first(attempts: Sequence[Coroutine[None, None, "Connection"]]) -> "Connection":
    """Return the first connection there is; those that come later are closed."""
    trying = {asyncio.create_task(attempt) for attempt in attempts}
    errors: list[BaseException] = []
    try:
        while trying:
            done, trying = await asyncio.wait(trying, return_when=asyncio.FIRST_COMPLETED)
            connections = [task.result() for task in done if task.exception() is None]
            errors += [error for task in done if (error := task.exception()) is not None]
            for connection in connections[1:]:
                connection.terminate()
            if connections:
                return connections[0]
    finally:
        for task in trying:
            task.add_done_callback(_close)
            task.cancel()
    raise max(errors, key=_weight)


class _Weight(IntEnum):
    """What the error of a host tells; the heaviest of all hosts is told."""

    STRANGER = 0  # it may not be ours: no word against a host of ours that is away and may come
    AWAY = 1
    REFUSED = 2  # a wrong password, say: waiting does not mend it
    UNFIT = 3  # it was let in, and has found a database that cannot be used


def _weight(error: BaseException) -> _Weight:
    """Weigh what a host has said; of ours, what waiting cannot mend is more than what it can."""
    if isinstance(error, StoreError):
        return _Weight.UNFIT
    if isinstance(error, asyncpg.PostgresError) and not isinstance(error, LOST):
        return _Weight.REFUSED
    if isinstance(error, ssl.SSLCertVerificationError):
        return _Weight.STRANGER
    return _Weight.AWAY


def _close(task: "asyncio.Task[Connection]") -> None:
    """Close the connection that came too late, if it has come."""
    if not task.cancelled() and task.exception() is None:
        task.result().terminate()


class _Host:
    """One host of a database."""

    def __init__(self, address: str, *, unsafe: bool) -> None:
        self._address = address
        self._unsafe = unsafe
        self._barrier = asyncio.Lock()

    async def connect(self) -> "Connection":
        """Return a connection, if the host takes writes."""
        try:
            return await asyncpg.connect(
                self._address,
                timeout=HOST_SECONDS,
                target_session_attrs=SessionAttribute.read_write,
                server_settings=_SETTINGS,
            )
        except socket.gaierror as error:
            raise OSError(_not_found(host_of(self._address), error.strerror)) from None
        except OSError as error:
            raise wrong_file(self._address) or error from None
        except ValueError as error:
            if str(error).startswith("root certificate file"):  # the driver's default
                what = str(error).splitlines()[0]
                raise TlsFileError(f"{what}: sslrootcert=FILE names another") from None
            raise ValueError(MALFORMED) from None

    async def dial(self) -> "Connection":
        """Return a connection that has been found safe, has our tables and has written."""
        connection = await self.connect()
        try:
            await self._refuse_unsafe(connection)
            await ensure_schema(connection)
            await self._write_barrier(connection)
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _refuse_unsafe(self, connection: "Connection") -> None:
        (row,) = await connection.fetch(SAFETY)
        off = [name for name in ("fsync", "full_page_writes") if row[name] == "off"]
        if off and not self._unsafe:
            raise StoreUnsafe(
                f"the database runs with {' and '.join(f'{name}=off' for name in off)} and may "
                "lose what it has acknowledged: switch it on, or allow it with --unsafe-store"
            )

    async def _write_barrier(self, connection: "Connection") -> None:
        """Write, so that all that was visible before is on the standby; one at a time."""
        async with self._barrier:
            loop = asyncio.get_running_loop()
            timer = loop.call_later(_BARRIER_SECONDS, connection.terminate)
            try:
                await connection.execute(BARRIER)
            finally:
                timer.cancel()


def _not_found(host: str, reason: str | None) -> str:
    if not host:
        return "the host of an address is not found, in which special signs are written as %XX"
    return f"the host {host!r} is not found: {reason}"
