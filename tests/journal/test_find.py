"""Is what a store finds without reading - due, owed, listed, hinted - what the entries say?"""

import pytest

from lastcard_server.journal.entry import genesis
from lastcard_server.journal.port import Due, Index, Journal, Snapshot
from tests.journal.logs import LIVE, LOG, OVER, append_to, grow


def due_at(due_us: int | None, *owners: str) -> Index:
    """Return the index of a live log."""
    return Index(due_us, owners, live=True, label="key:creator")


async def test_due_is_ordered_bounded_and_inclusive(journal: Journal) -> None:
    """`due` returns the earliest first, up to the limit, the bound included."""
    for name, due_us in (("a", 30), ("b", 10), ("c", 20), ("d", None)):
        await grow(journal, name, "1", index=due_at(due_us))
    assert await journal.due(9, 10) == []
    assert await journal.due(20, 10) == [Due("b", 10), Due("c", 20)]
    assert await journal.due(99, 2) == [Due("b", 10), Due("c", 20)]
    assert await journal.due(99, 9) == [Due("b", 10), Due("c", 20), Due("a", 30)]


async def test_due_lasts_until_the_log_changes(journal: Journal) -> None:
    """Asking takes nothing away; the next append alone says when, if ever, a log is due."""
    await grow(journal, LOG, "1", index=due_at(10))
    assert await journal.due(10, 5) == await journal.due(10, 5) == [Due(LOG, 10)]
    await grow(journal, LOG, "2", index=due_at(50))
    assert await journal.due(49, 5) == []
    await grow(journal, LOG, "3", index=due_at(10))
    assert await journal.due(99, 5) == [Due(LOG, 10)]
    await grow(journal, LOG, "4", index=due_at(None))
    assert await journal.due(99, 5) == []
    await grow(journal, LOG, "5", index=due_at(7))
    await grow(journal, LOG, "6", index=OVER)
    assert await journal.due(99, 5) == []


async def test_due_forgets_what_was_superseded(journal: Journal) -> None:
    """Thousands of moved deadlines leave one."""
    for round_number in range(60):
        head, appends = await journal.head(LOG), []
        for n in range(50):
            index = due_at(1000 + round_number * 50 + n)
            appends.append(append_to(LOG, head, "x", index=index))
            head = appends[-1].entries[-1].head
        assert await journal.append(appends) == [None] * 50
    assert await journal.due(10_000, 9) == [Due(LOG, 1000 + 59 * 50 + 49)]


async def test_owners_follow_the_turn(journal: Journal) -> None:
    """`open_for` names the live logs that wait for an owner, oldest log first."""
    await grow(journal, "match/2", "1", index=due_at(None, "key:a", "key:b"))
    await grow(journal, "match/1", "1", index=due_at(None, "key:b"))
    assert await journal.open_for(["key:a"]) == ["match/2"]
    assert await journal.open_for(["key:b"]) == ["match/2", "match/1"]
    await grow(journal, "match/2", "2", index=due_at(None, "key:c"))
    assert await journal.open_for(["key:a"]) == []
    assert await journal.open_for(["key:b"]) == ["match/1"]
    await grow(journal, "match/2", "3", index=due_at(None, "key:b"))
    assert await journal.open_for(["key:b"]) == ["match/2", "match/1"]
    await grow(journal, "match/1", "2", index=OVER)
    assert await journal.open_for(["key:b"]) == ["match/2"]


async def test_owners_are_asked_for_together(journal: Journal) -> None:
    """`open_for` several owners names each log once; for nobody, or strangers, none."""
    await grow(journal, "match/2", "1", index=due_at(None, "key:a", "key:b"))
    await grow(journal, "match/1", "1", index=due_at(None, "key:c"))
    await grow(journal, "match/3", "1", index=due_at(None, "key:a"))
    assert await journal.open_for(("key:c", "key:a", "key:b")) == ["match/2", "match/1", "match/3"]
    assert await journal.open_for({"key:c", "key:x"}) == ["match/1"]
    assert await journal.open_for(["key:x"]) == await journal.open_for([]) == []


async def test_a_refused_append_moves_no_index(journal: Journal) -> None:
    """A conflict leaves deadline and owners as they were."""
    await grow(journal, LOG, "1", index=due_at(10, "key:a"))
    late = append_to(LOG, None, "late", index=due_at(5, "key:b"))
    assert await journal.append([late]) != [None]
    assert await journal.due(99, 9) == [Due(LOG, 10)]
    assert await journal.open_for(["key:a"]) == [LOG]
    assert await journal.open_for(["key:b"]) == []


async def test_the_last_append_of_a_call_sets_the_index(journal: Journal) -> None:
    """Where one call appends to a log twice, the index is that of the second append."""
    first = append_to(LOG, None, "1", index=due_at(10, "key:a"))
    second = append_to(LOG, first.entries[-1].head, "2", index=due_at(20, "key:b"))
    assert await journal.append([first, second]) == [None, None]
    assert await journal.due(99, 9) == [Due(LOG, 20)]
    assert await journal.open_for(["key:a"]) == []


