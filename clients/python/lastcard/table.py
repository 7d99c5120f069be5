"""
Which match is meant by a table's name? The first under that name that is not over yet.

A name becomes the request_id of its creation, so that all who give the same name with the same key
and rules meet in one match; once it is over, the next one is NAME-2, then NAME-3.
"""

from itertools import count

from lastcard.client import Client
from lastcard.v1 import match_service_pb2 as match_pb2

OVER = frozenset(
    {
        match_pb2.MATCH_STATE_FINISHED,
        match_pb2.MATCH_STATE_CANCELLED,
        match_pb2.MATCH_STATE_FROZEN,
    }
)


def match_at(client: Client, table: str, *, rules: str, seats: int) -> match_pb2.Match:
    """Return the match at a table, created if need be."""
    for number in count(1):
        request_id = table if number == 1 else f"{table}-{number}"
        match = client.create(request_id, rules=rules, seats=seats)
        if match.state not in OVER:
            return match
    raise AssertionError
