"""
Which server is meant, who calls, and how is the channel made?

Address and key come from the arguments, else from LASTCARD_ADDRESS and LASTCARD_KEY, else from a
server on this machine: its default port and the organiser key it wrote. A key never travels in
plaintext to another machine unless the address says `http://`.
"""

import os
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import grpc

from lastcard.errors import BadSetting

DEFAULT_ADDRESS = "127.0.0.1:50051"
KEY_FILE = Path("var/organiser.key")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
# A server that comes back is found within a second; one that vanished is noticed within a minute.
OPTIONS = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 1_000),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.max_receive_message_length", -1),
    ("grpc.enable_retries", 0),
)


class Connection(NamedTuple):
    """
    A server and a caller.

    Attributes:
        target: Host and port, or `unix:PATH`.
        tls: Whether the channel is encrypted.
        key: The API key or seat token.
        authority: PEM file of the certificate authority; empty for those of the system.
    """

    target: str
    tls: bool
    key: str
    authority: str = ""

    def channel(self) -> grpc.Channel:
        """Open a channel; nothing is sent before the first call."""
        if not self.tls:
            return grpc.insecure_channel(self.target, OPTIONS)
        roots = Path(self.authority).read_bytes() if self.authority else None
        return grpc.secure_channel(self.target, grpc.ssl_channel_credentials(roots), OPTIONS)

    def metadata(self) -> tuple[tuple[str, str]]:
        """Return the metadata that every call carries."""
        return (("authorization", f"Bearer {self.key}"),)


def connection(address: str | None = None, key: str | None = None) -> Connection:
    """
    Complete an address and a key from the environment and this machine.

    An address is `HOST:PORT`, `http://HOST:PORT`, `https://HOST:PORT` or `unix:PATH`; without a
    scheme it is plaintext on this machine and TLS elsewhere. LASTCARD_CA names the PEM file of an
    authority of one's own.

    Raises:
        BadSetting: The address cannot be understood, the authority's file cannot be read, or
            there is no key.
    """
    target, tls = _target(address or os.environ.get("LASTCARD_ADDRESS") or DEFAULT_ADDRESS)
    authority = os.environ.get("LASTCARD_CA", "")
    if tls and authority and not os.access(authority, os.R_OK):
        raise BadSetting(f"LASTCARD_CA names {authority}, which cannot be read")
    key = key or os.environ.get("LASTCARD_KEY") or _found(target)
    return Connection(target, tls, key, authority)


def _target(address: str) -> tuple[str, bool]:
    """Return what to dial and whether to encrypt."""
    if address.startswith("unix:"):
        return address, False
    scheme, _, rest = address.rpartition("://")
    host = _host(rest)
    if not host or scheme not in {"", "http", "https"}:
        raise BadSetting(
            f"{address!r} is no address; HOST:PORT, http://HOST:PORT, https://HOST:PORT or "
            "unix:PATH is"
        )
    return rest, scheme == "https" or (scheme == "" and host not in LOOPBACK)


def _host(target: str) -> str:
    """Return the host of `HOST:PORT`, empty if it is something else."""
    try:
        parts = urlsplit(f"//{target}")
        whole = parts.port and parts.netloc == target
    except ValueError:
        return ""
    return parts.hostname or "" if whole else ""


def _found(target: str) -> str:
    """Return the organiser key that a server on this machine wrote in this directory."""
    if (target.startswith("unix:") or _host(target) in LOOPBACK) and KEY_FILE.is_file():
        return KEY_FILE.read_text().strip()
    raise BadSetting(
        f"there is no key for {target}: set LASTCARD_KEY, pass key=, or start `lastcard serve` "
        f"in this directory, which writes {KEY_FILE}"
    )
