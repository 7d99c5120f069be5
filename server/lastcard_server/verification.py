"""
Does a record follow from its deal, and does a ledger say what the record says?

A record is dealt and played again from its secret; what comes of it is compared with the ledger's
line. Needs the engine and the standard library alone, so that anybody can check a contest.
"""

from collections import Counter
from hashlib import sha256
from typing import NamedTuple

from lastcard_engine import DefaultTaken, MatchEnded, RecordError, RoundEnded
from lastcard_engine.record import ENDS, EntryKind, Record, replay, verify, write_record
from lastcard_server.contests.ledger import Game


class Outcome(NamedTuple):
    """What a ledger says of a match. Sequences are in seat order."""

    seats: tuple[str, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]
    actions: int
    faults: tuple[dict[str, int], ...]
    end_us: int


class Mismatch(ValueError):
    """A ledger's line says something else than the record of its match."""


def check(record: Record) -> None:
    """
    Deal and play a record again.

    Raises:
        RecordError: it does not follow from its deal, or breaks off.

    """
    verify(record)
    check_end(record)


def check_end(record: Record) -> None:
    """
    Look whether a record goes to the end of its match.

    Raises:
        RecordError: it breaks off.

    """
    if not record.entries or record.entries[-1].kind not in ENDS:
        count = len(record.entries)
        raise RecordError(count, f"the record breaks off after entry {count}")


def outcome(record: Record) -> Outcome:
    """Return what came of a record that is right."""
    seats = len(record.seats)
    places: tuple[int, ...] = ()
    points, actions = [0] * seats, 0
    faults: tuple[Counter[str], ...] = tuple(Counter() for _ in range(seats))
    for entry, events, _ in replay(record):
        actions += entry.kind is EntryKind.ACTION
        if entry.kind is EntryKind.FAULT and entry.seat is not None:
            faults[entry.seat][entry.note] += 1
        for event in events:
            match event:
                case RoundEnded():
                    for winner in event.winners:
                        points[winner] += event.value
                case MatchEnded():
                    places = event.places
                case DefaultTaken():
                    actions += 1
    end_us = record.entries[-1].time_us
    counted = tuple(dict(sorted(kinds.items())) for kinds in faults)
    return Outcome(record.seats, places, tuple(points), actions, counted, end_us)


def compare(game: Game, record: Record) -> None:
    """
    Compare a ledger's line with the record of its match.

    Raises:
        Mismatch: naming the first field that differs.

    """
    found = outcome(record)
    for field in Outcome._fields:
        written, played = getattr(game, field), getattr(found, field)
        if written != played:
            raise Mismatch(f"game {game.game} of the ledger says {field} {written}, not {played}")
    if game.leg != record.leg:
        raise Mismatch(f"game {game.game} of the ledger says leg {game.leg}, not {record.leg}")
    if game.record != digest(record):
        raise Mismatch(f"game {game.game} of the ledger is of another record of this match")


def digest(record: Record) -> str:
    """Return the SHA-256 of a record as it is written, in hex."""
    return sha256(write_record(record).encode()).hexdigest()
