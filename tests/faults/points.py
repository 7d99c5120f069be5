"""
Where may a server die? Named points on the way of an answer, and of all else that is written.

A point is a function or method of the real server and a moment: before it is called, or after it
has returned. Points of the store are statements of the connection that writes.
"""

from typing import Final, Literal, NamedTuple

Moment = Literal["before", "after"]
During = Literal["play", "contest", "start", "drain"]


class Point(NamedTuple):
    """A place in the server's code."""

    target: str
    """`module:Class.method` or `module:function`; `sql:STATEMENT` of the writing connection."""
    moment: Moment
    during: During = "play"
    """What has to go on for it to be reached."""


_RUNTIME: Final = "lastcard_server.matches.runtime"
_SQLITE: Final = "lastcard_server.journal.sqlite:SqliteJournal"
_PLAY: Final = "lastcard_server.servicers.play"
_GROUPS: Final = "lastcard_server.matches.groups"
_CONTESTS: Final = "lastcard_server.contests"

POINTS: Final[dict[str, Point]] = {
    "received": Point("lastcard_server.matches.registry:Matches.submit", "before"),
    "before-decide": Point(f"{_RUNTIME}:decide", "before"),
    "decided": Point(f"{_RUNTIME}:decide", "after"),
    "before-append": Point(f"{_SQLITE}.append", "before"),
    "before-begin": Point("sql:BEGIN", "before"),
    "begun": Point("sql:BEGIN", "after"),
    "logs-written": Point("sql:INSERT INTO logs", "after"),
    "entries-written": Point("sql:INSERT INTO entries", "after"),
    "before-commit": Point("sql:COMMIT", "before"),
    "committed": Point("sql:COMMIT", "after"),
    "before-follow": Point(f"{_SQLITE}._keep", "before"),
    "followed": Point(f"{_SQLITE}._keep", "after"),
    "appended": Point(f"{_SQLITE}.append", "after"),
    "before-landed": Point(f"{_RUNTIME}:Runtime._landed", "before"),
    "landed": Point(f"{_RUNTIME}:Runtime._landed", "after"),
    "before-tell": Point("lastcard_server.matches.audience:Audience.tell", "before"),
    "told": Point("lastcard_server.matches.audience:Audience.tell", "after"),
    "outcomes-known": Point("lastcard_server.matches.registry:Matches.submit", "after"),
    "before-acknowledge": Point(f"{_PLAY}:_Answers.put", "before"),
    "acknowledged": Point(f"{_PLAY}:_Answers.put", "after"),
    "before-write": Point("lastcard_server.outbox:Outbox.pack", "after"),
    "before-heartbeat": Point(f"{_SQLITE}.heartbeat", "before"),
    "heartbeat": Point(f"{_SQLITE}.heartbeat", "after"),
    "before-match": Point("lastcard_server.matches.registry:Matches.create", "before"),
    "match-created": Point("lastcard_server.matches.registry:Matches.create", "after"),
    "before-group": Point(f"{_GROUPS}:create", "before", "contest"),
    "group-created": Point(f"{_GROUPS}:create", "after", "contest"),
    "before-nonces": Point(f"{_GROUPS}:fix_nonces", "before", "contest"),
    "nonces-fixed": Point(f"{_GROUPS}:fix_nonces", "after", "contest"),
    "before-contest-append": Point(f"{_CONTESTS}.log:ContestLog.append", "before", "contest"),
    "contest-appended": Point(f"{_CONTESTS}.log:ContestLog.append", "after", "contest"),
    "before-contest": Point(f"{_CONTESTS}.contests:Contests.begin", "before", "contest"),
    "contest-begun": Point(f"{_CONTESTS}.contests:Contests.begin", "after", "contest"),
    "store-opened": Point("lastcard_server.app:open_store", "after", "start"),
    "keys-read": Point("lastcard_server.keys:KeyRegistry.open", "after", "start"),
    "downtime-found": Point("lastcard_server.matches.outages:Pulse.start", "after", "start"),
    "matches-begun": Point("lastcard_server.matches.registry:Matches.start", "after", "start"),
    "contests-taken-up": Point(f"{_CONTESTS}.contests:Contests.start", "after", "start"),
    "before-drain": Point("lastcard_server.app:Server.drain", "before", "drain"),
    "streams-told": Point("lastcard_server.hub:Hub.drain", "after", "drain"),
    "drained": Point("lastcard_server.app:Server.drain", "after", "drain"),
    "before-close": Point(f"{_SQLITE}.aclose", "before", "drain"),
}
"""By name, in the order in which an answer meets them."""
