"""
Which match, and which seat of it, may a caller know of?

What a caller may not know of does not exist for it: the refusal is the same, word for word.
"""

from lastcard_server.errors import Reason, Refusal
from lastcard_server.fields import match_id as checked_match_id
from lastcard_server.fields import no_such
from lastcard_server.key_registry import KeyRegistry
from lastcard_server.keys import Caller, Role
from lastcard_server.matches.match import Match, Stage
from lastcard_server.matches.registry import Matches


async def admitted(matches: Matches, keys: KeyRegistry, credential: str) -> Caller | None:
    """
    Return who calls with a credential; None for garbage, unknown and revoked alike.

    A seat token ends with the key that took its seat.

    Raises:
        Refusal: STORE_UNAVAILABLE where the match of a seat token cannot be read; DRAINING.
        StoreUnavailable: the credential is not known here, and the store cannot be asked.

    """
    caller = await keys.admit_caller(credential)
    if caller is None or caller.seat is None:
        return caller
    match_id, seat = caller.seat
    try:
        match = await matches.get(match_id)
    except Refusal as refusal:
        if refusal.reason is Reason.NOT_FOUND:
            return caller
        raise
    if match.seat_of(caller.owner, seat, caller.generation) is None:
        return caller
    taken_by = match.seats[seat].owner
    return None if keys.is_revoked(taken_by) else caller._replace(taken_by=taken_by)


async def visible_match(matches: Matches, match_id: str, caller: Caller) -> Match:
    """
    Return a settled match that a caller may see.

    Raises:
        Refusal: NOT_FOUND.

    """
    try:
        match = await matches.get(checked_match_id(match_id))
    except Refusal as refusal:
        raise no_such("match") if refusal.reason is Reason.NOT_FOUND else refusal from None
    if not may_see(match, caller):
        raise no_such("match")
    return match


def may_see(match: Match, caller: Caller) -> bool:
    """Tell whether a caller may see a match as a spectator does, or find a free seat at it."""
    if caller.seat is not None:
        return match.seat_of(caller.owner, caller.seat[1], caller.generation) is not None
    if caller.role in (Role.ORGANISER, Role.SPECTATOR) or match.creator == caller.owner:
        return True
    seats = match.seats
    return any(seat.owner == caller.owner for seat in seats) or (
        match.stage is Stage.OPEN and not all(seat.owner for seat in seats)
    )


def own_seat(match: Match, caller: Caller, seat: int | None) -> int:
    """
    Return the seat a caller may play; None stands for the only one it has.

    Raises:
        Refusal: NOT_FOUND where it has none, FORBIDDEN where the seat is another's, BAD_FIELD where
            it has to say which of several.

    """
    owned = [s for s in range(len(match.seats)) if _is_own(match, caller, s)]
    if not owned:
        raise no_such("match")
    if seat is None and len(owned) == 1:
        return owned[0]
    if seat is None:
        raise Refusal(Reason.BAD_FIELD, "You hold several seats here: name the seat.")
    if seat not in owned:
        raise Refusal(Reason.FORBIDDEN, "That seat is not yours.")
    return seat


def _is_own(match: Match, caller: Caller, seat: int) -> bool:
    return match.seat_of(caller.owner, seat, caller.generation) is not None
