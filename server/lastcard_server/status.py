"""
Which status does a refusal become, and how does its reason travel?

One table for every rpc; streams send the same ErrorDetail inside Refused. Status message and detail
say what was wrong in words of ours and never repeat what the caller sent.
"""

from collections.abc import Mapping
from typing import Final

from grpc import StatusCode

from lastcard.v1.error_reason_pb2 import ErrorDetail
from lastcard_server.errors import Reason, Refusal

DETAIL_KEY: Final = "lastcard-error-bin"
"""The trailing metadata entry that holds a serialised ErrorDetail."""

STATUS: Final[Mapping[Reason, StatusCode]] = {
    Reason.MALFORMED: StatusCode.INVALID_ARGUMENT,
    Reason.BAD_FIELD: StatusCode.INVALID_ARGUMENT,
    Reason.BAD_NAME: StatusCode.INVALID_ARGUMENT,
    Reason.BAD_RULES: StatusCode.INVALID_ARGUMENT,
    Reason.OPTION_NOT_AVAILABLE: StatusCode.UNIMPLEMENTED,
    Reason.BAD_ACTION: StatusCode.INVALID_ARGUMENT,
    Reason.BAD_CHOICE: StatusCode.INVALID_ARGUMENT,
    Reason.UNAUTHENTICATED: StatusCode.UNAUTHENTICATED,
    Reason.FORBIDDEN: StatusCode.PERMISSION_DENIED,
    Reason.NOT_FOUND: StatusCode.NOT_FOUND,
    Reason.REQUEST_ID_REUSED: StatusCode.ALREADY_EXISTS,
    Reason.TABLE_FULL: StatusCode.FAILED_PRECONDITION,
    Reason.ALREADY_STARTED: StatusCode.FAILED_PRECONDITION,
    Reason.NOT_STARTED: StatusCode.FAILED_PRECONDITION,
    Reason.MATCH_OVER: StatusCode.FAILED_PRECONDITION,
    Reason.RECORD_CLOSED: StatusCode.FAILED_PRECONDITION,
    Reason.NOT_YOUR_TURN: StatusCode.FAILED_PRECONDITION,
    Reason.STALE_TURN: StatusCode.ABORTED,
    Reason.TURN_ANSWERED: StatusCode.ABORTED,
    Reason.TURN_TIMED_OUT: StatusCode.DEADLINE_EXCEEDED,
    Reason.ILLEGAL_ACTION: StatusCode.FAILED_PRECONDITION,
    Reason.NOTHING_TO_CATCH: StatusCode.FAILED_PRECONDITION,
    Reason.WINDOW_CLOSED: StatusCode.ABORTED,
    Reason.QUOTA: StatusCode.RESOURCE_EXHAUSTED,
    Reason.DRAINING: StatusCode.UNAVAILABLE,
    Reason.STORE_UNAVAILABLE: StatusCode.UNAVAILABLE,
    Reason.HISTORY_LOST: StatusCode.DATA_LOSS,
    Reason.UNIMPLEMENTED: StatusCode.UNIMPLEMENTED,
    Reason.INTERNAL: StatusCode.INTERNAL,
}
"""The status of each reason; the contract's comments name the same."""


def error_detail(refusal: Refusal, incident_id: str = "") -> ErrorDetail:
    """Return what a client is told about a refusal."""
    return ErrorDetail(
        reason=f"ERROR_REASON_{refusal.reason.name}",
        message=refusal.message,
        incident_id=incident_id,
    )


def code_name(code: StatusCode) -> str:
    """Return a status as go-grpc-prometheus writes it: `OK`, `InvalidArgument`, `Canceled`."""
    if code is StatusCode.CANCELLED:
        return "Canceled"
    return "OK" if code is StatusCode.OK else code.name.title().replace("_", "")
