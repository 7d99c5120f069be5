"""What goes wrong between a program and a server? A proxy that swallows what passes, as told."""

import asyncio
from typing import Final, Self

_CHUNK: Final = 1 << 16


class Proxy:
    """
    Passes connections on to a socket; in the context of `proxied`.

    Attributes:
        port: where it listens on loopback.
        swallows_requests: nothing goes on to the server.
        swallows_replies: nothing comes back from it.
        swallowed: how many pieces were swallowed.
        accepted: how many connections were taken.

    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._passing: set[asyncio.Task[None]] = set()
        self._closed = False
        self.port = 0
        self.swallows_requests = False
        self.swallows_replies = False
        self.swallowed = 0
        self.accepted = 0

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def open(self) -> None:
        """Take connections from now on."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Cut every connection and take no more."""
        self._closed = True
        if self._server is not None:
            self._server.close()
        self.cut()
        if self._passing:
            await asyncio.wait(self._passing)

    def cut(self) -> None:
        """Cut every connection and pass on the next ones whole."""
        self.swallows_requests = self.swallows_replies = False
        for writer in self._writers:
            writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        try:
            there, back = await asyncio.open_unix_connection(self._path)
        except OSError:  # there is no server now
            writer.transport.abort()
            return
        if self._closed:
            writer.transport.abort()
            back.transport.abort()
            return
        self._writers |= {writer, back}
        for source, target, flag in (
            (reader, back, "swallows_requests"),
            (there, writer, "swallows_replies"),
        ):
            task = asyncio.create_task(self._pass(source, target, flag))
            self._passing.add(task)
            task.add_done_callback(self._passing.discard)

    async def _pass(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, flag: str
    ) -> None:
        """Pass on one direction until its source ends, then close the target."""
        try:
            while chunk := await source.read(_CHUNK):
                if getattr(self, flag):
                    self.swallowed += 1
                else:
                    target.write(chunk)
        except OSError:
            pass  # cut: the other direction is told by the close below
        finally:
            self._writers.discard(target)
            target.close()
