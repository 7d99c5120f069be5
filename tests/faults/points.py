"""
Where may a server die? Named points on the way of an answer, and of all else that is written.

A point is a function or method of the real server and a moment: before it is called, after it has
returned, or once it waits for something. Points of the store are also statements: of the connection
that writes a file, of all connections to a database. A database lives on while its server dies, so
that a statement which was sent may yet be done, and one that was done may never be told.
"""

from typing import Final, Literal, NamedTuple

Moment = Literal["before", "within", "after"]
During = Literal["play", "contest", "house", "start", "drain", "empty"]
"""`empty`: the first start on a store that holds nothing."""
Store = Literal["sqlite", "postgres"]


class Point(NamedTuple):
    """A place in the server's code."""

    target: str
    """`module:Class.method` or `module:function`; `sql:STATEMENT` by its first words."""
    moment: Moment
    during: During = "play"
    """What has to go on for it to be reached."""
    most: int = 1
    """It is passed up to so many times before the server dies there."""
    store: Store = "sqlite"
    """On which store it is died at."""


_RUNTIME: Final = "lastcard_server.matches.runtime"
_SQLITE: Final = "lastcard_server.journal.sqlite:SqliteJournal"
_POSTGRES: Final = "lastcard_server.journal.postgres"
_PLAY: Final = "lastcard_server.servicers.play"
_GROUPS: Final = "lastcard_server.matches.groups"
_CONTESTS: Final = "lastcard_server.contests"


def _of_database(target: str, moment: Moment, during: During = "play", most: int = 1) -> Point:
    return Point(target, moment, during, most, "postgres")


POINTS: Final[dict[str, Point]] = {
    "received": Point("lastcard_server.matches.registry:Matches.submit", "before", most=8),
    "before-decide": Point(f"{_RUNTIME}:decide", "before", most=8),
    "decided": Point(f"{_RUNTIME}:decide", "after", most=8),
    "before-append": Point(f"{_SQLITE}.append", "before", most=8),
    "before-begin": Point("sql:BEGIN", "before", most=8),
    "begun": Point("sql:BEGIN", "after", most=8),
    "logs-written": Point("sql:INSERT INTO logs", "after", most=8),
    "entries-written": Point("sql:INSERT INTO entries", "after", most=8),
    "before-commit": Point("sql:COMMIT", "before", most=8),
    "committed": Point("sql:COMMIT", "after", most=8),
    "before-follow": Point(f"{_SQLITE}._keep", "before", most=8),
    "followed": Point(f"{_SQLITE}._keep", "after", most=8),
    "appended": Point(f"{_SQLITE}.append", "after", most=8),
    "before-landed": Point("lastcard_server.matches.custody:Custody._landed", "before", most=8),
    "landed": Point("lastcard_server.matches.custody:Custody._landed", "after", most=8),
    "before-tell": Point("lastcard_server.matches.audience:Audience.tell", "before", most=8),
    "told": Point("lastcard_server.matches.audience:Audience.tell", "after", most=8),
    "outcomes-known": Point("lastcard_server.matches.registry:Matches.submit", "after", most=8),
    "before-acknowledge": Point(f"{_PLAY}:_Answers.put", "before", most=8),
    "acknowledged": Point(f"{_PLAY}:_Answers.put", "after", most=8),
    "before-write": Point("lastcard_server.outbox:Outbox.pack", "after", most=8),
    "before-heartbeat": Point(f"{_SQLITE}.heartbeat", "before", most=2),
    "heartbeat": Point(f"{_SQLITE}.heartbeat", "after", most=2),
    "before-match": Point("lastcard_server.matches.registry:Matches.create", "before", most=3),
    "match-created": Point("lastcard_server.matches.registry:Matches.create", "after", most=3),
    "before-group": Point(f"{_GROUPS}:create", "before", "contest", 3),
    "group-created": Point(f"{_GROUPS}:create", "after", "contest", 3),
    "before-nonces": Point(f"{_GROUPS}:fix_nonces", "before", "contest"),
    "nonces-fixed": Point(f"{_GROUPS}:fix_nonces", "after", "contest"),
    "before-contest-append": Point(f"{_CONTESTS}.log:ContestLog.append", "before", "contest", 3),
    "contest-appended": Point(f"{_CONTESTS}.log:ContestLog.append", "after", "contest", 3),
    "before-contest": Point(f"{_CONTESTS}.contests:Contests.begin", "before", "contest"),
    "contest-begun": Point(f"{_CONTESTS}.contests:Contests.begin", "after", "contest"),
    "before-snapshot": Point(f"{_SQLITE}.save_snapshot", "before", "house"),
    "snapshot-saved": Point(f"{_SQLITE}.save_snapshot", "after", "house"),
    "store-opened": Point("lastcard_server.app:open_store", "after", "start"),
    "keys-read": Point("lastcard_server.key_registry:KeyRegistry.open", "after", "start"),
    "downtime-found": Point("lastcard_server.matches.outages:Pulse.start", "after", "start"),
    "matches-begun": Point("lastcard_server.matches.registry:Matches.start", "after", "start"),
    "contests-taken-up": Point(f"{_CONTESTS}.contests:Contests.start", "after", "start"),
    "before-drain": Point("lastcard_server.app:Server.drain", "before", "drain"),
    "streams-told": Point("lastcard_server.hub:Hub.drain", "after", "drain"),
    "drained": Point("lastcard_server.app:Server.drain", "after", "drain"),
    "before-close": Point(f"{_SQLITE}.aclose", "before", "drain"),
    "tables-made": _of_database(f"{_POSTGRES}_schema:_make_schema", "after", "empty"),
    "before-group-of-appends": _of_database(
        f"{_POSTGRES}:PostgresJournal.append", "before", most=8
    ),
    "before-statement": _of_database("sql:WITH wanted", "before", most=8),
    "statement-sent": _of_database("sql:WITH wanted", "within", most=8),
    "statement-answered": _of_database("sql:WITH wanted", "after", most=8),
    "hints-told": _of_database(f"{_POSTGRES}_writer:Writer._attempt", "after", most=8),
    "group-appended": _of_database(f"{_POSTGRES}:PostgresJournal.append", "after", most=8),
    "notification-heard": _of_database(f"{_POSTGRES}_hints:Ear._hear", "after", most=8),
    "heartbeat-sent": _of_database("sql:WITH silent", "within", most=2),
    "heartbeat-answered": _of_database("sql:WITH silent", "after", most=2),
    "barrier-written": _of_database(f"{_POSTGRES}_server:_Host._write_barrier", "after", "start"),
    "database-opened": _of_database("lastcard_server.app:open_store", "after", "start"),
    "before-pending": _of_database(f"{_POSTGRES}_writer:Writer.finish", "before", "drain"),
    "database-closed": _of_database(f"{_POSTGRES}:PostgresJournal.aclose", "after", "drain"),
}
"""By name, in the order in which an answer meets them."""


def points_of(store: Store) -> dict[str, Point]:
    """Return the points at which servers on such a store die."""
    return {name: point for name, point in POINTS.items() if point.store == store}
