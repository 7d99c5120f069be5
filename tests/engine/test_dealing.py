"""Does chance come out as it is written down, and is it even-handed?"""

import hashlib
import hmac
import json
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import lastcard_engine as engine

VECTORS = json.loads(Path(__file__).parents[1].joinpath("vectors/dealing.json").read_text())
FACES = [engine.Card(card) for card in range(4)]


class Numbers:
    """The counter stream once more, from its description alone."""

    def __init__(self, key: bytes, round_number: int, shuffle: int) -> None:
        self.octets = b""
        self.key = key
        self.head = b"lastcard stream 1" + b"".join(
            number.to_bytes(4, "big") for number in (round_number, shuffle)
        )
        self.block = 0

    def below(self, bound: int) -> int:
        """Read two bytes at a time until they are below the largest multiple of the bound."""
        while True:
            if not self.octets:
                message = self.head + self.block.to_bytes(4, "big")
                self.octets = hmac.new(self.key, message, hashlib.sha256).digest()
                self.block += 1
            number, self.octets = int.from_bytes(self.octets[:2], "big"), self.octets[2:]
            if number < 65536 // bound * bound:
                return number % bound

    def shuffled(self, cards: list[str]) -> list[str]:
        """Shuffle from the end."""
        for place in range(len(cards) - 1, 0, -1):
            other = self.below(place + 1)
            cards[place], cards[other] = cards[other], cards[place]
        return cards


@pytest.mark.parametrize("vector", VECTORS["commitments"])
def test_commitments(vector: dict[str, str]) -> None:
    """SHA-256 of the label, the salt and the secret."""
    secret, salt = bytes.fromhex(vector["secret"]), bytes.fromhex(vector["salt"])
    expected = hashlib.sha256(b"lastcard commitment 1" + salt + secret).hexdigest()
    assert engine.commitment(secret, salt).hex() == vector["commitment"] == expected


@pytest.mark.parametrize("vector", VECTORS["shuffles"])
def test_keys_and_streams(vector: dict[str, Any]) -> None:
    """An implementation from the description, the engine and the vectors agree."""
    secret = bytes.fromhex(vector["secret"])
    nonces = [bytes.fromhex(nonce) for nonce in vector["nonces"]]
    label = b"lastcard deal key 1"
    message = label + b"".join(len(nonce).to_bytes(4, "big") + nonce for nonce in nonces)
    key = hmac.new(secret, message, hashlib.sha256).digest()
    assert engine.deal_key(secret, nonces) == key == bytes.fromhex(vector["deal_key"])
    place = vector["round"], vector["shuffle"]
    ours, theirs = engine.Stream(key, *place), Numbers(key, *place)
    for bound, number in vector["below"]:
        assert ours.below(bound) == theirs.below(bound) == number
    deck = engine.deck(engine.preset("standard_no"))
    again = Numbers(key, *place).shuffled([engine.format_card(card) for card in deck])
    shuffled = engine.Stream(key, *place).shuffled(deck)
    assert " ".join(again) == vector["shuffled"]
    assert [engine.format_card(card) for card in shuffled] == again
    assert sorted(shuffled) == deck


@pytest.mark.parametrize("vector", VECTORS["deals"])
def test_deals(vector: dict[str, Any]) -> None:
    """Whole deals come out as the vectors say, dealer's draw and rejected cards included."""
    seats = len(vector["hands"])
    key = engine.deal_key(bytes.fromhex(vector["secret"]), [b""] * seats)
    state = engine.new_match(engine.make_rules(vector["preset"]), engine.Settings(), seats, key)
    engine.start_round(state)
    written = [" ".join(map(engine.format_card, hand)) for hand in state.hands]
    assert (state.dealer, written) == (vector["dealer"], vector["hands"])
    pile = " ".join(map(engine.format_card, reversed(state.draw_pile)))
    discards = " ".join(map(engine.format_card, state.discards))
    assert (pile, discards) == (vector["draw_pile"], vector["discards"])
    assert state.shuffles == vector["shuffles"]


def test_a_broken_off_shuffle_agrees_with_the_whole_one() -> None:
    """Its last places are those of the whole shuffle."""
    whole = engine.Stream(bytes(32), 1, 1).shuffled(FACES)
    part = list(FACES)
    engine.Stream(bytes(32), 1, 1).mix(part, 2)
    assert part[-2:] == whole[-2:]


def test_orders_are_about_equally_frequent() -> None:
    """Each of 24 orders of four cards comes about 100 times in 2,400 shuffles (chi-squared)."""
    seen = Counter(
        tuple(engine.Stream(bytes(32), 1, shuffle).shuffled(FACES)) for shuffle in range(2400)
    )
    assert set(seen) == set(permutations(FACES))
    assert sum((count - 100) ** 2 / 100 for count in seen.values()) < 49.7  # 1 in 1,000 for 23


def test_one_bound_has_one_outcome() -> None:
    """Below 1 there is only 0, and below 65,536 nothing is thrown away."""
    stream = engine.Stream(bytes(32), 1, 1)
    assert {stream.below(1) for _ in range(50)} == {0}
    assert 0 <= stream.below(65536) < 65536


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33)])
def test_keys_of_another_length_are_refused(secret: bytes) -> None:
    """Secrets, salts and deal keys have 32 bytes."""
    for call in (
        lambda: engine.deal_key(secret, []),
        lambda: engine.commitment(secret, bytes(32)),
        lambda: engine.commitment(bytes(32), secret),
        lambda: engine.new_match(engine.preset("standard_no"), engine.Settings(), 2, secret),
    ):
        with pytest.raises(ValueError, match="it must have 32"):
            call()


def test_nonces_cannot_be_shifted_between_seats() -> None:
    """The length of each nonce is part of the key."""
    keys = {engine.deal_key(bytes(32), nonces) for nonces in ([b"ab", b""], [b"a", b"b"], [b"ab"])}
    assert len(keys) == 3
