"""
What does an entry change before a match has started? Who sits where, and who is ready.

Part of `folding`, which is the only door.
"""

from collections.abc import Callable, Mapping
from typing import Final

from lastcard_engine.cards import Seat
from lastcard_engine.dealing import deal_key
from lastcard_engine.record import EntryKind
from lastcard_engine.transition import new_match
from lastcard_server.journal.entry import Entry
from lastcard_server.matches.asking import ask_ready, close, close_all
from lastcard_server.matches.bodies import nonce_of, read_answer, read_nonces, read_structured
from lastcard_server.matches.creation import read_creation
from lastcard_server.matches.match import Match, Occupant, Stage
from lastcard_server.matches.turns import TurnClose


def seat_of(entry: Entry) -> Seat:
    """Return the seat an entry is about; ValueError if it names none."""
    if entry.seat is None:
        raise ValueError("the entry names no seat")
    return Seat(entry.seat)


def occupant_of(match: Match, entry: Entry) -> Occupant:
    """Return who sits there."""
    return match.seats[seat_of(entry)]


def _created(match: Match, entry: Entry) -> None:
    match.creator, match.setup, match.deal, match.revision = read_creation(entry.body)
    match.deal.require_key(match.keys)
    match.created_us = entry.time_us
    bank_ms = match.setup.clocks.bank_ms
    match.seats += [Occupant(s.owner, s.name, s.strategy, bank_ms) for s in match.setup.seats]
    _seated(match, entry)


def _seated(match: Match, entry: Entry) -> None:
    """Ask whether everybody is there once every seat is taken."""
    if match.stage is Stage.OPEN and all(seat.taken for seat in match.seats):
        match.stage = Stage.READYING
        ask_ready(match, entry)


def _joined(match: Match, entry: Entry) -> None:
    values, occupant = read_structured(entry.body), occupant_of(match, entry)
    if not occupant.taken:
        occupant.owner, occupant.name = values["owner"], values["name"]
    occupant.claimed = True
    match.request_ids[values["owner"], entry.request_id] = entry
    _seated(match, entry)


def _left(match: Match, entry: Entry) -> None:
    occupant = occupant_of(match, entry)
    occupant.owner = occupant.name = ""
    occupant.claimed = False
    occupant.generation += 1
    match.stage = Stage.OPEN
    match.late.clear()
    close_all(match, TurnClose.WITHDRAWN)
    for other in match.seats:
        other.nonce = None


def _nonce(match: Match, entry: Entry) -> None:
    text, _, think_ms = read_answer(entry.body)
    occupant = occupant_of(match, entry)
    occupant.nonce, occupant.nonce_us = nonce_of(text), entry.time_us
    turn = close(match, seat_of(entry), TurnClose.ANSWERED)
    occupant.answered.close(turn.turn, entry.version, 0, text)
    occupant.last_answer_ms = think_ms


def _started(match: Match, entry: Entry) -> None:
    match.nonces = read_nonces(entry.body)
    key = deal_key(match.deal.pool.secret(match.keys), match.nonces)
    match.state = new_match(match.setup.rules, match.setup.settings, len(match.seats), key)
    match.stage = Stage.RUNNING
    match.late.clear()


BEGINNING: Final[Mapping[str, Callable[[Match, Entry], None]]] = {
    EntryKind.CREATED: _created,
    EntryKind.JOINED: _joined,
    EntryKind.LEFT: _left,
    EntryKind.NONCE: _nonce,
    EntryKind.STARTED: _started,
}
"""The folds, by the kind of entry."""
