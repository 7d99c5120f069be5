"""
Which values may stand in the fields of a record's lines?

A reader turns the JSON value of one field into what the record holds, or says in one sentence what
it must be. Types are exact: true is no number, 1.0 no whole one. Texts hold nothing a terminal
would obey. The file must never know what the lines are for.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from lastcard_engine.actions import Action
from lastcard_engine.names import is_name
from lastcard_engine.notation import parse_action

Reader = Callable[[object], Any]
"""Returns what a JSON value stands for; ValueError, its message begins with "must be", for any
other."""

LATEST_US: Final = 253_402_300_799_999_999
"""The last microsecond of the year 9999, in Unix time."""


def whole(low: int, high: int) -> Reader:
    """Return the reader of whole numbers from low to high, ends included."""

    def read(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return value

    return read


def text(pattern: str, wanted: str) -> Reader:
    """Return the reader of texts that a pattern covers from end to end."""
    covers = re.compile(pattern).fullmatch

    def read(value: object) -> str:
        if type(value) is not str or not covers(value):
            raise ValueError(f"must be {wanted}")
        return value

    return read


def octets(low: int, high: int) -> Reader:
    """Return the reader of so many bytes in lower-case hex."""
    count = f"{high}" if low == high else f"{low} to {high}"
    read = text(rf"(?:[0-9a-f]{{2}}){{{low},{high}}}", f"{count} bytes in lower-case hex")
    return lambda value: bytes.fromhex(read(value))


def listed(read: Reader, low: int, high: int) -> Reader:
    """Return the reader of lists of so many values of one kind."""

    def read_list(value: object) -> tuple[Any, ...]:
        if type(value) is not list or not low <= len(value) <= high:
            raise ValueError(f"must be a list of {low} to {high} values")
        return tuple(map(read, value))

    return read_list


def table(read: Callable[[dict[str, Any]], object]) -> Reader:
    """Return the reader of maps, which are then read as a whole."""

    def read_table(value: object) -> object:
        if type(value) is not dict:
            raise ValueError("must be a map")
        return read(value)

    return read_table


def read_name(value: object) -> str:
    """Return the name of a player as servers allow it; an open seat has an empty one."""
    if type(value) is str and (not value or is_name(value)):
        return value
    raise ValueError("must be names of at most 32 letters, digits, spaces, `_`, `.` or `-`")


def read_notation(value: object) -> tuple[Action, bool]:
    """Return an action from its notation, and whether UNO is called with it."""
    try:
        return parse_action(value)  # type: ignore[arg-type]  # whatever else it is has no words
    except (AttributeError, LookupError, ValueError):
        raise ValueError("must be an action, as in 'play r5', 'draw' or 'catch 2'") from None


def read_fields(
    values: object, readers: Mapping[str, Reader], required: Mapping[str, object]
) -> dict[str, Any]:
    """
    Return the fields of a line by name, each read.

    Raises:
        ValueError: the line is no map, lacks a field, or has one that is unknown or wrong.

    """
    if type(values) is not dict:
        raise ValueError("it must be a map")
    if missing := [name for name in required if name not in values]:
        raise ValueError(f"it lacks {missing[0]}")
    return {name: _read_field(name, value, readers) for name, value in values.items()}


def _read_field(name: str, value: object, readers: Mapping[str, Reader]) -> object:
    read = readers.get(name)
    if read is None:
        raise ValueError(f"it may not hold {ascii(name)[:60]}")
    try:
        return read(value)
    except ValueError as error:
        raise ValueError(f"{name} {error}") from None
