"""
How shuffles follow from a deal key, as docs/reference/dealing.md tells it to other languages.

A `Dealing` is the shuffle a state of the oracle is given when it plays with the engine's cards.
"""

import hmac
from typing import Any


class Dealing:
    """All shuffles of a match, in the order they are asked for."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.round = 1
        self.shuffles = 0

    def begin_round(self, number: int) -> None:
        """Count shuffles anew."""
        self.round = number
        self.shuffles = 0

    def __call__(self, occasion: str, items: list[Any]) -> list[Any]:
        """Shuffle for an occasion; for `first` the items are the pile and the rejected cards."""
        self.shuffles += 1
        numbers = _Numbers(self.key, self.round, self.shuffles)
        if occasion == "first":
            pile, rejects = items
            pile = pile[::-1]
            for card in rejects:
                pile.insert(numbers.below(len(pile) + 1), card)
        elif occasion == "dealer_seat":
            place = numbers.below(len(items))
            return [items[place]]
        else:
            pile = list(items)
            for place in range(len(pile) - 1, 0, -1):
                other = numbers.below(place + 1)
                pile[place], pile[other] = pile[other], pile[place]
        return list(pile[::-1])  # the last place is the top


class _Numbers:
    """The numbers of one shuffle."""

    def __init__(self, key: bytes, round_number: int, shuffle: int) -> None:
        self.key = key
        self.label = b"lastcard stream 1" + _four(round_number) + _four(shuffle)
        self.block = 0
        self.ready: list[int] = []

    def below(self, bound: int) -> int:
        """Take the next number under a bound, without bias."""
        while True:
            number = self._next()
            if number < 65536 - 65536 % bound:
                return number % bound

    def _next(self) -> int:
        if not self.ready:
            block = hmac.digest(self.key, self.label + _four(self.block), "sha256")
            self.block += 1
            self.ready = [int.from_bytes(block[i : i + 2], "big") for i in range(0, 32, 2)]
        return self.ready.pop(0)


def _four(number: int) -> bytes:
    return number.to_bytes(4, "big")
