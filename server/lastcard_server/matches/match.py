"""
What is a match? A log of entries and what follows from them.

Commands decide entries; folding an entry is the only way anything changes, live and in replay, so
that the journal alone rebuilds a match exactly. No clock, no task, no protobuf: time comes in as
an argument, and nothing here waits.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from lastcard_server.matches.setup import MatchSetup
from lastcard_server.matches.turns import OpenTurn


class Stage(StrEnum):
    """Where a match stands; the names of the contract in lower case."""

    OPEN = "open"
    READYING = "readying"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FROZEN = "frozen"


class Result(NamedTuple):
    """How a match ended."""

    reason: str
    """played, last_standing, cancelled or frozen: the names of the contract in lower case."""
    places: tuple[int, ...]
    """Of each seat, 1 = first; () where there is none."""
    totals: tuple[int, ...]
    """Points of each seat under the scoring in force."""
    values: tuple[int, ...] = ()
    """Points of each seat under `winner_takes`, whatever the scoring is: what a contest counts."""


class Occupant:
    """Who sits on a seat, and how it fared."""

    __slots__ = (
        "bank_ms",
        "entrant",
        "faults",
        "generation",
        "last_answer_ms",
        "name",
        "owner",
        "strategy",
    )

    owner: str  # "" = free, "key:<id>" or "house"
    name: str
    strategy: str  # of a house bot
    entrant: int
    generation: int  # of the valid seat token
    faults: dict[str, int]  # by kind: late, absent, illegal, crashed
    bank_ms: int
    last_answer_ms: int | None


class Match:
    """
    One match. Readers use the attributes; they change by `fold` alone.

    Attributes:
        match_id: its identifier.
        log: its log in the journal.
        setup: what was fixed at creation.
        creator: the owner who created it.
        created_us: when.
        commitment: 32 bytes, to the deal secret.
        seats: the `Occupant` of each seat.
        state: the engine's state; None before `started`.
        stage: where it stands.
        turns: the open turn of each seat that is asked.
        window: the version that opened the window for out-of-turn acts, 0 if none is open.
        result: None while it runs.
        version: of the newest entry.
        shown_version: what viewers are told: `version`, or while a reaction group is open the
            version that opened it.
        turn_actions: turn actions and defaults taken so far.
    """

    match_id: str
    log: str
    setup: MatchSetup
    creator: str
    created_us: int
    commitment: bytes
    seats: list[Occupant]
    stage: Stage
    turns: dict[int, OpenTurn]
    window: int
    result: Result | None
    version: int
    shown_version: int
