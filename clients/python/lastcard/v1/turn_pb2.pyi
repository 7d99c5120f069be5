import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from lastcard.v1 import action_pb2 as _action_pb2
from lastcard.v1 import error_reason_pb2 as _error_reason_pb2
from lastcard.v1 import event_pb2 as _event_pb2
from lastcard.v1 import rules_pb2 as _rules_pb2
from lastcard.v1 import view_pb2 as _view_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TurnKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TURN_KIND_UNSPECIFIED: _ClassVar[TurnKind]
    TURN_KIND_READY: _ClassVar[TurnKind]
    TURN_KIND_PLAY: _ClassVar[TurnKind]
    TURN_KIND_PLAY_OR_KEEP: _ClassVar[TurnKind]
    TURN_KIND_CHALLENGE: _ClassVar[TurnKind]
    TURN_KIND_CHOOSE_COLOUR: _ClassVar[TurnKind]
    TURN_KIND_ANSWER_DRAW: _ClassVar[TurnKind]
    TURN_KIND_CHOOSE_CARD: _ClassVar[TurnKind]
    TURN_KIND_DARE: _ClassVar[TurnKind]
    TURN_KIND_VOTE: _ClassVar[TurnKind]
    TURN_KIND_REACTION: _ClassVar[TurnKind]
    TURN_KIND_CHOOSE_TARGET: _ClassVar[TurnKind]

class TurnCloseReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TURN_CLOSE_REASON_UNSPECIFIED: _ClassVar[TurnCloseReason]
    TURN_CLOSE_REASON_ANSWERED: _ClassVar[TurnCloseReason]
    TURN_CLOSE_REASON_TIMED_OUT: _ClassVar[TurnCloseReason]
    TURN_CLOSE_REASON_WITHDRAWN: _ClassVar[TurnCloseReason]
    TURN_CLOSE_REASON_MATCH_OVER: _ClassVar[TurnCloseReason]
TURN_KIND_UNSPECIFIED: TurnKind
TURN_KIND_READY: TurnKind
TURN_KIND_PLAY: TurnKind
TURN_KIND_PLAY_OR_KEEP: TurnKind
TURN_KIND_CHALLENGE: TurnKind
TURN_KIND_CHOOSE_COLOUR: TurnKind
TURN_KIND_ANSWER_DRAW: TurnKind
TURN_KIND_CHOOSE_CARD: TurnKind
TURN_KIND_DARE: TurnKind
TURN_KIND_VOTE: TurnKind
TURN_KIND_REACTION: TurnKind
TURN_KIND_CHOOSE_TARGET: TurnKind
TURN_CLOSE_REASON_UNSPECIFIED: TurnCloseReason
TURN_CLOSE_REASON_ANSWERED: TurnCloseReason
TURN_CLOSE_REASON_TIMED_OUT: TurnCloseReason
TURN_CLOSE_REASON_WITHDRAWN: TurnCloseReason
TURN_CLOSE_REASON_MATCH_OVER: TurnCloseReason

