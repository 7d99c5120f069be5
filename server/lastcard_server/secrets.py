"""
Which secrets does the server derive, and from what? Deal secrets, ids and seat tokens.

All of them are HMAC-SHA256 under a server key, with a domain and length-prefixed fields, so that a
repeated request gives the same answer on any pod and nobody without the key can guess one. The
keys lie in one file under the state directory; no default exists.
"""

from __future__ import annotations

import base64
import contextlib
import hmac
import os
import re
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from lastcard_server.tokens import SEAT_TOKEN, format_credential, parse_credential

SERVER_KEYS = "server.keys"  # in the state directory


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

    def fingerprints(self) -> list[str]:
        """Return of each key, in order, what tells it from others and betrays nothing of it."""
        return [_mac(key, b"fingerprint").hex()[:32] for key in self._keys.values()]

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

    def history_key(self) -> bytes:
        """Return the key that seals the histories of matches; the first key's, for good."""
        return _mac(next(iter(self._keys.values())), b"history")

    def snapshot_key(self) -> bytes:
        """Return the key that makes snapshots of matches genuine; the first key's, for good."""
        return _mac(next(iter(self._keys.values())), b"snapshot")

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
    """A server key that something was sealed with is gone or another; the message names it."""


def read_server_keys(path: Path) -> ServerKeys | None:
    """
    Return the keys in a file, None if there is none.

    Raises:
        KeyFileError: the file cannot be read, is not ours, others may read it, or a key in it is
            plainly not random.
    """
    text = read_secret(path)
    return None if text is None else _server_keys(path, text)


def make_server_keys(path: Path) -> ServerKeys:
    """
    Make a file with a new key, readable by the owner alone; return the keys it holds then.

    They are another's where another process was faster.

    Raises:
        KeyFileError: it cannot be made, or as `read_server_keys`.
    """
    return _server_keys(path, write_secret(path, f"k1 {secrets.token_hex(32)}\n"))


def _server_keys(path: Path, text: str) -> ServerKeys:
    try:
        return ServerKeys(_parsed(text))
    except ValueError as error:
        raise KeyFileError(f"{path} holds no server keys: {error}") from error


def _parsed(text: str) -> dict[str, bytes]:
    """Return the keys in a file's text; ValueError where a line is no key."""
    keys: dict[str, bytes] = {}
    for line in text.splitlines():
        name, _, digits = line.partition(" ")
        if not name or name in keys or not re.fullmatch("[0-9a-f]{64}", digits):
            raise ValueError("a line is a key's own name, a space and 64 hexadecimal digits")
        keys[name] = bytes.fromhex(digits)
        if len(set(keys[name])) < 16:  # 32 random bytes: about 30 different ones
            raise ValueError(f"{name} is not random")
    return keys


def read_secret(path: Path) -> str | None:
    """
    Return the text of a secret file, None if there is none.

    Raises:
        KeyFileError: it cannot be read, or others than its owner and group may (Kubernetes gives
            the group of a volume access to what lies on it).
    """
    try:
        with path.open(encoding="ascii") as file:
            if os.fstat(file.fileno()).st_mode & 0o007:
                raise KeyFileError(f"others may read {path}: chmod 600 it")
            return file.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeError) as error:
        raise KeyFileError(f"{path} cannot be read: {_reason(error)}") from error


def write_secret(path: Path, text: str) -> str:
    """
    Make a secret file, and its folder, for the owner alone; return what it holds then.

    Where another process was faster its text stays and is returned.
    """
    make_folder(path.parent)
    try:
        with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            with contextlib.suppress(FileExistsError):
                os.link(file.name, path)
    except OSError as error:
        raise KeyFileError(f"{path} cannot be written: {_reason(error)}") from error
    return read_secret(path) or ""


def make_folder(path: Path) -> None:
    """
    Make a folder for the owner alone, unless it is there.

    Raises:
        KeyFileError: it cannot be made.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise KeyFileError(f"the folder {path} cannot be made: {_reason(error)}") from error


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
    spelt = re.fullmatch("[a-z2-7]{26}", match_id) is not None
    raw = base64.b32decode(match_id.upper() + "======") if spelt else b""
    if not spelt or _base32(raw) != match_id:
        raise ValueError("a match id has 26 base32 characters")
    return raw


def _reason(error: Exception) -> str:
    """Return the system's reason without path and number."""
    return (getattr(error, "strerror", None) or str(error)).lower()
