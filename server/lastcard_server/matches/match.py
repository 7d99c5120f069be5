"""
What is a match? Everything that follows from the entries of its log, for readers.

`folding.fold` is the only thing that changes a match, live and in replay; `deciding` decides which
entries come next. No clock, no task, no protobuf. It holds secrets (the engine's state, the deal):
what leaves it for a seat goes through `lastcard_engine.view` and `redact`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from lastcard_engine.events import Event, MatchEnded
from lastcard_engine.state import State
from lastcard_server.journal.entry import Entry, genesis
from lastcard_server.journal.port import Snapshot
from lastcard_server.matches.answered import Answered
from lastcard_server.matches.deals import Deal
from lastcard_server.matches.history import HistorySeal
from lastcard_server.matches.setup import MatchSetup
from lastcard_server.matches.turns import OpenTurn, TurnClose
from lastcard_server.secrets import ServerKeys

GRACE_US = 100_000
"""How long after an on-time answer could have come in a timeout is written."""


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
    """Of each seat, 1 = first, equal places are shared; () where the match has no result."""
    totals: tuple[int, ...]
    """Points of each seat under the scoring in force."""
    values: tuple[int, ...]
    """Points of each seat under `winner_takes`, whatever the scoring is: what a contest counts."""


class Occupant:
    """Who sits on a seat, and how it fares."""

    __slots__ = (
        "answered",
        "bank_ms",
        "claimed",
        "faults",
        "generation",
        "last_answer_ms",
        "name",
        "nonce",
        "nonce_us",
        "owner",
        "strategy",
        "value",
    )

    def __init__(self, owner: str, name: str, strategy: str, bank_ms: int) -> None:
        self.owner = owner
        """"" = the seat is free, else "key:<id>" or "house"."""
        self.name = name
        self.strategy = strategy
        """Of a house bot, else ""."""
        self.generation = 0
        """Of the seat token that is valid."""
        self.claimed = False
        """Whether a join has taken the seat: a reserved one can be joined once."""
        self.nonce: bytes | None = None
        """What its ready turn put into the deal; None before."""
        self.nonce_us = 0
        """When it did."""
        self.bank_ms = bank_ms
        self.last_answer_ms: int | None = None
        """How long its last answer took by the server's clock; None before the first."""
        self.faults: dict[str, int] = {}
        """How often it failed, by kind: late, absent, illegal, crashed."""
        self.answered = Answered()
        self.value = 0
        """Points under `winner_takes` so far."""

    @property
    def taken(self) -> bool:
        """Tell whether somebody holds the seat."""
        return bool(self.owner)


