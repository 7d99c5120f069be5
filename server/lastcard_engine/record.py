"""
What does a replay file hold, and does it prove itself?

JSON lines: a head with all a match is played by, its deal secret included, then one line for each
entry. Replaying deals every card again. `verify` names the first entry that does not follow; a
bare file proves only that it is consistent with itself and with its commitment.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar

from lastcard_engine.actions import Action
from lastcard_engine.cards import Seat
from lastcard_engine.dealing import commitment, deal_key
from lastcard_engine.errors import RecordError
from lastcard_engine.events import Event
from lastcard_engine.hashing import REVISION, state_hash
from lastcard_engine.notation import format_action
from lastcard_engine.plain import plain_rules, plain_settings, read_rules, read_settings
from lastcard_engine.record_fields import (
    LATEST_US,
    Reader,
    listed,
    octets,
    read_fields,
    read_name,
    read_notation,
    table,
    text,
    whole,
)
from lastcard_engine.revisions import RUNS
from lastcard_engine.rules import Rules
from lastcard_engine.settings import Settings
from lastcard_engine.state import State
from lastcard_engine.transition import (
    apply,
    close_group,
    close_window,
    forfeit,
    knock_out,
    new_match,
    start_round,
    time_out,
)

FORMAT: Final = 1
"""The version of the file format; a reader refuses any other."""


class EntryKind(StrEnum):
    """What an entry of a match says; those after `FORFEITED` do not touch the game."""

    ROUND_STARTED = "round_started"
    ACTION = "action"
    REACTION = "reaction"
    GROUP_CLOSED = "group_closed"
    WINDOW_CLOSED = "window_closed"
    TIMEOUT = "timeout"
    KNOCKED_OUT = "knocked_out"
    FORFEITED = "forfeited"
    CREATED = "created"
    JOINED = "joined"
    LEFT = "left"
    SEAT_REISSUED = "seat_reissued"
    NONCE = "nonce"
    STARTED = "started"
    FAULT = "fault"
    CLOCK_EXTENDED = "clock_extended"
    CANCELLED = "cancelled"
    ENDED = "ended"
    FROZEN = "frozen"


ENDS: Final = frozenset({EntryKind.ENDED, EntryKind.CANCELLED, EntryKind.FROZEN})
"""What the last entry of a match says that is over."""


class Entry(NamedTuple):
    """One line of the log of a match."""

    version: int
    """1-based and without gaps."""
    kind: EntryKind
    seat: Seat | None = None
    action: Action | None = None
    """For actions and reactions."""
    uno: bool = False
    state_hash: bytes | None = None
    """32 bytes where the log holds them: the hash of the state the entry found."""
    time_us: int = 0
    """When it was written, microseconds since 1970; 0 if unknown."""
    note: str = ""
    """What the entry says besides, for people; the kind of a fault, for instance."""


@dataclass(frozen=True)
class Record:
    """A match from its deal secret to its last entry."""

    match_id: str
    rules: Rules
    settings: Settings
    seats: tuple[str, ...]
    """The names of the players, by seat."""
    secret: bytes
    """32 bytes."""
    salt: bytes
    """32 bytes."""
    commitment: bytes
    """32 bytes, published before the match."""
    nonces: tuple[bytes, ...]
    """As many as seats, in the order that is fixed for the deal; empty where none was given."""
    entries: tuple[Entry, ...]
    group: str = ""
    """The deal group, empty for a lone match."""
    leg: int = 0
    """0-based place in the deal group."""
    chain: str = ""
    """The chain hash of the log's last entry in hex, empty if unknown; the engine only keeps it."""
    revision: int = REVISION


class Step(NamedTuple):
    """One entry of a replay: what it was, what happened, and the state after it."""

    entry: Entry
    events: list[Event]
    state: State


def _seat(entry: Entry) -> Seat:
    if entry.seat is None:
        raise ValueError(f"an entry of kind {entry.kind} must name a seat")
    return entry.seat


def _act(state: State, entry: Entry) -> list[Event]:
    if entry.action is None:
        raise ValueError(f"an entry of kind {entry.kind} must name an action")
    return apply(state, _seat(entry), entry.action, entry.uno)


