"""
How does a connection to PostgreSQL come back? It is opened anew, and believed after it has written.

A server that crashed while it waited for its standby shows what the standby never got. So every
new connection first writes and waits: after that, what was visible is on the standby as well.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import asyncpg

from lastcard_server.journal.port import StoreCorrupt, StoreError, StoreUnavailable
from lastcard_server.journal.postgres_tls import TlsFileError

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]

CONNECT_SECONDS = 5.0
"""How long a call waits for a connection."""
ANSWER_SECONDS = 5.0
"""How long the server may take to answer."""
_CLOSE_SECONDS = 1.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0  # seconds between attempts to connect

LOST = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # it ends: perhaps after the commit
    asyncpg.ReadOnlySQLTransactionError,  # it is no primary any more
)
"""What means that a connection is of no more use."""


class ConnectionLostError(Exception):
    """The connection broke or gave no answer in time: what was asked may have been done, or not."""


class Link:
    """
    One connection at a time, opened when it is needed and anew after it broke.

    One question at a time, from a task that is not cancelled: a driver that is cancelled asks the
    server to cancel, and a cancelled wait for a standby looks like a success.
    """

    def __init__(self, dial: Callable[[], Awaitable["Connection"]]) -> None:
        self._dial = dial
        self._connection: Connection | None = None
        self._dialling: asyncio.Task[None] | None = None
        self._reason = ""
        self._warned = False
        self._closed = False
        self.asking = False

    async def ask(self, sql: str, *arguments: object) -> list[asyncpg.Record]:
        """
        Return the rows that a statement answers.

        Raises:
            StoreUnavailable: there is no connection; nothing was sent.
            ConnectionLostError: it may have been done.
            asyncpg.PostgresError: the server refused; nothing was done.
        """
        self.asking = True
        try:
            return await self._ask(await self._ready(), sql, arguments)
        finally:
            self.asking = False

    async def _ask(
        self, connection: "Connection", sql: str, arguments: tuple[object, ...]
    ) -> list[asyncpg.Record]:
        """Ask on a connection, which is dropped if it does not answer."""
        self._warned = False
        timer = asyncio.get_running_loop().call_later(ANSWER_SECONDS, connection.terminate)
        try:
            rows = await connection.fetch(sql, *arguments)
        except LOST as error:
            if isinstance(error, ValueError):  # an argument that the driver cannot send
                raise
            self.drop()
            raise ConnectionLostError(describe(error)) from error
        finally:
            timer.cancel()
        if self._warned:  # committed here, and perhaps not on the standby
            self.drop()
            raise ConnectionLostError("the server has warned of what it did")
        return rows

    def drop(self) -> None:
        """Give up the connection; the next question opens another one."""
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def open(self) -> None:
        """
        Connect for the first time; what waiting cannot mend is refused at once.

        Raises:
            StoreError: no connection.
            ValueError: what `dial` says of its address, and of the files that it names.
        """
        try:
            self._keep(await self._dial())
        except TlsFileError as error:
            raise ValueError(str(error)) from None
        except ssl.SSLCertVerificationError as error:
            raise StoreUnavailable(f"the database cannot be opened: {describe(error)}") from error
        except (*LOST, asyncpg.InsufficientResourcesError):
            await self._ready()
        except asyncpg.PostgresError as error:
            raise StoreUnavailable(f"the database cannot be opened: {describe(error)}") from error

    async def aclose(self) -> None:
        """Close; later questions raise StoreUnavailable."""
        self._closed = True
        if self._dialling is not None:
            self._dialling.cancel()
            await asyncio.wait({self._dialling})
        if self._connection is not None and not self.asking:
            with suppress(*LOST, asyncpg.PostgresError):
                await self._connection.close(timeout=_CLOSE_SECONDS)
        self.drop()

    async def _ready(self) -> "Connection":
        """Return the connection, waiting for a new one if need be."""
        if self._connection is not None and self._connection.is_closed():
            self._connection = None
        if self._connection is None and not self._closed:
            if self._dialling is None or self._dialling.done():
                self._dialling = asyncio.create_task(self._redial())
            await asyncio.wait({self._dialling}, timeout=CONNECT_SECONDS)
        if self._closed:
            raise StoreUnavailable("the journal is closed")
        if self._connection is None:
            raise StoreUnavailable(f"the database cannot be reached: {self._reason}")
        return self._connection

    async def _redial(self) -> None:
        """Try until there is a connection."""
        pause = _FIRST_PAUSE
        while True:
            try:
                self._keep(await self._dial())
            except (*LOST, asyncpg.PostgresError, StoreError) as error:
                self._reason = describe(error)
            else:
                return
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _keep(self, connection: "Connection") -> None:
        connection.add_log_listener(self._warn)
        self._connection = connection

    def _warn(self, *_: object) -> None:
        self._warned = True


class Links:
    """Several links, for questions that wait for each other as little as can be."""

    def __init__(self, dial: Callable[[], Awaitable["Connection"]], count: int) -> None:
        self._links = [Link(dial) for _ in range(count)]
        self._free: asyncio.LifoQueue[Link] = asyncio.LifoQueue()
        for link in self._links:
            self._free.put_nowait(link)
        self._asking: set[asyncio.Task[list[asyncpg.Record]]] = set()

    async def ask(self, sql: str, *arguments: object) -> list[asyncpg.Record]:
        """
        Return the rows that a statement answers, which does no harm if it is done twice.

        Raises:
            StoreUnavailable: the server cannot answer.
        """
        task = asyncio.create_task(self._ask(sql, arguments))
        self._asking.add(task)
        task.add_done_callback(self._asked)
        return await asyncio.shield(task)

    async def open(self) -> None:
        """Connect one of them as `Link.open` does."""
        await self._links[-1].open()

    async def aclose(self) -> None:
        """Close all; what is being asked is cut off."""
        await asyncio.gather(*(link.aclose() for link in self._links))
        if self._asking:
            await asyncio.wait(self._asking)

    async def _ask(self, sql: str, arguments: tuple[object, ...]) -> list[asyncpg.Record]:
        """Ask on a free link, again if its connection breaks at once."""
        link = await self._free.get()
        loop = asyncio.get_running_loop()
        until = loop.time() + ANSWER_SECONDS
        try:
            while True:
                try:
                    return await link.ask(sql, *arguments)
                except ConnectionLostError as error:
                    self._drop_idle()
                    if loop.time() >= until:
                        raise StoreUnavailable(f"the database does not answer: {error}") from error
        except asyncpg.PostgresError as error:
            raise refusal(error) from error
        finally:
            self._free.put_nowait(link)

    def _drop_idle(self) -> None:
        """Give up the idle connections: what has broken one has often broken all."""
        for link in self._links:
            if not link.asking:
                link.drop()

    def _asked(self, task: asyncio.Task[list[asyncpg.Record]]) -> None:
        self._asking.discard(task)
        if not task.cancelled():
            task.exception()  # perhaps nobody waits for it any more


def refusal(error: asyncpg.PostgresError) -> StoreError:
    """Return what a server's refusal means to callers; its details stay here."""
    if isinstance(error, asyncpg.IntegrityConstraintViolationError):
        return StoreCorrupt("the database holds entries beyond the head of their log")
    return StoreUnavailable(f"the database refused ({type(error).__name__}); nothing was written")


def describe(error: BaseException) -> str:
    """Return why there is no connection, in words that hold no password."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return str(error) or type(error).__name__
