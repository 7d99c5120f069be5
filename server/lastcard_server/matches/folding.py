"""
What does an entry change? One function a kind, the same live and in replay.

`fold` is the only door. An entry that the engine refuses leaves the match as it was; that happens
with foreign or damaged logs only, since decisions check before they write.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from lastcard_engine.actions import BeginTurn, CallUno, Catch
from lastcard_engine.cards import Seat
from lastcard_engine.events import Event, MatchEnded, RoundEnded
from lastcard_engine.hashing import state_hash
from lastcard_engine.record import EntryKind
from lastcard_engine.revisions import RUNS, Revisions
from lastcard_engine.state import State
from lastcard_engine.transition import (
    apply,
    close_group,
    close_window,
    forfeit,
    knock_out,
    start_round,
    time_out,
)
from lastcard_server.journal.entry import UNREADABLE, Entry, verify_chain
from lastcard_server.matches.answered import TIMED_OUT
from lastcard_server.matches.asking import ask, close, close_all
from lastcard_server.matches.beginning import BEGINNING, occupant_of, seat_of
from lastcard_server.matches.bodies import Said, action_of, read_answer, read_structured
from lastcard_server.matches.creation import OtherRevision, revision_of
from lastcard_server.matches.history import HistorySeal
from lastcard_server.matches.match import Match, Result, Stage
from lastcard_server.matches.turns import SHARED, OpenTurn, TurnClose, TurnKind
from lastcard_server.secrets import ServerKeys

HASH_EVERY: Final = 64
"""Every so many versions an entry holds the hash of the state it found."""

_ACTION: Final = EntryKind.ACTION
_REACTION: Final = EntryKind.REACTION
_ANSWERED: Final = TurnClose.ANSWERED

_HASHED: Final = frozenset({EntryKind.ROUND_STARTED, EntryKind.ENDED})
"""What follows the end of a round holds the hash of the state the round left."""


class Diverged(Exception):
    """The log says otherwise than this engine: the match cannot go on here."""


def hash_for(match: Match, kind: str) -> bytes | None:
    """Return the hash of the present state if the next entry, of this kind, has to hold it."""
    if (match.version + 1) % HASH_EVERY and kind not in _HASHED:
        return None
    if match.state is None:
        return None
    return state_hash(match.state)


def fold(match: Match, entry: Entry, said: Said | None = None) -> None:
    """Let one entry take effect; whoever has just written an answer knows what its body says."""
    kind = entry.kind
    if kind == _ACTION:
        _action(match, entry, said or read_answer(entry.body))
    elif kind == _REACTION and not entry.request_id:
        _reaction(match, entry, said or read_answer(entry.body))
    else:
        _FOLDS[kind](match, entry)
    match.head = entry.head
    match.version, match.last_us = entry.version, entry.time_us
    match.chains += entry.chain[:8]


def replay(
    match_id: str,
    entries: Sequence[Entry],
    keys: ServerKeys,
    seal: HistorySeal,
    revisions: Revisions = RUNS,
    *,
    verified: bool = False,
) -> Match:
    """
    Return the match that a whole log tells of, without news.

    Raises:
        OtherRevision: the match takes a revision of the engine that is not run here.
        ChainError: an entry does not follow from those before it; not looked for if `verified`.
        Diverged: another engine wrote the log, or an entry cannot have come about.
        UnknownKeyError: the server key of the deal is gone, or another one has its name.

    """
    match = Match(match_id, keys, seal)
    try:
        revision = revision_of(entries[0].body)
    except UNREADABLE as error:
        raise Diverged("the first entry cannot be read by this release") from error
    if not revisions.runs(revision):
        raise OtherRevision(revision, revisions)
    follow(match, entries, verified=verified)
    match.events, match.opened, match.closed = [], [], []
    return match


def follow(
    match: Match, entries: Sequence[Entry], found: bytes | None = None, *, verified: bool = False
) -> None:
    """
    Fold entries that were read, with what is new in them.

    Args:
        match: where they come next; it must not be used any more if they do not fit.
        entries: what the log holds next.
        found: what the first entry has to hold, where the state lacks what its hash covers.
        verified: whether the chain has been checked from the match's head on.

    Raises:
        ChainError, Diverged, UnknownKeyError: as `replay`.

    """
    if not verified:
        verify_chain(match.head, entries)
    for entry in entries:
        if entry.state_hash != (found or hash_for(match, entry.kind)):
            raise Diverged(f"the state before entry {entry.version} is not the one recorded")
        try:
            fold(match, entry)
        except UNREADABLE as error:
            raise Diverged(f"entry {entry.version} cannot have come about") from error
        found = None


# The game


def _round_started(match: Match, entry: Entry) -> None:
    state = _state(match)
    _happened(match, state, entry, start_round(state))


def _action(match: Match, entry: Entry, said: Said) -> None:
    """Fold the answer to the turn of one seat."""
    state, seat = _state(match), seat_of(entry)
    action, uno = action_of(said[0])
    events = apply(state, seat, action, uno)
    match.turn_actions += 1
    turn = _answered(match, entry.version, seat, said)
    if len(turn.actions) > 1:
        match.decisions += 1
    clocks = match.setup.clocks
    if turn.bank_ms or clocks.increment_ms:
        occupant = match.seats[seat]
        overdrawn = max(0, said[2] - clocks.move_limit_ms)
        occupant.bank_ms = max(0, occupant.bank_ms - overdrawn) + clocks.increment_ms
    _happened(match, state, entry, events)


def _reaction(match: Match, entry: Entry, said: Said) -> None:
    """Fold the answer to a reaction turn; it changes nothing that can be seen."""
    seat = seat_of(entry)
    action, uno = action_of(said[0])
    apply(_state(match), seat, action, uno)
    _answered(match, match.group_version, seat, said)


def _act(match: Match, entry: Entry) -> None:
    """Fold an act out of turn."""
    state = _state(match)
    action, uno = action_of(entry.body)
    events = apply(state, seat_of(entry), action, uno)
    match.request_ids[str(entry.seat), entry.request_id] = entry
    same_window = isinstance(action, Catch | CallUno | BeginTurn)
    _happened(match, state, entry, events, same_window=same_window)


def _answered(match: Match, version: int, seat: Seat, said: Said) -> OpenTurn:
    """Bind the answer to the open turn, under the version shown for it; return the turn."""
    occupant = match.seats[seat]
    text, choice, occupant.last_answer_ms = said
    turn = match.turns.pop(seat)
    match.closed.append((seat, turn.turn, _ANSWERED))
    occupant.answered.close(turn.turn, version, choice, text)
    return turn


def _group_closed(match: Match, entry: Entry) -> None:
    state = _state(match)
    events = close_group(state)
    match.late.clear()
    _happened(match, state, entry, events)


def _window_closed(match: Match, entry: Entry) -> None:
    state = _state(match)
    _happened(match, state, entry, close_window(state), same_window=True)


def _timeout(match: Match, entry: Entry) -> None:
    """Take the default of a seat; its absence policy may have to wait, see `Match.late`."""
    seat = seat_of(entry)
    turn = _ran_out(match, entry)
    if turn is TurnKind.READY:
        match.seats[seat].nonce = b""
        match.late.append(seat)
        return
    state = _state(match)
    events = time_out(state, Seat(seat))
    if turn in SHARED:
        match.late.append(seat)
    else:
        match.turn_actions += 1
        _happened(match, state, entry, events)


def _ran_out(match: Match, entry: Entry) -> TurnKind:
    """Close the open turn of a seat as timed out; return its kind."""
    occupant, turn = occupant_of(match, entry), close(match, seat_of(entry), TurnClose.TIMED_OUT)
    occupant.answered.close(turn.turn, match.group_version or entry.version, TIMED_OUT, "")
    if turn.kind not in SHARED and turn.kind is not TurnKind.READY:
        occupant.bank_ms = 0
    return turn.kind


def _fault(match: Match, entry: Entry) -> None:
    faults, kind = occupant_of(match, entry).faults, entry.body
    faults[kind] = faults.get(kind, 0) + 1


def _removed(remove: Callable[[State, Seat], list[Event]]) -> Callable[[Match, Entry], None]:
    """Return the fold that takes a seat out; its body names the turn that ran out, if one did."""

    def folded(match: Match, entry: Entry) -> None:
        state, seat = _state(match), seat_of(entry)
        events = remove(state, Seat(seat))
        turn = match.turns.get(seat)
        if turn is not None and entry.body == str(turn.turn):
            _ran_out(match, entry)
        _happened(match, state, entry, events)

    return folded


def _clock_extended(match: Match, entry: Entry) -> None:
    by_us = int(entry.body)
    for turn in match.turns.values():
        turn.opened_us += by_us
        turn.deadline_us += by_us
    match.group_us += by_us
    match.window_us += by_us


def _happened(
    match: Match, state: State, entry: Entry, events: list[Event], *, same_window: bool = False
) -> None:
    """Note what the engine did, keep the window's number, and ask whoever is to act now."""
    if events:
        if type(events[-1]) in _ENDINGS:
            events = [_scored(match, event) for event in events]
        match.events += events
    if state.window and not same_window:
        match.window, match.window_us = entry.version, entry.time_us
    elif not state.window and not state.duties:
        match.window = 0
    ask(match, state, entry)


