"""Are the servers of a service found, however its names stand for them?"""

import socket
from typing import Any

import pytest

from lastcard.addresses import addresses, is_fixed, together

V4, V6 = socket.AF_INET, socket.AF_INET6


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[tuple[int, str]]]:
    """Let names stand for what a test says, and let there be no proxy."""
    for name in ("grpc_proxy", "https_proxy", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    known: dict[str, list[tuple[int, str]]] = {}

    def look_up(host: str, port: int, **_: Any) -> list[Any]:
        if host not in known:
            raise socket.gaierror
        return [(kind, socket.SOCK_STREAM, 6, "", (found, port)) for kind, found in known[host]]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return known


@pytest.mark.parametrize(
    ("found", "dialled"),
    [
        ([(V4, "10.0.0.2"), (V4, "10.0.0.1")], ["10.0.0.1:5", "10.0.0.2:5"]),
        ([(V6, "fd00::1"), (V6, "fd00::2")], ["[fd00::1]:5", "[fd00::2]:5"]),
        ([(V6, "fd00::1"), (V6, "fd00::2"), (V4, "10.0.0.1")], ["[fd00::1]:5", "[fd00::2]:5"]),
        ([(V4, "10.0.0.1"), (V4, "10.0.0.2"), (V6, "fd00::1")], ["10.0.0.1:5", "10.0.0.2:5"]),
        ([(V4, "10.0.0.1"), (V4, "10.0.0.1")], ["10.0.0.1:5"]),
        ([(V6, "::1"), (V4, "127.0.0.1")], ["cards.example:5"]),
    ],
)
def test_a_name_stands_for_its_servers(
    names: dict[str, list[tuple[int, str]]], found: list[tuple[int, str]], dialled: list[str]
) -> None:
    """Each server is dialled once, by the kind of address that the system prefers."""
    names["cards.example"] = found
    assert addresses("cards.example:5") == dialled
    assert not is_fixed("cards.example:5")


@pytest.mark.parametrize(
    "address", ["127.0.0.1:5", "[::1]:5", "unix:var/a,b", "10.0.0.1:5,10.0.0.2:5"]
)
def test_what_is_no_name_is_not_looked_up(address: str) -> None:
    """Numbers and paths are dialled as they stand."""
    listed = [address] if address.startswith("unix:") else address.split(",")
    assert addresses(address) == listed
    assert is_fixed(address)


def test_names_of_a_list_may_be_missing(names: dict[str, list[tuple[int, str]]]) -> None:
    """A server whose name is gone does not hide the others; one named twice is one."""
    names["pod-1"] = [(V4, "10.0.0.1")]
    assert addresses("pod-0:5,pod-1:5,10.0.0.1:5") == ["10.0.0.1:5"]
    assert addresses("pod-0:5") == []


def test_names_behind_a_proxy_are_its_business(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the environment names a proxy, names are left to it."""
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    assert addresses("pod-0:5,10.0.0.1:5") == ["pod-0:5", "10.0.0.1:5"]


@pytest.mark.parametrize(
    ("dialled", "target"),
    [
        (["10.0.0.1:5", "10.0.0.2:6"], "ipv4:10.0.0.1:5,10.0.0.2:6"),
        (["10.0.0.1:5", "[::1]:6"], "ipv6:[::ffff:a00:1]:5,[::1]:6"),
        (["cards.example:5", "10.0.0.1:5"], "ipv4:10.0.0.1:5"),
        (["cards.example:5"], ""),
    ],
)
def test_several_addresses_are_one_target_of_the_library(dialled: list[str], target: str) -> None:
    """Addresses of both kinds are written as one kind."""
    assert together(dialled) == target
