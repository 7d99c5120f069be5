"""
Which answer bound a turn? What became of every closed turn of a seat, kept small.

This makes answers once-only: a repeat finds the first outcome here. It belongs to the match, not to
the engine's state, and no hash covers it.
"""

import struct
from array import array
from bisect import bisect_left
from sys import intern
from typing import Final, NamedTuple, Self

from lastcard_server.matches.bodies import READY

TIMED_OUT: Final = -1
"""The choice of a turn that the clock closed."""

_TURN: Final = 40
_VERSION: Final = 12
_CHOICE: Final = (1 << _VERSION) - 1
"""A closed turn in 64 bits: 23 of its number, 28 of a version, 12 of the choice + 1."""


class Closed(NamedTuple):
    """How a turn was closed."""

    version: int
    """What its acceptance says."""
    choice: int
    """0-based index of the answer, or `TIMED_OUT`."""
    text: str
    """The answer in notation, UNO included, one line; "" where it timed out."""


class Answered:
    """
    The closed turns of one seat, in rising order; withdrawn ones are not among them.

    Columns instead of objects: a match holds hundreds, a server thousands of matches.
    """

    __slots__ = ("_packed", "_texts")

    def __init__(self) -> None:
        self._packed = array("q")
        self._texts: list[str] = []

    @classmethod
    def of(cls, packed: bytes, texts: bytes) -> Self:
        """Return the turns that `columns` told."""
        self = cls()
        self._packed.extend(struct.unpack(f">{len(packed) // 8}q", packed))
        if packed:
            self._texts += map(intern, texts.decode().split("\n"))
        return self

    def columns(self) -> tuple[bytes, bytes]:
        """Return the closed turns, 8 bytes big-endian each, and the text of each, one a line."""
        packed = struct.pack(f">{len(self._packed)}q", *self._packed)
        return packed, "\n".join(self._texts).encode()

    def close(self, turn: int, version: int, choice: int, text: str) -> None:
        """Note how a turn was closed; its number is higher than all before."""
        self._packed.append(turn << _TURN | version << _VERSION | choice + 1)
        self._texts.append(text)

    def in_the_game(self) -> bool:
        """Tell whether any was answered, timeouts and ready turns not counted."""
        return any(text and not text.startswith(READY) for text in self._texts)

    def find(self, turn: int) -> Closed | None:
        """Return how a turn was closed; None if it is open, withdrawn or was never asked."""
        if turn < 0:
            return None
        at = bisect_left(self._packed, turn << _TURN)
        if at == len(self._packed) or self._packed[at] >> _TURN != turn:
            return None
        packed = self._packed[at]
        version = packed >> _VERSION & (1 << _TURN - _VERSION) - 1
        return Closed(version, (packed & _CHOICE) - 1, self._texts[at])
