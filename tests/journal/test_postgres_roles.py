"""May a server use tables that another role has made? It may, or is told who has to run what."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest

from lastcard_server.journal import postgres_sql as sql
from lastcard_server.journal.open_store import open_store
from lastcard_server.journal.port import Snapshot, StoreCorrupt, StoreError, StoreUnavailable
from tests.journal.logs import LOG, OVER, append_to, bodies, grow
from tests.postgres import ask, cut, running_server
from tests.proxy import Proxy

_SHARED = "postgres, the owner of its tables, may GRANT USAGE ON SCHEMA lastcard, GRANT SELECT, "


class Role(NamedTuple):
    """A role that owns nothing, and the same database as it and as its owner."""

    name: str
    address: str
    owner: str

    async def granted(self) -> None:
        """Allow the role what the statements need, and not a bit more."""
        await ask(self.owner, f"GRANT USAGE ON SCHEMA lastcard TO {self.name}")
        for name, uses in sql.USES.items():
            kind = "SEQUENCE" if uses == ("USAGE",) else "TABLE"
            verbs = ", ".join(uses)
            await ask(self.owner, f"GRANT {verbs} ON {kind} lastcard.{name} TO {self.name}")


@pytest.fixture
async def role(tmp_path: Path) -> AsyncIterator[Role]:
    """Make a role that may connect to an empty database."""
    owner = await running_server().database(str(tmp_path))
    name = f"role_{secrets.token_hex(4)}"
    await ask(owner, f"CREATE ROLE {name} LOGIN")
    yield Role(name, owner.replace("//postgres@", f"//{name}@"), owner)
    await ask(owner, f"DROP OWNED BY {name}")
    await ask(owner, f"DROP ROLE {name}")


async def opened(address: str) -> None:
    """Open the store of a database, and close it."""
    await (await open_store(address, unsafe=True)).aclose()


async def test_a_role_that_owns_nothing_can_do_all_that_a_server_does(role: Role) -> None:
    """With tables, sequence and schema granted: appends, hints, snapshots, beats, deletions."""
    await opened(role.owner)
    await role.granted()
    one = await open_store(role.address, unsafe=True)
    other = await open_store(role.address, unsafe=True)
    try:
        head = await grow(one, LOG, "1")
        hearing = asyncio.ensure_future(anext(other.hints()))
        async with asyncio.timeout(10):
            while not hearing.done():
                head = await grow(one, LOG, "more")
                await asyncio.sleep(0.02)
        assert hearing.result().log == LOG
        await one.heartbeat("pod", ["key:1"])
        assert [*await other.heartbeats()] == ["pod"]
        snapshot = Snapshot(1, 1, b"body")
        await one.save_snapshot(LOG, snapshot)
        await one.save_snapshot(LOG, snapshot)
        assert await other.snapshot(LOG) == snapshot
        await one.append([append_to(LOG, head, "end", index=OVER)])
        assert await other.reindex(LOG, await other.head(LOG), OVER)
        await other.forget([LOG])
        assert await bodies(one, LOG) == []
    finally:
        await one.aclose()
        await other.aclose()


@pytest.mark.parametrize(
    ("missing", "error", "match"),
    [
        (
            "REVOKE USAGE ON SCHEMA lastcard FROM {role}",
            StoreUnavailable,
            rf"{{role}} may not .* \(the schema itself\): {_SHARED}",
        ),
        (
            "REVOKE USAGE ON SEQUENCE lastcard.log_numbers FROM {role}",
            StoreUnavailable,
            rf"{{role}} may not .* \(log_numbers\): {_SHARED}",
        ),
        (
            "REVOKE DELETE ON lastcard.entries, lastcard.barriers FROM {role}",
            StoreUnavailable,
            rf"{{role}} may not .* \(barriers, entries\): {_SHARED}",
        ),
        (
            "DROP INDEX lastcard.logs_by_due",
            StoreUnavailable,
            "lacks logs_by_due, which the role {role} may not make: open .* once as postgres, ",
        ),
        ("DROP TABLE lastcard.snapshots", StoreCorrupt, "lacks snapshots, .* put a copy back"),
    ],
)
async def test_what_a_role_lacks_is_said_at_once_and_who_can_mend_it(
    role: Role, missing: str, error: type[StoreError], match: str
) -> None:
    """A grant, an index of a later release, a table: nothing is found out by the first append."""
    await opened(role.owner)
    await role.granted()
    await opened(role.address)
    await ask(role.owner, missing.format(role=role.name))
    with pytest.raises(error, match=match.format(role=role.name)):
        await opened(role.address)


async def test_a_role_that_may_make_nothing_is_told_who_may(role: Role) -> None:
    """An empty database needs its owner; one that makes it the role's needs nobody more."""
    words = f"the role {role.name} may make none: the owner of the database may GRANT CREATE"
    with pytest.raises(StoreUnavailable, match=words):
        await opened(role.address)
    await ask(role.owner, f"CREATE SCHEMA lastcard AUTHORIZATION {role.name}")
    await opened(role.address)


