"""
Where does chance come from?

From one door: a 32-byte deal key drives a counter stream of HMAC-SHA256 blocks, one stream a
shuffle, with rejection sampling and Fisher-Yates. Whoever holds the secret and the nonces can
deal every card again in any language; tests/vectors/dealing.json says how it must come out. The
file must never know whose cards they are.
"""

import hashlib
import hmac
import struct
from collections.abc import Sequence
from typing import Final

from lastcard_engine.cards import Card

KEY_BYTES: Final = 32
"""Length of secrets, salts and keys."""

_BLOCK: Final = struct.Struct(">16H")
_STREAM: Final = b"lastcard stream 1"
_DEAL_KEY: Final = b"lastcard deal key 1"
_COMMITMENT: Final = b"lastcard commitment 1"


def _require_key(name: str, value: bytes) -> None:
    if len(value) != KEY_BYTES:
        raise ValueError(f"{name} has {len(value)} bytes; it must have {KEY_BYTES}")


def deal_key(secret: bytes, nonces: Sequence[bytes]) -> bytes:
    """
    Return the 32-byte key that deals a match.

    It is HMAC-SHA256 under the secret of the label `lastcard deal key 1` and each nonce, preceded
    by its length in four bytes, big-endian. An absent nonce is an empty one.

    Args:
        secret: 32 bytes, hidden until the deal group is over.
        nonces: as many as seats, each of any length, in the order that is fixed for the deal.

    Raises:
        ValueError: the secret has another length.

    """
    _require_key("secret", secret)
    parts = [len(nonce).to_bytes(4, "big") + nonce for nonce in nonces]
    return hmac.digest(secret, _DEAL_KEY + b"".join(parts), "sha256")


def commitment(secret: bytes, salt: bytes) -> bytes:
    """
    Return the 32 bytes that are published before a match and bind its secret.

    It is SHA-256 of the label `lastcard commitment 1`, the salt and the secret.

    Raises:
        ValueError: secret or salt is not 32 bytes long.

    """
    _require_key("secret", secret)
    _require_key("salt", salt)
    return hashlib.sha256(_COMMITMENT + salt + secret).digest()


class Stream:
    """
    The numbers of one shuffle: block i is HMAC-SHA256 of label, round, shuffle and i.

    Round, shuffle and i are four bytes each, big-endian; i counts from 0. Numbers are read as
    two bytes, big-endian.
    """

    def __init__(self, key: bytes, round_number: int, shuffle: int) -> None:
        self._key = key
        self._prefix = _STREAM + round_number.to_bytes(4, "big") + shuffle.to_bytes(4, "big")
        self._blocks = 0
        self._words: list[int] = []
        """Numbers of the present block that are still to be read, the next one last."""

    def _next(self) -> int:
        if not self._words:
            message = self._prefix + self._blocks.to_bytes(4, "big")
            self._words += _BLOCK.unpack(hmac.digest(self._key, message, "sha256"))[::-1]
            self._blocks += 1
        return self._words.pop()

    def below(self, bound: int) -> int:
        """
        Return an even-handed number from 0 to bound - 1; bound is 1 to 65,536.

        Numbers from the largest multiple of bound not above 65,536 on are thrown away.
        """
        number = self._next()
        while number - number % bound > 65536 - bound:
            number = self._next()
        return number % bound

    def mix(self, cards: list[Card], steps: int) -> None:
        """
        Settle the last `steps` places of the list, from the end: Fisher-Yates, broken off early.

        The card for place i is taken from place `below(i + 1)`. At most len(cards) - 1 steps are
        made; that many shuffle all.
        """
        words = self._words
        last = len(cards) - 1
        for place in range(last, max(last - steps, 0), -1):
            # `below` spelled out: shuffling is a tenth of the time of a round.
            bound = place + 1
            number = words.pop() if words else self._next()
            other = number % bound
            while number - other > 65536 - bound:
                number = self._next()
                other = number % bound
            cards[place], cards[other] = cards[other], cards[place]

    def shuffled(self, cards: Sequence[Card]) -> list[Card]:
        """Return the cards in shuffled order; the last one is the top of the pile."""
        pile = list(cards)
        self.mix(pile, len(pile))
        return pile
