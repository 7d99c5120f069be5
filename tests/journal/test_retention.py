"""Can logs that are over be found and forgotten, and only those?"""

from pathlib import Path

import pytest

from lastcard_server.journal.entry import genesis
from lastcard_server.journal.port import Append, Journal, Snapshot
from tests.journal.logs import LIVE, LOG, OVER, append_to, entries_after, grow
from tests.journal.stores import DURABLE, KINDS


async def end(journal: Journal, log: str, time_us: int) -> None:
    """Append a last entry at a time."""
    head = await journal.head(log)
    append = Append(log, head, entries_after(head, "end", time_us=time_us), OVER)
    assert await journal.append([append]) == [None]


async def test_what_has_ended_is_found_by_its_end(journal: Journal) -> None:
    """`ended` names logs of a family that ended before a time, the oldest end first."""
    for name in ("match/late", "match/early", "match/live", "contest/early", "match/twin"):
        await grow(journal, name, "1")
    await end(journal, "match/late", 30)
    for name in ("match/early", "contest/early", "match/twin"):
        await end(journal, name, 20)
    assert await journal.ended("match/", 20, 9) == []
    assert await journal.ended("match/", 21, 9) == ["match/early", "match/twin"]
    assert await journal.ended("match/", 31, 9) == ["match/early", "match/twin", "match/late"]
    assert await journal.ended("match/", 31, 1) == ["match/early"]
    assert await journal.ended("contest/", 31, 9) == ["contest/early"]
    assert await journal.ended("keys", 31, 9) == []


async def test_a_log_that_lives_again_has_not_ended(journal: Journal) -> None:
    """An entry after the end moves the end, and one that revives the log takes it away."""
    await grow(journal, LOG, "1")
    await end(journal, LOG, 10)
    await end(journal, LOG, 20)
    assert await journal.ended("match/", 20, 9) == []
    assert await journal.ended("match/", 21, 9) == [LOG]
    await grow(journal, LOG, "again")
    assert await journal.ended("match/", 99, 9) == []


async def test_forgetting_takes_everything(journal: Journal) -> None:
    """A forgotten log is as one that never was, in every answer."""
    await grow(journal, LOG, "1")
    await journal.save_snapshot(LOG, Snapshot(1, 1, b"x"))
    await end(journal, LOG, 10)
    await journal.forget([LOG])
    assert await journal.read(LOG) == []
    assert await journal.head(LOG) == genesis(LOG)
    assert await journal.indexes([LOG]) == {}
    assert await journal.snapshot(LOG) is None
    assert await journal.logs("match/") == []
    assert await journal.ended("match/", 99, 9) == []


async def test_what_lives_is_not_forgotten(journal: Journal) -> None:
    """Of the logs that are named only those that are over go; unknown names are no error."""
    await grow(journal, "match/live", "1", index=LIVE._replace(owners=("key:a",), due_us=5))
    await journal.save_snapshot("match/live", Snapshot(1, 1, b"x"))
    await grow(journal, "match/over", "1", index=OVER)
    await grow(journal, "match/kept", "1", index=OVER)
    await journal.forget(["match/live", "match/over", "match/none"])
    await journal.forget([])
    assert [listed.log for listed in await journal.logs("match/")] == ["match/kept", "match/live"]
    assert len(await journal.read("match/live")) == 1
    assert await journal.snapshot("match/live") == Snapshot(1, 1, b"x")
    assert await journal.open_for(["key:a"]) == ["match/live"]
    assert [due.log for due in await journal.due(9, 9)] == ["match/live"]


async def test_a_forgotten_log_may_begin_anew(journal: Journal) -> None:
    """Its name is free again: a new log starts at the genesis, with nothing of the old one."""
    await grow(journal, LOG, "1", "2", index=OVER)
    await journal.save_snapshot(LOG, Snapshot(2, 1, b"x"))
    await journal.forget([LOG])
    assert await journal.append([append_to(LOG, None, "new")]) == [None]
    assert [entry.body for entry in await journal.read(LOG)] == ["new"]
    assert await journal.snapshot(LOG) is None


async def test_a_number_is_never_used_again(journal: Journal) -> None:
    """What is created after the newest logs were forgotten has a higher number than they had."""
    await grow(journal, "match/1", "1")
    await grow(journal, "match/2", "1", index=OVER)
    highest = (await journal.logs("match/"))[0].number
    await journal.forget(["match/2"])
    await grow(journal, "match/3", "1")
    assert (await journal.logs("match/"))[0].number > highest


@pytest.mark.parametrize("name", DURABLE)
async def test_a_number_is_not_used_again_after_reopening(name: str, tmp_path: Path) -> None:
    """Neither does a later process use it, even where nothing was left."""
    journal = await KINDS[name].open(tmp_path, None)
    await grow(journal, "match/1", "1", index=OVER)
    await grow(journal, "match/2", "1", index=OVER)
    highest = (await journal.logs("match/"))[0].number
    for log in ("match/2", "match/1"):
        await journal.forget([log])
        await journal.aclose()
        journal = await KINDS[name].open(tmp_path, None)
    await grow(journal, "match/3", "1")
    assert (await journal.logs("match/"))[0].number > highest
    await journal.aclose()


async def test_the_lowest_revision_of_what_lives(journal: Journal) -> None:
    """Only live logs that take an engine count."""
    assert await journal.lowest_revision() is None
    await grow(journal, "keys", "1")
    assert await journal.lowest_revision() is None
    await grow(journal, "match/2", "1", index=LIVE._replace(revision=2))
    await grow(journal, "match/1", "1", index=LIVE._replace(revision=1))
    assert await journal.lowest_revision() == 1
    await grow(journal, "match/1", "2", index=OVER._replace(revision=1))
    assert await journal.lowest_revision() == 2


async def test_indexes_as_the_last_append_left_them(journal: Journal) -> None:
    """`indexes` gives what was written, of logs that live and of those that are over."""
    index = LIVE._replace(due_us=7, owners=("key:b", "key:a"), label="key:ü", revision=3)
    await grow(journal, LOG, "1", index=index)
    await grow(journal, "match/over", "1", index=OVER)
    assert await journal.indexes([LOG, "match/over", "match/none"]) == {
        LOG: index,
        "match/over": OVER,
    }
    assert await journal.indexes([]) == {}
    await grow(journal, LOG, "2")
    assert await journal.indexes({LOG}) == {LOG: LIVE}
