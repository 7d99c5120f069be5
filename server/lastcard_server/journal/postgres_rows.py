"""
How do appends become rows of PostgreSQL, and rows entries again?

Bodies and request ids are bytes there: a text of PostgreSQL cannot hold every character.
"""

from collections.abc import Iterable, Sequence

import asyncpg

from lastcard_server.journal.entry import ChainError, Entry, Head, genesis, proved
from lastcard_server.journal.port import Append, Conflict, LogCorrupt

_COLUMNS = len(Entry._fields)


class Run:
    """
    What becomes of one log's appends if its head is the one that some of them expects.

    Attributes:
        entries: what is written then.
        index: what holds after them.
        outcomes: of each append of the log, by its place in the call.

    """

    def __init__(self, place: int, append: Append, before: Iterable[int]) -> None:
        """Begin with an append; the ones at the places `before` it then find another head."""
        self.log, self.expected, entries, self.index = append
        self.entries: list[Entry] = list(entries)
        self.outcomes: dict[int, Conflict | None] = dict.fromkeys(before, Conflict(self.expected))
        self.outcomes[place] = None

    @property
    def head(self) -> Head:
        """Return the head the run leaves."""
        return self.entries[-1].head

    @property
    def possible(self) -> bool:
        """Tell whether the log can have the expected head at all: no other log's genesis."""
        return self.expected.version > 0 or self.expected == genesis(self.log)

    def follow(self, place: int, append: Append) -> bool:
        """Add an append that comes after the others; return whether it expects what they leave."""
        follows = append.expected == self.head
        if follows:
            self.entries += append.entries
            self.index = append.index
        self.outcomes[place] = None if follows else Conflict(self.head)
        return follows


def runs_of(appends: Iterable[tuple[int, Append]]) -> list[Run]:
    """
    Return what may become of appends, each with its place; of the runs of one log one at most.

    Not every append that could begin a run does: who follows another one waits until that is lost.
    """
    runs: dict[str, list[Run]] = {}
    begun: list[Run] = []
    for place, append in appends:
        of_log = runs.setdefault(append.log, [])
        follows = [run.follow(place, append) for run in of_log]
        if not any(follows) and all(run.expected != append.expected for run in of_log):
            before = of_log[0].outcomes if of_log else ()
            begun.append(Run(place, append, [earlier for earlier in before if earlier != place]))
            of_log.append(begun[-1])
    return begun


def columns_of(runs: Sequence[Run]) -> tuple[Sequence[object], ...]:
    """Return the arguments of the statement that appends: a column of logs or entries each."""
    return (*zip(*map(_log_row, runs), strict=True), *zip(*_entry_rows(runs), strict=True))


def _log_row(run: Run) -> tuple[object, ...]:
    (due_us, owners, live, label, revision), last = run.index, run.entries[-1]
    ended_us = None if live else last.time_us
    index = due_us, "\n".join(owners), live, label, revision, run.entries[0].time_us, ended_us
    return (run.log, *run.expected, last.version, last.chain, *index)


def _entry_rows(runs: Sequence[Run]) -> Iterable[tuple[object, ...]]:
    for place, run in enumerate(runs, 1):
        for version, kind, seat, time_us, body, request_id, chain, state_hash in run.entries:
            texts = body.encode(), request_id.encode()
            yield place, version, kind, seat, time_us, *texts, chain, state_hash


def entries_of(rows: Iterable[asyncpg.Record]) -> list[Entry]:
    """
    Return the entries of rows that end with the columns of one, or with NULL.

    A text that is damaged breaks its log's chain, and no list that it stands in.
    """
    found = (row[-_COLUMNS:] for row in rows)
    return [
        Entry(version, kind, seat, time_us, _text(body), _text(request_id), chain, state_hash)
        for version, kind, seat, time_us, body, request_id, chain, state_hash in found
        if version is not None
    ]


def _text(written: bytes) -> str:
    return written.decode(errors="replace")


def verified(log: str, after: int, entries: list[Entry], end: Head) -> list[Entry]:
    """Return what `proved` does; LogCorrupt where that finds damage."""
    try:
        return proved(log, after, entries, end)
    except ChainError as error:
        raise LogCorrupt(f"{log} in the database: {error}", error.sound, str(error)) from error
