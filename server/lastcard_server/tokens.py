"""
How does a credential look, and is this text one? Nothing here knows whether it is valid.

A credential is a prefix, base62 text and six base62 characters of CRC-32 over both: scanners find
leaked ones by the prefix, and typing errors are refused without any look-up.
"""

import functools
import hashlib
import zlib
from typing import NamedTuple

API_KEY = "lck_"
SEAT_TOKEN = "lcs_"  # noqa: S105 - a prefix

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}
_CHECK = 6  # base62 digits of 32 bits
# Bytes behind each prefix: 160 random bits; match id, seat, generation and a 160-bit HMAC.
_SIZES = {API_KEY: 20, SEAT_TOKEN: 39}


class Credential(NamedTuple):
    """A well-formed credential: its prefix and the bytes it carries."""

    prefix: str
    payload: bytes


def format_credential(prefix: str, payload: bytes) -> str:
    """Return the text of a credential; `payload` has the size its prefix demands."""
    if len(payload) != _SIZES[prefix]:
        raise ValueError(f"{prefix} carries {_SIZES[prefix]} bytes, not {len(payload)}")
    text = prefix + _base62(int.from_bytes(payload), _width(len(payload)))
    return text + _checksum(text)


def parse_credential(text: str) -> Credential | None:
    """Return what a credential carries, None for anything that is not exactly one."""
    size = _SIZES.get(text[:4])
    if size is None or len(text) != 4 + _width(size) + _CHECK or not text.isascii():
        return None
    if _checksum(text[:-_CHECK]) != text[-_CHECK:]:
        return None
    number = _number(text[4:-_CHECK])
    if number is None or number >> (8 * size):
        return None
    return Credential(text[:4], number.to_bytes(size))


def digest(credential: str) -> bytes:
    """Return what is kept of a credential at rest; 160 random bits need no slow hash."""
    return hashlib.sha256(credential.encode()).digest()


@functools.cache
def _width(size: int) -> int:
    """Return how many base62 digits `size` bytes take."""
    return len(_base62((1 << 8 * size) - 1, 1))


def _base62(number: int, width: int) -> str:
    """Return a number in base62, padded to `width` digits."""
    digits = ""
    while number:
        number, rest = divmod(number, 62)
        digits = _DIGITS[rest] + digits
    return digits.rjust(width, "0")


def _number(text: str) -> int | None:
    """Return the value of base62 text, None if it holds anything else."""
    number = 0
    for digit in text:
        value = _VALUES.get(digit)
        if value is None:
            return None
        number = number * 62 + value
    return number


def _checksum(text: str) -> str:
    """Return the checksum of prefix and digits."""
    return _base62(zlib.crc32(text.encode()), _CHECK)
