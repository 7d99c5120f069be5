"""
Which addresses does a service have? Those that are listed, and all that its names stand for.

A service of many servers is a list of addresses, or one name that stands for them. A name that
stands for one server is left to the library, which knows more of networks.
"""

import os
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

PROXIES = ("grpc_proxy", "https_proxy", "http_proxy")
"""What makes the library dial through a proxy, which resolves names itself."""


def listed(service: str) -> list[str]:
    """Return the addresses of a list; a path may hold commas."""
    return [service] if service.startswith("unix:") else service.split(",")


def host_of(address: str) -> str:
    """Return the host of `HOST:PORT`, empty if it is something else."""
    try:
        parts = urlsplit(f"//{address}")
        whole = parts.port and parts.netloc == address
    except ValueError:
        return ""
    return parts.hostname or "" if whole else ""


def is_fixed(service: str) -> bool:
    """Tell whether there is nothing to look up."""
    return all(_is_literal(address) for address in listed(service))


def addresses(service: str) -> list[str]:
    """
    Look up the addresses to dial now, each once; blocks while the system looks up names.

    A name that cannot be looked up has none.
    """
    return list(dict.fromkeys(found for one in listed(service) for found in _found(one)))


def together(dialled: Iterable[str]) -> str:
    """Return addresses as one target of the library's, without names; empty if there is none."""
    literal = [address for address in dialled if _is_literal(address)]
    if not literal:
        return ""
    hosts = [ip_address(host_of(address)) for address in literal]
    if all(host.version == 4 for host in hosts):
        return f"ipv4:{','.join(literal)}"
    return f"ipv6:{','.join(map(_as_ipv6, literal))}"


def _found(address: str) -> Iterator[str]:
    """Yield what an address of a list stands for."""
    if _is_literal(address) or any(map(os.environ.get, PROXIES)):
        yield address
        return
    host, _, port = address.rpartition(":")
    found: dict[int, list[str]] = {}
    with suppress(OSError):
        for kind, *_, end in socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM):
            found.setdefault(kind, []).append(str(end[0]))
    # A server has one address of each kind: those of the kind that the system prefers are all.
    kinds = [sorted(set(hosts)) for hosts in found.values()]
    if len(kinds) > 1 and all(len(hosts) == 1 for hosts in kinds):
        yield address
    elif kinds:
        yield from (f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host in kinds[0])


def _is_literal(address: str) -> bool:
    """Tell whether an address is dialled as it stands."""
    if address.startswith("unix:"):
        return True
    try:
        ip_address(host_of(address))
    except ValueError:
        return False
    return True


def _as_ipv6(address: str) -> str:
    host, _, port = address.rpartition(":")
    return address if host.startswith("[") else f"[{IPv6Address(f'::ffff:{host}')}]:{port}"
