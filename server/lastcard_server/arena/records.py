"""What does the record of a finished match tell the arena? Only who has answered in it."""

from lastcard_engine.record import EntryKind, read_record

_ANSWERS = frozenset({EntryKind.NONCE, EntryKind.ACTION, EntryKind.REACTION})


def names_that_answered(text: str) -> set[str]:
    """Return the names of the seats that have answered a turn, that before the deal included."""
    record = read_record(text)
    seats = {entry.seat for entry in record.entries if entry.kind in _ANSWERS}
    return {record.seats[seat] for seat in seats if seat is not None}
