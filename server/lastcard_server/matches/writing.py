"""
How does a decision become an entry, and what follows from it by itself?

Whatever the table need not be asked for (a group that is complete, a pause that is over, the next
round, the end) is decided in the same breath as the entry before it, so that one append holds both.
"""

from collections.abc import Callable

from lastcard_engine.events import MatchEnd
from lastcard_engine.record import EntryKind
from lastcard_engine.settings import Absence
from lastcard_engine.state import State
from lastcard_engine.transition import needs_round
from lastcard_server.journal.entry import Entry, chained
from lastcard_server.matches.bodies import Said, nonces_body, structured
from lastcard_server.matches.folding import fold, hash_for
from lastcard_server.matches.match import Match, Stage
from lastcard_server.matches.snapshots import keep


def write(
    match: Match,
    kind: str,
    now_us: int,
    seat: int | None = None,
    body: str = "",
    request_id: str = "",
    said: Said | None = None,
) -> Entry:
    """
    Fold the next entry and leave it for the journal; entries are never older than the one before.

    `said` is what the body of an answer says, so that it need not be read again.

    Raises:
        RuleViolation: the engine refuses; nothing has changed.

    """
    time_us = max(now_us, match.last_us)
    entry = chained(match.head, kind, time_us, seat, body, request_id, hash_for(match, kind))
    fold(match, entry, said)
    match.unsaved.append(entry)
    return entry


def settle(match: Match, now_us: int) -> None:
    """Write what follows by itself until somebody is asked or time has to pass."""
    while not match.turns:
        step = _next_step(match, now_us)
        if step is None:
            return
        step(match, now_us)


_Step = Callable[[Match, int], object]


def _next_step(match: Match, now_us: int) -> _Step | None:
    state = match.state
    if match.stage is Stage.READYING:
        return None if match.grouped else _start_alone
    if match.stage is not Stage.RUNNING or state is None:
        return None
    if state.group is not None or state.window:
        due_us = match.due_us()
        if due_us is None or now_us < due_us:
            return None
        return _close_window if state.window else _close_group
    if state.over:
        return _end
    return _start_round if needs_round(state) else None


def _start_alone(match: Match, now_us: int) -> None:
    start(match, own_nonces(match), now_us)


def own_nonces(match: Match) -> tuple[bytes, ...]:
    """Return the nonces of the match's own ready turns, by entrant."""
    by_entrant = zip(match.setup.entrants, match.seats, strict=True)
    return tuple(seat.nonce or b"" for _, seat in sorted(by_entrant, key=lambda pair: pair[0]))


def start(match: Match, nonces: tuple[bytes, ...], now_us: int) -> None:
    """Start a match in which every ready turn is closed, with nonces by entrant."""
    late = list(match.late)
    write(match, EntryKind.STARTED, now_us, body=nonces_body(nonces))
    _remove_late(match, late, now_us)
    settle(match, now_us)


def _start_round(match: Match, now_us: int) -> None:
    if match.state is not None:
        keep(match, match.state)
    write(match, EntryKind.ROUND_STARTED, now_us)


def _close_window(match: Match, now_us: int) -> None:
    write(match, EntryKind.WINDOW_CLOSED, now_us)


def _close_group(match: Match, now_us: int) -> None:
    """Close the group, then apply the policy to the silent ones: any earlier it would show."""
    late = list(match.late)
    write(match, EntryKind.GROUP_CLOSED, now_us)
    _remove_late(match, late, now_us)


def _remove_late(match: Match, late: list[int], now_us: int) -> None:
    for seat in late:
        remove(match, seat, now_us)


def remove(match: Match, seat: int, now_us: int, turn: int = 0) -> bool:
    """
    Take an absent seat out of the round or the match, as far as the policy says so.

    Return whether it did; `turn` is the open turn that ran out, 0 if it is closed already.
    """
    state = match.state
    kind = _REMOVALS.get(match.setup.settings.absence)
    if state is None or kind is None or not _removable(state, seat, kind):
        return False
    write(match, kind, now_us, seat, str(turn) if turn else "")
    return True


_REMOVALS = {
    Absence.KNOCK_OUT_ROUND: EntryKind.KNOCKED_OUT,
    Absence.FORFEIT_MATCH: EntryKind.FORFEITED,
}


def _removable(state: State, seat: int, kind: EntryKind) -> bool:
    if kind is EntryKind.KNOCKED_OUT:
        return state.running and state.active[seat]
    return not state.over and not state.left[seat]


def _end(match: Match, now_us: int) -> None:
    ending = match.ending
    if ending is None:
        raise AssertionError("a match ends with the engine's word")
    reason = "last_standing" if ending.reason is MatchEnd.LAST_STANDING else "played"
    write(match, EntryKind.ENDED, now_us, body=result_body(match, reason, ending.places))


def result_body(match: Match, reason: str, places: tuple[int, ...] = (), **more: str) -> str:
    """Return the body of an entry that ends the match."""
    result = {
        "reason": reason,
        "places": list(places),
        "totals": list(match.state.totals) if match.state else [0] * len(match.seats),
        "values": [seat.value for seat in match.seats],
    }
    return structured(result | more)
