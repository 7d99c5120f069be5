import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from lastcard.v1 import event_pb2 as _event_pb2
from lastcard.v1 import turn_pb2 as _turn_pb2
from lastcard.v1 import view_pb2 as _view_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EventDelivery(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_DELIVERY_UNSPECIFIED: _ClassVar[EventDelivery]
    EVENT_DELIVERY_NEVER: _ClassVar[EventDelivery]
    EVENT_DELIVERY_WITH_TURN: _ClassVar[EventDelivery]
    EVENT_DELIVERY_AS_THEY_HAPPEN: _ClassVar[EventDelivery]

class ClosingReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLOSING_REASON_UNSPECIFIED: _ClassVar[ClosingReason]
    CLOSING_REASON_DRAIN: _ClassVar[ClosingReason]
    CLOSING_REASON_REPLACED: _ClassVar[ClosingReason]
    CLOSING_REASON_REVOKED: _ClassVar[ClosingReason]
    CLOSING_REASON_AGE: _ClassVar[ClosingReason]
EVENT_DELIVERY_UNSPECIFIED: EventDelivery
EVENT_DELIVERY_NEVER: EventDelivery
EVENT_DELIVERY_WITH_TURN: EventDelivery
EVENT_DELIVERY_AS_THEY_HAPPEN: EventDelivery
CLOSING_REASON_UNSPECIFIED: ClosingReason
CLOSING_REASON_DRAIN: ClosingReason
CLOSING_REASON_REPLACED: ClosingReason
CLOSING_REASON_REVOKED: ClosingReason
CLOSING_REASON_AGE: ClosingReason

class GetViewRequest(_message.Message):
    __slots__ = ("match_id", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class GetViewResponse(_message.Message):
    __slots__ = ("version", "view", "open_turn", "window", "history", "result", "has_answered")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    OPEN_TURN_FIELD_NUMBER: _ClassVar[int]
    WINDOW_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    HAS_ANSWERED_FIELD_NUMBER: _ClassVar[int]
    version: int
    view: _view_pb2.SeatView
    open_turn: _turn_pb2.Turn
    window: int
    history: bytes
    result: _event_pb2.MatchEnded
    has_answered: bool
    def __init__(self, version: _Optional[int] = ..., view: _Optional[_Union[_view_pb2.SeatView, _Mapping]] = ..., open_turn: _Optional[_Union[_turn_pb2.Turn, _Mapping]] = ..., window: _Optional[int] = ..., history: _Optional[bytes] = ..., result: _Optional[_Union[_event_pb2.MatchEnded, _Mapping]] = ..., has_answered: _Optional[bool] = ...) -> None: ...

class TurnRef(_message.Message):
    __slots__ = ("match_id", "seat", "turn")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    turn: int
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., turn: _Optional[int] = ...) -> None: ...

class WaitTurnsRequest(_message.Message):
    __slots__ = ("known", "max_turns", "wait_duration", "match_ids")
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    MAX_TURNS_FIELD_NUMBER: _ClassVar[int]
    WAIT_DURATION_FIELD_NUMBER: _ClassVar[int]
    MATCH_IDS_FIELD_NUMBER: _ClassVar[int]
    known: _containers.RepeatedCompositeFieldContainer[TurnRef]
    max_turns: int
    wait_duration: _duration_pb2.Duration
    match_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, known: _Optional[_Iterable[_Union[TurnRef, _Mapping]]] = ..., max_turns: _Optional[int] = ..., wait_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., match_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class WaitTurnsResponse(_message.Message):
    __slots__ = ("turns", "closed_turns", "matches_over")
    TURNS_FIELD_NUMBER: _ClassVar[int]
    CLOSED_TURNS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_OVER_FIELD_NUMBER: _ClassVar[int]
    turns: _containers.RepeatedCompositeFieldContainer[_turn_pb2.Turn]
    closed_turns: _containers.RepeatedCompositeFieldContainer[_turn_pb2.ClosedTurn]
    matches_over: _containers.RepeatedCompositeFieldContainer[_turn_pb2.MatchOver]
    def __init__(self, turns: _Optional[_Iterable[_Union[_turn_pb2.Turn, _Mapping]]] = ..., closed_turns: _Optional[_Iterable[_Union[_turn_pb2.ClosedTurn, _Mapping]]] = ..., matches_over: _Optional[_Iterable[_Union[_turn_pb2.MatchOver, _Mapping]]] = ...) -> None: ...

class ActRequest(_message.Message):
    __slots__ = ("answer", "out_of_turn")
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    OUT_OF_TURN_FIELD_NUMBER: _ClassVar[int]
    answer: _turn_pb2.Answer
    out_of_turn: _turn_pb2.OutOfTurnAct
    def __init__(self, answer: _Optional[_Union[_turn_pb2.Answer, _Mapping]] = ..., out_of_turn: _Optional[_Union[_turn_pb2.OutOfTurnAct, _Mapping]] = ...) -> None: ...

class ActResponse(_message.Message):
    __slots__ = ("accepted",)
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    accepted: _turn_pb2.Accepted
    def __init__(self, accepted: _Optional[_Union[_turn_pb2.Accepted, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("instance", "max_open_turns", "event_delivery", "match_ids")
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    MAX_OPEN_TURNS_FIELD_NUMBER: _ClassVar[int]
    EVENT_DELIVERY_FIELD_NUMBER: _ClassVar[int]
    MATCH_IDS_FIELD_NUMBER: _ClassVar[int]
    instance: str
    max_open_turns: int
    event_delivery: EventDelivery
    match_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, instance: _Optional[str] = ..., max_open_turns: _Optional[int] = ..., event_delivery: _Optional[_Union[EventDelivery, str]] = ..., match_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class WatchSeatsRequest(_message.Message):
    __slots__ = ("hello",)
    HELLO_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ...) -> None: ...

class WatchSeatsResponse(_message.Message):
    __slots__ = ("turns", "closed_turns", "updates", "matches_over", "closing")
    TURNS_FIELD_NUMBER: _ClassVar[int]
    CLOSED_TURNS_FIELD_NUMBER: _ClassVar[int]
    UPDATES_FIELD_NUMBER: _ClassVar[int]
    MATCHES_OVER_FIELD_NUMBER: _ClassVar[int]
    CLOSING_FIELD_NUMBER: _ClassVar[int]
    turns: _containers.RepeatedCompositeFieldContainer[_turn_pb2.Turn]
    closed_turns: _containers.RepeatedCompositeFieldContainer[_turn_pb2.ClosedTurn]
    updates: _containers.RepeatedCompositeFieldContainer[_turn_pb2.Update]
    matches_over: _containers.RepeatedCompositeFieldContainer[_turn_pb2.MatchOver]
    closing: Closing
    def __init__(self, turns: _Optional[_Iterable[_Union[_turn_pb2.Turn, _Mapping]]] = ..., closed_turns: _Optional[_Iterable[_Union[_turn_pb2.ClosedTurn, _Mapping]]] = ..., updates: _Optional[_Iterable[_Union[_turn_pb2.Update, _Mapping]]] = ..., matches_over: _Optional[_Iterable[_Union[_turn_pb2.MatchOver, _Mapping]]] = ..., closing: _Optional[_Union[Closing, _Mapping]] = ...) -> None: ...

class PlayRequest(_message.Message):
    __slots__ = ("hello", "answers", "out_of_turn")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    OUT_OF_TURN_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    answers: _containers.RepeatedCompositeFieldContainer[_turn_pb2.Answer]
    out_of_turn: _containers.RepeatedCompositeFieldContainer[_turn_pb2.OutOfTurnAct]
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., answers: _Optional[_Iterable[_Union[_turn_pb2.Answer, _Mapping]]] = ..., out_of_turn: _Optional[_Iterable[_Union[_turn_pb2.OutOfTurnAct, _Mapping]]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("turns", "closed_turns", "accepted", "refused", "updates", "matches_over", "closing")
    TURNS_FIELD_NUMBER: _ClassVar[int]
    CLOSED_TURNS_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    UPDATES_FIELD_NUMBER: _ClassVar[int]
    MATCHES_OVER_FIELD_NUMBER: _ClassVar[int]
    CLOSING_FIELD_NUMBER: _ClassVar[int]
    turns: _containers.RepeatedCompositeFieldContainer[_turn_pb2.Turn]
    closed_turns: _containers.RepeatedCompositeFieldContainer[_turn_pb2.ClosedTurn]
    accepted: _containers.RepeatedCompositeFieldContainer[_turn_pb2.Accepted]
    refused: _containers.RepeatedCompositeFieldContainer[_turn_pb2.Refused]
    updates: _containers.RepeatedCompositeFieldContainer[_turn_pb2.Update]
    matches_over: _containers.RepeatedCompositeFieldContainer[_turn_pb2.MatchOver]
    closing: Closing
    def __init__(self, turns: _Optional[_Iterable[_Union[_turn_pb2.Turn, _Mapping]]] = ..., closed_turns: _Optional[_Iterable[_Union[_turn_pb2.ClosedTurn, _Mapping]]] = ..., accepted: _Optional[_Iterable[_Union[_turn_pb2.Accepted, _Mapping]]] = ..., refused: _Optional[_Iterable[_Union[_turn_pb2.Refused, _Mapping]]] = ..., updates: _Optional[_Iterable[_Union[_turn_pb2.Update, _Mapping]]] = ..., matches_over: _Optional[_Iterable[_Union[_turn_pb2.MatchOver, _Mapping]]] = ..., closing: _Optional[_Union[Closing, _Mapping]] = ...) -> None: ...

class Closing(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: ClosingReason
    def __init__(self, reason: _Optional[_Union[ClosingReason, str]] = ...) -> None: ...
