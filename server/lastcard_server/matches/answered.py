"""
Which answer bound a turn? What became of every closed turn of a seat, kept small.

This makes answers once-only: a repeat finds the first outcome here. It belongs to the match, not to
the engine's state, and no hash covers it.
"""

from array import array
from bisect import bisect_left
from typing import Final, NamedTuple

TIMED_OUT: Final = -1
"""The choice of a turn that the clock closed."""


class Closed(NamedTuple):
    """How a turn was closed."""

    version: int
    """What its acceptance says."""
    choice: int
    """0-based index of the answer, or `TIMED_OUT`."""
    text: str
    """The answer in notation, UNO included; "" where it timed out."""


class Answered:
    """
    The closed turns of one seat, in rising order; withdrawn ones are not among them.

    Columns instead of objects: a match holds hundreds, a server thousands of matches.
    """

    __slots__ = ("_choices", "_texts", "_turns", "_versions")

    def __init__(self) -> None:
        self._turns = array("i")
        self._versions = array("i")
        self._choices = array("h")
        self._texts: list[str] = []

    def close(self, turn: int, version: int, choice: int, text: str) -> None:
        """Note how a turn was closed; its number is higher than all before."""
        self._turns.append(turn)
        self._versions.append(version)
        self._choices.append(choice)
        self._texts.append(text)

    def find(self, turn: int) -> Closed | None:
        """Return how a turn was closed; None if it is open, withdrawn or was never asked."""
        at = bisect_left(self._turns, turn)
        if at == len(self._turns) or self._turns[at] != turn:
            return None
        return Closed(self._versions[at], self._choices[at], self._texts[at])
