"""
How is a message joined from parts that were serialised before?

Encoded messages may be concatenated: the result decodes as their merge, repeated fields appended.
What this file adds is the frame of a field inside another message: its tag, its length, its
bytes. Every table here is built once from the descriptor of a field; a part is then a look-up.
Whoever joins sends each singular field once (some parsers replace instead of merging). The file
knows no card, no match and no rule.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Final, TypeVar

from google.protobuf.message import Message

Framing = Callable[[bytes], bytes]
"""Frames the bytes of a nested message, or a string, as one field."""

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


class _Encoded(dict[int, bytes]):
    """Tag and number, for every number: the usual ones made before, any other when asked for."""

    def __init__(self, tag: bytes, ready: int) -> None:
        super().__init__((number, tag + varint(number)) for number in range(ready))
        self._tag = tag

    def __missing__(self, number: int) -> bytes:
        return self._tag + varint(number)


_Key = TypeVar("_Key", bound=Hashable)


class Kept(dict[_Key, bytes]):
    """
    What `make` returns, by its argument, made when first asked for.

    At most `most` of them; then all are forgotten, which costs less than to know the oldest.
    """

    def __init__(self, make: Callable[[_Key], bytes], most: int) -> None:
        super().__init__()
        self._make = make
        self._most = most

    def __missing__(self, key: _Key) -> bytes:
        if len(self) >= self._most:
            self.clear()
        made = self[key] = self._make(key)
        return made


def _tag(message: type[Message], field: str, wire_type: int) -> bytes:
    number = message.DESCRIPTOR.fields_by_name[field].number
    return varint(number << 3 | wire_type)


def heads(message: type[Message], field: str) -> Mapping[int, bytes]:
    """
    Return what stands before the bytes of `field` of `message`, by their length.

    Raises:
        KeyError: `message` has no such field.

    """
    return _Encoded(_tag(message, field, _DELIMITED), _LENGTHS)


def framing(message: type[Message], field: str) -> Framing:
    """
    Return what frames bytes as `field` of `message`.

    Raises:
        KeyError: `message` has no such field.

    """
    head = heads(message, field)

    def frame(body: bytes) -> bytes:
        return head[len(body)] + body

    return frame


def numbers(message: type[Message], field: str) -> Mapping[int, bytes]:
    """
    Return `field` of `message` encoded, by its value of at least 0; 0 takes no bytes.

    Raises:
        KeyError: `message` has no such field.

    """
    encoded = _Encoded(_tag(message, field, _VARINT), _NUMBERS)
    encoded[0] = b""
    return encoded


def framed(frame: Framing, bodies: Iterable[bytes]) -> bytes:
    """Return a repeated field: every body framed, one behind the other."""
    return b"".join(map(frame, bodies))
