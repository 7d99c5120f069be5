"""
What has to be kept of a match between two rounds, so that its earlier entries need not be folded?

A snapshot is a digest under a key of the server, a line of compact JSON with sorted keys, and the
long columns behind it as they are. No card is in it: of the deal it repeats what the entry
`created` holds, and the cards of a round that is over are left out.
"""

import struct
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from hmac import compare_digest
from typing import Any, Final

from lastcard_engine.between import plain_between, read_between
from lastcard_engine.dealing import deal_key
from lastcard_engine.state import State
from lastcard_server.journal.entry import Entry, Head
from lastcard_server.journal.port import Snapshot
from lastcard_server.matches.answered import Answered
from lastcard_server.matches.bodies import read_structured, structured
from lastcard_server.matches.creation import Creation, creation_body, read_creation
from lastcard_server.matches.history import HistorySeal
from lastcard_server.matches.match import Match, Occupant, Stage
from lastcard_server.secrets import ServerKeys

EVERY: Final = 100
"""How many entries a match has to have grown by, and by a quarter, before it is kept again."""

_LABEL: Final = b"snapshot 1"
"""Changes with the layout, so that none is read as another."""
_NUMBERS: Final = struct.Struct(">qq")
_DIGEST_BYTES: Final = 32
_SINGLE: Final = (
    "created_us",
    "decisions",
    "group_us",
    "last_us",
    "turn_actions",
    "version",
    "window_us",
)
_OCCUPANT: Final = (
    "bank_ms",
    "claimed",
    "faults",
    "generation",
    "last_answer_ms",
    "name",
    "nonce_us",
    "owner",
    "strategy",
    "value",
)


def keep(match: Match, state: State) -> None:
    """Take a snapshot of a match that is about to start a round, if it has grown enough."""
    grown = match.version - match.snapshot_version
    if grown >= max(EVERY, match.version // 4):
        match.snapshot, match.snapshot_version = taken(match, state), match.version


def taken(match: Match, state: State) -> Snapshot:
    """
    Return the snapshot of a match that is about to start a round.

    Raises:
        ValueError: a round is running, or the match is over.

    """
    columns: list[bytes | bytearray] = [
        creation_body(Creation(match.creator, match.setup, match.deal, match.revision)).encode(),
        match.chains,
        *[column for seat in match.seats for column in seat.answered.columns()],
    ]
    values: dict[str, Any] = {name: getattr(match, name) for name in _SINGLE}
    values |= {
        "chain": match.head.chain.hex(),
        "columns": [len(column) for column in columns],
        "nonces": [nonce.hex() for nonce in match.nonces],
        "requests": [(caller, *_plain(entry)) for (caller, _), entry in match.request_ids.items()],
        "seats": [_seat(occupant) for occupant in match.seats],
        "state": plain_between(state),
    }
    text = b"".join((structured(values).encode(), b"\n", *columns))
    digest = _digest(match.keys, match.log, match.version, match.revision, text)
    return Snapshot(match.version, match.revision, digest + text)


def read(match_id: str, snapshot: Snapshot, keys: ServerKeys, seal: HistorySeal) -> Match | None:
    """
    Return a match as it was before a round started; its state lacks cards, and only that can come.

    None: the snapshot is not, to the letter, what a server wrote with `keys`.

    Raises:
        UnknownKeyError: the server key of the deal is gone, or another one has its name.

    """
    match = Match(match_id, keys, seal)
    version, revision, body = snapshot
    digest, text = body[:_DIGEST_BYTES], body[_DIGEST_BYTES:]
    if not compare_digest(digest, _digest(keys, match.log, version, revision, text)):
        return None
    line, _, rest = text.partition(b"\n")
    values = read_structured(line.decode())
    _restore(match, values, _split(rest, values["columns"]))
    return match


def _digest(keys: ServerKeys, log: str, version: int, revision: int, text: bytes) -> bytes:
    digest = blake2b(key=keys.snapshot_key(), digest_size=_DIGEST_BYTES, person=_LABEL)
    digest.update(_NUMBERS.pack(version, revision) + log.encode())
    digest.update(text)
    return digest.digest()


def _split(octets: bytes, lengths: Iterable[int]) -> Iterator[bytes]:
    at = 0
    for length in lengths:
        yield octets[at : at + length]
        at += length


def _restore(match: Match, values: dict[str, Any], columns: Iterator[bytes]) -> None:
    """Set everything that differs from a match without entries."""
    for name in _SINGLE:
        setattr(match, name, values[name])
    creation = read_creation(next(columns).decode())
    match.creator, match.setup, match.deal, match.revision = creation
    match.deal.require_key(match.keys)
    match.head = Head(match.version, bytes.fromhex(values["chain"]))
    match.chains = bytearray(next(columns))
    match.snapshot_version = match.version
    match.stage = Stage.RUNNING
    match.nonces = tuple(bytes.fromhex(nonce) for nonce in values["nonces"])
    for seat in values["seats"]:
        occupant = _occupant(seat)
        occupant.answered = Answered.of(next(columns), next(columns))
        match.seats.append(occupant)
    for caller, *plain in values["requests"]:
        entry = _entry(plain)
        match.request_ids[caller, entry.request_id] = entry
    key = deal_key(match.deal.pool.secret(match.keys), match.nonces)
    match.state = read_between(values["state"], match.setup.rules, match.setup.settings, key)


def _seat(occupant: Occupant) -> dict[str, Any]:
    values = {name: getattr(occupant, name) for name in _OCCUPANT}
    nonce = None if occupant.nonce is None else occupant.nonce.hex()
    return values | {"nonce": nonce}


def _occupant(values: dict[str, Any]) -> Occupant:
    occupant = Occupant("", "", "", 0)
    for name in _OCCUPANT:
        setattr(occupant, name, values[name])
    nonce = values["nonce"]
    occupant.nonce = None if nonce is None else bytes.fromhex(nonce)
    return occupant


def _plain(entry: Entry) -> tuple[object, ...]:
    """Return an entry as JSON holds it, its two hashes in hex."""
    *rest, chain, found = entry
    return (*rest, chain.hex(), found and found.hex())


def _entry(plain: list[Any]) -> Entry:
    """Return what `_plain` wrote."""
    *rest, chain, found = plain
    return Entry._make((*rest, bytes.fromhex(chain), found and bytes.fromhex(found)))