_ACTS: Final[Mapping[EntryKind, Callable[[State, Entry], list[Event]]]] = {
    EntryKind.ROUND_STARTED: lambda state, _entry: start_round(state),
    EntryKind.ACTION: _act,
    EntryKind.REACTION: _act,
    EntryKind.GROUP_CLOSED: lambda state, _entry: close_group(state),
    EntryKind.WINDOW_CLOSED: lambda state, _entry: close_window(state),
    EntryKind.TIMEOUT: lambda state, entry: time_out(state, _seat(entry)),
    EntryKind.KNOCKED_OUT: lambda state, entry: knock_out(state, _seat(entry)),
    EntryKind.FORFEITED: lambda state, entry: forfeit(state, _seat(entry)),
}
"""What the entries that touch the game do."""


def opening(record: Record) -> State:
    """
    Return the state a record starts from.

    Raises:
        RecordError: with version 0; the head contradicts itself.

    """
    if not RUNS.runs(record.revision):
        raise RecordError(0, f"the record is of engine revision {record.revision}, not {RUNS}")
    if len(record.nonces) != len(record.seats):
        raise RecordError(0, "there is not one nonce for each seat")
    try:
        kept = commitment(record.secret, record.salt) == record.commitment
        key = deal_key(record.secret, record.nonces)
        state = new_match(record.rules, record.settings, len(record.seats), key)
    except ValueError as error:
        raise RecordError(0, str(error)) from error
    if not kept:
        raise RecordError(0, "the deal secret does not match the commitment")
    return state


def replay(record: Record) -> Iterator[Step]:
    """
    Play a match again, entry by entry; the state of a step changes with the next one.

    Raises:
        RecordError: the head contradicts itself, or an entry does not follow from those before.

    """
    state = opening(record)
    for number, entry in enumerate(record.entries, 1):
        yield Step(entry, _replay_entry(state, number, entry), state)


def _replay_entry(state: State, number: int, entry: Entry) -> list[Event]:
    if entry.version != number:
        raise RecordError(number, f"entry {number} calls itself {entry.version}")
    if entry.seat is not None and not 0 <= entry.seat < state.seat_count:
        raise RecordError(number, f"entry {number} names seat {entry.seat}, which does not exist")
    if entry.state_hash is not None and entry.state_hash != state_hash(state):
        raise RecordError(number, f"entry {number} found another state than the one replayed")
    act = _ACTS.get(entry.kind)
    if act is None:
        return []
    try:
        return act(state, entry)
    except ValueError as error:
        raise RecordError(number, f"entry {number} ({entry.kind}) is wrong: {error}") from error


def verify(record: Record) -> State:
    """
    Replay a record to its end and return the last state.

    Raises:
        RecordError: the first thing that is wrong; `version` names the entry, 0 the head.

    """
    state = opening(record)
    for number, entry in enumerate(record.entries, 1):
        _replay_entry(state, number, entry)
        if entry.kind is EntryKind.ENDED and not state.over:
            raise RecordError(number, f"entry {number} ends a match that is not over")
    return state


def _head(record: Record) -> dict[str, object]:
    return {
        "format": FORMAT,
        "revision": record.revision,
        "match_id": record.match_id,
        "group": record.group,
        "leg": record.leg,
        "seats": [*record.seats],
        "rules": plain_rules(record.rules),
        "settings": plain_settings(record.settings),
        "secret": record.secret.hex(),
        "salt": record.salt.hex(),
        "commitment": record.commitment.hex(),
        "nonces": [nonce.hex() for nonce in record.nonces],
        "chain": record.chain,
    }


def _entry_line(entry: Entry) -> dict[str, object]:
    line: dict[str, object] = {"version": entry.version, "kind": str(entry.kind)}
    if entry.seat is not None:
        line["seat"] = entry.seat
    if entry.action is not None:
        line["action"] = format_action(entry.action, entry.uno)
    if entry.state_hash is not None:
        line["state_hash"] = entry.state_hash.hex()
    if entry.time_us:
        line["time_us"] = entry.time_us
    if entry.note:
        line["note"] = entry.note
    return line


