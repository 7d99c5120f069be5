from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Colour(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COLOUR_UNSPECIFIED: _ClassVar[Colour]
    COLOUR_RED: _ClassVar[Colour]
    COLOUR_YELLOW: _ClassVar[Colour]
    COLOUR_GREEN: _ClassVar[Colour]
    COLOUR_BLUE: _ClassVar[Colour]
    COLOUR_WILD: _ClassVar[Colour]

class Face(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FACE_UNSPECIFIED: _ClassVar[Face]
    FACE_ZERO: _ClassVar[Face]
    FACE_ONE: _ClassVar[Face]
    FACE_TWO: _ClassVar[Face]
    FACE_THREE: _ClassVar[Face]
    FACE_FOUR: _ClassVar[Face]
    FACE_FIVE: _ClassVar[Face]
    FACE_SIX: _ClassVar[Face]
    FACE_SEVEN: _ClassVar[Face]
    FACE_EIGHT: _ClassVar[Face]
    FACE_NINE: _ClassVar[Face]
    FACE_SKIP: _ClassVar[Face]
    FACE_REVERSE: _ClassVar[Face]
    FACE_DRAW_TWO: _ClassVar[Face]
    FACE_DRAW_FOUR: _ClassVar[Face]
    FACE_SKIP_EVERYONE: _ClassVar[Face]
    FACE_DISCARD_ALL: _ClassVar[Face]
    FACE_WILD: _ClassVar[Face]
    FACE_WILD_DRAW_FOUR: _ClassVar[Face]
    FACE_WILD_SHUFFLE_HANDS: _ClassVar[Face]
    FACE_WILD_SWAP_HANDS: _ClassVar[Face]
    FACE_WILD_CUSTOM: _ClassVar[Face]
    FACE_WILD_REVERSE_DRAW_FOUR: _ClassVar[Face]
    FACE_WILD_DRAW_SIX: _ClassVar[Face]
    FACE_WILD_DRAW_TEN: _ClassVar[Face]
    FACE_WILD_COLOUR_ROULETTE: _ClassVar[Face]
COLOUR_UNSPECIFIED: Colour
COLOUR_RED: Colour
COLOUR_YELLOW: Colour
COLOUR_GREEN: Colour
COLOUR_BLUE: Colour
COLOUR_WILD: Colour
FACE_UNSPECIFIED: Face
FACE_ZERO: Face
FACE_ONE: Face
FACE_TWO: Face
FACE_THREE: Face
FACE_FOUR: Face
FACE_FIVE: Face
FACE_SIX: Face
FACE_SEVEN: Face
FACE_EIGHT: Face
FACE_NINE: Face
FACE_SKIP: Face
FACE_REVERSE: Face
FACE_DRAW_TWO: Face
FACE_DRAW_FOUR: Face
FACE_SKIP_EVERYONE: Face
FACE_DISCARD_ALL: Face
FACE_WILD: Face
FACE_WILD_DRAW_FOUR: Face
FACE_WILD_SHUFFLE_HANDS: Face
FACE_WILD_SWAP_HANDS: Face
FACE_WILD_CUSTOM: Face
FACE_WILD_REVERSE_DRAW_FOUR: Face
FACE_WILD_DRAW_SIX: Face
FACE_WILD_DRAW_TEN: Face
FACE_WILD_COLOUR_ROULETTE: Face

class Card(_message.Message):
    __slots__ = ("colour", "face", "rule")
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    FACE_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    colour: Colour
    face: Face
    rule: int
    def __init__(self, colour: _Optional[_Union[Colour, str]] = ..., face: _Optional[_Union[Face, str]] = ..., rule: _Optional[int] = ...) -> None: ...