class Turn(_message.Message):
    __slots__ = ("match_id", "seat", "turn", "kind", "view", "legal_actions", "default_choice", "deadline_time", "bank_duration", "last_answer_duration", "history", "events", "seat_names", "rules")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_CHOICE_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_TIME_FIELD_NUMBER: _ClassVar[int]
    BANK_DURATION_FIELD_NUMBER: _ClassVar[int]
    LAST_ANSWER_DURATION_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    SEAT_NAMES_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    turn: int
    kind: TurnKind
    view: _view_pb2.SeatView
    legal_actions: _containers.RepeatedCompositeFieldContainer[_action_pb2.LegalAction]
    default_choice: int
    deadline_time: _timestamp_pb2.Timestamp
    bank_duration: _duration_pb2.Duration
    last_answer_duration: _duration_pb2.Duration
    history: bytes
    events: _containers.RepeatedCompositeFieldContainer[_event_pb2.Event]
    seat_names: _containers.RepeatedScalarFieldContainer[str]
    rules: _rules_pb2.Rules
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., turn: _Optional[int] = ..., kind: _Optional[_Union[TurnKind, str]] = ..., view: _Optional[_Union[_view_pb2.SeatView, _Mapping]] = ..., legal_actions: _Optional[_Iterable[_Union[_action_pb2.LegalAction, _Mapping]]] = ..., default_choice: _Optional[int] = ..., deadline_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., bank_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., last_answer_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., history: _Optional[bytes] = ..., events: _Optional[_Iterable[_Union[_event_pb2.Event, _Mapping]]] = ..., seat_names: _Optional[_Iterable[str]] = ..., rules: _Optional[_Union[_rules_pb2.Rules, _Mapping]] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("match_id", "seat", "turn", "choice", "action", "uno", "history")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    CHOICE_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    UNO_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    turn: int
    choice: int
    action: _action_pb2.Action
    uno: bool
    history: bytes
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., turn: _Optional[int] = ..., choice: _Optional[int] = ..., action: _Optional[_Union[_action_pb2.Action, _Mapping]] = ..., uno: _Optional[bool] = ..., history: _Optional[bytes] = ...) -> None: ...

class OutOfTurnAct(_message.Message):
    __slots__ = ("match_id", "seat", "window", "action", "uno", "request_id", "history")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    WINDOW_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    UNO_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    window: int
    action: _action_pb2.Action
    uno: bool
    request_id: str
    history: bytes
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., window: _Optional[int] = ..., action: _Optional[_Union[_action_pb2.Action, _Mapping]] = ..., uno: _Optional[bool] = ..., request_id: _Optional[str] = ..., history: _Optional[bytes] = ...) -> None: ...

class Accepted(_message.Message):
    __slots__ = ("match_id", "seat", "turn", "version", "history", "request_id")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    turn: int
    version: int
    history: bytes
    request_id: str
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., turn: _Optional[int] = ..., version: _Optional[int] = ..., history: _Optional[bytes] = ..., request_id: _Optional[str] = ...) -> None: ...

class Refused(_message.Message):
    __slots__ = ("match_id", "seat", "turn", "error", "open_turn", "history", "request_id")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    OPEN_TURN_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    turn: int
    error: _error_reason_pb2.ErrorDetail
    open_turn: int
    history: bytes
    request_id: str
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., turn: _Optional[int] = ..., error: _Optional[_Union[_error_reason_pb2.ErrorDetail, _Mapping]] = ..., open_turn: _Optional[int] = ..., history: _Optional[bytes] = ..., request_id: _Optional[str] = ...) -> None: ...

class ClosedTurn(_message.Message):
    __slots__ = ("match_id", "seat", "turn", "reason")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    turn: int
    reason: TurnCloseReason
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., turn: _Optional[int] = ..., reason: _Optional[_Union[TurnCloseReason, str]] = ...) -> None: ...

class Update(_message.Message):
    __slots__ = ("match_id", "seat", "after", "version", "events", "seat_view", "table_view", "history", "window")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    SEAT_VIEW_FIELD_NUMBER: _ClassVar[int]
    TABLE_VIEW_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    WINDOW_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    after: int
    version: int
    events: _containers.RepeatedCompositeFieldContainer[_event_pb2.Event]
    seat_view: _view_pb2.SeatView
    table_view: _view_pb2.TableView
    history: bytes
    window: int
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., after: _Optional[int] = ..., version: _Optional[int] = ..., events: _Optional[_Iterable[_Union[_event_pb2.Event, _Mapping]]] = ..., seat_view: _Optional[_Union[_view_pb2.SeatView, _Mapping]] = ..., table_view: _Optional[_Union[_view_pb2.TableView, _Mapping]] = ..., history: _Optional[bytes] = ..., window: _Optional[int] = ...) -> None: ...

class MatchOver(_message.Message):
    __slots__ = ("match_id", "result")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    result: _event_pb2.MatchEnded
    def __init__(self, match_id: _Optional[str] = ..., result: _Optional[_Union[_event_pb2.MatchEnded, _Mapping]] = ...) -> None: ...
