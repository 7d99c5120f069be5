"""Are encoded bytes what every parser takes alike? Each singular field once, lengths that fit."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

VARINT, FIXED64, DELIMITED, FIXED32 = 0, 1, 2, 5


def fields(body: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield number, wire type and bytes of each field in the order they stand."""
    at = 0
    while at < len(body):
        tag, at = _varint(body, at)
        begin = at
        if tag & 7 == VARINT:
            _, at = _varint(body, at)
        elif tag & 7 == DELIMITED:
            length, begin = _varint(body, at)
            at = begin + length
        else:
            at += 8 if tag & 7 == FIXED64 else 4
        assert at <= len(body), "a field reaches beyond its message"
        yield tag >> 3, tag & 7, body[begin:at]


def repeated_singulars(kind: type[Message], body: bytes) -> list[str]:
    """Return the singular fields that stand more than once, and fields that do not exist."""
    return _repeated(kind.DESCRIPTOR, body, "").copy()


@lru_cache(20_000)  # the same cards and players stand in thousands of messages
def _repeated(kind: Any, body: bytes, path: str) -> list[str]:
    found: list[str] = []
    seen: set[int] = set()
    for number, _, value in fields(body):
        field = kind.fields_by_number.get(number)
        if field is None:
            found.append(f"{path}.{number} does not exist")
            continue
        name = f"{path}.{field.name}"
        if number in seen and not field.is_repeated:
            found.append(f"{name} stands twice")
        seen.add(number)
        if field.type == FieldDescriptor.TYPE_MESSAGE and field.message_type is not None:
            found += _repeated(field.message_type, value, name)
    return found


def _varint(body: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        octet = body[at]
        number |= (octet & 127) << shift
        at, shift = at + 1, shift + 7
        if octet < 128:
            return number, at
