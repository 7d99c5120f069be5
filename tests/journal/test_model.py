"""Does any store behave like the plainest one: a dictionary of lists?"""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastcard_server.journal.entry import Entry, Head, genesis
from lastcard_server.journal.port import Append, Conflict, Due, Index, Journal
from tests.journal.logs import entries_after
from tests.journal.stores import KINDS

NAMES = ["match/a", "match/b", "contest/c"]
INDEXES = st.one_of(
    st.builds(
        Index,
        st.none() | st.integers(0, 9),
        st.lists(st.sampled_from(["key:a", "key:b"]), unique=True).map(tuple),
        st.just(value=True),
        st.sampled_from(["x", "y"]),
        st.integers(0, 2),
    ),
    st.just(Index(None, (), live=False, label="x")),
)
# Log, which earlier or later head the writer believes in, how many entries, the index after them.
WISHES = st.tuples(
    st.sampled_from(NAMES), st.sampled_from([0, 0, 0, -1, 1]), st.integers(1, 3), INDEXES
)


class Model:
    """Logs as lists; the index of each log as its last append left it."""

    def __init__(self) -> None:
        self.logs: dict[str, list[Entry]] = {}
        self.index: dict[str, Index] = {}

    def head(self, log: str) -> Head:
        """Return the head of a log."""
        entries = self.logs.get(log)
        return entries[-1].head if entries else genesis(log)

    def wish(self, log: str, off: int, count: int, index: Index) -> Append:
        """Return an append on the true head, on the one before it, or on one never written."""
        entries = self.logs.get(log, [])
        expected = self.head(log)
        if off == 1:
            expected = entries_after(expected, "never written")[0].head
        elif off == -1 and entries:
            expected = entries[-2].head if len(entries) > 1 else genesis(log)
        return Append(log, expected, entries_after(expected, *["x"] * count), index)

    def append(self, append: Append) -> Conflict | None:
        """Compare and set."""
        if append.expected != self.head(append.log):
            return Conflict(self.head(append.log))
        self.logs.setdefault(append.log, []).extend(append.entries)
        self.index[append.log] = append.index
        return None

    def due(self, before_us: int) -> list[Due]:
        """Return what is due by looking at everything."""
        times = {log: index.due_us for log, index in self.index.items()}
        found = [Due(log, us) for log, us in times.items() if us is not None and us <= before_us]
        return sorted(found, key=lambda due: (due.due_us, due.log))

    def open_for(self, owners: Sequence[str]) -> list[str]:
        """Return the logs in which any of the owners is to act, in the order of creation."""
        return [log for log in self.logs if {*owners} & {*self.index[log].owners}]

    def since(self, heads: dict[str, Head]) -> dict[str, list[Entry] | None]:
        """Return what has come after heads that the logs once had."""
        after = {log: self.logs.get(log, [])[head.version :] for log, head in heads.items()}
        return {log: entries for log, entries in after.items() if entries}

    def lowest_revision(self) -> int | None:
        """Return the lowest revision that a live log takes."""
        live = [index.revision for index in self.index.values() if index.live]
        return min(filter(None, live), default=None)

    def ended(self) -> set[str]:
        """Return the matches that are over."""
        return {log for log, i in self.index.items() if not i.live and log.startswith("match/")}

    def forget(self, logs: set[str]) -> None:
        """Delete those of the logs that are over."""
        for log in logs & {log for log, index in self.index.items() if not index.live}:
            del self.logs[log], self.index[log]


async def agree(journal: Journal, model: Model) -> None:
    """Compare everything a store can be asked with the model."""
    for log in NAMES:
        assert await journal.head(log) == model.head(log)
        assert await journal.read(log) == model.logs.get(log, [])
    for before_us in (0, 5, 9):
        assert await journal.due(before_us, 9) == model.due(before_us)
    for owners in ([], ["key:a"], ["key:b"], ["key:b", "key:a"]):
        assert await journal.open_for(owners) == model.open_for(owners)
    assert await journal.indexes(NAMES) == model.index
    assert await journal.lowest_revision() == model.lowest_revision()
    assert {*await journal.ended("match/", 9_000_000, 9)} == model.ended()
    for live in (None, True, False):
        expected = [log for log in model.logs if live in {None, model.index[log].live}]
        listed = [listed.log for listed in await journal.logs("match/", live=live)]
        assert listed == [log for log in reversed(expected) if log.startswith("match/")]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40, deadline=None)
@given(
    calls=st.lists(st.lists(WISHES, min_size=1, max_size=4), max_size=6),
    forgotten=st.sets(st.sampled_from(NAMES)),
)
def test_a_store_is_a_dictionary_of_lists(
    kind: str, calls: list[list[tuple[str, int, int, Index]]], forgotten: set[str]
) -> None:
    """After any calls with any mistakes in them store and model agree, reopened ones too."""

    async def play(folder: Path) -> None:
        journal, model = await KINDS[kind].open(folder, None), Model()
        for call in calls:
            appends, outcomes = [], []
            before = {log: model.head(log) for log in NAMES}
            for wish in call:
                appends.append(model.wish(*wish))
                outcomes.append(model.append(appends[-1]))
            assert await journal.append(appends) == outcomes
            assert await journal.since(before) == model.since(before)
            await agree(journal, model)
        await journal.forget(forgotten)
        model.forget(forgotten)
        await agree(journal, model)
        if KINDS[kind].durable:
            await journal.aclose()
            journal = await KINDS[kind].open(folder, None)
            await agree(journal, model)
        await journal.aclose()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(Path(folder)))
