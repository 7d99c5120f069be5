"""
Which secrets does the server derive, and from what? Deal secrets, ids and seat tokens.

All of them are HMAC-SHA256 under a server key, with a domain and length-prefixed fields, so that a
repeated request gives the same answer on any pod and nobody without the key can guess one. The
keys lie in one file under the state directory; no default exists.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from lastcard_server.tokens import SEAT_TOKEN, format_credential, parse_credential


class SeatClaim(NamedTuple):
    """What a genuine seat token says; whether the generation is the newest, the match knows."""

    match_id: str
    seat: int
    generation: int


class ServerKeys:
    """The server's keys by id; immutable. The first makes ids, the last everything new."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        if not keys or any(len(key) != 32 for key in keys.values()):
            raise ValueError("a server needs at least one key, each of 32 bytes")
        self._keys = dict(keys)

    @property
    def current(self) -> str:
        """Return the id of the key for new secrets."""
        return next(reversed(self._keys))

    def deal_secret(self, key_id: str, random: bytes, group: str) -> bytes:
        """
        Return the 32-byte deal secret of a deal group; `random` are its 32 bytes at rest.

        Raises:
            UnknownKeyError: the key is not in the key file (any more).
        """
        if key_id not in self._keys:
            raise UnknownKeyError(f"the server key {key_id!r} is missing from the key file")
        return _mac(self._keys[key_id], b"deal", random, group.encode())

    def match_id(self, caller: str, request_id: str) -> str:
        """Return the id of the match a caller creates by a request: 26 base32 characters."""
        return self._identifier(b"match", caller, request_id)

    def contest_id(self, caller: str, request_id: str) -> str:
        """Return the id of the contest that `caller` creates by this request."""
        return self._identifier(b"contest", caller, request_id)

    def game_id(self, contest: str, block: int, leg: int, attempt: int) -> str:
        """Return the match id of one game of a contest; a double start collides on it."""
        return self._identifier(b"game", contest, str(block), str(leg), str(attempt))

    def seat_token(self, match_id: str, seat: int, generation: int) -> str:
        """
        Return the credential for a seat; it can be checked without any look-up.

        Args:
            match_id: 26 base32 characters, as `match_id` and `game_id` make them.
            seat: 0 to 255.
            generation: 0 to 65,535; a seat given out anew has the next one.
        """
        claim = _match_bytes(match_id) + seat.to_bytes(1) + generation.to_bytes(2)
        return format_credential(SEAT_TOKEN, claim + self._seal(self.current, claim))

    def seat_claim(self, token: str) -> SeatClaim | None:
        """Return what a seat token of this server says, None for any other text."""
        credential = parse_credential(token)
        if credential is None or credential.prefix != SEAT_TOKEN:
            return None
        claim, seal = credential.payload[:19], credential.payload[19:]
        if not any(hmac.compare_digest(self._seal(key, claim), seal) for key in self._keys):
            return None
        return SeatClaim(_base32(claim[:16]), claim[16], int.from_bytes(claim[17:]))

    def _seal(self, key_id: str, claim: bytes) -> bytes:
        """Return the 160 bits that make a claim genuine."""
        return _mac(self._keys[key_id], b"seat", claim)[:20]

    def _identifier(self, domain: bytes, *fields: str) -> str:
        """Return 128 bits as text; always of the first key, so that repeats meet after rotation."""
        key = next(iter(self._keys.values()))
        return _base32(_mac(key, domain, *(field.encode() for field in fields))[:16])


class UnknownKeyError(LookupError):
    """A server key that something was sealed with is gone; the message names it."""


def load_server_keys(folder: Path) -> ServerKeys:
    """
    Return the keys of a state directory; the first call makes them, readable by the owner alone.

    Raises:
        KeyFileError: the file cannot be read or made, is not ours, or others may read it.
    """
    raise NotImplementedError(folder)


class KeyFileError(Exception):
    """A key file is unusable; the message is one sentence that says what to do."""


def _mac(key: bytes, domain: bytes, *fields: bytes) -> bytes:
    """Return the HMAC of a domain and fields, each behind its length."""
    parts = (b"lastcard/" + domain, *fields)
    return hmac.digest(key, b"".join(len(part).to_bytes(4) + part for part in parts), "sha256")


def _base32(identifier: bytes) -> str:
    """Return 16 bytes as 26 lower-case characters."""
    return base64.b32encode(identifier).decode().rstrip("=").lower()


def _match_bytes(match_id: str) -> bytes:
    """Return the 16 bytes of a match id; ValueError for anything else."""
    raw = base64.b32decode(match_id.upper() + "======")
    if len(raw) != 16 or _base32(raw) != match_id:
        raise ValueError("a match id has 26 base32 characters")
    return raw
