"""Are derived secrets, ids and tokens always the same for the same request, and only for it?"""

import base64
import hashlib
import hmac
import os
import re
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard_server.secrets import (
    SERVER_KEYS,
    KeyFileError,
    SeatClaim,
    ServerKeys,
    UnknownKeyError,
    make_server_keys,
    read_server_keys,
)
from lastcard_server.tokens import API_KEY, SEAT_TOKEN, format_credential, parse_credential

ONE, TWO = hashlib.sha256(b"one").digest(), hashlib.sha256(b"two").digest()
KEYS = ServerKeys({"k1": ONE})
ROTATED = ServerKeys({"k1": ONE, "k2": TWO})
MATCH = KEYS.match_id("key:a", "r")


def test_a_secret_of_record() -> None:
    """A deal secret is the HMAC of domain, random bytes and group, each behind its length."""
    message = b""
    for part in (b"lastcard/deal", bytes(32), b"group"):
        message += len(part).to_bytes(4, "big") + part
    expected = hmac.new(ONE, message, hashlib.sha256).digest()
    assert KEYS.deal_secret("k1", bytes(32), "group") == expected


def test_secrets_differ_by_every_field() -> None:
    """Key, random bytes and group all matter, and an id is no secret of another kind."""
    made = {
        ROTATED.deal_secret(key, random, group)
        for key, random, group in product(("k1", "k2"), (ONE, TWO), ("a", "b"))
    }
    assert len(made) == 8


def test_a_secret_outlives_a_rotation() -> None:
    """With a new key in front of it, what was sealed with the old one is still opened."""
    assert ROTATED.current == "k2"
    assert ROTATED.deal_secret("k1", TWO, "g") == KEYS.deal_secret("k1", TWO, "g")


def test_a_missing_key_is_named() -> None:
    """A key that is gone is named; no other is tried in its place."""
    with pytest.raises(UnknownKeyError, match="'k2' is missing"):
        KEYS.deal_secret("k2", ONE, "g")


def test_a_repeated_request_gets_the_same_id() -> None:
    """Ids depend on caller and request alone, on any pod and after a rotation."""
    again = ServerKeys({"k1": ONE})
    for keys in (again, ROTATED):
        assert keys.match_id("key:a", "r") == MATCH
        assert keys.contest_id("key:a", "r") == KEYS.contest_id("key:a", "r")
        assert keys.game_id("c", 1, 2, 0) == KEYS.game_id("c", 1, 2, 0)
    assert ServerKeys({"k1": TWO}).match_id("key:a", "r") != MATCH


def test_ids_never_meet() -> None:
    """Different requests have different ids, also where their letters join to the same text."""
    ids = [
        KEYS.match_id("key:a", "bc"),
        KEYS.match_id("key:ab", "c"),
        KEYS.contest_id("key:a", "bc"),
        *(KEYS.game_id("c", *place) for place in product((1, 11), (1, 11), (0, 1))),
    ]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch("[a-z2-7]{26}", made) for made in ids)


@given(st.binary(min_size=16, max_size=16), st.integers(0, 255), st.integers(0, 65_535))
def test_a_seat_token_says_whose_it_is(raw: bytes, seat: int, generation: int) -> None:
    """A token is read back as match, seat and generation, by any server with the key."""
    match_id = base64.b32encode(raw).decode().rstrip("=").lower()
    token = KEYS.seat_token(match_id, seat, generation)
    claim = SeatClaim(match_id, seat, generation)
    assert KEYS.seat_claim(token) == ROTATED.seat_claim(token) == claim
    assert ServerKeys({"k1": TWO}).seat_claim(token) is None


def test_a_forged_seat_token_is_refused() -> None:
    """A genuine seal does not carry over to another match, seat or generation."""
    credential = parse_credential(KEYS.seat_token(MATCH, 1, 0))
    assert credential is not None
    for place in range(39):
        forged = bytearray(credential.payload)
        forged[place] ^= 1
        assert KEYS.seat_claim(format_credential(SEAT_TOKEN, bytes(forged))) is None


def test_an_api_key_is_no_seat_token() -> None:
    """Another kind of credential, or none, claims no seat."""
    assert KEYS.seat_claim(format_credential(API_KEY, bytes(20))) is None
    assert KEYS.seat_claim("") is None


@pytest.mark.parametrize("match_id", ["", "x", "A" * 26, "1" * 26, "a" * 25, "a" * 25 + "b"])
def test_a_token_needs_a_match_id(match_id: str) -> None:
    """A text that is no match id gets no token."""
    with pytest.raises(ValueError, match="26 base32 characters"):
        KEYS.seat_token(match_id, 0, 0)


@pytest.mark.parametrize("keys", [{}, {"k1": b"short"}, {"k1": bytes(33)}])
def test_there_is_no_default(keys: dict[str, bytes]) -> None:
    """A server without a whole key does not exist."""
    with pytest.raises(ValueError, match="at least one key, each of 32 bytes"):
        ServerKeys(keys)


def test_a_key_is_made_once(tmp_path: Path) -> None:
    """It differs from server to server, and only its owner can read it; reading makes none."""
    folder = tmp_path / "var" / "state"
    assert read_server_keys(folder / SERVER_KEYS) is None
    assert not any(tmp_path.iterdir())
    keys = make_server_keys(folder / SERVER_KEYS)
    for again in (make_server_keys, read_server_keys):
        same = again(folder / SERVER_KEYS)
        assert same
        assert same.fingerprints() == keys.fingerprints()
    assert make_server_keys(tmp_path / "other").fingerprints() != keys.fingerprints()
    assert (folder / SERVER_KEYS).stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    assert os.listdir(folder) == [SERVER_KEYS]  # noqa: PTH208 - names alone


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "at least one key"),
        ("secret", "64 hexadecimal digits"),
        (f"k1 {'ab' * 31}\n", "64 hexadecimal digits"),
        (f"k1 {ONE.hex()}\nk1 {TWO.hex()}\n", "a key's own name"),
        (f"k1 {'00' * 32}\n", "k1 is not random"),
        ("é", "cannot be read"),
    ],
)
def test_a_wrong_key_file_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    """A file that holds anything but random keys stops the start, and is left as it is."""
    path = tmp_path / SERVER_KEYS
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(KeyFileError, match=sentence) as caught:
        read_server_keys(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert path.read_text() == text


def test_a_readable_key_file_is_refused(tmp_path: Path) -> None:
    """Where everybody may read the key, the server does not start on it."""
    make_server_keys(tmp_path / SERVER_KEYS)
    (tmp_path / SERVER_KEYS).chmod(0o644)
    with pytest.raises(KeyFileError, match="others may read"):
        read_server_keys(tmp_path / SERVER_KEYS)


def test_keys_that_cannot_be_written(tmp_path: Path) -> None:
    """Where no file can be made there is one sentence, and no key in memory alone."""
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyFileError, match=r"file cannot be made"):
        make_server_keys(tmp_path / "file" / SERVER_KEYS)
