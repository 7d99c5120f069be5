"""
What does the passing of time decide? Timeouts and faults, ends of pauses, lost time given back.

Which fault a silent seat has committed depends on connections, which a match does not know: the
caller says.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import NamedTuple

from lastcard_engine.record import EntryKind
from lastcard_server.matches.match import GRACE_US, Match
from lastcard_server.matches.turns import SHARED, OpenTurn, TurnKind
from lastcard_server.matches.writing import remove, settle, write


class Fault(StrEnum):
    """How a seat failed in a turn; at most one a turn is written."""

    LATE = "late"
    """It is connected, but its answer did not come in time."""
    ABSENT = "absent"
    """It has never been heard of in this match."""
    ILLEGAL = "illegal"
    """It gave an illegal answer, whatever came after it."""
    CRASHED = "crashed"
    """Its connection is gone."""


class Outage(NamedTuple):
    """A time in which this server could neither hear nor write, store clock."""

    from_us: int
    until_us: int


def expire(match: Match, now_us: int, silence: Callable[[int], Fault]) -> None:
    """
    Close the turns whose time has run out, and whatever else is due.

    Args:
        match: the match.
        now_us: the time.
        silence: what it means that a seat did not answer.

    """
    spare_us = match.setup.clocks.margin_ms * 1000 + GRACE_US
    for seat in sorted(match.turns):
        turn = match.turns.get(seat)
        if turn is not None and now_us >= turn.deadline_us + spare_us:
            _run_out(match, turn, now_us, silence)
    settle(match, now_us)


def _run_out(match: Match, turn: OpenTurn, now_us: int, silence: Callable[[int], Fault]) -> None:
    """Write the fault, then what the policy does; where others must not see it yet, later."""
    seat = turn.seat
    fault = Fault.ILLEGAL if turn.faulty else silence(seat)
    write(match, EntryKind.FAULT, now_us, seat, fault.value)
    shared = turn.kind is TurnKind.READY or turn.kind in SHARED
    if shared or not remove(match, seat, now_us, turn.turn):
        write(match, EntryKind.TIMEOUT, now_us, seat, str(turn.turn))


def give_back(match: Match, outages: Iterable[Outage], now_us: int) -> bool:
    """
    Extend the clocks by the outages that the match has lived through; return whether it has any.

    It is written once: after it the newest entry is younger than the outages, of which none may
    overlap another.
    """
    if match.due_us() is None:
        return False
    last_us = match.last_us
    by_us = sum(max(0, until_us - max(from_us, last_us)) for from_us, until_us in outages)
    if not by_us:
        return False
    write(match, EntryKind.CLOCK_EXTENDED, now_us, body=str(by_us))
    return True
