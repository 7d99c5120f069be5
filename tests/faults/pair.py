"""What do database faults happen to? A primary and its standby, and pods that know of both."""

import asyncio
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import quote

from tests.postgres import DatabaseServer
from tests.proxy import Proxy

_DATABASE: Final = "journal"


class Wire(Protocol):
    """How a standby and the pods reach the servers of a pair."""

    def make(self, programs: Path) -> DatabaseServer:
        """Return a further server, not started."""

    def admit(self, server: DatabaseServer) -> None:
        """Let others connect to a new server, and to those that become copies of it."""

    def place(self, server: DatabaseServer) -> str:
        """Return where pods find a server: the host of its address."""

    async def connection(self, primary: DatabaseServer) -> str:
        """Return by which connection a standby follows a server from now on."""

    def settings(self, server: DatabaseServer) -> dict[str, str]:
        """Return what a server is started with, to be reached like that."""


class Sockets:
    """
    Servers on sockets; the standby follows through a proxy, which can hold it up.

    Attributes:
        proxy: to the present primary.

    """

    def __init__(self) -> None:
        self.proxy = Proxy("")

    def make(self, programs: Path) -> DatabaseServer:
        """Return a further server."""
        return DatabaseServer(programs)

    def admit(self, server: DatabaseServer) -> None:
        """Do nothing: whoever finds the socket may connect."""

    def place(self, server: DatabaseServer) -> str:
        """Return the folder of a server's socket."""
        return quote(str(server.folder), safe="")

    async def connection(self, primary: DatabaseServer) -> str:
        """Return the connection through a new proxy."""
        await self.proxy.close()
        self.proxy = Proxy(str(primary.folder / ".s.PGSQL.5432"))
        await self.proxy.open()
        return f"host=127.0.0.1 port={self.proxy.port} user=postgres sslmode=disable"

    def settings(self, _server: DatabaseServer) -> dict[str, str]:
        """Return nothing: sockets are always there."""
        return {}


class Pair:
    """
    A primary and its standby.

    Attributes:
        primary: which of the two servers takes writes.
        standby: the other one.

    """

    def __init__(self, programs: Path, wire: Wire, *, synchronous: bool) -> None:
        self._wire = wire
        names = "*" if synchronous else ""
        self._settings = {
            "fsync": "off",
            "synchronous_standby_names": names,
            "wal_keep_size": "512MB",
        }
        self.primary = wire.make(programs)
        self.standby = wire.make(programs)
        hosts = ",".join(wire.place(server) for server in (self.primary, self.standby))
        self.address = f"postgresql://postgres@{hosts}/{_DATABASE}"

    async def start(self) -> None:
        """Start both with an empty database."""
        self.primary.create()
        self._wire.admit(self.primary)
        self.primary.start(fsync="off")  # not yet synchronous: nobody follows
        await self.primary.ask(f"CREATE DATABASE {_DATABASE}")
        self.primary.stop()
        self.restart()
        await self.follow()

    def restart(self) -> None:
        """Start the primary; blocks, as servers end with the thread that has started them."""
        self._start(self.primary)

    async def follow(self) -> None:
        """Make the standby a copy of the primary and start it."""
        connection = await self._wire.connection(self.primary)
        await asyncio.to_thread(self.standby.follow, self.primary, connection)
        self._start(self.standby)

    async def promote(self) -> None:
        """Make the standby the primary; what was the primary has to follow, or to be gone."""
        await self.standby.ask("SELECT pg_promote()")
        self.primary, self.standby = self.standby, self.primary

    def remove(self) -> None:
        """End both and remove their folders."""
        self.primary.remove()
        self.standby.remove()

    def _start(self, server: DatabaseServer) -> None:
        server.start(**self._settings, **self._wire.settings(server))
