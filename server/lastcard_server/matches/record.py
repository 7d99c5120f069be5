"""
How does a match that is over become a record that proves itself?

The engine says what a record is; here the log is put into its words. A record holds the deal
secret, so it leaves only when every match of the deal group is over.
"""

from collections.abc import Sequence

from lastcard_engine import record as engine
from lastcard_engine.cards import Seat
from lastcard_server.errors import Reason, Refusal
from lastcard_server.fields import no_such
from lastcard_server.journal.entry import Entry
from lastcard_server.journal.port import Journal
from lastcard_server.matches import groups
from lastcard_server.matches.bodies import action_of, read_answer, read_structured
from lastcard_server.matches.groups import Group
from lastcard_server.matches.match import Match


async def open_record(journal: Journal, match: Match) -> bytes:
    """
    Return the record of a match as JSON lines, the deal secret and every hand included.

    Raises:
        Refusal: RECORD_CLOSED as long as a match that shares the deal is not over; NOT_FOUND.
        StoreError: the store cannot be read now.

    """
    group = await _group_of(journal, match)
    entries = await _entries_of(journal, match) if match.over else ()
    # What is told as over because its log was damaged goes on once that is restored.
    is_over = any(entry.kind in engine.ENDS for entry in entries)
    if not is_over or (group and not await groups.is_over(journal, group)):
        message = "The record is closed until every match that shares the deal is over."
        raise Refusal(Reason.RECORD_CLOSED, message)
    return _written(match, entries, group)


async def written_record(journal: Journal, match: Match) -> bytes:
    """Return the same before it may be told, for its digest; raises as `open_record` otherwise."""
    group = await _group_of(journal, match)
    return _written(match, await _entries_of(journal, match), group)


async def _group_of(journal: Journal, match: Match) -> Group | None:
    """Return the deal group of a match that is a leg of one."""
    if not match.grouped:
        return None
    return await groups.read(journal, match.deal.pool.group)


async def _entries_of(journal: Journal, match: Match) -> Sequence[Entry]:
    """Return the whole log of a match."""
    entries = await journal.read(match.log)
    if not entries:
        raise no_such("match")  # it was deleted just now
    return entries


def _written(match: Match, entries: Sequence[Entry], group: Group | None) -> bytes:
    leg = group.legs.index(match.match_id) if group else 0
    return engine.write_record(record_of(match, entries, leg)).encode()


def record_of(match: Match, entries: Sequence[Entry], leg: int) -> engine.Record:
    """
    Return the record of a match.

    Args:
        match: the match at its last entry.
        entries: its whole log.
        leg: its 0-based place in its deal group; 0 for a lone match.

    """
    begin = next((e.version for e in entries if e.kind == engine.EntryKind.STARTED), len(entries))
    return engine.Record(
        match_id=match.match_id,
        rules=match.setup.rules,
        settings=match.setup.settings,
        seats=tuple(seat.name for seat in match.seats),
        secret=match.deal.pool.secret(match.keys),
        salt=match.deal.salt,
        commitment=match.deal.commitment,
        nonces=match.nonces or (b"",) * len(match.seats),
        entries=tuple(_told(entry, started=entry.version > begin) for entry in entries),
        group=match.deal.pool.group if match.grouped else "",
        leg=leg,
        chain=match.head.chain.hex(),
    )


def _told(entry: Entry, *, started: bool) -> engine.Entry:
    """Return an entry of the log as the record tells it; a silent ready turn gave no nonce."""
    silent = entry.kind == engine.EntryKind.TIMEOUT and not started
    kind = engine.EntryKind.NONCE if silent else engine.EntryKind(entry.kind)
    told = engine.Entry(
        version=entry.version,
        kind=kind,
        seat=None if entry.seat is None else Seat(entry.seat),
        state_hash=entry.state_hash,
        time_us=entry.time_us,
        note=_note(entry),
    )
    if kind not in (engine.EntryKind.ACTION, engine.EntryKind.REACTION):
        return told
    text = entry.body if entry.request_id else read_answer(entry.body)[0]
    action, uno = action_of(text)
    return told._replace(action=action, uno=uno)


def _note(entry: Entry) -> str:
    """Return what the entry says besides: the kind of a fault, the reason of an end."""
    if entry.kind == engine.EntryKind.FAULT:
        return entry.body
    if entry.kind in engine.ENDS:
        return str(read_structured(entry.body)["reason"])
    return ""
