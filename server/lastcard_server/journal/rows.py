"""
What does a store keep of a log beside its entries? Its head, its index and its place in lists.

Both stores of one process share this: the check of an append's form, the answers to `due` and
`open_for`, and pages of a listing. Nothing here does any input or output.
"""

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from lastcard_server.journal.entry import Head
from lastcard_server.journal.port import Append, Beat, Due, Flaw, Index, Listed

NOTHING = Index(None, (), live=False, label="")
FORGOTTEN_US = 24 * 3600 * 1_000_000
"""How long a pod is silent before it is forgotten."""
# Superseded queue entries that are tolerated beyond as many again as there are valid ones.
_SLACK = 1000


class Row(NamedTuple):
    """One log as its store lists it."""

    number: int  # rises with creation
    head: Head
    index: Index  # type: ignore[assignment]  # hides tuple.index
    created_us: int  # time of its first entry
    ended_us: int | None = None  # time of its last entry once it is over
    entry: int | None = None  # where its last entry stands, in a store that numbers them

    def listed(self, log: str) -> Listed:
        """Return the row as a listing shows it."""
        return Listed(log, self.number, self.index.live, self.index.label, self.created_us)


class Agenda:
    """Who is to act where, and what falls due when; follows the indexes of live logs."""

    def __init__(self) -> None:
        self._owed: dict[str, set[str]] = {}
        self._due: dict[str, int] = {}
        # Beside what is in `_due` it holds what once was; those are dropped when they come up.
        self._queue: list[tuple[int, str]] = []

    def change(self, log: str, old: Index, new: Index) -> None:
        """Follow a log from one index to the next."""
        if new.owners != old.owners:
            self._give(log, old.owners, new.owners)
        if new.due_us != old.due_us:
            self._set(log, new.due_us)

    def open_for(self, owner: str) -> Iterable[str]:
        """Return the logs in which an owner is to act, in any order."""
        return self._owed.get(owner, ())

    def due(self, before_us: int, limit: int) -> list[Due]:
        """Return what is due, the earliest first; it stays due until its log changes."""
        found: dict[str, int] = {}
        while self._queue and self._queue[0][0] <= before_us and len(found) < limit:
            due_us, log = heapq.heappop(self._queue)
            if self._due.get(log) == due_us:
                found[log] = due_us
        for log, due_us in found.items():
            heapq.heappush(self._queue, (due_us, log))
        return [Due(log, due_us) for log, due_us in found.items()]

    def _give(self, log: str, old: tuple[str, ...], new: tuple[str, ...]) -> None:
        """Move a log from owners to owners; an owner who owes nothing is forgotten."""
        for owner in old:
            logs = self._owed.get(owner)
            if logs is not None:
                logs.discard(log)
                if not logs:
                    del self._owed[owner]
        for owner in new:
            self._owed.setdefault(owner, set()).add(log)

    def _set(self, log: str, due_us: int | None) -> None:
        """Set when a log is due; None = never."""
        if due_us is None:
            self._due.pop(log, None)
            return
        self._due[log] = due_us
        heapq.heappush(self._queue, (due_us, log))
        if len(self._queue) > 2 * len(self._due) + _SLACK:
            self._queue = [(due_us, log) for log, due_us in self._due.items()]
            heapq.heapify(self._queue)


def head_after(append: Append) -> Head:
    """Return the head an append leaves; ValueError if its form is wrong."""
    check_form(append)
    return append.entries[-1].head


def check_form(append: Append) -> None:
    """Raise ValueError for an append that no store may take, whatever it holds."""
    _, expected, entries, index = append
    if not entries:
        raise ValueError(f"an append to {append.log} without entries")
    for version, entry in enumerate(entries, expected.version + 1):
        if entry.version != version:
            raise ValueError(f"entry {entry.version} of {append.log} where {version} belongs")
    check_index(append.log, index)


def check_index(log: str, index: Index) -> None:
    """Raise ValueError for an index of a log that is over and owes something."""
    if not index.live and (index.due_us is not None or index.owners):
        raise ValueError(f"{log} is over and can owe nothing")


def beaten(
    beats: Mapping[str, Beat],
    pod: str,
    now_us: int,
    owners: Collection[str] | None,
    *,
    serving: bool,
) -> dict[str, Beat]:
    """Return the signs of life after one more; old ones of other pods fall out."""
    before = beats.get(pod, Beat(0)).owners
    beat = Beat(now_us, before if owners is None else frozenset(owners), serving)
    kept = {name: b for name, b in beats.items() if b.time_us >= now_us - FORGOTTEN_US}
    return {**kept, pod: beat}


def read_index(due_us: int | None, owners: str, live: object, label: str, revision: int) -> Index:
    """Return the index that a store's columns hold; owners stand one a line."""
    return Index(due_us, read_owners(owners), bool(live), label, revision)


def read_owners(lines: str) -> tuple[str, ...]:
    """Return the owners that stand one a line."""
    return tuple(lines.split("\n")) if lines else ()


def orphaned(number: int, entries: int) -> Flaw:
    """Return what is wrong where entries have no log."""
    return Flaw(
        f"log number {number}", f"of it only entries are there ({entries:,}), its row is gone"
    )


def family(log: str) -> str:
    """Return the part of a log's name by which it is listed: up to its first "/"."""
    return log[: log.find("/") + 1] or log


def newest(
    rows: Iterable[tuple[str, Row]],
    prefix: str,
    *,
    live: bool | None,
    before: int | None,
    limit: int,
) -> list[Listed]:
    """Return the page of a listing that `Journal.logs` describes."""

    def wanted() -> Iterator[Listed]:
        for log, row in rows:
            if before is not None and row.number >= before:
                continue
            if family(log) == prefix and live in {None, row.index.live}:
                yield row.listed(log)

    return heapq.nlargest(limit, wanted(), key=lambda listed: listed.number)
