"""
What is said to PostgreSQL? Its tables and the statements on them, each one round trip.

Lists go in as arrays and lie in the order of their places, from 1. Rows of `logs` are found one by
one (LATERAL), so that no plan made for a small table can read a large one whole.
"""

CHANNEL = "lastcard"
"""Of the notifications; each is a pod's tag and lines of what has grown."""

APPLICATION = "lastcard journal"
"""Our mark, without which a schema is somebody else's."""

SCHEMA = 1
"""Version of the tables."""

LOCK_SCHEMA = f"""
SET LOCAL lock_timeout = '60s';
SELECT pg_advisory_xact_lock({0x4C434A4C});
RESET lock_timeout;
"""
"""Of the pods that make tables or indexes; one that builds an index of a large table takes long."""

_ALL = ("SELECT", "INSERT", "UPDATE", "DELETE")
USES = {
    "release": ("SELECT",),
    "log_numbers": ("USAGE",),
    "logs": _ALL,
    "entries": ("SELECT", "INSERT", "DELETE"),
    "snapshots": _ALL,
    "heartbeats": _ALL,
    "barriers": ("SELECT", "INSERT", "DELETE"),
}
"""What the statements do with each table and sequence, and so a role has to be allowed."""
_NEEDED = ", ".join(f"('{name}', '{use}')" for name, uses in USES.items() for use in uses)

LATER_INDEXES = {
    "logs_by_due": "logs (due_us) WHERE live",
    "logs_by_owner": "logs USING gin (owners) WHERE live",
}
"""What `due` and `open_for` look into; a store of this schema that lacks one is given it."""
_INDEXED = ", ".join(f"('{name}')" for name in LATER_INDEXES)

MAKE_INDEXES = "".join(
    f"CREATE INDEX IF NOT EXISTS {name} ON {on};" for name, on in LATER_INDEXES.items()
)

FIND_SCHEMA = f"""
WITH present AS (
    SELECT oid, relname::text AS name, relkind, quote_ident(pg_get_userbyid(relowner)) AS owner
    FROM pg_class WHERE relnamespace = to_regnamespace('lastcard')
), needed (name, use) AS (VALUES {_NEEDED})
SELECT to_regnamespace('lastcard') IS NOT NULL AS made,
    (SELECT quote_ident(pg_get_userbyid(nspowner)) FROM pg_namespace WHERE nspname = 'lastcard')
        AS schema_owner,
    has_schema_privilege(to_regnamespace('lastcard')::oid, 'USAGE') AS entered,
    EXISTS (SELECT FROM present) AS used,
    EXISTS (SELECT FROM present WHERE name = 'release') AS ours,
    ARRAY(SELECT name FROM needed EXCEPT SELECT name FROM present) AS missing,
    ARRAY(VALUES {_INDEXED} EXCEPT SELECT name FROM present) AS unindexed,
    ARRAY(SELECT DISTINCT name FROM needed JOIN present USING (name)
        WHERE NOT CASE relkind WHEN 'S' THEN has_sequence_privilege(oid, use)
            ELSE has_table_privilege(oid, use) END) AS closed,
    (SELECT owner FROM present WHERE name = 'release') AS owner,
    quote_ident(current_user) AS role, quote_ident(current_database()) AS database
"""  # noqa: S608 - ours

READ_SCHEMA = "SELECT application, schema FROM release"

MAKE_SCHEMA = "CREATE SCHEMA lastcard"

# Every append changes its row of `logs`. No index holds a column that most of them change, and
# pages are left half empty, so that such a change touches one page and no index (a "heap only
# tuple").
TABLES = f"""
CREATE TABLE release (application text NOT NULL, schema integer NOT NULL);
INSERT INTO release VALUES ('{APPLICATION}', {SCHEMA});
CREATE SEQUENCE log_numbers AS bigint;
CREATE TABLE logs (
    number bigint PRIMARY KEY, log text COLLATE "C" NOT NULL UNIQUE,
    family text COLLATE "C" NOT NULL, created_us bigint NOT NULL, version bigint NOT NULL,
    chain bytea NOT NULL, due_us bigint, owners text[] NOT NULL, live boolean NOT NULL,
    label text NOT NULL, revision integer NOT NULL, ended_us bigint) WITH (fillfactor = 50);
CREATE INDEX logs_by_family ON logs (family, number);
CREATE INDEX logs_live ON logs (number) WHERE live;
CREATE INDEX logs_by_end ON logs (family, ended_us) WHERE ended_us IS NOT NULL;
CREATE TABLE entries (
    number bigint NOT NULL, version bigint NOT NULL, kind text NOT NULL, seat integer,
    time_us bigint NOT NULL, body bytea NOT NULL, request_id bytea NOT NULL, chain bytea NOT NULL,
    state_hash bytea, PRIMARY KEY (number, version));
CREATE TABLE snapshots (
    number bigint PRIMARY KEY, version bigint NOT NULL, revision integer NOT NULL,
    body bytea NOT NULL);
CREATE TABLE heartbeats (
    pod text COLLATE "C" PRIMARY KEY, time_us bigint NOT NULL, wall_us bigint NOT NULL,
    owners text[] NOT NULL, serving boolean NOT NULL) WITH (fillfactor = 50);
CREATE TABLE barriers (made timestamptz NOT NULL DEFAULT now());
"""  # noqa: S608 - ours

