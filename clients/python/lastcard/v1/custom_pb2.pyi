from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class CustomQuestion(_message.Message):
    __slots__ = ("rule", "actor_seat", "seat", "text", "hand_size")
    RULE_FIELD_NUMBER: _ClassVar[int]
    ACTOR_SEAT_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZE_FIELD_NUMBER: _ClassVar[int]
    rule: int
    actor_seat: int
    seat: int
    text: str
    hand_size: int
    def __init__(self, rule: _Optional[int] = ..., actor_seat: _Optional[int] = ..., seat: _Optional[int] = ..., text: _Optional[str] = ..., hand_size: _Optional[int] = ...) -> None: ...

class CustomRestriction(_message.Message):
    __slots__ = ("seat", "text")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    text: str
    def __init__(self, seat: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class HandsOpened(_message.Message):
    __slots__ = ("closing_seat", "seats")
    CLOSING_SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    closing_seat: int
    seats: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, closing_seat: _Optional[int] = ..., seats: _Optional[_Iterable[int]] = ...) -> None: ...

class DrawRaised(_message.Message):
    __slots__ = ("seat", "card_count")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_COUNT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card_count: int
    def __init__(self, seat: _Optional[int] = ..., card_count: _Optional[int] = ...) -> None: ...

class DareOpened(_message.Message):
    __slots__ = ("seat", "text")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    text: str
    def __init__(self, seat: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class DareAnswered(_message.Message):
    __slots__ = ("seat", "done")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    done: bool
    def __init__(self, seat: _Optional[int] = ..., done: _Optional[bool] = ...) -> None: ...

class VoteOpened(_message.Message):
    __slots__ = ("seat", "text")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    text: str
    def __init__(self, seat: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class VoteCounted(_message.Message):
    __slots__ = ("seat", "yes_count", "no_count", "carried")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    YES_COUNT_FIELD_NUMBER: _ClassVar[int]
    NO_COUNT_FIELD_NUMBER: _ClassVar[int]
    CARRIED_FIELD_NUMBER: _ClassVar[int]
    seat: int
    yes_count: int
    no_count: int
    carried: bool
    def __init__(self, seat: _Optional[int] = ..., yes_count: _Optional[int] = ..., no_count: _Optional[int] = ..., carried: _Optional[bool] = ...) -> None: ...

class RestrictionSet(_message.Message):
    __slots__ = ("seat", "text")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    text: str
    def __init__(self, seat: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class RestrictionsLifted(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
