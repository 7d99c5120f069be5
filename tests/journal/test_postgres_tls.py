"""Does a server that is told whom to believe connect to that database and to no other?"""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from lastcard_server.journal.open_store import StoreAddressError, open_store
from lastcard_server.journal.port import StoreUnavailable
from tests.journal.logs import LOG
from tests.postgres import DatabaseServer, cut, needed_programs


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


def locked(key: Path, password: str) -> Path:
    """Return a copy of a key that takes a password to read."""
    copy = key.with_name("locked.key")
    command = ["openssl", "pkcs8", "-topk8", "-in", str(key), "-passout", f"pass:{password}"]
    subprocess.run([*command, "-out", str(copy)], check=True, capture_output=True)
    return copy


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """Run a database on loopback with a certificate for localhost; return its port and that."""
    cert, key = certificate(tmp_path_factory.mktemp("tls"), "localhost")
    server = DatabaseServer(needed_programs())
    server.create()
    for source, name in ((cert, "server.crt"), (key, "server.key")):
        shutil.copy(source, server.cluster / name)
        shutil.chown(server.cluster / name, server.cluster.owner(), server.cluster.group())
        (server.cluster / name).chmod(0o600)
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
    """One of another authority, and one whose certificate names another host: said at once."""
    port, cert = served
    monkeypatch.setenv("PGSSLMODE", "verify-full")
    monkeypatch.setenv("PGSSLROOTCERT", str(certificate(tmp_path, "localhost")[0]))
    with pytest.raises(StoreUnavailable, match=r"cannot be opened: .* certificate verify failed"):
        await open_by(port)
    monkeypatch.setenv("PGSSLROOTCERT", str(cert))
    with pytest.raises(StoreUnavailable, match=r"cannot be opened: .* certificate verify failed"):
        await open_by(port, host="127.0.0.1")