class Match:
    """One match. Read its attributes freely; between calls they are those of `version`."""

    __slots__ = (
        "chains",
        "closed",
        "created_us",
        "creator",
        "deal",
        "decisions",
        "ending",
        "events",
        "group_us",
        "group_version",
        "head",
        "keys",
        "last_us",
        "late",
        "log",
        "match_id",
        "nonces",
        "opened",
        "over",
        "request_ids",
        "result",
        "revision",
        "seal",
        "seats",
        "setup",
        "snapshot",
        "snapshot_version",
        "stage",
        "state",
        "token",
        "token_version",
        "turn_actions",
        "turns",
        "unsaved",
        "version",
        "window",
        "window_us",
    )

    setup: MatchSetup
    creator: str
    """The owner who created it."""
    created_us: int
    deal: Deal
    revision: int
    """Of the engine that plays it to its end."""

    def __init__(self, match_id: str, keys: ServerKeys, seal: HistorySeal) -> None:
        self.match_id = match_id
        self.log = log_of(match_id)
        self.keys = keys
        self.seal = seal
        self.head = genesis(self.log)
        """The head of the log with every entry folded so far."""
        self.version = 0
        """Of the newest entry; 0 before the first."""
        self.chains = bytearray()
        """The first 8 bytes of every entry's chain hash, one after the other."""
        self.last_us = 0
        """When the newest entry was stamped."""
        self.stage = Stage.OPEN
        self.over = False
        """Whether nothing more can happen."""
        self.seats: list[Occupant] = []
        self.state: State | None = None
        """The engine's state; None before `started`."""
        self.nonces: tuple[bytes, ...] = ()
        """What went into the deal, by entrant; () before `started`."""
        self.turns: dict[int, OpenTurn] = {}
        """The open turns, by seat."""
        self.late: list[int] = []
        """Seats whose turn ran out and whose policy waits for the group, or the start."""
        self.group_version = 0
        """The version that opened the reaction group; 0 while none is open."""
        self.group_us = 0
        self.window = 0
        """The version that opened the window for out-of-turn acts; 0 while none is open."""
        self.window_us = 0
        """When the pause of the window began."""
        self.request_ids: dict[tuple[str, str], Entry] = {}
        """Entries that named a request, by the caller (in the game: the seat) and the request."""
        self.decisions = 0
        """Accepted answers to turns with at least two actions, reactions not counted."""
        self.turn_actions = 0
        """Turn actions and defaults taken so far."""
        self.ending: MatchEnded | None = None
        """The engine's last word, until `ended` makes it the result."""
        self.result: Result | None = None
        self.unsaved: list[Entry] = []
        """Entries decided and not yet handed to the journal."""
        self.events: list[Event] = []
        self.opened: list[OpenTurn] = []
        self.closed: list[tuple[int, int, TurnClose]] = []
        """News not told yet: events, turns opened, turns closed as (seat, turn, why)."""
        self.snapshot: Snapshot | None = None
        """Taken at the latest round's start and not handed to the journal yet."""
        self.snapshot_version = 0
        """Of the newest that was taken or read; 0 = none."""
        self.token = b""
        """The history that was sealed last and may be given out again."""
        self.token_version = -1

    @property
    def grouped(self) -> bool:
        """Tell whether other matches share the deal."""
        return self.deal.pool.group != self.match_id

    @property
    def commitment(self) -> bytes:
        """Return the commitment to the deal, 32 bytes."""
        return self.deal.commitment

    @property
    def awaits_deal(self) -> bool:
        """Tell whether all are ready and the nonces of the deal group are all that is missing."""
        return self.stage is Stage.READYING and not self.turns

    @property
    def shown_version(self) -> int:
        """Return the version viewers are told: while a reaction group is open, its opening one."""
        return self.group_version or self.version

    def history(self) -> bytes:
        """
        Return the sealed true head.

        It is the same bytes for one version, except in an open group: nobody may see it move there.
        """
        version = self.version
        if self.token_version == version:
            return self.token
        token = self.seal.seal(self.match_id, version, self.head[1])
        if not self.group_version or self.group_version == version:
            self.token, self.token_version = token, version
        return token

    def standing(self, token: bytes) -> Standing:
        """Compare a history handed back with the log."""
        found = self.seal.open(self.match_id, token)
        if found is None:
            return Standing.FOREIGN
        version, chain = found
        if version > self.version:
            return Standing.AHEAD
        known = self.chains[8 * (version - 1) : 8 * version] == chain
        return Standing.KNOWN if known else Standing.DIFFERENT

    def seat_of(self, owner: str, seat: int, generation: int) -> Occupant | None:
        """Return the occupant of a seat if `owner` may act for it, else None."""
        seats = self.seats
        if not 0 <= seat < len(seats):
            return None
        occupant = seats[seat]
        if owner and occupant.owner == owner:
            return occupant
        by_token = occupant.taken and owner == f"seat:{self.match_id}:{seat}"
        return occupant if by_token and generation == occupant.generation else None

    def owners(self) -> tuple[str, ...]:
        """Return who holds seats, each once."""
        return tuple(dict.fromkeys(seat.owner for seat in self.seats if seat.taken))

    def turns_of(self, owner: str) -> list[OpenTurn]:
        """Return the open turns of an owner's seats."""
        holders = ((turn, self.seats[turn.seat].owner) for turn in self.turns.values())
        own = f"seat:{self.match_id}:"
        return [turn for turn, holder in holders if owner in (holder, f"{own}{turn.seat}")]

    def due_us(self) -> int | None:
        """Return when something has to happen by itself; None = never."""
        clocks, state = self.setup.clocks, self.state
        if self.turns:
            first, *others = self.turns.values()
            deadline_us = first.deadline_us
            if others:
                deadline_us = min(deadline_us, *[turn.deadline_us for turn in others])
            return deadline_us + clocks.margin_ms * 1000 + GRACE_US
        if self.over or self.stage is Stage.OPEN:
            return None
        if state is not None and state.group is not None:
            return self.group_us + clocks.reaction_hold_ms * 1000
        if state is not None and state.window:
            return self.window_us + clocks.reaction_ms * 1000
        return self.last_us


class Standing(StrEnum):
    """How a history that was handed back stands to the log."""

    KNOWN = "known"
    """It is the head, or a version before it."""
    AHEAD = "ahead"
    """It is of a version that the log does not reach."""
    DIFFERENT = "different"
    """The log holds another entry there."""
    FOREIGN = "foreign"
    """This server did not seal it for this match."""


def log_of(match_id: str) -> str:
    """Return the name of a match's log."""
    return f"match/{match_id}"
