"""
Which service is meant, who calls, and how is the channel made?

Address and key come from the arguments, else from LASTCARD_ADDRESS and LASTCARD_KEY, else from a
server on this machine: its default port and the organiser key it wrote. A key never travels in
plaintext to another machine unless the address says `http://`.
"""

import os
import re
from pathlib import Path
from typing import NamedTuple

import grpc

from lastcard.addresses import addresses, host_of, is_fixed, listed, together
from lastcard.errors import BadSetting
from lastcard.program import program

DEFAULT_ADDRESS = "127.0.0.1:50051"
KEY_FILE = Path("var/organiser.key")
KEY = re.compile(r"[!-~]+")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
# A server that comes back is found within a second; one that vanished is noticed within a minute.
OPTIONS: tuple[tuple[str, int | str], ...] = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 1_000),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.max_receive_message_length", -1),
    ("grpc.enable_retries", 0),
    # Calls go to the servers in turn that can be reached.
    ("grpc.service_config", '{"loadBalancingConfig":[{"round_robin":{}}]}'),
)


class Connection(NamedTuple):
    """
    A service, or one server of it, and a caller.

    Attributes:
        target: Host and port, or several with commas, or `unix:PATH`.
        tls: Whether the channel is encrypted.
        key: The API key or seat token.
        authority: PEM file of the certificate authority; empty for those of the system.
        origin: What the key is called in sentences: where it came from.
        service: The target of the service where this is one server of it; otherwise empty.
    """

    target: str
    tls: bool
    key: str
    authority: str = ""
    origin: str = "the key given"
    service: str = ""

    def __str__(self) -> str:
        """Say which server that is."""
        named = self.service and self.target not in listed(self.service)
        return f"{self.service} ({self.target})" if named else self.target

    @property
    def is_fixed(self) -> bool:
        """Whether `servers` is always the same."""
        return is_fixed(self.target)

    def servers(self) -> "list[Connection]":
        """Return each server of the service as it is known now; looks up names, which blocks."""
        return [self._replace(target=one, service=self.target) for one in addresses(self.target)]

    def channel(self) -> grpc.Channel:
        """
        Open a channel; nothing is sent before the first call.

        Of a list the names are looked up, which blocks; of one name that is the library's business.
        """
        target, options = self.target, list(OPTIONS)
        if len(listed(target)) > 1:
            target = together(addresses(target)) or listed(target)[0]
        if target != (first := listed(self.service or self.target)[0]):
            # Certificates are for the name of the service.
            options.append(("grpc.default_authority", first))
        if not self.tls:
            return grpc.insecure_channel(target, options)
        roots = Path(self.authority).read_bytes() if self.authority else None
        return grpc.secure_channel(target, grpc.ssl_channel_credentials(roots), options)

    def metadata(self) -> tuple[tuple[str, str]]:
        """Return the metadata that every call carries."""
        return (("authorization", f"Bearer {self.key}"),)


def connection(address: str | None = None, key: str | None = None) -> Connection:
    """
    Complete an address and a key from the environment and this machine.

    An address is `HOST:PORT`, `http://HOST:PORT`, `https://HOST:PORT` or `unix:PATH`; without a
    scheme it is plaintext on this machine and TLS elsewhere. The servers of one service may be
    listed with commas: `https://HOST:PORT,HOST:PORT`. LASTCARD_CA names the PEM file of an
    authority of one's own.

    Raises:
        BadSetting: The address cannot be understood, the authority's file cannot be read, there is
            no key, or it holds what no header may carry.
    """
    target, tls = _target(address or os.environ.get("LASTCARD_ADDRESS") or DEFAULT_ADDRESS)
    authority = os.environ.get("LASTCARD_CA", "")
    if tls and authority and not os.access(authority, os.R_OK):
        raise BadSetting(f"LASTCARD_CA names {authority}, which cannot be read")
    key, origin = _key(key, target)
    if not KEY.fullmatch(key):
        raise BadSetting(
            f"{origin} is malformed: a key is letters, digits and `_` without spaces or line ends"
        )
    return Connection(target, tls, key, authority, origin)


def read_key(path: Path) -> str:
    """
    Return the key that a file holds.

    Raises:
        BadSetting: The file cannot be read or holds something else.
    """
    try:
        key = path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise BadSetting(f"{path} cannot be read: {(error.strerror or '').lower()}") from None
    except UnicodeDecodeError:
        key = ""
    if not KEY.fullmatch(key):
        raise BadSetting(f"{path} holds no key")
    return key


def _key(given: str | None, target: str) -> tuple[str, str]:
    """Return the key to call with, and where it came from."""
    if given:
        return given, "the key given"
    if key := os.environ.get("LASTCARD_KEY"):
        return key, "the key in LASTCARD_KEY"
    local = target.startswith("unix:") or _is_local(target)
    if local and KEY_FILE.is_file():
        return read_key(KEY_FILE), f"the key in {KEY_FILE}"
    start = f", or start `{program()} serve` in this directory, which writes {KEY_FILE}"
    raise BadSetting(f"there is no key for {target}: set LASTCARD_KEY{start if local else ''}")


def _target(address: str) -> tuple[str, bool]:
    """Return what to dial and whether to encrypt."""
    if address.startswith("unix:"):
        return address, False
    parts = [one.strip().rpartition("://") for one in address.split(",")]
    schemes, target = {scheme for scheme, _, _ in parts}, ",".join(rest for _, _, rest in parts)
    scheme = parts[0][0]
    known = scheme in {"", "http", "https"} and not schemes - {scheme, ""}
    if not known or not all(map(host_of, listed(target))):
        raise BadSetting(
            f"{address!r} is no address; HOST:PORT, http://HOST:PORT, https://HOST:PORT or "
            "unix:PATH is, and several HOST:PORT with commas"
        )
    return target, scheme == "https" or (scheme == "" and not _is_local(target))


def _is_local(target: str) -> bool:
    """Tell whether all of a target is on this machine."""
    return all(host_of(address) in LOOPBACK for address in listed(target))
