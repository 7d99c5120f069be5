"""How does a server get its ports? For itself alone, or with a sentence that says why not."""

import errno
import socket

import grpc
from grpc import aio

from lastcard_server.config import GRPC_OPTIONS, join_address


class PortError(OSError):
    """A port cannot be listened on; the message is one sentence."""


def grpc_server() -> aio.Server:
    """Return a server with the limits that hold for every port."""
    return aio.server(options=GRPC_OPTIONS)


def listen(
    server: aio.Server, host: str, port: int, credentials: grpc.ServerCredentials | None = None
) -> str:
    """
    Let a server listen; return its address with the real port.

    Raises:
        PortError: another program has the port, or the address is none of this machine's.

    """
    require_free(host, port)
    address = join_address(host, port)
    try:
        if credentials is None:
            bound = server.add_insecure_port(address)
        else:
            bound = server.add_secure_port(address, credentials)
    except RuntimeError:
        raise PortError(f"{address} cannot be listened on.") from None
    return join_address(host, bound)


def require_free(host: str, port: int) -> None:
    """
    Refuse a port that cannot be listened on, in words that name the reason.

    Raises:
        PortError: it cannot.

    """
    address = join_address(host, port)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, name = found[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(name)
            probe.listen()
    except OSError as error:
        raise PortError(_sentence(address, error)) from None


def _sentence(address: str, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"{address} is in use by another program: stop it, or choose another port."
    if error.errno == errno.EACCES:
        return f"{address} is not allowed to this user: choose a port of 1024 or more."
    return f"{address} cannot be listened on: {(error.strerror or str(error)).lower()}."
