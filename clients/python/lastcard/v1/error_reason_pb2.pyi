from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ErrorReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ERROR_REASON_UNSPECIFIED: _ClassVar[ErrorReason]
    ERROR_REASON_MALFORMED: _ClassVar[ErrorReason]
    ERROR_REASON_BAD_FIELD: _ClassVar[ErrorReason]
    ERROR_REASON_BAD_NAME: _ClassVar[ErrorReason]
    ERROR_REASON_BAD_RULES: _ClassVar[ErrorReason]
    ERROR_REASON_OPTION_NOT_AVAILABLE: _ClassVar[ErrorReason]
    ERROR_REASON_BAD_ACTION: _ClassVar[ErrorReason]
    ERROR_REASON_BAD_CHOICE: _ClassVar[ErrorReason]
    ERROR_REASON_UNAUTHENTICATED: _ClassVar[ErrorReason]
    ERROR_REASON_FORBIDDEN: _ClassVar[ErrorReason]
    ERROR_REASON_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_REQUEST_ID_REUSED: _ClassVar[ErrorReason]
    ERROR_REASON_TABLE_FULL: _ClassVar[ErrorReason]
    ERROR_REASON_ALREADY_STARTED: _ClassVar[ErrorReason]
    ERROR_REASON_NOT_STARTED: _ClassVar[ErrorReason]
    ERROR_REASON_MATCH_OVER: _ClassVar[ErrorReason]
    ERROR_REASON_RECORD_CLOSED: _ClassVar[ErrorReason]
    ERROR_REASON_NOT_YOUR_TURN: _ClassVar[ErrorReason]
    ERROR_REASON_STALE_TURN: _ClassVar[ErrorReason]
    ERROR_REASON_TURN_ANSWERED: _ClassVar[ErrorReason]
    ERROR_REASON_TURN_TIMED_OUT: _ClassVar[ErrorReason]
    ERROR_REASON_ILLEGAL_ACTION: _ClassVar[ErrorReason]
    ERROR_REASON_NOTHING_TO_CATCH: _ClassVar[ErrorReason]
    ERROR_REASON_WINDOW_CLOSED: _ClassVar[ErrorReason]
    ERROR_REASON_QUOTA: _ClassVar[ErrorReason]
    ERROR_REASON_DRAINING: _ClassVar[ErrorReason]
    ERROR_REASON_STORE_UNAVAILABLE: _ClassVar[ErrorReason]
    ERROR_REASON_HISTORY_LOST: _ClassVar[ErrorReason]
    ERROR_REASON_UNIMPLEMENTED: _ClassVar[ErrorReason]
    ERROR_REASON_INTERNAL: _ClassVar[ErrorReason]
ERROR_REASON_UNSPECIFIED: ErrorReason
ERROR_REASON_MALFORMED: ErrorReason
ERROR_REASON_BAD_FIELD: ErrorReason
ERROR_REASON_BAD_NAME: ErrorReason
ERROR_REASON_BAD_RULES: ErrorReason
ERROR_REASON_OPTION_NOT_AVAILABLE: ErrorReason
ERROR_REASON_BAD_ACTION: ErrorReason
ERROR_REASON_BAD_CHOICE: ErrorReason
ERROR_REASON_UNAUTHENTICATED: ErrorReason
ERROR_REASON_FORBIDDEN: ErrorReason
ERROR_REASON_NOT_FOUND: ErrorReason
ERROR_REASON_REQUEST_ID_REUSED: ErrorReason
ERROR_REASON_TABLE_FULL: ErrorReason
ERROR_REASON_ALREADY_STARTED: ErrorReason
ERROR_REASON_NOT_STARTED: ErrorReason
ERROR_REASON_MATCH_OVER: ErrorReason
ERROR_REASON_RECORD_CLOSED: ErrorReason
ERROR_REASON_NOT_YOUR_TURN: ErrorReason
ERROR_REASON_STALE_TURN: ErrorReason
ERROR_REASON_TURN_ANSWERED: ErrorReason
ERROR_REASON_TURN_TIMED_OUT: ErrorReason
ERROR_REASON_ILLEGAL_ACTION: ErrorReason
ERROR_REASON_NOTHING_TO_CATCH: ErrorReason
ERROR_REASON_WINDOW_CLOSED: ErrorReason
ERROR_REASON_QUOTA: ErrorReason
ERROR_REASON_DRAINING: ErrorReason
ERROR_REASON_STORE_UNAVAILABLE: ErrorReason
ERROR_REASON_HISTORY_LOST: ErrorReason
ERROR_REASON_UNIMPLEMENTED: ErrorReason
ERROR_REASON_INTERNAL: ErrorReason

class ErrorDetail(_message.Message):
    __slots__ = ("reason", "message", "incident_id")
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    INCIDENT_ID_FIELD_NUMBER: _ClassVar[int]
    reason: ErrorReason
    message: str
    incident_id: str
    def __init__(self, reason: _Optional[_Union[ErrorReason, str]] = ..., message: _Optional[str] = ..., incident_id: _Optional[str] = ...) -> None: ...
