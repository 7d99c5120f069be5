"""
What is an entry of a log, and how do entries prove their order?

Each entry carries SHA-256(chain of the entry before ‖ its own bytes); the first one follows the
genesis of its log. The bytes are a layout of our own, so that no serialiser can change a hash.
Entries know nothing of stores, of matches or of what their bodies mean.
"""

import hashlib
import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

# previous chain, version, server time, seat (-1 = none), lengths of kind, request id, body and
# state hash; the four texts follow in that order.
_HEAD = struct.Struct(">32sIqhBBIB")
_pack = _HEAD.pack
_sha256 = hashlib.sha256
UNREADABLE = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What reading the body of an entry fails by that this release would not have written."""
_new = tuple.__new__  # of named tuples that are made for every move: half the cost


class Head(NamedTuple):
    """The end of a log: its last version and that entry's chain hash."""

    version: int
    chain: bytes


class Entry(NamedTuple):
    """One line of a log; immutable, and once acknowledged never changed or removed."""

    version: int
    """1 for the first; without gaps."""
    kind: str
    """What happened, in the words of the log's owner; at most 255 bytes."""
    seat: int | None
    """0-based; None = nobody's seat."""
    time_us: int
    """Store clock, microseconds since 1970."""
    body: str
    """An action in notation, or compact JSON with sorted keys."""
    request_id: str
    """At most 255 bytes; empty = none."""
    chain: bytes
    """32 bytes."""
    state_hash: bytes | None
    """32 bytes at a round's end and every 64 entries."""

    @property
    def head(self) -> Head:
        """Return the head of a log that ends with this entry."""
        return _new(Head, (self[0], self[6]))


def genesis(log: str) -> Head:
    """Return the head of a log without entries; it differs from log to log."""
    return Head(0, _sha256(bytes(32) + log.encode()).digest())


def chained(
    previous: Head,
    kind: str,
    time_us: int,
    seat: int | None = None,
    body: str = "",
    request_id: str = "",
    state_hash: bytes | None = None,
) -> Entry:
    """Return the entry that follows `previous`."""
    before, chain = previous
    version = before + 1
    chain = _link(chain, version, kind, seat, time_us, body, request_id, state_hash)
    return _new(Entry, (version, kind, seat, time_us, body, request_id, chain, state_hash))


def verify_chain(previous: Head, entries: Iterable[Entry]) -> Head:
    """
    Check that the entries follow `previous` without a gap and unchanged; return their head.

    Raises:
        ChainError: naming the first entry that does not follow.
    """
    head = previous
    for entry in entries:
        version, kind, seat, time_us, body, request_id, chain, state_hash = entry
        if version != head.version + 1:
            raise ChainError(f"entry {version} stands where {head.version + 1} belongs")
        link: bytes | None
        try:
            link = _link(head.chain, version, kind, seat, time_us, body, request_id, state_hash)
        except (struct.error, *UNREADABLE):  # what cannot be written was not written
            link = None
        if link != chain:
            raise ChainError(f"entry {version} does not follow from the entries before it")
        head = Head(version, chain)
    return head


def proved(log: str, after: int, entries: list[Entry], end: Head) -> list[Entry]:
    """
    Return what follows a version, of a log's entries from it on, if that leads up to the head.

    Raises:
        ChainError: as `verify_chain`; or the entry at the version or the last ones are not there.
            It holds what is sound of a log that was read from its beginning.
    """
    start = genesis(log)
    if after and entries:
        start, entries = entries[0].head, entries[1:]
    if start.version != after:
        raise ChainError(f"entry {start.version} stands where {after} belongs")
    try:
        _lead_up(start, entries, end)
    except ChainError as error:
        error.sound = () if after else tuple(_sound(start, entries))
        raise
    return entries


def _lead_up(start: Head, entries: Iterable[Entry], end: Head) -> None:
    head = verify_chain(start, entries)
    if head != end:
        raise ChainError(f"entry {head.version} is the last one, where {end.version} belongs")


def _sound(head: Head, entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield entries up to the first that does not follow."""
    with suppress(ChainError):
        for entry in entries:
            head = verify_chain(head, (entry,))
            yield entry


class ChainError(ValueError):
    """The entries are not the ones that were written; the message names the first wrong one."""

    sound: tuple[Entry, ...] = ()
    """Those of the log before it, as far as is known."""


def _link(  # noqa: PLR0913, PLR0917 - hot: an entry's fields as they are
    previous: bytes,
    version: int,
    kind: str,
    seat: int | None,
    time_us: int,
    body: str,
    request_id: str,
    state_hash: bytes | None,
) -> bytes:
    """Return the chain hash; the lengths in front make the layout unambiguous."""
    a, b, c, d = kind.encode(), request_id.encode(), body.encode(), state_hash or b""
    place = -1 if seat is None else seat
    head = _pack(previous, version, time_us, place, len(a), len(b), len(c), len(d))
    return _sha256(head + a + b + c + d).digest()
