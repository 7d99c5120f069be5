"""
Where do tests get a PostgreSQL server? They start Debian's in a folder of its own, and stop it.

One server a process, on a socket in its folder and nowhere else; it ends with the process whatever
happens to that. Each journal of a test has a database of its own.
"""

import atexit
import functools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import asyncpg
import pytest

_START_SECONDS: Final = 30.0
_DATABASES: Final = 6
"""So many are in use; a further journal takes over the one that was given out first."""
_SETTINGS: Final = {
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "autovacuum": "off",
}


def programs() -> Path | None:
    """Return the folder of the newest server's programs, None if there is no server."""
    found = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(found, key=lambda program: float(program.parts[-3]), default=None)
    initdb = newest or shutil.which("initdb")
    return Path(initdb).parent if initdb else None


class DatabaseServer:
    """
    A PostgreSQL server in a folder of its own.

    Attributes:
        folder: holds its socket and its log.
        cluster: the folder that holds its databases.

    """

    def __init__(
        self, program_folder: Path, *within: str, environment: Mapping[str, str] | None = None
    ) -> None:
        """Make the folder; `within`: what its programs are run by, in which environment."""
        self._programs = program_folder
        given = [f"{name}={value}" for name, value in (environment or {}).items()]
        self._as_postgres = [*within, *_as_postgres(), "env", *given]
        self._process: subprocess.Popen[bytes] | None = None
        self._databases: dict[str, str] = {}
        self.folder = Path(
            tempfile.mkdtemp(prefix="lastcard-postgres-", dir="/tmp")
        )  # its path is short
        atexit.register(self.remove)
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        self.cluster = self.folder / "cluster"

    def create(self) -> None:
        """Make it an empty server."""
        options = ("--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C")
        self.run("initdb", f"--pgdata={self.cluster}", "--username=postgres", *options)

    def follow(self, primary: "DatabaseServer", connection: str) -> None:
        """Become a copy of a server that runs; once started, follow it by that connection."""
        self._end(signal.SIGQUIT)
        shutil.rmtree(self.cluster, ignore_errors=True)
        source = f"--host={primary.folder}", "--username=postgres", "--checkpoint=fast"
        self.run("pg_basebackup", f"--pgdata={self.cluster}", *source, "--no-sync")
        self.configure("postgresql.auto.conf", f"primary_conninfo = '{connection}'")
        self.configure("standby.signal", "")

    def configure(self, file: str, line: str) -> None:
        """Add a line to one of the files in its cluster's folder; it is read at the next start."""
        with (self.cluster / file).open("a") as text:
            text.write(f"{line}\n")
        (self.cluster / file).chmod(0o644)  # whoever has made it

    def run(self, program: str, *arguments: str) -> str:
        """Run one of the server's programs to its end and return what it says."""
        command = [*self._as_postgres, str(self._programs / program), *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self, **settings: str) -> None:
        """Start with these settings and wait until it takes connections."""
        given = {**_SETTINGS, "unix_socket_directories": str(self.folder), **settings}
        options = [f"--{name}={value}" for name, value in given.items()]
        command = [
            *self._as_postgres,
            str(self._programs / "postgres"),
            f"-D{self.cluster}",
            *options,
        ]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log)
        until = time.monotonic() + _START_SECONDS
        while not self._takes_connections():
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < until, "the server does not start"
            time.sleep(0.02)

    def _takes_connections(self) -> bool:
        command = [str(self._programs / "pg_isready"), "-q", f"-h{self.folder}"]
        return subprocess.run(command, check=False).returncode == 0

    def stop(self) -> None:
        """Stop it in order: what is being done is cut off, everything is on the disk."""
        self._end(signal.SIGINT)

    def crash(self) -> None:
        """Kill every process it has at once."""
        assert self._process is not None
        pid = self._process.pid
        os.kill(pid, signal.SIGSTOP)
        _wait_for(pid, "T")  # it makes no more of them
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for child in map(int, children):
            os.kill(child, signal.SIGKILL)
        for child in map(int, children):
            _wait_for(child, "Z")  # it holds no more of the shared memory
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(_START_SECONDS)
            self._process = None

    def remove(self) -> None:
        """Stop it and remove its folder."""
        self._end(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, database: str = "postgres") -> str:
        """Return the address of a database."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    async def ask(self, query: str, *arguments: object) -> list[asyncpg.Record]:
        """Ask the server as its owner."""
        return await ask(self.address(), query, *arguments)

    async def database(self, key: str) -> str:
        """Return the address of the database that belongs to a key, empty the first time."""
        name = self._databases.get(key)
        if name is None:
            name = await self._empty_database()
            self._databases[key] = name
        return self.address(name)

    async def _empty_database(self) -> str:
        """Make a database or take over the oldest one: to make one takes ten times as long."""
        if len(self._databases) < _DATABASES:
            name = f"journal_{len(self._databases)}"
            await self.ask(f"CREATE DATABASE {name}")
            return name
        name = self._databases.pop(next(iter(self._databases)))
        await ask(self.address(name), "DROP SCHEMA IF EXISTS lastcard CASCADE")
        return name


@contextmanager
def started_server(
    program_folder: Path, *, environment: Mapping[str, str] | None = None, **settings: str
) -> Iterator[DatabaseServer]:
    """Run an empty server of its own with these settings as long as the context lasts."""
    server = DatabaseServer(program_folder, environment=environment)
    try:
        server.create()
        server.start(**settings)
        yield server
    finally:
        server.remove()


async def ask(address: str, query: str, *arguments: object) -> list[asyncpg.Record]:
    """Ask a database beside every journal."""
    connection = await asyncpg.connect(address)
    try:
        return await connection.fetch(query, *arguments)
    finally:
        await connection.close()


async def cut(address: str) -> int:
    """End every session of the journals in a database; return how many there were."""
    query = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE application_name = 'lastcard' AND datname = current_database()"
    )
    return len(await ask(address, query))


def _wait_for(pid: int, state: str) -> None:
    """Wait until a process is in a state, as its line in /proc names it."""
    until = time.monotonic() + _START_SECONDS
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != state:
        assert time.monotonic() < until, f"the process {pid} does not get to {state}"
        time.sleep(0.001)


def _as_postgres() -> list[str]:
    """Return what runs a program as a user that may be a server, and ends it with this process."""
    start = ["setpriv", "--pdeathsig=INT"]
    if os.geteuid() == 0:  # a server refuses to run as root
        start += ["--reuid=postgres", "--regid=postgres", "--init-groups"]
    return start


@functools.cache
def running_server() -> DatabaseServer:
    """Return this process's server, started when it is asked for first; quick, so not safe."""
    server = DatabaseServer(needed_programs())
    server.create()
    server.start(fsync="off")
    return server


def no_programs() -> str:
    """Return why there can be no server here; "" where there can."""
    if programs() is None or shutil.which("setpriv") is None:
        return "needs a PostgreSQL server's programs and setpriv: apt-get install postgresql"
    return ""


def needed_programs() -> Path:
    """Return the folder of the server's programs; the test is skipped where there are none."""
    folder, reason = programs(), no_programs()
    if folder is None or reason:
        pytest.skip(reason)
    return folder