async def test_a_stranger_beside_a_host_that_is_away_ends_no_start(
    served: tuple[int, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database may be the one that is away: it is waited for."""
    monkeypatch.setattr("lastcard_server.journal.postgres_server.HOST_SECONDS", 0.3)
    monkeypatch.setattr("lastcard_server.journal.postgres_connection.CONNECT_SECONDS", 0.6)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        host = f"127.0.0.1:{silent.getsockname()[1]},127.0.0.1"
        with pytest.raises(StoreUnavailable, match="cannot be reached: no answer in time"):
            await open_by(
                served[0], host, parameters=f"?sslmode=verify-full&sslrootcert={served[1]}"
            )


@pytest.mark.parametrize("by_address", [True, False])
@pytest.mark.parametrize(
    ("text", "why"), [(None, "No such file or directory"), ("no PEM", ".*no certificate")]
)
async def test_an_authority_that_cannot_be_used_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str | None,
    why: str,
    *,
    by_address: bool,
) -> None:
    """A wrong configuration, told with the file before any database is waited for."""
    file = tmp_path / "ca.crt"
    if text is not None:
        file.write_text(text)
    monkeypatch.setenv("PGSSLMODE", "verify-full")
    monkeypatch.setenv("PGSSLROOTCERT", "/no/other.crt" if by_address else str(file))
    words = rf"{file} \(sslrootcert of .* PGSSLROOTCERT\) cannot be used: {why}"
    with pytest.raises(StoreAddressError, match=words):
        await open_by(1, parameters=f"?sslrootcert={file}" if by_address else "")


@pytest.mark.parametrize("by_address", [True, False])
@pytest.mark.parametrize(
    ("broken", "text", "why"),
    [
        ("sslcrl", "no PEM", "used: .*no certificate or crl"),
        ("sslcert", None, "used: No such file or directory"),
        ("sslcert", "no PEM", "used: .*no certificate"),
        ("sslkey", None, "used as the key of .*client.crt: No such file or directory"),
        ("sslkey", "no PEM", "used as the key of .*client.crt: .*PEM lib"),
        ("sslkey", "another's", "used as the key of .*client.crt: .*key values mismatch"),
    ],
)
async def test_a_file_of_ones_own_that_cannot_be_used_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
    text: str | None,
    why: str,
    *,
    by_address: bool,
) -> None:
    """Also one that can be read and holds something else, and a key of another certificate."""
    cert, key = certificate(tmp_path, "client")
    files = {"sslrootcert": cert, "sslcert": cert, "sslkey": key, broken: tmp_path / "broken"}
    if text == "another's":
        certificate(tmp_path, "other")[1].rename(tmp_path / "broken")
    elif text is not None:
        (tmp_path / "broken").write_text(text)
    parameters = {"sslmode": "require"} | {name: str(file) for name, file in files.items()}
    for name, value in parameters.items():
        monkeypatch.setenv(f"PG{name.upper()}", "/no/other" if by_address else value)
    words = rf"broken \({broken} of .* PG{broken.upper()}\) cannot be {why}"
    with pytest.raises(StoreAddressError, match=words):
        await open_by(1, parameters=f"?{urlencode(parameters)}" if by_address else "")


async def test_a_file_that_nobody_names_is_told_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The driver looks for files in the home of whoever runs it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".postgresql").mkdir()
    (tmp_path / ".postgresql" / "postgresql.crt").write_text("no PEM")
    with pytest.raises(StoreAddressError, match=r"/postgresql\.crt \(sslcert of .* cannot be used"):
        await open_by(1)


async def test_a_key_is_opened_with_the_password_of_the_address(
    served: tuple[int, Path], tmp_path: Path
) -> None:
    """And with no other, nor is anybody asked for it."""
    cert, key = certificate(tmp_path, "client")
    files = f"?sslmode=require&sslrootcert={served[1]}&sslcert={cert}&sslkey={locked(key, 'right')}"
    await open_by(served[0], parameters=f"{files}&sslpassword=right")
    for wrong in ("", "&sslpassword=wrong"):
        with pytest.raises(StoreAddressError, match=r"locked\.key .* cannot be used as the key of"):
            await open_by(served[0], parameters=files + wrong)


async def test_whoever_names_no_authority_is_told_where_one_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address is right: what is missing is a file."""
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(StoreAddressError, match=f'certificate file "{tmp_path}/.* does not exist'):
        await open_by(1, parameters="?sslmode=verify-full")


@pytest.mark.parametrize(
    ("mode", "name"),
    [
        ("prefer", "sslrootcert"),
        ("prefer", "sslcrl"),
        ("prefer", "sslkey"),
        ("disable", "sslcert"),
    ],
)
async def test_a_file_is_not_blamed_that_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, name: str
) -> None:
    """A database that is away is waited for, with a file that its mode, or nothing, asks for."""
    monkeypatch.setattr("lastcard_server.journal.postgres_connection.CONNECT_SECONDS", 0.1)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(StoreUnavailable, match=r"cannot be reached: .*Connect call failed"):
        await open_by(1, host="127.0.0.1", parameters=f"?sslmode={mode}&{name}=/no/file")


@pytest.mark.parametrize("by", ["place", "host", "variable"])
async def test_a_file_is_not_blamed_where_a_socket_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    """Without a mode, no socket of this machine is spoken to by TLS."""
    monkeypatch.setattr("lastcard_server.journal.postgres_connection.CONNECT_SECONDS", 0.1)
    monkeypatch.setenv("PGSSLCERT", "/no/file")
    monkeypatch.setenv("PGHOST", str(tmp_path) if by == "variable" else "localhost")
    place = quote(str(tmp_path), safe="") if by == "place" else ""
    parameters = f"?host={tmp_path}" if by == "host" else ""
    with pytest.raises(StoreUnavailable, match=r"cannot be reached: "):
        await open_by(1, place, parameters)


async def test_a_running_server_waits_for_a_file_that_has_gone(
    served: tuple[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What ends a start does not end what runs: the file may be put back."""
    port, cert = served
    file, address = tmp_path / "ca.crt", f"postgresql://postgres@localhost:{port}/postgres"
    shutil.copy(cert, file)
    parameters = f"?sslmode=verify-full&sslrootcert={file}"
    journal = await open_store(address + parameters, unsafe=True)
    file.rename(tmp_path / "away")
    await cut(address)
    with monkeypatch.context() as patch:
        patch.setattr("lastcard_server.journal.postgres_connection.CONNECT_SECONDS", 0.1)
        with pytest.raises(StoreUnavailable, match=f"cannot be reached: {file}"):
            await journal.head(LOG)
    (tmp_path / "away").rename(file)
    assert (await journal.head(LOG)).version == 0
    await journal.aclose()
