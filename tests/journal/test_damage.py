"""Is what somebody changed in a store never taken for what was written?"""

from contextlib import suppress
from pathlib import Path

import pytest

from lastcard_server.journal.entry import genesis
from lastcard_server.journal.port import Index, Journal, LogCorrupt, StoreCorrupt
from lastcard_server.journal.sqlite import open_sqlite
from lastcard_server.journal_check import Finding, check
from tests.journal.logs import LIVE, LOG, OVER, append_to, bodies, grow, heads
from tests.journal.stores import DURABLE, KINDS, spoil_file

OTHER = "match/bbbbbbbbbbbbbbbbbbbbbbbbbb"
# Bodies are text in one store and bytes in another; both take a kind and a time.
CHANGES = {
    "kind": ("UPDATE entries SET kind = 'play' WHERE version = 2", "entry 2 does not follow"),
    "time": ("UPDATE entries SET time_us = 7 WHERE version = 3", "entry 3 does not follow"),
    "seat": ("UPDATE entries SET seat = NULL WHERE version = 3", "entry 3 does not follow"),
    "gone": ("DELETE FROM entries WHERE version = 2", "entry 3 stands where 2 belongs"),
    "first": ("DELETE FROM entries WHERE version = 1", "entry 2 stands where 1 belongs"),
    "tail": ("DELETE FROM entries WHERE version > 2", "entry 2 is the last one, where 4 belongs"),
    "all": ("DELETE FROM entries", "entry 0 is the last one, where 4 belongs"),
    "head": ("UPDATE logs SET version = 3", "entry 4 is the last one, where 3 belongs"),
}


async def changed(kind: str, folder: Path, statement: str) -> Journal:
    """Return a store with a log of four entries that was changed before it was opened again."""
    journal = await KINDS[kind].open(folder, None)
    await grow(journal, LOG, "1", "2", "3", "4")
    await journal.aclose()
    spoil = KINDS[kind].spoil
    assert spoil
    await spoil(folder, statement)
    return await KINDS[kind].open(folder, None)


@pytest.mark.parametrize("kind", DURABLE)
@pytest.mark.parametrize("change", CHANGES)
async def test_a_changed_log_is_not_read_as_if_it_were_whole(
    kind: str, change: str, tmp_path: Path
) -> None:
    """Reading it names the first wrong entry; a check names the log; other logs are as before."""
    statement, named = CHANGES[change]
    journal = await changed(kind, tmp_path, statement)
    await grow(journal, OTHER, "1")
    with pytest.raises(StoreCorrupt, match=named):
        await journal.read(LOG)
    assert await bodies(journal, OTHER) == ["1"]
    found = {finding.log: finding.damage async for finding in check(journal, None)}
    assert named in found[LOG]
    assert found[OTHER] == ""
    await journal.aclose()


@pytest.mark.parametrize("kind", DURABLE)
async def test_what_follows_a_change_is_proved_by_itself(kind: str, tmp_path: Path) -> None:
    """A reader with the entries up to the changed one gets what follows; one before it does not."""
    journal = await changed(kind, tmp_path, CHANGES["seat"][0])
    with pytest.raises(StoreCorrupt, match="entry 3 does not follow"):
        await journal.read(LOG, 2)
    assert await bodies(journal, LOG, 3) == ["4"]
    await journal.aclose()


@pytest.mark.parametrize("kind", DURABLE)
@pytest.mark.parametrize("after", [1, 2])
async def test_a_gap_at_the_beginning_of_what_is_read_is_no_beginning(
    kind: str, after: int, tmp_path: Path
) -> None:
    """Who has the entries up to the missing one, or up to the one before it, does not skip any."""
    journal = await changed(kind, tmp_path, CHANGES["gone"][0])
    with pytest.raises(StoreCorrupt, match="entry 3 stands where 2 belongs"):
        await journal.read(LOG, after)
    assert await bodies(journal, LOG, 3) == ["4"]
    await journal.aclose()


@pytest.mark.parametrize(
    "value",
    [
        "body = x'ff'",
        "body = CAST(x'ff' AS TEXT)",
        "kind = CAST(x'eda080' AS TEXT)",
        "kind = printf('%300d', 1)",
        "seat = 'x'",
        "seat = 70000",
        "time_us = 1.5",
    ],
)
async def test_what_no_entry_can_hold_is_damage_of_its_log(value: str, tmp_path: Path) -> None:
    """Another type, no UTF-8, a number too large: a file holds anything once a bit of it flips."""
    journal = await changed("sqlite", tmp_path, f"UPDATE entries SET {value} WHERE version = 3")
    with pytest.raises(StoreCorrupt, match="entry 3 does not follow"):
        await journal.read(LOG)
    (damage,) = [found.damage async for found in check(journal, None)]
    assert "entry 3 does not follow" in damage
    await journal.aclose()