SAFETY = """
SELECT current_setting('fsync', true) AS fsync,
    current_setting('full_page_writes', true) AS full_page_writes,
    CASE WHEN current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')
    THEN set_config('synchronous_commit', 'on', false) END
"""
"""What the server may lose, and a session that waits for the disk at least."""

BARRIER = """
WITH old AS (DELETE FROM barriers WHERE made < now() - interval '1 day')
INSERT INTO barriers DEFAULT VALUES
"""
"""A write at whose end all that was visible before is as safe as the server can make it."""

_WRITTEN = """
WITH wanted AS MATERIALIZED (
    SELECT w.*, string_to_array(lines, E'\\n') AS owners,
        CASE WHEN old_version = 0 THEN nextval('log_numbers') END AS fresh
    FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::bigint[], $5::bytea[], $6::bigint[],
            $7::text[], $8::boolean[], $9::text[], $10::integer[], $11::bigint[], $12::bigint[])
        WITH ORDINALITY AS w (log, old_version, old_chain, version, chain, due_us, lines, live,
            label, revision, created_us, ended_us, place)
), held AS MATERIALIZED (
    SELECT w.*, coalesce(l.number, w.fresh) AS number,
        l.owners IS DISTINCT FROM w.owners AS moved
    FROM (SELECT * FROM wanted ORDER BY log) AS w
    LEFT JOIN LATERAL (
        SELECT number, version, chain, owners FROM logs WHERE logs.log = w.log FOR NO KEY UPDATE
    ) AS l ON true
    WHERE (l.number IS NULL AND w.fresh IS NOT NULL)
        OR (l.version = w.old_version AND l.chain = w.old_chain)
), written AS (
    INSERT INTO logs (number, log, family, created_us, version, chain, due_us, owners, live, label,
        revision, ended_us)
    SELECT number, log, coalesce(nullif(left(log, strpos(log, '/')), ''), log), created_us,
        version, chain, due_us, owners, live, label, revision, ended_us
    FROM held ORDER BY log
    ON CONFLICT (log) DO UPDATE SET version = excluded.version, chain = excluded.chain,
        due_us = excluded.due_us, owners = excluded.owners, live = excluded.live,
        label = excluded.label, revision = excluded.revision, ended_us = excluded.ended_us
    WHERE logs.number = excluded.number
    RETURNING number
), winners AS MATERIALIZED (
    SELECT place, number, log, live, moved FROM held WHERE number IN (SELECT number FROM written)
), filled AS (
    INSERT INTO entries
    SELECT number, e.version, kind, seat, time_us, body, request_id, e.chain, state_hash
    FROM unnest($13::bigint[], $14::bigint[], $15::text[], $16::integer[], $17::bigint[],
            $18::bytea[], $19::bytea[], $20::bytea[], $21::bytea[])
        AS e (place, version, kind, seat, time_us, body, request_id, chain, state_hash)
    JOIN winners USING (place)
)
"""
# A notification holds less than 8,000 bytes.
_TOLD = """, told AS MATERIALIZED (
    SELECT pg_notify($22, $23 || string_agg(line, '' ORDER BY place))::text AS done
    FROM (
        SELECT place, line, sum(octet_length(line)) OVER (ORDER BY place) / 6000 AS part
        FROM (SELECT place, format(E'\\n%s %s %s', log, live::int, moved::int) AS line FROM winners)
            AS lines
    ) AS parts GROUP BY part
)
"""
APPEND = f"{_WRITTEN} SELECT place, moved FROM winners"  # noqa: S608 - ours
"""
Compare, set and fill; return the places of those that were appended.

A log that exists is locked before it is compared, in order of name; the row of a new one is taken
by whoever inserts it first, which its number tells.
"""
APPEND_AND_TELL = f"""{_WRITTEN} {_TOLD}
SELECT place, moved FROM winners WHERE (SELECT count(done) FROM told) >= 0
"""  # noqa: S608 - ours
"""The same, with a notification of what has grown; a pod knows its own by the tag in front."""

REINDEX = """
UPDATE logs SET due_us = $4, owners = $5, live = $6, label = $7, revision = $8,
    ended_us = CASE WHEN NOT $6 THEN (
        SELECT time_us FROM entries AS e WHERE e.number = logs.number AND e.version = $2) END
WHERE log = $1 AND version = $2 AND chain = $3 RETURNING number
"""
"""A repair of what can be found about a log."""

