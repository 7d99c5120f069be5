"""
Is the history a client hands back ours? Heads of matches, sealed into tokens of one length.

A token holds version and chain hash of the head it was made at. Two tokens of one head differ, so
that nobody can tell from them whether the head has moved; only the server can open one. Keyed
BLAKE2s is both the seal and, over the seal, the key stream (a synthetic initialisation vector).
"""

import hashlib
import itertools
import struct
from hmac import compare_digest

TOKEN_BYTES = 36
_SEAL_BYTES = 16
_PLAIN = struct.Struct(">QI8s")  # a number used once, version, start of the chain hash
_PLAIN_BYTES = _PLAIN.size
_number = int.from_bytes
_blake2s = hashlib.blake2s  # one block holds all of it


class HistorySeal:
    """
    Seals heads under a key of 32 bytes.

    `start` begins the numbers used once: random a process, so that pods do not share them.
    """

    def __init__(self, key: bytes, start: int) -> None:
        # Keyed states to copy: keying anew for every token would cost as much as hashing.
        self._sealing = _blake2s(key=key, digest_size=_SEAL_BYTES, person=b"history")
        self._masking = _blake2s(key=key, digest_size=_PLAIN_BYTES, person=b"mask")
        self._numbers = itertools.count(start & (1 << 62) - 1)

    def seal(self, match_id: str, version: int, chain: bytes) -> bytes:
        """Return a token for a head of a match."""
        plain = _PLAIN.pack(next(self._numbers), version, chain[:8])
        sealing, masking = self._sealing.copy(), self._masking.copy()
        sealing.update(plain + match_id.encode())
        seal = sealing.digest()
        masking.update(seal)
        mixed = _number(plain) ^ _number(masking.digest())
        return seal + mixed.to_bytes(_PLAIN_BYTES)

    def open(self, match_id: str, token: bytes) -> tuple[int, bytes] | None:
        """Return version and first 8 bytes of the chain hash; None if it is not sealed here."""
        if len(token) != TOKEN_BYTES:
            return None
        seal = token[:_SEAL_BYTES]
        sealing, masking = self._sealing.copy(), self._masking.copy()
        masking.update(seal)
        plain = (_number(token[_SEAL_BYTES:]) ^ _number(masking.digest())).to_bytes(_PLAIN_BYTES)
        sealing.update(plain + match_id.encode())
        if not compare_digest(sealing.digest(), seal):
            return None
        _, version, chain = _PLAIN.unpack(plain)
        return version, chain
