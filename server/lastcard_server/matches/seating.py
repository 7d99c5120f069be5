"""
Who creates a match, sits down, gets up or calls it off? Decisions outside the game.

Whether a caller may create or cancel at all, the edge says; who holds a seat, this file.
"""

from lastcard_engine.record import EntryKind
from lastcard_server import fields
from lastcard_server.errors import Reason, Refusal
from lastcard_server.fields import no_such
from lastcard_server.journal.entry import Entry
from lastcard_server.matches import bodies
from lastcard_server.matches.creation import Creation, creation_body
from lastcard_server.matches.match import Match, Stage
from lastcard_server.matches.writing import result_body, write

_OVER = "The match is over; nothing more can be done in it."


def create(match: Match, creation: Creation, request_id: str, now_us: int) -> None:
    """Write the first entry of a match that has none."""
    body = creation_body(creation)
    write(match, EntryKind.CREATED, now_us, body=body, request_id=request_id)


def join(
    match: Match, owner: str, name: str, request_id: str, seat: int | None, now_us: int
) -> int:
    """
    Seat an owner and return the seat; a repeat gets the same one.

    Raises:
        Refusal: BAD_NAME, BAD_FIELD, REQUEST_ID_REUSED, TABLE_FULL, ALREADY_STARTED, MATCH_OVER.

    """
    name = fields.name(name)
    if seat is not None:
        fields.between(seat, 0, len(match.seats) - 1, "seat")
    first = match.request_ids.get((owner, request_id))
    if first is not None:
        return _seat_of_repeat(match, owner, name, seat, first)
    if match.over:
        raise Refusal(Reason.MATCH_OVER, _OVER)
    chosen = _free_seat(match, owner, seat)
    body = bodies.structured({"name": name, "owner": owner})
    write(match, EntryKind.JOINED, now_us, chosen, body, request_id)
    return chosen


def _seat_of_repeat(match: Match, owner: str, name: str, seat: int | None, first: Entry) -> int:
    """Return the seat the first request took, if the owner still holds it."""
    taken = first.seat
    same = bodies.read_structured(first.body)["name"] == name and seat in (None, taken)
    if taken is None or not same or match.seats[taken].owner != owner:
        message = "The request_id was used for another join; choose a new one."
        raise Refusal(Reason.REQUEST_ID_REUSED, message)
    return taken


def _free_seat(match: Match, owner: str, seat: int | None) -> int:
    """Return the seat asked for, or the first that is free or kept for the owner."""
    for number in range(len(match.seats)) if seat is None else (seat,):
        occupant = match.seats[number]
        if not occupant.taken or (occupant.owner == owner and not occupant.claimed):
            return number
    if match.stage is Stage.RUNNING:
        raise Refusal(Reason.ALREADY_STARTED, "The match has started; join another one.")
    what = "No seat is free" if seat is None else "That seat is taken"
    raise Refusal(Reason.TABLE_FULL, f"{what}; join another match or create one.")


def leave(match: Match, owner: str, generation: int, seat: int, now_us: int) -> tuple[str, int]:
    """
    Give a seat back; return who held it and the number of its open turn, 0 if none.

    Raises:
        Refusal: NOT_FOUND, FORBIDDEN, ALREADY_STARTED, MATCH_OVER.

    """
    occupant, turn = match.seat_of(owner, seat, generation), match.turns.get(seat)
    if occupant is None:
        raise stranger(match, owner, generation)
    if match.over:
        raise Refusal(Reason.MATCH_OVER, _OVER)
    if match.stage is Stage.RUNNING:
        message = "The match has started; its absence policy deals with seats that are gone."
        raise Refusal(Reason.ALREADY_STARTED, message)
    holder = occupant.owner
    write(match, EntryKind.LEFT, now_us, seat)
    return holder, turn.turn if turn else 0


def cancel(match: Match, by: str, now_us: int) -> None:
    """
    End a match without result; a cancelled one stays as it is.

    Raises:
        Refusal: MATCH_OVER where it ended otherwise.

    """
    if match.stage is Stage.CANCELLED:
        return
    if match.over:
        raise Refusal(Reason.MATCH_OVER, _OVER)
    write(match, EntryKind.CANCELLED, now_us, body=result_body(match, "cancelled", by=by))


def freeze(match: Match, now_us: int, *, even_over: bool = False) -> None:
    """
    Stop a live match for good: its history is not the one that was told to somebody.

    `even_over`: and one that was told to be over, in memory alone: its end is lost.
    """
    if even_over or not match.over:
        write(match, EntryKind.FROZEN, now_us, body=result_body(match, "frozen"))


def stranger(match: Match, owner: str, generation: int) -> Refusal:
    """Return the refusal of a caller without the seat; without any there is no such match."""
    seats = range(len(match.seats))
    if any(match.seat_of(owner, seat, generation) for seat in seats):
        return Refusal(Reason.FORBIDDEN, "The seat is not yours; act for one that you hold.")
    return no_such("match")
