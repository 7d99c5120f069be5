from lastcard.v1 import card_pb2 as _card_pb2
from lastcard.v1 import custom_pb2 as _custom_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Direction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DIRECTION_UNSPECIFIED: _ClassVar[Direction]
    DIRECTION_CLOCKWISE: _ClassVar[Direction]
    DIRECTION_COUNTER_CLOCKWISE: _ClassVar[Direction]

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_NOT_STARTED: _ClassVar[Phase]
    PHASE_PLAY: _ClassVar[Phase]
    PHASE_PLAY_OR_KEEP: _ClassVar[Phase]
    PHASE_CHALLENGE: _ClassVar[Phase]
    PHASE_CHOOSE_COLOUR: _ClassVar[Phase]
    PHASE_ANSWER_DRAW: _ClassVar[Phase]
    PHASE_EFFECT: _ClassVar[Phase]
    PHASE_REACTION: _ClassVar[Phase]
    PHASE_ROUND_OVER: _ClassVar[Phase]
    PHASE_MATCH_OVER: _ClassVar[Phase]
    PHASE_CHOOSE_TARGET: _ClassVar[Phase]
DIRECTION_UNSPECIFIED: Direction
DIRECTION_CLOCKWISE: Direction
DIRECTION_COUNTER_CLOCKWISE: Direction
PHASE_UNSPECIFIED: Phase
PHASE_NOT_STARTED: Phase
PHASE_PLAY: Phase
PHASE_PLAY_OR_KEEP: Phase
PHASE_CHALLENGE: Phase
PHASE_CHOOSE_COLOUR: Phase
PHASE_ANSWER_DRAW: Phase
PHASE_EFFECT: Phase
PHASE_REACTION: Phase
PHASE_ROUND_OVER: Phase
PHASE_MATCH_OVER: Phase
PHASE_CHOOSE_TARGET: Phase

class SeatView(_message.Message):
    __slots__ = ("seat", "table", "hand", "drawn_card", "open_hands")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    DRAWN_CARD_FIELD_NUMBER: _ClassVar[int]
    OPEN_HANDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    table: TableView
    hand: _containers.RepeatedCompositeFieldContainer[_card_pb2.Card]
    drawn_card: _card_pb2.Card
    open_hands: _containers.RepeatedCompositeFieldContainer[OpenHand]
    def __init__(self, seat: _Optional[int] = ..., table: _Optional[_Union[TableView, _Mapping]] = ..., hand: _Optional[_Iterable[_Union[_card_pb2.Card, _Mapping]]] = ..., drawn_card: _Optional[_Union[_card_pb2.Card, _Mapping]] = ..., open_hands: _Optional[_Iterable[_Union[OpenHand, _Mapping]]] = ...) -> None: ...

class OpenHand(_message.Message):
    __slots__ = ("seat", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    cards: _containers.RepeatedCompositeFieldContainer[_card_pb2.Card]
    def __init__(self, seat: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[_card_pb2.Card, _Mapping]]] = ...) -> None: ...

class TableView(_message.Message):
    __slots__ = ("round_number", "phase", "turn_seat", "dealer_seat", "top_card", "colour", "direction", "pending_draw_count", "draw_pile_count", "discard_pile_count", "players", "custom_question", "custom_restrictions")
    ROUND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    TURN_SEAT_FIELD_NUMBER: _ClassVar[int]
    DEALER_SEAT_FIELD_NUMBER: _ClassVar[int]
    TOP_CARD_FIELD_NUMBER: _ClassVar[int]
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    PENDING_DRAW_COUNT_FIELD_NUMBER: _ClassVar[int]
    DRAW_PILE_COUNT_FIELD_NUMBER: _ClassVar[int]
    DISCARD_PILE_COUNT_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    CUSTOM_QUESTION_FIELD_NUMBER: _ClassVar[int]
    CUSTOM_RESTRICTIONS_FIELD_NUMBER: _ClassVar[int]
    round_number: int
    phase: Phase
    turn_seat: int
    dealer_seat: int
    top_card: _card_pb2.Card
    colour: _card_pb2.Colour
    direction: Direction
    pending_draw_count: int
    draw_pile_count: int
    discard_pile_count: int
    players: _containers.RepeatedCompositeFieldContainer[PlayerState]
    custom_question: _custom_pb2.CustomQuestion
    custom_restrictions: _containers.RepeatedCompositeFieldContainer[_custom_pb2.CustomRestriction]
    def __init__(self, round_number: _Optional[int] = ..., phase: _Optional[_Union[Phase, str]] = ..., turn_seat: _Optional[int] = ..., dealer_seat: _Optional[int] = ..., top_card: _Optional[_Union[_card_pb2.Card, _Mapping]] = ..., colour: _Optional[_Union[_card_pb2.Colour, str]] = ..., direction: _Optional[_Union[Direction, str]] = ..., pending_draw_count: _Optional[int] = ..., draw_pile_count: _Optional[int] = ..., discard_pile_count: _Optional[int] = ..., players: _Optional[_Iterable[_Union[PlayerState, _Mapping]]] = ..., custom_question: _Optional[_Union[_custom_pb2.CustomQuestion, _Mapping]] = ..., custom_restrictions: _Optional[_Iterable[_Union[_custom_pb2.CustomRestriction, _Mapping]]] = ...) -> None: ...

class PlayerState(_message.Message):
    __slots__ = ("hand_count", "called_uno", "active", "total_points", "raised_draw_count", "hand_open")
    HAND_COUNT_FIELD_NUMBER: _ClassVar[int]
    CALLED_UNO_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_POINTS_FIELD_NUMBER: _ClassVar[int]
    RAISED_DRAW_COUNT_FIELD_NUMBER: _ClassVar[int]
    HAND_OPEN_FIELD_NUMBER: _ClassVar[int]
    hand_count: int
    called_uno: bool
    active: bool
    total_points: int
    raised_draw_count: int
    hand_open: bool
    def __init__(self, hand_count: _Optional[int] = ..., called_uno: _Optional[bool] = ..., active: _Optional[bool] = ..., total_points: _Optional[int] = ..., raised_draw_count: _Optional[int] = ..., hand_open: _Optional[bool] = ...) -> None: ...
