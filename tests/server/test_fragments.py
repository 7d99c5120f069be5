"""Joined parts are what protobuf itself would write."""

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st

from lastcard.v1.turn_pb2 import Turn
from lastcard_server.convert.times import duration, timestamp_bytes
from lastcard_server.fragments import Kept, framed, framing, heads, numbers, varint
from tests.server import plain


@given(st.integers(0, 2**63 - 1))
def test_numbers_of_any_size_are_encoded_as_protobuf_does(number: int) -> None:
    """A number in or beyond the table decodes to itself; 0 takes no bytes."""
    encoded = numbers(Timestamp, "seconds")[number]
    assert encoded == Timestamp(seconds=number).SerializeToString()
    assert bool(encoded) == bool(number)


@given(st.integers(0, 9_000))
def test_frames_of_any_length_are_encoded_as_protobuf_does(length: int) -> None:
    """A field of any length decodes to its bytes, framed at once or by its head."""
    body = bytes(length)
    written = Turn(history=body).SerializeToString() if body else b"\x5a\x00"
    assert framing(Turn, "history")(body) == written
    assert heads(Turn, "history")[length] + body == written


def test_elements_of_a_repeated_field_stand_behind_one_another() -> None:
    """Every element of a repeated field is there, in order."""
    joined = framed(framing(Turn, "seat_names"), [b"a", b"", b"c"])
    assert Turn.FromString(joined).seat_names == ["a", "", "c"]


def test_a_field_that_does_not_exist_is_refused() -> None:
    """Tables for an unknown field cannot be made."""
    with pytest.raises(KeyError):
        framing(Turn, "nothing")


def test_varint_knows_its_boundaries() -> None:
    """A seventh bit more takes a byte more."""
    assert [len(varint(n)) for n in (0, 127, 128, 16_383, 16_384)] == [1, 1, 2, 2, 3]


@given(st.integers(1_500_000_000_000_000, 4_000_000_000_000_000))
def test_deadlines_are_rounded_down_to_milliseconds(time_us: int) -> None:
    """A deadline is told at most a millisecond early and never late."""
    told = Timestamp.FromString(timestamp_bytes(time_us))
    assert 0 <= time_us - (told.seconds * 1_000_000 + told.nanos // 1_000) < 1_000


@given(st.integers(0, 86_400_000))
def test_durations_keep_their_milliseconds(ms: int) -> None:
    """A length of time is written exactly."""
    assert duration(ms) == plain._duration(ms)


def test_what_is_kept_is_made_once_and_forgotten_when_there_is_too_much() -> None:
    """A part is made when first asked for; the one too many makes room for itself."""
    made: list[int] = []

    def make(number: int) -> bytes:
        made.append(number)
        return bytes([number])

    kept = Kept(make, 2)
    assert [kept[n] for n in (1, 2, 1, 2, 3, 1)] == [b"\1", b"\2", b"\1", b"\2", b"\3", b"\1"]
    assert made == [1, 2, 3, 1]
    assert len(kept) == 2
