"""
How is a message joined from parts that were serialised before?

Encoded messages may be concatenated: the result decodes as their merge, repeated fields appended.
What this file adds is the frame of a field inside another message: its tag, its length, its
bytes. Every function here is built once from the descriptor of a field and is then a table
look-up. Whoever joins sends each singular field once (some parsers replace instead of merging).
The file knows no card, no match and no rule.
"""

from collections.abc import Callable
from typing import Final

from google.protobuf.message import Message

Framing = Callable[[bytes], bytes]
"""Frames the bytes of a nested message, a string or packed numbers as one field."""
Numbering = Callable[[int], bytes]
"""Encodes a whole number of at least 0 as one field; 0, the default, takes no bytes."""

_LENGTHS: Final = 2_048
_NUMBERS: Final = 4_096
_VARINT: Final = 0
_DELIMITED: Final = 2


def varint(number: int) -> bytes:
    """Encode a number of at least 0 in groups of seven bits, lowest first."""
    octets = bytearray()
    while number > 127:
        octets.append(number & 127 | 128)
        number >>= 7
    octets.append(number)
    return bytes(octets)


def _tag(message: type[Message], field: str, wire_type: int) -> bytes:
    number = message.DESCRIPTOR.fields_by_name[field].number
    return varint(number << 3 | wire_type)


def framing(message: type[Message], field: str) -> Framing:
    """
    Return what frames bytes as `field` of `message`.

    Raises:
        KeyError: `message` has no such field.

    """
    tag = _tag(message, field, _DELIMITED)
    heads = tuple(tag + varint(length) for length in range(_LENGTHS))

    def frame(body: bytes) -> bytes:
        length = len(body)
        return (heads[length] if length < _LENGTHS else tag + varint(length)) + body

    return frame


def numbering(message: type[Message], field: str, *, explicit: bool = False) -> Numbering:
    """
    Return what encodes a number of at least 0 as `field` of `message`.

    With `explicit` 0 is encoded too, as an optional field that is set or a member of a oneof needs.

    Raises:
        KeyError: `message` has no such field.

    """
    tag = _tag(message, field, _VARINT)
    table = [tag + varint(number) for number in range(_NUMBERS)]
    if not explicit:
        table[0] = b""
    known = tuple(table)

    def encode(number: int) -> bytes:
        return known[number] if number < _NUMBERS else tag + varint(number)

    return encode


def packing(message: type[Message], field: str) -> Callable[[tuple[int, ...]], bytes]:
    """
    Return what encodes numbers of at least 0 as the packed repeated `field` of `message`.

    Raises:
        KeyError: `message` has no such field.

    """
    frame = framing(message, field)

    def encode(numbers: tuple[int, ...]) -> bytes:
        return frame(b"".join(map(varint, numbers))) if numbers else b""

    return encode