def write_record(record: Record) -> str:
    """Return a record as JSON lines, the last one ended too."""
    lines = [_head(record), *map(_entry_line, record.entries)]
    return "".join(f"{_encode(line)}\n" for line in lines)


_encode: Final = json.JSONEncoder(ensure_ascii=False).encode

_DIGEST: Final = octets(32, 32)

_HEAD_FIELDS: Final[Mapping[str, Reader]] = {
    "format": whole(FORMAT, FORMAT),
    "revision": whole(1, 1_000_000),
    "match_id": text(r"[A-Za-z0-9_-]{1,64}", "1 to 64 letters, digits, - and _"),
    "group": text(r"[A-Za-z0-9_/-]{0,128}", "at most 128 letters, digits, -, _ and /"),
    "leg": whole(0, 1_000_000),
    "seats": listed(read_name, 2, 10),
    "rules": table(read_rules),
    "settings": table(read_settings),
    "secret": _DIGEST,
    "salt": _DIGEST,
    "commitment": _DIGEST,
    "nonces": listed(octets(0, 4096), 0, 10),
    "chain": text(r"(?:[0-9a-f]{64})?", "empty or 32 bytes in lower-case hex"),
}

_ENTRY_FIELDS: Final[Mapping[str, Reader]] = {
    "version": whole(1, 2**53),
    "kind": text("|".join(EntryKind), "a kind of entry"),
    "seat": whole(0, 9),
    "action": read_notation,
    "state_hash": _DIGEST,
    "time_us": whole(1, LATEST_US),
    "note": text(r"[ -~]{1,64}", "1 to 64 printable ASCII characters"),
}


def read_record(lines: str) -> Record:
    """
    Return the record written in JSON lines. It is not replayed: see `verify`.

    Only what `write_record` writes is read, to the letter; so reading and writing are inverses.

    Raises:
        RecordError: a line is not what a record may hold; `version` is that of the entry, 0 for
            the head.

    """
    head, *rest = lines.split("\n")
    record = _read_line(0, head, _read_head)
    if not rest or rest[-1]:
        raise RecordError(len(rest), f"line {len(rest) + 1} does not end; the file is cut off")
    rest.pop()
    entries: list[Entry] = []
    for number, line in enumerate(rest, 1):
        entry = _read_line(number, line, _read_entry)
        _follows(entries, entry)
        entries.append(entry)
    return replace(record, entries=tuple(entries))


Read = TypeVar("Read", Record, Entry)


def _read_line(number: int, line: str, read: Callable[[object], Read]) -> Read:
    try:
        found = read(_parse(line))
        written = _encode(_head(found) if isinstance(found, Record) else _entry_line(found))
    except RecursionError:
        raise _wrong(number, "it is nested too deeply") from None
    except ValueError as error:
        raise _wrong(number, str(error)) from error
    if written != line:
        raise _wrong(number, "it is not written as records are, value by value in their order")
    return found


def _parse(line: str) -> object:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON from column {error.colno} on") from None
    except ValueError:  # Python reads no number of more than some thousand digits
        raise ValueError("it holds a number that is too long") from None


def _wrong(number: int, sentence: str) -> RecordError:
    return RecordError(number, f"line {number + 1} is not of a record: {sentence}")


def _read_head(values: object) -> Record:
    fields = read_fields(values, _HEAD_FIELDS, _HEAD_FIELDS)
    del fields["format"]
    return Record(entries=(), **fields)


def _read_entry(values: object) -> Entry:
    fields = read_fields(values, _ENTRY_FIELDS, {"version": int, "kind": str})
    fields["kind"] = kind = EntryKind(fields["kind"])
    if "action" in fields:
        if kind not in (EntryKind.ACTION, EntryKind.REACTION):
            raise ValueError(f"an entry of kind {kind} has no action")
        fields["action"], fields["uno"] = fields["action"]
    return Entry(**fields)


def _follows(before: Sequence[Entry], entry: Entry) -> None:
    """Refuse an entry that cannot stand where it stands, whatever the game says."""
    number = len(before) + 1
    if entry.version != number:
        raise RecordError(number, f"entry {number} calls itself {entry.version}")
    if before and before[-1].kind in ENDS:
        raise RecordError(number, f"entry {number} follows the {before[-1].kind} of the match")