@pytest.mark.parametrize("granted", ["", "USAGE", "CREATE"])
async def test_a_role_whose_schema_is_anothers_is_told_what_its_owner_has_to_grant(
    role: Role, granted: str
) -> None:
    """An empty schema, made without AUTHORIZATION; what is told is enough."""
    await ask(role.owner, "CREATE SCHEMA lastcard")
    if granted:
        await ask(role.owner, f"GRANT {granted} ON SCHEMA lastcard TO {role.name}")
    grant = f"GRANT USAGE, CREATE ON SCHEMA lastcard TO {role.name}"
    words = f"{role.name} may make none in the schema lastcard: postgres, its owner, may {grant}$"
    with pytest.raises(StoreUnavailable, match=words):
        await opened(role.address)
    await ask(role.owner, grant)
    await opened(role.address)


@pytest.fixture
async def guarded(role: Role, tmp_path: Path) -> AsyncIterator[Role]:
    """Have the server ask for passwords; the role has the tables and the password `right`."""
    server = running_server()
    await ask(role.owner, f"CREATE SCHEMA lastcard AUTHORIZATION {role.name}")
    await ask(role.owner, f"ALTER ROLE {role.name} PASSWORD 'right'")
    rules = server.folder / tmp_path.name
    rules.write_text("local all postgres trust\nlocal all all scram-sha-256\n")
    rules.chmod(0o644)
    server.stop()
    server.start(fsync="off", hba_file=str(rules))
    yield role._replace(address=role.address.replace("@", ":right@"))
    server.stop()
    server.start(fsync="off")


async def test_a_wrong_password_is_said_at_once(
    guarded: Role, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where another host that is listed does not answer."""
    with pytest.raises(StoreUnavailable, match="cannot be opened: password authentication failed"):
        await opened(guarded.address.replace(":right@", ":wrong@"))
    monkeypatch.setattr("lastcard_server.journal.postgres_server.HOST_SECONDS", 0.5)
    name = guarded.address.partition("?")[0].rpartition("/")[2]
    socket = str(running_server().folder / ".s.PGSQL.5432")
    async with Proxy(socket) as silent, Proxy(socket) as proxy:
        silent.swallows_replies = True
        hosts = ",".join(f"127.0.0.1:{each.port}" for each in (proxy, silent))
        with pytest.raises(StoreUnavailable, match="cannot be opened: password authentication"):
            await opened(f"postgresql://{guarded.name}:wrong@{hosts}/{name}")


async def test_a_running_server_waits_for_its_password_to_be_right_again(
    guarded: Role, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A password that is changed beneath it ends no server."""
    journal = await open_store(guarded.address, unsafe=True)
    await ask(guarded.owner, f"ALTER ROLE {guarded.name} PASSWORD 'other'")
    await cut(guarded.owner)
    with monkeypatch.context() as patch:
        patch.setattr("lastcard_server.journal.postgres_connection.CONNECT_SECONDS", 0.1)
        with pytest.raises(StoreUnavailable, match="cannot be reached: password"):
            await journal.head(LOG)
    await ask(guarded.owner, f"ALTER ROLE {guarded.name} PASSWORD 'right'")
    await grow(journal, LOG, "1")
    await journal.aclose()
