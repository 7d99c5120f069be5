"""Does a server that is told whom to believe connect to that database and to no other?"""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from lastcard_server.journal.open_store import open_store
from lastcard_server.journal.port import StoreUnavailable
from tests.postgres import DatabaseServer, needed_programs


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """Make a certificate for a host that is its own authority; return it with its key."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make a certificate")
    cert, key = folder / f"{name}.crt", folder / f"{name}.key"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    command += ["-nodes", "-days", "1", "-subj", f"/CN={name}", "-addext"]
    command += [f"subjectAltName=DNS:{name}", "-out", str(cert), "-keyout", str(key)]
    subprocess.run(command, check=True, capture_output=True)
    return cert, key


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """Run a database on loopback with a certificate for localhost; return its port and that."""
    cert, key = certificate(tmp_path_factory.mktemp("tls"), "localhost")
    server = DatabaseServer(needed_programs())
    server.create()
    for source, name in ((cert, "server.crt"), (key, "server.key")):
        shutil.copy(source, server.data / name)
        shutil.chown(server.data / name, server.data.owner(), server.data.group())
        (server.data / name).chmod(0o600)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PGPORT", str(port))  # where it is asked whether it takes connections
        server.start(fsync="off", ssl="on", listen_addresses="127.0.0.1", port=str(port))
    yield port, cert
    server.remove()


async def open_by(port: int, host: str = "localhost", parameters: str = "") -> None:
    """Open a store by its address, and close it."""
    address = f"postgresql://postgres@{host}:{port}/postgres{parameters}"
    await (await open_store(address, unsafe=True)).aclose()


async def test_a_database_with_a_certificate_of_ones_own_authority_is_believed(
    served: tuple[int, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the address, and by the variables that the chart sets."""
    port, cert = served
    await open_by(port, parameters=f"?sslmode=verify-full&sslrootcert={cert}")
    monkeypatch.setenv("PGSSLMODE", "verify-full")
    monkeypatch.setenv("PGSSLROOTCERT", str(cert))
    await open_by(port)


async def test_no_other_database_is_believed(
    served: tuple[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of another authority, and one whose certificate names another host."""
    port, cert = served
    monkeypatch.setattr("lastcard_server.journal.postgres_connection.CONNECT_SECONDS", 0.1)
    monkeypatch.setenv("PGSSLMODE", "verify-full")
    monkeypatch.setenv("PGSSLROOTCERT", str(certificate(tmp_path, "localhost")[0]))
    with pytest.raises(StoreUnavailable, match="certificate verify failed"):
        await open_by(port)
    monkeypatch.setenv("PGSSLROOTCERT", str(cert))
    with pytest.raises(StoreUnavailable, match="certificate verify failed"):
        await open_by(port, host="127.0.0.1")


@pytest.mark.parametrize("by_address", [True, False])
async def test_an_authority_that_cannot_be_read_is_named(
    served: tuple[int, Path], monkeypatch: pytest.MonkeyPatch, *, by_address: bool
) -> None:
    """Whoever mistyped the file of the authority is told which file it is that is not there."""
    port, _ = served
    monkeypatch.setattr("lastcard_server.journal.postgres_connection.CONNECT_SECONDS", 0.1)
    monkeypatch.setenv("PGSSLMODE", "verify-full")
    monkeypatch.setenv("PGSSLROOTCERT", "/no/other.crt" if by_address else "/no/ca.crt")
    with pytest.raises(StoreUnavailable, match=r"No such file or directory: '/no/ca\.crt'"):
        await open_by(port, parameters="?sslrootcert=/no/ca.crt" if by_address else "")
