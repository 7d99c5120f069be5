"""Was a seat punished that did nothing wrong? In a run in which every bot answers at once."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from google.protobuf.duration_pb2 import Duration

from lastcard.v1 import match_service_pb2
from lastcard_engine.record import EntryKind
from tests.faults.records import Journal, Records

LIMIT_SECONDS: Final = 2
TIMED: Final = match_service_pb2.MatchSettings(
    start_limit_duration=Duration(seconds=LIMIT_SECONDS),
    move_limit_duration=Duration(seconds=LIMIT_SECONDS),
    reaction_limit_duration=Duration(seconds=LIMIT_SECONDS),
    max_rounds=1,
)
"""Settings under which a clock runs out soon: bots need milliseconds, a fault takes longer."""
_PUNISHED: Final = (
    EntryKind.FAULT,
    EntryKind.TIMEOUT,
    EntryKind.KNOCKED_OUT,
    EntryKind.FORFEITED,
)


def punished(records: Records, journal: Journal) -> Iterator[str]:
    """Yield a sentence for each turn that was closed by time, or an answer refused as late."""
    for match_id, entries in journal.items():
        for entry in entries:
            if entry.kind in _PUNISHED:
                yield f"{match_id}: {entry.kind} of seat {entry.seat} at version {entry.version}"
    for match_id, seat, turn in records.timed_out:
        yield f"{match_id}: the answer of seat {seat} to turn {turn} was refused as late"


def kinds(journal: Journal) -> Counter[str]:
    """Count the entries of each kind."""
    return Counter(entry.kind for entries in journal.values() for entry in entries)
