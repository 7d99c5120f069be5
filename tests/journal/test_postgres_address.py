"""Is what an address of PostgreSQL says understood, and what it mistypes refused?"""

import socket
from pathlib import Path

import asyncpg
import pytest
from asyncpg.connect_utils import SSLMode, SSLNegotiation

from lastcard_server.journal.open_store import StoreAddressError, open_store
from lastcard_server.journal.port import StoreUnavailable
from lastcard_server.journal.postgres_address import _VALUES, PARAMETERS, check_address
from lastcard_server.journal.postgres_server import Server
from tests.postgres import running_server

PLACE = "postgresql://me:geheim@127.0.0.1:1/x"


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ("sslmod=require", r"unknown parameter, 'sslmod': did you mean sslmode\?$"),
        ("sslmode=require&sslrootcer=/ca", r"'sslrootcer': did you mean sslrootcert\?$"),
        ("SSLMODE=require", r"'SSLMODE': did you mean sslmode\?$"),
        (
            "password=a&sslmod=b",
            r"not shown as it stands behind a password: did you mean sslmode\?$",
        ),
        ("wait=3", r"'wait': known are application_name, .*, user$"),
        ("service=x", "'service': write what the service's file says into the address"),
        ("pg_service=x", "'pg_service': write what the service's file says into the address"),
        ("sslmode=verfy-full", r"sslmode of .* is 'verfy-full': did you mean verify-full\?$"),
        ("sslmode=verify_full", r"is 'verify_full': did you mean verify-full\?$"),
        (
            "sslmode=on",
            "is 'on': known are disable, allow, prefer, require, verify-ca, verify-full$",
        ),
        ("sslmode", "sslmode of the database's address has no value: write sslmode=VALUE$"),
        ("sslnegotiation=directly", r"did you mean direct\?$"),
        ("ssl_min_protocol_version=1.2", r"did you mean TLSv1\.2\?$"),
    ],
)
async def test_what_is_mistyped_is_named_with_what_is_near(parameters: str, words: str) -> None:
    """It is refused before anything is sent, also where no server answers yet."""
    with pytest.raises(StoreAddressError, match=words):
        await open_store(f"{PLACE}?{parameters}")


@pytest.mark.parametrize("kind", ["postgresql", "postgres"])
async def test_missing_slashes_are_named(kind: str) -> None:
    """An address that begins as one of PostgreSQL is none of an unknown kind."""
    with pytest.raises(StoreAddressError, match="two slashes are missing: write postgresql://"):
        await open_store(f"{kind}:/x")


async def test_a_mistyped_mode_of_the_environment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its variable, unless the address says another."""
    monkeypatch.setenv("PGSSLMODE", "verifyfull")
    with pytest.raises(StoreAddressError, match=r"^PGSSLMODE is 'verifyfull': did you mean verify"):
        await open_store(PLACE)
    check_address(f"{PLACE}?sslmode=require")


async def test_the_driver_knows_what_is_known(tmp_path: Path) -> None:
    """It hands nothing of it on to a server that does not know it."""
    for kind, name in ((SSLMode, "sslmode"), (SSLNegotiation, "sslnegotiation")):
        assert tuple(one.name.replace("_", "-") for one in kind) == _VALUES[name]
    values = {name: known[0] for name, known in _VALUES.items()}
    values |= {"port": "5432", "gsslib": "gssapi", "options": ""}
    place, _, host = (await running_server().database(str(tmp_path))).partition("?")
    for name in PARAMETERS:
        parameter = f"{name}={values.get(name, 'x')}"
        check_address(address := f"{place}?{parameter}&{host}&sslmode=disable")
        await (await asyncpg.connect(address)).close()
    with pytest.raises(asyncpg.UndefinedObjectError):
        await asyncpg.connect(f"{place}?wait=3&{host}")


async def test_a_host_that_is_not_found_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the address names it, and without what else it says."""

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    for address in ("postgresql://me:ge@data.example/x", "postgresql://me@/x?host=data.example"):
        with pytest.raises(StoreUnavailable, match=r"host 'data\.example' is not found: Name or"):
            await open_store(address)


async def test_settings_of_the_server_are_options(tmp_path: Path) -> None:
    """They do not change those that a journal needs."""
    address = await running_server().database(str(tmp_path))
    options = "-c%20work_mem%3D5MB%20-c%20lock_timeout%3D9s"
    await (await open_store(f"{address}&options={options}", unsafe=True)).aclose()
    connection = await Server(f"{address}&options={options}", unsafe=True).connect()
    try:
        shown = [await connection.fetchval(f"SHOW {name}") for name in ("work_mem", "lock_timeout")]
    finally:
        await connection.close()
    assert shown == ["5MB", "3s"]
