"""Microseconds and milliseconds of the server as timestamps and durations of the contract."""

from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from lastcard_server.errors import Reason, Refusal
from lastcard_server.fragments import numbers

_SECONDS: Final = numbers(Timestamp, "seconds")
_NANOS: Final = numbers(Timestamp, "nanos")
_MILLIS: Final = tuple(_NANOS[millis * 1_000_000] for millis in range(1_000))


def timestamp(time_us: int) -> Timestamp:
    """Return a time as a message."""
    seconds, micros = divmod(time_us, 1_000_000)
    return Timestamp(seconds=seconds, nanos=micros * 1000)


def timestamp_bytes(time_us: int) -> bytes:
    """Return a time, rounded down to milliseconds, as the bytes of a Timestamp."""
    seconds, micros = divmod(time_us, 1_000_000)
    return _SECONDS[seconds] + _MILLIS[micros // 1000]


def duration(ms: int) -> Duration:
    """Return a length of time as a message."""
    return Duration(seconds=ms // 1000, nanos=ms % 1000 * 1_000_000)


def milliseconds_from(message: Duration, low: int, high: int, field: str) -> int:
    """
    Return a duration of a request in milliseconds, fractions dropped.

    Args:
        message: the duration.
        low: the least that is allowed, in milliseconds.
        high: the most that is allowed, in milliseconds.
        field: its name, for the refusal.

    Raises:
        Refusal: BAD_FIELD.

    """
    nanos = message.seconds * 1_000_000_000 + message.nanos
    if not 0 <= message.nanos < 1_000_000_000 or not low * 1e6 <= nanos <= high * 1e6:
        least, most = f"{low / 1000:g}", f"{high / 1000:g}"
        raise Refusal(Reason.BAD_FIELD, f"{field} must be {least} s to {most} s.")
    return nanos // 1_000_000
