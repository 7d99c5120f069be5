"""`lastcard keys`: creates, lists and revokes API keys, on a server or in a stopped one's store."""

import asyncio
import json
import os
import secrets
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, TypeVar

import click

from lastcard import Client, Error, Refused
from lastcard.connection import read_key
from lastcard.v1 import key_service_pb2 as pb
from lastcard_server.journal.open_store import StoreAddressError, open_store
from lastcard_server.journal.port import StoreError, StoreInUse, StoreUnsafe
from lastcard_server.key_registry import KeyRegistry
from lastcard_server.keys import Key, KeyNameError, KeyUnknownError, LastOrganiserError, Role
from lastcard_server.tokens import API_KEY, format_credential

_PAGE = 1_000
_UNSAFE = (
    "Warning: the database runs with fsync or full_page_writes off, and a crash of it may lose "
    "keys that were created and bring back keys that were revoked."
)
_T = TypeVar("_T")


class Row(NamedTuple):
    """A key as it is shown."""

    key_id: str
    name: str
    role: str
    created: str
    """In UTC."""
    revoked: str
    """In UTC; empty while the key is valid."""


class Where(NamedTuple):
    """Where the keys are: on a server, or in the store of a stopped one."""

    address: str | None
    key_file: Path | None
    store: str | None


@click.group("keys")
@click.option("--address", help="HOST:PORT or https://HOST:PORT.  [default: LASTCARD_ADDRESS]")
@click.option(
    "--key-file",
    type=click.Path(path_type=Path),
    help="File with an organiser key.  [default: LASTCARD_KEY, else var/organiser.key]",
)
@click.option(
    "--store",
    help="sqlite:FILE of a stopped server, or the address of a database, instead of a running "
    "server.  [default: LASTCARD_STORE if that is a database and no address is given or set]",
)
@click.pass_context
def command(
    context: click.Context, address: str | None, key_file: Path | None, store: str | None
) -> None:
    """
    Create, list and revoke API keys.

    Exits with 0 when it is done, 1 when it cannot be done, 2 for a wrong option.
    """
    if store and (address or key_file):
        raise click.UsageError("--store asks no server: leave --address and --key-file out.")
    named = os.environ.get("LASTCARD_STORE", "")
    asked = address or key_file or os.environ.get("LASTCARD_ADDRESS")
    if named and not (store or asked or _is_of_one_server(named)):
        store = named
    context.obj = Where(address, key_file, store)


@command.command()
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default="bot",
    show_default=True,
    help="An organiser may do everything, a bot play, a spectator watch.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def create(where: Where, name: str, role: str, *, as_json: bool) -> None:
    """Create a key called NAME and print its secret, this once."""
    if where.store:
        row, secret = _in_store(where.store, lambda keys: _create_in(keys, name, role))
    else:
        made = _call(where, lambda c: c.call(c.keys.CreateKey, _creation(name, role), repeat=False))
        row, secret = _row(made.key), made.secret
    _show(row._asdict() | {"secret": secret}, as_json=as_json)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@click.pass_obj
def list_keys(where: Where, *, as_json: bool) -> None:
    """List the keys, newest first, without secrets."""
    rows = _in_store(where.store, _rows_in) if where.store else _call(where, _rows_of)
    if as_json:
        click.echo(json.dumps([row._asdict() for row in rows]))
        return
    for row in rows:
        state = f"revoked {row.revoked}" if row.revoked else "valid"
        click.echo(f"{row.key_id}  {row.role:<9}  {row.created}  {state:<7}  {row.name}")


@command.command()
@click.argument("key_id")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def revoke(where: Where, key_id: str, *, as_json: bool) -> None:
    """Revoke the key KEY_ID; its streams end, its seats stay."""
    if where.store:
        row = _in_store(where.store, lambda keys: _revoke_in(keys, key_id))
    else:
        request = pb.RevokeKeyRequest(key_id=key_id)
        row = _row(_call(where, lambda c: c.call(c.keys.RevokeKey, request)).key)
    _show(row._asdict(), as_json=as_json)


