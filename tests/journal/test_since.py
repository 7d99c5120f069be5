"""Does a store tell what has come after a head, and whether it holds that head at all?"""

import pytest

from lastcard_server.journal.entry import Head, genesis
from lastcard_server.journal.port import Journal
from tests.journal.logs import LIVE, LOG, OVER, entries_after, grow

OTHER = "match/bbbbbbbbbbbbbbbbbbbbbbbbbb"


async def test_what_has_not_grown_is_left_out(journal: Journal) -> None:
    """A log with the head that was named, or with neither entries nor claims, is not mentioned."""
    head = await grow(journal, LOG, "1", "2")
    assert await journal.since({}) == {}
    assert await journal.since({LOG: head, OTHER: genesis(OTHER)}) == {}


@pytest.mark.parametrize("version", range(4))
async def test_entries_after_any_head(journal: Journal, version: int) -> None:
    """Whichever head a reader has, the genesis included, it gets all that follows."""
    await grow(journal, LOG, "1", "2", "3", "4")
    entries = await journal.read(LOG)
    head = entries[version - 1].head if version else genesis(LOG)
    assert await journal.since({LOG: head}) == {LOG: entries[version:]}


async def test_many_logs_in_one_call(journal: Journal) -> None:
    """Each log is answered for by itself: grown, over, unchanged and lost ones in one call."""
    names = [f"match/{n}" for n in range(200)]
    before = {name: await grow(journal, name, "1") for name in names}
    for name in names[::2]:
        await grow(journal, name, "2", index=OVER if name.endswith("0") else LIVE)
    before["match/lost"] = entries_after(genesis("match/lost"), "1")[0].head
    found = await journal.since(before)
    assert found.pop("match/lost") is None
    assert found.keys() == {*names[::2]}
    assert all(entries and [entry.body for entry in entries] == ["2"] for entries in found.values())


async def test_a_head_the_log_does_not_hold(journal: Journal) -> None:
    """A head ahead, one on another history, a foreign genesis: all None, the log lacks it."""
    await grow(journal, LOG, "1", "2", "3")
    entries = await journal.read(LOG)
    forked = entries_after(entries[0].head, "two")[0].head
    lacking = {
        "next": entries_after(entries[2].head, "4")[0].head,
        "far ahead": Head(99, bytes(32)),
        "fork behind": forked,
        "fork at the head": entries_after(forked, "3")[0].head,
        "first of another": entries_after(genesis(LOG), "one")[0].head,
        "foreign genesis": genesis(OTHER),
    }
    for name, head in lacking.items():
        assert await journal.since({LOG: head}) == {LOG: None}, name


async def test_a_log_that_is_gone(journal: Journal) -> None:
    """After a log was forgotten nobody's head is held any more, save the genesis."""
    first = await grow(journal, LOG, "1")
    last = await grow(journal, LOG, "2", index=OVER)
    await journal.forget([LOG])
    assert await journal.since({LOG: first}) == await journal.since({LOG: last}) == {LOG: None}
    assert await journal.since({LOG: genesis(LOG)}) == {}
