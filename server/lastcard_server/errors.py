"""
How does the server say no? One exception for every refusal that a caller may hear of.

`Reason` mirrors the contract's ErrorReason in lower case; one table elsewhere maps it to a status.
A message is one sentence for people: what was wrong and what would be right. It never repeats what
the caller sent and never names a card that the caller cannot see.
"""

from enum import StrEnum


class Reason(StrEnum):
    """Why a request was refused."""

    MALFORMED = "malformed"
    BAD_FIELD = "bad_field"
    BAD_NAME = "bad_name"
    BAD_RULES = "bad_rules"
    OPTION_NOT_AVAILABLE = "option_not_available"
    BAD_ACTION = "bad_action"
    BAD_CHOICE = "bad_choice"
    UNAUTHENTICATED = "unauthenticated"
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    REQUEST_ID_REUSED = "request_id_reused"
    TABLE_FULL = "table_full"
    ALREADY_STARTED = "already_started"
    NOT_STARTED = "not_started"
    MATCH_OVER = "match_over"
    RECORD_CLOSED = "record_closed"
    NOT_YOUR_TURN = "not_your_turn"
    STALE_TURN = "stale_turn"
    TURN_ANSWERED = "turn_answered"
    TURN_TIMED_OUT = "turn_timed_out"
    ILLEGAL_ACTION = "illegal_action"
    NOTHING_TO_CATCH = "nothing_to_catch"
    WINDOW_CLOSED = "window_closed"
    QUOTA = "quota"
    DRAINING = "draining"
    STORE_UNAVAILABLE = "store_unavailable"
    HISTORY_LOST = "history_lost"
    UNIMPLEMENTED = "unimplemented"
    INTERNAL = "internal"


class Refusal(Exception):
    """
    A request that was refused; nothing has changed.

    `open_turn` is the number of the seat's open turn, 0 if none; `history` the sealed head of the
    match, empty where the caller may not know the match.
    """

    def __init__(
        self, reason: Reason, message: str, open_turn: int = 0, history: bytes = b""
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.open_turn = open_turn
        self.history = history