@command.command()
def generate() -> None:
    """
    Print a new credential that no server knows yet.

    In a file it is the first key of a new server: `lastcard serve --organiser-key FILE`.
    """
    click.echo(format_credential(API_KEY, secrets.token_bytes(20)))


def _show(fields: dict[str, str], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(fields))
        return
    for name, value in fields.items():
        if value:
            click.echo(f"{name:<8} {value}")


# On a server


def _call(where: Where, work: Callable[[Client], _T]) -> _T:
    try:
        key = read_key(where.key_file) if where.key_file else None
        with Client(where.address, key) as client:
            return work(client)
    except Error as error:
        unknown = isinstance(error, Refused) and error.reason == "unauthenticated"
        named = f"{where.key_file}: " if where.key_file and unknown else ""
        raise click.ClickException(f"{named}{error}") from None


def _creation(name: str, role: str) -> pb.CreateKeyRequest:
    return pb.CreateKeyRequest(name=name, role=f"KEY_ROLE_{role.upper()}")


def _rows_of(client: Client) -> list[Row]:
    rows: list[Row] = []
    request = pb.ListKeysRequest(page_size=_PAGE)
    while True:
        page = client.call(client.keys.ListKeys, request)
        rows += map(_row, page.keys)
        if not page.next_page_token:
            return rows
        request.page_token = page.next_page_token


def _row(key: pb.Key) -> Row:
    role = pb.KeyRole.Name(key.role).removeprefix("KEY_ROLE_").lower()
    created = key.create_time.ToMicroseconds()
    revoked = key.revoke_time.ToMicroseconds() if key.HasField("revoke_time") else None
    return Row(key.key_id, key.name, role, _time(created), _time(revoked))


def _time(time_us: int | None) -> str:
    if time_us is None:
        return ""
    return datetime.fromtimestamp(time_us / 1e6, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# In the store of a stopped server


def _in_store(store: str, work: Callable[[KeyRegistry], Awaitable[_T]]) -> _T:
    """Work on the keys in a database, or in a store file that no server has open."""
    if store == "memory":
        raise click.UsageError(
            "--store is sqlite:FILE or postgresql://USER@HOST/DATABASE; a memory store is gone "
            "with its server."
        )
    kind, _, path = store.partition(":")
    if kind == "sqlite" and path and not Path(path).is_file():
        raise click.ClickException(f"there is no file {path}")
    try:
        return asyncio.run(_opened(store, work))
    except StoreAddressError as error:
        raise click.UsageError(str(error)) from None
    except StoreInUse as error:
        raise click.ClickException(f"{error}, or leave --store out to ask the server") from None
    except (StoreError, KeyNameError, KeyUnknownError, LastOrganiserError) as error:
        raise click.ClickException(str(error)) from None


def _is_of_one_server(store: str) -> bool:
    """Tell whether a store is used by one server alone, which is then to be asked."""
    kind, _, path = store.partition(":")
    return store == "memory" or (kind == "sqlite" and path != "")


async def _opened(store: str, work: Callable[[KeyRegistry], Awaitable[_T]]) -> _T:
    try:
        journal = await open_store(store)
    except StoreUnsafe:  # whether it may be is the server's affair
        click.echo(_UNSAFE, err=True)
        journal = await open_store(store, unsafe=True)
    try:
        return await work(await KeyRegistry.open(journal))
    finally:
        await journal.aclose()


async def _create_in(keys: KeyRegistry, name: str, role: str) -> tuple[Row, str]:
    key, secret = await keys.create(name, Role(role))
    return _row_of(key), secret


async def _revoke_in(keys: KeyRegistry, key_id: str) -> Row:
    return _row_of(await keys.revoke(key_id))


async def _rows_in(keys: KeyRegistry) -> list[Row]:
    return list(map(_row_of, keys.keys(limit=None)))


def _row_of(key: Key) -> Row:
    return Row(key.key_id, key.name, key.role, _time(key.created_us), _time(key.revoked_us))
