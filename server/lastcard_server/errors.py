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
    """The bytes are no message of this kind."""
    BAD_FIELD = "bad_field"
    """A field is missing or out of range."""
    BAD_NAME = "bad_name"
    """A name breaks the naming rule."""
    BAD_RULES = "bad_rules"
    """No such preset, option or value, or a set that cannot work."""
    OPTION_NOT_AVAILABLE = "option_not_available"
    """A legal option value that a release does not play; this one plays all and never says so."""
    BAD_ACTION = "bad_action"
    """The action has no kind, an unknown kind, or a card that does not exist."""
    BAD_CHOICE = "bad_choice"
    """The choice is no index in the list sent."""
    UNAUTHENTICATED = "unauthenticated"
    """No credential, or one that is not valid (any more)."""
    FORBIDDEN = "forbidden"
    """The credential is valid but not for this."""
    NOT_FOUND = "not_found"
    """No such thing, or none that the caller may know of."""
    REQUEST_ID_REUSED = "request_id_reused"
    """The request_id was used for a different request."""
    TABLE_FULL = "table_full"
    """No seat is free."""
    ALREADY_STARTED = "already_started"
    """The match has started."""
    NOT_STARTED = "not_started"
    """The match has not started."""
    MATCH_OVER = "match_over"
    """The match is over."""
    RECORD_CLOSED = "record_closed"
    """The record is closed until every match of its deal group is over."""
    NOT_YOUR_TURN = "not_your_turn"
    """The seat has no open turn."""
    STALE_TURN = "stale_turn"
    """The turn named is not the open one; open_turn names it."""
    TURN_ANSWERED = "turn_answered"
    """Another answer to this turn was accepted."""
    TURN_TIMED_OUT = "turn_timed_out"
    """The clock closed this turn; the default action was taken."""
    ILLEGAL_ACTION = "illegal_action"
    """The rules forbid the action."""
    NOTHING_TO_CATCH = "nothing_to_catch"
    """There is nothing to catch."""
    WINDOW_CLOSED = "window_closed"
    """The window for this act is over."""
    QUOTA = "quota"
    """A quota is used up."""
    DRAINING = "draining"
    """The server is shutting down; another pod will answer."""
    STORE_UNAVAILABLE = "store_unavailable"
    """The store cannot be written; nothing was changed, or the message says it may have been."""
    HISTORY_LOST = "history_lost"
    """The history handed in is not the one the store holds; the match is frozen."""
    UNIMPLEMENTED = "unimplemented"
    """This release does not offer the call."""
    INTERNAL = "internal"
    """A fault of the server; incident_id names it in the log."""


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
