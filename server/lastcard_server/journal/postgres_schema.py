"""
Are the tables there, are they ours, and may this role use them? Made where there are none.

Whoever is not their owner can use tables that are complete; what only another role can mend is
said in one sentence, with what that role has to run.
"""

from typing import TYPE_CHECKING

import asyncpg

from lastcard_server.journal.port import StoreCorrupt, StoreForeign, StoreUnavailable
from lastcard_server.journal.postgres_sql import (
    APPLICATION,
    FIND_SCHEMA,
    LOCK_SCHEMA,
    MAKE_INDEXES,
    MAKE_SCHEMA,
    READ_SCHEMA,
    SCHEMA,
    TABLES,
)

if TYPE_CHECKING:
    from lastcard_server.journal.postgres_connection import Connection


async def ensure_schema(connection: "Connection") -> None:
    """
    Have all tables and indexes, whoever comes first makes them.

    Raises:
        StoreForeign: the tables are not ours, or of another release.
        StoreCorrupt: they are not all there.
        StoreUnavailable: another role has to make something, or to grant its use.
    """
    (found,) = await connection.fetch(FIND_SCHEMA)
    if not found["ours"]:
        async with connection.transaction():
            await connection.execute(LOCK_SCHEMA)
            await _make_schema(connection)
        (found,) = await connection.fetch(FIND_SCHEMA)
    _refuse_ungranted(found)
    await _refuse_other(connection)
    if found["missing"]:
        raise StoreCorrupt(
            f"the schema lastcard in the database lacks {_listed(found['missing'])}, which servers "
            "never delete: put a copy back"
        )
    if found["unindexed"]:
        await _make_indexes(connection, found)


async def _make_schema(connection: "Connection") -> None:
    """Make the tables unless another pod has made them meanwhile."""
    (found,) = await connection.fetch(FIND_SCHEMA)
    if found["ours"]:
        return
    if found["used"]:
        raise _foreign()
    try:
        if not found["made"]:
            await connection.execute(MAKE_SCHEMA)
        await connection.execute(TABLES)
    except (asyncpg.InsufficientPrivilegeError, asyncpg.InvalidSchemaNameError):
        raise _barred(found) from None  # a schema that may not be used is none to the server


def _barred(found: asyncpg.Record) -> StoreUnavailable:
    """Say who has to run what before the role may make the tables."""
    role, lacking = found["role"], "the database has no tables of lastcard, and the role"
    if found["made"]:
        return StoreUnavailable(
            f"{lacking} {role} may make none in the schema lastcard: {found['schema_owner']}, its "
            f"owner, may GRANT USAGE, CREATE ON SCHEMA lastcard TO {role}"
        )
    return StoreUnavailable(
        f"{lacking} {role} may make none: the owner of the database may GRANT CREATE ON DATABASE "
        f"{found['database']} TO {role}, or CREATE SCHEMA lastcard AUTHORIZATION {role}"
    )


async def _make_indexes(connection: "Connection", found: asyncpg.Record) -> None:
    """Make the indexes that a store of before lacks."""
    try:
        async with connection.transaction():
            await connection.execute(LOCK_SCHEMA)
            await connection.execute(MAKE_INDEXES)
    except asyncpg.InsufficientPrivilegeError:
        raise StoreUnavailable(
            f"the schema lastcard in the database lacks {_listed(found['unindexed'])}, which the "
            f"role {found['role']} may not make: open the database once as {found['owner']}, the "
            "owner of the tables, with lastcard journal check"
        ) from None


def _refuse_ungranted(found: asyncpg.Record) -> None:
    """Refuse a role that may not do all that a server does."""
    closed = found["closed"] if found["entered"] else ["the schema itself"]
    if closed:
        raise StoreUnavailable(
            f"the role {found['role']} may not use all of the schema lastcard in the database "
            f"({_listed(closed)}): {found['owner']}, the owner of its tables, may "
            "GRANT USAGE ON SCHEMA lastcard, "
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA lastcard and "
            f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA lastcard TO {found['role']}"
        )


async def _refuse_other(connection: "Connection") -> None:
    """Refuse tables of another program or another release."""
    ((application, schema),) = await connection.fetch(READ_SCHEMA)
    if application != APPLICATION:
        raise _foreign()
    if schema != SCHEMA:
        age = "newer" if schema > SCHEMA else "older"
        raise StoreForeign(
            f"the journal in the database has schema {schema}, {age} than schema {SCHEMA} of this "
            "release"
        )


def _listed(names: list[str]) -> str:
    return ", ".join(sorted(names))


def _foreign() -> StoreForeign:
    return StoreForeign("the schema lastcard in the database belongs to another program")
