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
from tests.postgres import ask, running_server

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
