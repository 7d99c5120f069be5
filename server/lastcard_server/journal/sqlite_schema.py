"""
What tables does a journal file have, and how does a file of an earlier release come to have them?

Each release that changed the tables added a step; a released step is never edited. A new file takes
all of them, so it has the same tables as one that was carried along from the first release. Before
a step is added, a file of the schema before it is kept: see tests/journal/test_migration.py.
"""

APPLICATION = 0x4C434A4C  # "LCJL", in the header of every journal file

# `entries` is filled in order of time, which costs half of keeping each log's entries together.
_FIRST = """
CREATE TABLE logs (
    number INTEGER PRIMARY KEY, log TEXT NOT NULL UNIQUE, family TEXT NOT NULL,
    created_us INTEGER NOT NULL, version INTEGER NOT NULL, chain BLOB NOT NULL,
    due_us INTEGER, owners TEXT NOT NULL, live INTEGER NOT NULL, label TEXT NOT NULL);
CREATE INDEX logs_by_family ON logs (family, number);
CREATE TABLE entries (
    number INTEGER NOT NULL REFERENCES logs, version INTEGER NOT NULL, kind TEXT NOT NULL,
    seat INTEGER, time_us INTEGER NOT NULL, body TEXT NOT NULL, request_id TEXT NOT NULL,
    chain BLOB NOT NULL, state_hash BLOB, PRIMARY KEY (number, version));
CREATE TABLE snapshots (
    number INTEGER PRIMARY KEY REFERENCES logs, version INTEGER NOT NULL,
    revision INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE heartbeats (pod TEXT PRIMARY KEY, time_us INTEGER NOT NULL);
"""

# What a live match takes and when a log was over; whom a server serves; a number is used once.
_SECOND = """
ALTER TABLE logs ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE logs ADD COLUMN ended_us INTEGER;
UPDATE logs SET revision = 1 WHERE live AND family = 'match/';
UPDATE logs SET ended_us = (
    SELECT time_us FROM entries WHERE number = logs.number AND version = logs.version)
WHERE NOT live;
CREATE INDEX logs_by_end ON logs (family, ended_us) WHERE ended_us IS NOT NULL;
CREATE TABLE numbers (last INTEGER NOT NULL);
INSERT INTO numbers VALUES (0);
ALTER TABLE heartbeats ADD COLUMN owners TEXT NOT NULL DEFAULT '';
ALTER TABLE heartbeats ADD COLUMN serving INTEGER NOT NULL DEFAULT 1;
"""

# Entries point back at the one before: an index over them is written at as many places of the file
# as there are matches in a group, and that was most of what a group wrote. To drop a full table
# would take as much memory as the table has, where SQLite wipes what it deletes.
_THIRD = """
CREATE TABLE linked (
    id INTEGER PRIMARY KEY, number INTEGER NOT NULL REFERENCES logs, version INTEGER NOT NULL,
    kind TEXT NOT NULL, seat INTEGER, time_us INTEGER NOT NULL, body TEXT NOT NULL,
    request_id TEXT NOT NULL, chain BLOB NOT NULL, state_hash BLOB, previous INTEGER);
INSERT INTO linked SELECT rowid, *, (
    SELECT rowid FROM entries AS before
    WHERE number = entries.number AND version = entries.version - 1)
FROM entries ORDER BY rowid;
ALTER TABLE logs ADD COLUMN entry INTEGER;
UPDATE logs SET entry = (
    SELECT rowid FROM entries WHERE number = logs.number AND version = logs.version);
DELETE FROM entries;
DROP TABLE entries;
ALTER TABLE linked RENAME TO entries;
"""

_TYPES = {
    "log": "TEXT",
    "created_us": "INTEGER",
    "version": "INTEGER",
    "chain": "BLOB",
    "owners": "TEXT",
    "live": "INTEGER",
    "label": "TEXT",
    "revision": "INTEGER",
    "due_us": "INTEGER",
    "ended_us": "INTEGER",
    "entry": "INTEGER",
}

STEPS = (_FIRST, _SECOND, _THIRD)
"""What makes schema n + 1 of schema n; schema 0 is an empty file."""

SCHEMA = len(STEPS)
"""The schema that this release reads and writes."""


def steps_from(schema: int) -> str:
    """Return the script that turns a file of a schema into one of this release's."""
    script = f"{''.join(STEPS[schema:])} PRAGMA user_version = {SCHEMA};"
    return script if schema else f"{script} PRAGMA application_id = {APPLICATION};"


def typed(*columns: str) -> str:
    """Return columns of `logs` as values of their types: a changed file may hold any others."""
    return ", ".join(f"CAST({column} AS {_TYPES[column]})" for column in columns)


_ODD = " OR ".join(
    f"typeof({column}) NOT IN ('{kind.lower()}', 'null')" for column, kind in _TYPES.items()
)
ODD = f"SELECT CAST(log AS TEXT) FROM logs WHERE {_ODD}"  # noqa: S608 - ours
"""The logs of which a column holds what none of its type is."""

ORPHANS = """
SELECT number, count(*) FROM entries WHERE number NOT IN (SELECT number FROM logs)
GROUP BY number
"""
"""The numbers of logs that are gone while entries of theirs are there, and how many."""

BENT = """
SELECT log FROM logs LEFT JOIN entries ON id = entry
WHERE entries.number IS NOT logs.number OR entries.version IS NOT logs.version
UNION SELECT log FROM entries JOIN logs USING (number)
    LEFT JOIN entries AS before ON before.id = entries.previous
WHERE CASE entries.version WHEN 1 THEN entries.previous IS NOT NULL
    ELSE before.number IS NOT entries.number OR before.version IS NOT entries.version - 1
        OR before.id >= entries.id END
"""
"""The logs whose entries are not to be found one by one from the newest back."""

RELINK = """
UPDATE entries SET previous = found.before FROM (
    SELECT id AS at, lag(id) OVER (ORDER BY version) AS before FROM entries WHERE number = ?
) AS found WHERE id = found.at AND previous IS NOT found.before
"""
"""Has the entries of a log name the one before again."""


def links(lowest: str) -> str:
    """
    Return a common table of where the entries of log ?1 stand, from its newest one back.

    It ends whatever the file holds: a link leads to an earlier entry, or nowhere.

    Args:
        lowest: the version at which it stops, in SQL.

    """
    return f"""links (id, version) AS (
        SELECT entry, version FROM logs WHERE log = ?1
        UNION ALL SELECT previous, links.version - 1 FROM links JOIN entries USING (id)
        WHERE links.version > {lowest} AND previous < id)"""  # noqa: S608 - ours
