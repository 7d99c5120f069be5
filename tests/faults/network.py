"""How is a server cut off? Each in a network namespace of its own, where packets are dropped."""

import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.postgres import DatabaseServer

_BRIDGE: Final = f"lc{os.getpid()}"
_NET: Final = f"10.{199 + os.getpid() % 50}.{os.getpid() // 50 % 250}"
HERE: Final = f"{_NET}.1"
"""The address of whatever is in no namespace: the pods."""
_DOORS: Final = 100
"""The last number of the first of further addresses."""


def missing() -> str:
    """Return why there can be no namespaces here; "" where there can."""
    if os.geteuid() != 0:
        return "needs root, to cut off servers in network namespaces"
    tools = [tool for tool in ("ip", "iptables") if shutil.which(tool) is None]
    return f"needs {' and '.join(tools)}" if tools else ""


class Namespaces:
    """A bridge with a namespace for each server; a `Wire` of a pair."""

    def __init__(self) -> None:
        self._names: dict[Path, str] = {}
        self._devices: dict[Path, str] = {}
        self._addresses: dict[Path, str] = {}

    def open(self) -> None:
        """Make the bridge."""
        _ip("link", "add", _BRIDGE, "type", "bridge")
        _ip("addr", "add", f"{HERE}/24", "dev", _BRIDGE)
        _ip("link", "set", _BRIDGE, "up")

    def close(self) -> None:
        """Remove everything again."""
        for name in self._names.values():
            with suppress(subprocess.CalledProcessError):
                _ip("netns", "del", name)
        with suppress(subprocess.CalledProcessError):
            _ip("link", "del", _BRIDGE)

    def make(self, programs: Path) -> DatabaseServer:
        """Return a server in a namespace of its own."""
        number = len(self._names) + 2
        name, outside, inside = (f"{_BRIDGE}{letter}{number}" for letter in "nab")
        _ip("netns", "add", name)
        _ip("link", "add", outside, "type", "veth", "peer", "name", inside, "netns", name)
        _ip("link", "set", outside, "master", _BRIDGE, "up")
        server = DatabaseServer(programs, "ip", "netns", "exec", name)
        self._names[server.folder] = name
        self._devices[server.folder] = inside
        self._addresses[server.folder] = address = f"{_NET}.{number}"
        self._within(server, "ip", "addr", "add", f"{address}/24", "dev", inside)
        self._within(server, "ip", "link", "set", inside, "up")
        self._within(server, "ip", "link", "set", "lo", "up")
        return server

    def admit(self, server: DatabaseServer) -> None:
        """Let everybody in the network connect."""
        for database in ("all", "replication"):
            server.configure("pg_hba.conf", f"host {database} all {_NET}.0/24 trust")

    def place(self, server: DatabaseServer) -> str:
        """Return the address of a server in the network."""
        return self._addresses[server.folder]

    async def connection(self, primary: DatabaseServer) -> str:
        """Return the connection over the network."""
        return f"host={self.place(primary)} user=postgres sslmode=disable"

    def settings(self, server: DatabaseServer) -> dict[str, str]:
        """Return where the server listens."""
        return {"listen_addresses": self.place(server), "wal_receiver_timeout": "2s"}

    def cut(self, server: DatabaseServer, *others: str) -> Callable[[], None]:
        """Drop all packets between a server and others; return what heals it."""
        for other in others:
            self._within(server, "iptables", "-A", "INPUT", "-s", other, "-j", "DROP")
            self._within(server, "iptables", "-A", "OUTPUT", "-d", other, "-j", "DROP")

        def heal() -> None:
            self._within(server, "iptables", "-F")

        return heal

    def doors(self, server: DatabaseServer, count: int) -> list[str]:
        """Give a server further addresses, which can be shut one by one."""
        inside = self._devices[server.folder]
        doors = [f"{_NET}.{_DOORS + number}" for number in range(count)]
        for door in doors:
            self._within(server, "ip", "addr", "add", f"{door}/24", "dev", inside)
        return doors

    def shut(self, server: DatabaseServer, door: str) -> Callable[[], int]:
        """Drop all packets to and from an address of a server; return what heals it."""
        self._within(server, "iptables", "-A", "INPUT", "-d", door, "-j", "DROP")
        self._within(server, "iptables", "-A", "OUTPUT", "-s", door, "-j", "DROP")

        def heal() -> int:
            """Return how many packets were dropped."""
            rules = self._within(server, "iptables", "-nvxL")
            self._within(server, "iptables", "-F")
            return sum(int(rule.split()[0]) for rule in rules.splitlines() if " DROP " in rule)

        return heal

    def _within(self, server: DatabaseServer, *command: str) -> str:
        return _ip("netns", "exec", self._names[server.folder], *command)


def _ip(*arguments: str) -> str:
    return subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True).stdout
