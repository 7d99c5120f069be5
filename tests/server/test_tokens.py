"""Is a credential recognised by its form, and is anything else refused?"""

import hashlib
import re
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard_server.tokens import (
    API_KEY,
    SEAT_TOKEN,
    Credential,
    digest,
    format_credential,
    parse_credential,
)

KEYS = st.binary(min_size=20, max_size=20)
SEATS = st.binary(min_size=39, max_size=39)
CREDENTIALS = st.one_of(
    st.tuples(st.just(API_KEY), KEYS), st.tuples(st.just(SEAT_TOKEN), SEATS)
).map(lambda pair: (format_credential(*pair), *pair))


def test_credentials_of_record() -> None:
    """The text of a credential never changes."""
    zero = format_credential(API_KEY, bytes(20))
    assert zero == "lck_00000000000000000000000000045sxWm"
    assert parse_credential(zero) == Credential(API_KEY, bytes(20))
    assert format_credential(API_KEY, b"\xff" * 20)[:31] == "lck_aWgEPTl1tmebfsQzFP4bxwgy80V"


@given(CREDENTIALS)
def test_parse_undoes_format(made: tuple[str, str, bytes]) -> None:
    """Every credential is read back as it was made, and has a length of its own."""
    text, prefix, payload = made
    assert parse_credential(text) == Credential(prefix, payload)
    assert re.fullmatch(r"lck_[0-9A-Za-z]{33}|lcs_[0-9A-Za-z]{59}", text)


@given(CREDENTIALS, st.data())
def test_a_typing_error_is_refused(made: tuple[str, str, bytes], data: st.DataObject) -> None:
    """One wrong, missing or further character anywhere makes it no credential."""
    text, place = made[0], data.draw(st.integers(0, len(made[0]) - 1))
    other = data.draw(st.characters(exclude_characters=text[place]))
    assert parse_credential(text[:place] + other + text[place + 1 :]) is None
    assert parse_credential(text[:place] + text[place + 1 :]) is None
    assert parse_credential(text[:place] + other + text[place:]) is None


@given(st.text(max_size=80) | st.text("lcks_0Az", max_size=80))
def test_garbage_is_refused(text: str) -> None:
    """No text that was not made by us is taken for a credential."""
    assert parse_credential(text) is None


def test_a_number_too_large_is_refused() -> None:
    """27 base62 digits can say more than 160 bits; what is too large is refused."""
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    text, check = "lck_" + "z" * 27, ""
    crc = zlib.crc32(text.encode())
    for _ in range(6):
        crc, rest = divmod(crc, 62)
        check = digits[rest] + check
    assert parse_credential(text + check) is None


def test_a_payload_has_its_size() -> None:
    """A payload of any other size is a mistake of ours."""
    with pytest.raises(ValueError, match="lck_ carries 20 bytes, not 19"):
        format_credential(API_KEY, bytes(19))


def test_at_rest_lies_a_hash() -> None:
    """What is kept of a credential is the SHA-256 of its text."""
    text = format_credential(API_KEY, bytes(range(20)))
    assert digest(text) == hashlib.sha256(text.encode()).digest()