async def test_an_index_is_written_anew(journal: Journal) -> None:
    """A repair moves everything that is found by an index, and no entry and no head."""
    head = await grow(journal, LOG, "1", index=due_at(10, "key:a"))
    index = Index(20, ("key:b",), live=True, label="other", revision=3)
    assert await journal.reindex(LOG, head, index)
    assert await journal.indexes([LOG]) == {LOG: index}
    assert await journal.due(99, 9) == [Due(LOG, 20)]
    assert await journal.open_for(["key:a", "key:b"]) == [LOG]
    assert await journal.open_for(["key:a"]) == []
    assert await journal.lowest_revision() == 3
    assert await journal.head(LOG) == head
    assert await journal.reindex(LOG, head, OVER)
    assert await journal.due(99, 9) == []
    assert await journal.logs("match/", live=True) == []
    assert await journal.ended("match/", 1_000_001, 9) == [LOG]
    assert await journal.reindex(LOG, head, index)
    assert await journal.ended("match/", 1_000_001, 9) == []
    assert await journal.due(99, 9) == [Due(LOG, 20)]
    await grow(journal, LOG, "2", index=index)


async def test_an_index_of_another_head_is_not_written(journal: Journal) -> None:
    """A repair decided on an older head, or for a log that is not there, changes nothing."""
    head = await grow(journal, LOG, "1", index=due_at(10))
    await grow(journal, LOG, "2", index=due_at(20))
    assert not await journal.reindex(LOG, head, OVER)
    assert not await journal.reindex("match/none", genesis("match/none"), OVER)
    with pytest.raises(ValueError, match="owe nothing"):
        await journal.reindex(LOG, await journal.head(LOG), OVER._replace(due_us=1))
    assert await journal.due(99, 9) == [Due(LOG, 20)]
    assert len(await journal.logs("match/")) == 1


async def test_listing_pages_from_the_newest(journal: Journal) -> None:
    """Pages of a listing join without gap or overlap, whatever is created meanwhile."""
    for n in range(7):
        await grow(journal, f"match/{n}", "1")
    await grow(journal, "contest/x", "1")
    await grow(journal, "keys", "1")
    page = await journal.logs("match/", limit=3)
    await grow(journal, "match/new", "1")
    names = [listed.log for listed in page]
    while page:
        page = await journal.logs("match/", before=page[-1].number, limit=3)
        names += [listed.log for listed in page]
    assert names == [f"match/{n}" for n in reversed(range(7))]
    assert [listed.log for listed in await journal.logs("contest/")] == ["contest/x"]
    assert [listed.log for listed in await journal.logs("keys")] == ["keys"]
    assert await journal.logs("mat") == []


@pytest.mark.parametrize(
    ("live", "names"), [(None, ["c", "b", "a"]), (True, ["c", "a"]), (False, ["b"])]
)
async def test_listing_by_life(journal: Journal, live: bool | None, names: list[str]) -> None:  # noqa: FBT001 - a column
    """Live and finished logs are listed together or apart."""
    for name in "abc":
        await grow(journal, f"match/{name}", "1")
    await grow(journal, "match/b", "2", index=OVER)
    assert [listed.log[6:] for listed in await journal.logs("match/", live=live)] == names


async def test_listing_shows_label_and_creation(journal: Journal) -> None:
    """A line of a listing has the newest label and the time of the first entry."""
    await journal.append([append_to(LOG, None, "1", "2", index=LIVE)])
    (before,) = await journal.logs("match/")
    await grow(journal, LOG, "3", index=OVER._replace(label="other"))
    (after,) = await journal.logs("match/")
    assert (before.live, before.label, before.created_us) == (True, "key:creator", 1_000_000)
    assert after == before._replace(live=False, label="other")


async def test_finished_logs_stay_readable(journal: Journal) -> None:
    """A log that is over keeps head and entries, and a late append is judged by them."""
    await grow(journal, LOG, "1")
    head = await grow(journal, LOG, "end", index=OVER)
    assert await journal.head(LOG) == head
    assert len(await journal.read(LOG)) == 2
    (conflict,) = await journal.append([append_to(LOG, genesis(LOG), "late")])
    assert conflict is not None
    assert conflict.head == head


async def test_the_newest_snapshot_is_kept(journal: Journal) -> None:
    """A snapshot takes the place of the one before; a log that does not exist has none."""
    await grow(journal, LOG, "1", "2")
    assert await journal.snapshot(LOG) is None
    await journal.save_snapshot(LOG, Snapshot(1, 1, b"one"))
    await journal.save_snapshot(LOG, Snapshot(2, 1, bytes(range(256))))
    assert await journal.snapshot(LOG) == Snapshot(2, 1, bytes(range(256)))
    await journal.save_snapshot("match/none", Snapshot(1, 1, b""))
    assert await journal.snapshot("match/none") is None


async def test_the_clock_does_not_run_backwards(journal: Journal) -> None:
    """The store's clock counts microseconds since 1970 and never falls."""
    times = [journal.now_us() for _ in range(1000)]
    assert times == sorted(times)
    assert times[0] > 1_700_000_000_000_000
