from lastcard.v1 import card_pb2 as _card_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Action(_message.Message):
    __slots__ = ("play_card", "draw_card", "keep_card", "accept_draw", "challenge", "choose_colour", "call_uno", "catch_uno", "begin_turn", "jump_in", "pass_reaction", "ready", "choose_card", "answer_dare", "cast_vote", "choose_target")
    PLAY_CARD_FIELD_NUMBER: _ClassVar[int]
    DRAW_CARD_FIELD_NUMBER: _ClassVar[int]
    KEEP_CARD_FIELD_NUMBER: _ClassVar[int]
    ACCEPT_DRAW_FIELD_NUMBER: _ClassVar[int]
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    CHOOSE_COLOUR_FIELD_NUMBER: _ClassVar[int]
    CALL_UNO_FIELD_NUMBER: _ClassVar[int]
    CATCH_UNO_FIELD_NUMBER: _ClassVar[int]
    BEGIN_TURN_FIELD_NUMBER: _ClassVar[int]
    JUMP_IN_FIELD_NUMBER: _ClassVar[int]
    PASS_REACTION_FIELD_NUMBER: _ClassVar[int]
    READY_FIELD_NUMBER: _ClassVar[int]
    CHOOSE_CARD_FIELD_NUMBER: _ClassVar[int]
    ANSWER_DARE_FIELD_NUMBER: _ClassVar[int]
    CAST_VOTE_FIELD_NUMBER: _ClassVar[int]
    CHOOSE_TARGET_FIELD_NUMBER: _ClassVar[int]
    play_card: PlayCard
    draw_card: DrawCard
    keep_card: KeepCard
    accept_draw: AcceptDraw
    challenge: Challenge
    choose_colour: ChooseColour
    call_uno: CallUno
    catch_uno: CatchUno
    begin_turn: BeginTurn
    jump_in: JumpIn
    pass_reaction: PassReaction
    ready: Ready
    choose_card: ChooseCard
    answer_dare: AnswerDare
    cast_vote: CastVote
    choose_target: ChooseTarget
    def __init__(self, play_card: _Optional[_Union[PlayCard, _Mapping]] = ..., draw_card: _Optional[_Union[DrawCard, _Mapping]] = ..., keep_card: _Optional[_Union[KeepCard, _Mapping]] = ..., accept_draw: _Optional[_Union[AcceptDraw, _Mapping]] = ..., challenge: _Optional[_Union[Challenge, _Mapping]] = ..., choose_colour: _Optional[_Union[ChooseColour, _Mapping]] = ..., call_uno: _Optional[_Union[CallUno, _Mapping]] = ..., catch_uno: _Optional[_Union[CatchUno, _Mapping]] = ..., begin_turn: _Optional[_Union[BeginTurn, _Mapping]] = ..., jump_in: _Optional[_Union[JumpIn, _Mapping]] = ..., pass_reaction: _Optional[_Union[PassReaction, _Mapping]] = ..., ready: _Optional[_Union[Ready, _Mapping]] = ..., choose_card: _Optional[_Union[ChooseCard, _Mapping]] = ..., answer_dare: _Optional[_Union[AnswerDare, _Mapping]] = ..., cast_vote: _Optional[_Union[CastVote, _Mapping]] = ..., choose_target: _Optional[_Union[ChooseTarget, _Mapping]] = ...) -> None: ...

class PlayCard(_message.Message):
    __slots__ = ("card", "colour", "target_seat")
    CARD_FIELD_NUMBER: _ClassVar[int]
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    TARGET_SEAT_FIELD_NUMBER: _ClassVar[int]
    card: _card_pb2.Card
    colour: _card_pb2.Colour
    target_seat: int
    def __init__(self, card: _Optional[_Union[_card_pb2.Card, _Mapping]] = ..., colour: _Optional[_Union[_card_pb2.Colour, str]] = ..., target_seat: _Optional[int] = ...) -> None: ...

class DrawCard(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class KeepCard(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AcceptDraw(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Challenge(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ChooseColour(_message.Message):
    __slots__ = ("colour",)
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    colour: _card_pb2.Colour
    def __init__(self, colour: _Optional[_Union[_card_pb2.Colour, str]] = ...) -> None: ...

class ChooseTarget(_message.Message):
    __slots__ = ("target_seat",)
    TARGET_SEAT_FIELD_NUMBER: _ClassVar[int]
    target_seat: int
    def __init__(self, target_seat: _Optional[int] = ...) -> None: ...

class CallUno(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CatchUno(_message.Message):
    __slots__ = ("target_seat",)
    TARGET_SEAT_FIELD_NUMBER: _ClassVar[int]
    target_seat: int
    def __init__(self, target_seat: _Optional[int] = ...) -> None: ...

class BeginTurn(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class JumpIn(_message.Message):
    __slots__ = ("card", "target_seat")
    CARD_FIELD_NUMBER: _ClassVar[int]
    TARGET_SEAT_FIELD_NUMBER: _ClassVar[int]
    card: _card_pb2.Card
    target_seat: int
    def __init__(self, card: _Optional[_Union[_card_pb2.Card, _Mapping]] = ..., target_seat: _Optional[int] = ...) -> None: ...

class PassReaction(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Ready(_message.Message):
    __slots__ = ("nonce",)
    NONCE_FIELD_NUMBER: _ClassVar[int]
    nonce: bytes
    def __init__(self, nonce: _Optional[bytes] = ...) -> None: ...

class ChooseCard(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: _card_pb2.Card
    def __init__(self, card: _Optional[_Union[_card_pb2.Card, _Mapping]] = ...) -> None: ...

class AnswerDare(_message.Message):
    __slots__ = ("done",)
    DONE_FIELD_NUMBER: _ClassVar[int]
    done: bool
    def __init__(self, done: _Optional[bool] = ...) -> None: ...

class CastVote(_message.Message):
    __slots__ = ("yes",)
    YES_FIELD_NUMBER: _ClassVar[int]
    yes: bool
    def __init__(self, yes: _Optional[bool] = ...) -> None: ...

class LegalAction(_message.Message):
    __slots__ = ("action", "lawful")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    LAWFUL_FIELD_NUMBER: _ClassVar[int]
    action: Action
    lawful: bool
    def __init__(self, action: _Optional[_Union[Action, _Mapping]] = ..., lawful: _Optional[bool] = ...) -> None: ...