def _scored(match: Match, event: Event) -> Event:
    """Count the end of a round or match; hide hands that other matches of the deal still hold."""
    if isinstance(event, MatchEnded):
        match.ending = event
    if not isinstance(event, RoundEnded):
        return event
    for seat in event.winners:
        match.seats[seat].value += event.value
    return event._replace(hands=()) if match.grouped else event


_ENDINGS: Final = (RoundEnded, MatchEnded)


# The end


def _over(stage: Stage) -> Callable[[Match, Entry], None]:
    """Return the fold that ends a match; its body holds the result."""

    def folded(match: Match, entry: Entry) -> None:
        match.stage, match.over = stage, True
        match.window = match.group_version = 0
        close_all(match, TurnClose.MATCH_OVER)
        values = read_structured(entry.body)
        match.result = Result(
            values["reason"],
            tuple(values["places"]),
            tuple(values["totals"]),
            tuple(values["values"]),
        )

    return folded


def _state(match: Match) -> State:
    if match.state is None:
        raise ValueError("the match has not started")
    return match.state


_FOLDS: Final[Mapping[str, Callable[[Match, Entry], None]]] = {
    **BEGINNING,
    EntryKind.ROUND_STARTED: _round_started,
    EntryKind.REACTION: _act,
    EntryKind.GROUP_CLOSED: _group_closed,
    EntryKind.WINDOW_CLOSED: _window_closed,
    EntryKind.TIMEOUT: _timeout,
    EntryKind.FAULT: _fault,
    EntryKind.KNOCKED_OUT: _removed(knock_out),
    EntryKind.FORFEITED: _removed(forfeit),
    EntryKind.CLOCK_EXTENDED: _clock_extended,
    EntryKind.CANCELLED: _over(Stage.CANCELLED),
    EntryKind.ENDED: _over(Stage.FINISHED),
    EntryKind.FROZEN: _over(Stage.FROZEN),
}