HEADS = """
SELECT place, l.version, l.chain, EXISTS (
    SELECT FROM entries AS e
    WHERE e.number = l.number AND e.version = w.version AND e.chain = w.chain) AS ours
FROM unnest($1::text[], $2::bigint[], $3::bytea[]) WITH ORDINALITY
    AS w (log, version, chain, place)
CROSS JOIN LATERAL (SELECT number, version, chain FROM logs WHERE logs.log = w.log OFFSET 0) AS l
"""
"""The heads of logs, and whether each holds an entry of such a version and chain."""

_ENTRY = "e.version, kind, seat, time_us, body, request_id, e.chain, state_hash"

ENTRIES = f"""
SELECT l.version, l.chain, {_ENTRY}
FROM logs AS l LEFT JOIN entries AS e ON e.number = l.number AND e.version >= $2
WHERE log = $1 ORDER BY e.version
"""  # noqa: S608 - ours

SINCE = f"""
SELECT place, l.version, l.chain, {_ENTRY}
FROM unnest($1::text[], $2::bigint[], $3::bytea[]) WITH ORDINALITY
    AS w (log, version, chain, place)
LEFT JOIN LATERAL (SELECT number, version, chain FROM logs WHERE logs.log = w.log OFFSET 0) AS l
    ON true
LEFT JOIN LATERAL (
    SELECT * FROM entries WHERE entries.number = l.number AND entries.version >= w.version
    OFFSET 0) AS e ON true
WHERE l.chain IS DISTINCT FROM w.chain OR l.version <> w.version
ORDER BY place, e.version
"""  # noqa: S608 - ours

HEAD = "SELECT version, chain FROM logs WHERE log = $1"

INDEXES = """
SELECT w.log, due_us, owners, live, label, revision FROM unnest($1::text[]) AS w (log)
CROSS JOIN LATERAL (SELECT * FROM logs WHERE logs.log = w.log OFFSET 0) AS l
"""

SAVE_SNAPSHOT = """
INSERT INTO snapshots SELECT number, $2, $3, $4 FROM logs WHERE log = $1
ON CONFLICT (number) DO UPDATE SET
    version = excluded.version, revision = excluded.revision, body = excluded.body
"""

SNAPSHOT = """
SELECT s.version, s.revision, body FROM logs JOIN snapshots AS s USING (number) WHERE log = $1
"""

DUE = """
SELECT log, due_us FROM logs WHERE live AND due_us <= $1 ORDER BY due_us, log LIMIT $2
"""

OPEN_FOR = "SELECT log FROM logs WHERE live AND owners && $1::text[] ORDER BY number"

LOWEST_REVISION = "SELECT min(revision) FROM logs WHERE live AND revision > 0"

ENDED = """
SELECT log FROM logs WHERE family = $1 AND ended_us < $2 ORDER BY ended_us, number LIMIT $3
"""

_LISTED = "SELECT log, number, live, label, created_us FROM logs WHERE family = $1 AND number < $2"
_PAGE = "ORDER BY number DESC LIMIT $3"
LOGS = {
    None: f"{_LISTED} {_PAGE}",
    True: f"{_LISTED} AND live {_PAGE}",
    False: f"{_LISTED} AND NOT live {_PAGE}",
}

FORGET = """
WITH gone AS (DELETE FROM logs WHERE log = ANY ($1::text[]) AND NOT live RETURNING number),
    unsaved AS (DELETE FROM snapshots WHERE number IN (SELECT number FROM gone))
DELETE FROM entries WHERE number IN (SELECT number FROM gone)
"""

HEARTBEAT = """
WITH silent AS (DELETE FROM heartbeats WHERE time_us < $2::bigint - $6::bigint AND pod <> $1)
INSERT INTO heartbeats AS h VALUES ($1, $2, $3, coalesce($4::text[], '{}'), $5)
ON CONFLICT (pod) DO UPDATE SET time_us = excluded.time_us, wall_us = excluded.wall_us,
    owners = coalesce($4::text[], h.owners), serving = excluded.serving
"""

HEARTBEATS = "SELECT pod, time_us, wall_us, owners, serving FROM heartbeats"

WALL = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

ORPHANS = """
WITH RECURSIVE numbers (number) AS (
    SELECT min(number) FROM entries WHERE number > $1
    UNION ALL SELECT (SELECT min(number) FROM entries WHERE number > numbers.number)
    FROM numbers WHERE number IS NOT NULL
)
SELECT number, CASE WHEN EXISTS (SELECT FROM logs WHERE logs.number = numbers.number) THEN 0
    ELSE (SELECT count(*) FROM entries WHERE entries.number = numbers.number) END
FROM numbers WHERE number IS NOT NULL LIMIT 1000
"""
"""A page of the logs that have entries, and how many of those without a row of `logs`."""