@pytest.mark.parametrize("index", [LIVE, OVER])
@pytest.mark.parametrize(
    "value",
    [
        "version = 'abc'",
        "version = 1.5",
        "chain = 'abc'",
        "chain = 7",
        "due_us = 'abc'",
        "owners = x'ff'",
        "live = 'abc'",
        "label = x'ff'",
        "revision = 'abc'",
        "created_us = x'00'",
        "ended_us = 'abc'",
        "entry = 'abc'",
        "log = CAST(log AS BLOB)",
    ],
)
async def test_what_no_row_can_hold_is_damage_of_its_log(
    value: str, index: Index, tmp_path: Path
) -> None:
    """A store with such a row opens, serves all others, and a check names it."""
    journal = await open_sqlite(tmp_path / "journal.db")
    await grow(journal, LOG, "1", "2", index=index)
    await grow(journal, OTHER, "1")
    await journal.aclose()
    await spoil_file(tmp_path, f"UPDATE logs SET {value} WHERE log = '{LOG}'")
    journal = await open_sqlite(tmp_path / "journal.db")
    await grow(journal, OTHER, "2")
    assert await bodies(journal, OTHER) == ["1", "2"]
    for live in (None, True, False):
        await journal.logs("match/", live=live)
    await journal.due(1 << 62, 9)
    await journal.ended("match/", 1 << 62, 9)
    await journal.since({LOG: genesis(LOG)})
    with suppress(LogCorrupt):
        assert await bodies(journal, LOG) in (["1", "2"], [])
    named = {found.log for found in await every(journal) if found.damage or found.stale}
    assert named == {LOG}
    await journal.aclose()


async def every(journal: Journal) -> list[Finding]:
    """Return what a check finds."""
    return [finding async for finding in check(journal, None)]


async def test_a_server_is_alive_whatever_a_sign_of_life_holds(tmp_path: Path) -> None:
    """Nothing there is worth more than the clock."""
    journal = await open_sqlite(tmp_path / "journal.db")
    await journal.heartbeat("a")
    await journal.aclose()
    await spoil_file(tmp_path, "UPDATE heartbeats SET time_us = 'abc', owners = 7, serving = 'x'")
    await spoil_file(tmp_path, "UPDATE numbers SET last = 'abc'")
    journal = await open_sqlite(tmp_path / "journal.db")
    assert set(await journal.heartbeats()) == {"a"}
    await grow(journal, LOG, "1")
    await journal.aclose()


@pytest.mark.parametrize("kind", DURABLE)
async def test_a_lost_tail_is_told_to_who_has_seen_it(kind: str, tmp_path: Path) -> None:
    """A log whose tail and head went back does not hold the head of who saw more."""
    journal = await KINDS[kind].open(tmp_path, None)
    head = await grow(journal, LOG, "1", "2")
    seen = await grow(journal, LOG, "3", "4")
    await journal.aclose()
    spoil = KINDS[kind].spoil
    assert spoil
    quoted = f"'{LOG}'"
    await spoil(tmp_path, "DELETE FROM entries WHERE version > 2")
    await spoil(
        tmp_path,
        "UPDATE logs SET version = 2, chain = (SELECT chain FROM entries WHERE version = 2) "
        f"WHERE log = {quoted}",
    )
    journal = await KINDS[kind].open(tmp_path, None)
    assert await bodies(journal, LOG) == ["1", "2"]
    assert await journal.since({LOG: seen}) == {LOG: None}
    assert heads(await journal.append([append_to(LOG, seen, "5")])) == [head]
    await journal.aclose()


@pytest.mark.parametrize("kind", DURABLE)
@pytest.mark.parametrize("change", ["kind", "tail", "all"])
async def test_a_damaged_log_spoils_no_answer_about_others(
    kind: str, change: str, tmp_path: Path
) -> None:
    """Asked what has come since, a store says of a damaged log that it lacks it."""
    journal = await changed(kind, tmp_path, CHANGES[change][0])
    await grow(journal, OTHER, "1")
    found = await journal.since({LOG: genesis(LOG), OTHER: genesis(OTHER)})
    assert found[LOG] is None
    entries = found[OTHER]
    assert entries
    assert [entry.body for entry in entries] == ["1"]
    await journal.aclose()
