"""Are finished matches and contests deleted when they are old enough, and nothing else?"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from lastcard_server import retention
from lastcard_server.contests.contest import log_name
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.entry import chained, genesis
from lastcard_server.journal.open_store import open_store
from lastcard_server.journal.port import Append, Index, Journal, StoreCorrupt, StoreUnavailable
from lastcard_server.matches import groups
from lastcard_server.matches.deals import Pool
from lastcard_server.matches.registry import Leg, Matches
from lastcard_server.retention import DAY_US, Retention, deleting
from tests.matches.table import KEYS, START_US, ManualClock, setup_of

DAY_MS = DAY_US / 1000


@pytest.fixture
def clock() -> ManualClock:
    """Return a clock that is set by hand."""
    return ManualClock()


@pytest.fixture(params=["memory", "sqlite:{}/journal.sqlite"])
async def journal(
    request: pytest.FixtureRequest, clock: ManualClock, tmp_path: Path
) -> AsyncIterator[Journal]:
    """Return a store that runs by the clock."""
    store = await open_store(request.param.format(tmp_path), clock.now_us)
    yield store
    await store.aclose()


@pytest.fixture
async def matches(journal: Journal, clock: ManualClock) -> AsyncIterator[Matches]:
    """Return a registry on the store; a day is no time in which it was down."""
    registry = Matches(journal, KEYS, clock, {})
    await registry.start()
    yield registry
    await registry.aclose()


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test wait between two steps."""
    monkeypatch.setattr(retention, "PAUSE_SECONDS", 0)


async def lone(matches: Matches, name: str, *, over: bool = True) -> str:
    """Create a match and call it off; return its id."""
    match = await matches.create("key:creator", name, setup_of(2))
    if over:
        await matches.cancel(match.match_id, "key:creator")
    return match.match_id


async def legs(matches: Matches, group: str, count: int = 2) -> list[str]:
    """Create a deal group; return the ids of its matches."""
    ids = [KEYS.match_id("key:creator", f"{group}/{leg}") for leg in range(count)]
    made = [Leg(match_id, setup_of(2)) for match_id in ids]
    return [m.match_id for m in await matches.create_group("key:creator", group, made)]


async def contest(journal: Journal, contest_id: str, time_us: int, *, live: bool = False) -> None:
    """Write a contest's log, as far as retention reads it."""
    log = log_name(contest_id)
    entry = chained(genesis(log), "created", time_us, body="{}")
    index = Index(None, (), live=live, label="key:creator")
    head = await journal.head(log)
    if head.version:
        entry = chained(head, "ended", time_us, body="{}")
    assert await journal.append([Append(log, head, (entry,), index)]) == [None]


async def left(journal: Journal, ids: Sequence[str]) -> list[str]:
    """Return which matches are still in the store."""
    found = await journal.indexes([f"match/{match_id}" for match_id in ids])
    return [match_id for match_id in ids if f"match/{match_id}" in found]


async def test_a_match_goes_days_after_its_end(
    matches: Matches, journal: Journal, clock: ManualClock
) -> None:
    """It is kept to the microsecond; then nobody finds it any more, nor its record."""
    early = await lone(matches, "early")
    clock.advance(DAY_MS)
    late, live = await lone(matches, "late"), await lone(matches, "live", over=False)
    three_days = Retention(journal, 3)
    clock.us = START_US + 3 * DAY_US
    await three_days.sweep()
    assert await left(journal, [early, late, live]) == [early, late, live]
    clock.us += 1
    await three_days.sweep()
    assert await left(journal, [early, late, live]) == [late, live]
    for ask in (matches.get, matches.record):
        with pytest.raises(Refusal) as refused:
            await ask(early)
        assert refused.value.reason is Reason.NOT_FOUND
    assert (await matches.get(late)).over
    clock.us += 10**6 * DAY_US
    await three_days.sweep()
    assert await left(journal, [early, late, live]) == [live]


async def test_the_legs_of_a_group_go_together(
    matches: Matches, journal: Journal, clock: ManualClock
) -> None:
    """As long as one lives or is young all stay, lest the records of the others be closed."""
    early, late = await legs(matches, "g/0/1")
    await matches.cancel(early, "key:creator")
    clock.advance(2 * DAY_MS)
    one_day = Retention(journal, 1)
    await one_day.sweep()
    assert await left(journal, [early, late]) == [early, late]
    await matches.cancel(late, "key:creator")
    await one_day.sweep()
    assert await matches.record(early)
    clock.advance(DAY_MS + 1)
    await one_day.sweep()
    assert await left(journal, [early, late]) == []
    assert await groups.read(journal, "g/0/1") is None


@pytest.mark.parametrize("live", [True, False])
async def test_a_contest_keeps_its_matches(
    matches: Matches, journal: Journal, clock: ManualClock, *, live: bool
) -> None:
    """They go with it: not while it is played, nor while it is kept."""
    await contest(journal, "c", START_US, live=True)
    ids = await legs(matches, "c/0/1")
    for match_id in ids:
        await matches.cancel(match_id, "key:creator")
    clock.advance(5 * DAY_MS)
    if not live:
        await contest(journal, "c", clock.us)
    one_day = Retention(journal, 1)
    await one_day.sweep()
    assert await left(journal, ids) == ids
    if live:
        await contest(journal, "c", clock.us)
    clock.advance(DAY_MS + 1)
    await one_day.sweep()
    assert await journal.logs("contest/") == await journal.logs("group/") == []
    assert await left(journal, ids) == []


async def test_a_group_without_any_leg_goes(journal: Journal, clock: ManualClock) -> None:
    """A server that died between making a group and its first leg leaves nothing behind."""
    pool = Pool("c/0/1", "k1", bytes(32))
    await groups.create(journal, "key:creator", pool, ["a" * 26], clock.us)
    clock.advance(DAY_MS + 1)
    await Retention(journal, 1).sweep()
    assert await journal.logs("group/") == []


async def test_what_stays_does_not_stand_before_what_goes(
    matches: Matches, journal: Journal, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many old matches a contest that lives has, younger ones behind them are deleted."""
    monkeypatch.setattr(retention, "_PAGE", 3)
    monkeypatch.setattr(retention, "STEP", 2)
    await contest(journal, "c", START_US, live=True)
    kept = [m for block in range(4) for m in await legs(matches, f"c/{block}/1", 3)]
    for match_id in kept:
        await matches.cancel(match_id, "key:creator")
    clock.advance(1)
    gone = [await lone(matches, f"m{number}") for number in range(9)]
    clock.advance(2 * DAY_MS)
    await Retention(journal, 1).sweep()
    assert await left(journal, [*kept, *gone]) == kept


async def test_a_damaged_log_stays(
    matches: Matches, journal: Journal, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is left for people to look at; all others go."""
    bad, good = await lone(matches, "bad"), await lone(matches, "good")
    read = journal.read

    async def damaged(log: str, after: int = 0) -> object:
        if log == f"match/{bad}":
            raise StoreCorrupt("entry 1 is not what was written")
        return await read(log, after)

    monkeypatch.setattr(journal, "read", damaged)
    clock.advance(2 * DAY_MS)
    await Retention(journal, 1).sweep()
    assert await left(journal, [bad, good]) == [bad]


async def test_a_store_that_fails_is_asked_again(
    matches: Matches, journal: Journal, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever goes wrong, the next round deletes what this one could not."""
    match_id = await lone(matches, "old")
    clock.advance(2 * DAY_MS)
    monkeypatch.setattr(retention, "PERIOD_SECONDS", 0)
    ended, failures = journal.ended, [StoreUnavailable("away"), RuntimeError("broken")]

    async def failing(prefix: str, before_us: int, limit: int) -> list[str]:
        if failures:
            raise failures.pop()
        return await ended(prefix, before_us, limit)

    monkeypatch.setattr(journal, "ended", failing)
    async with asyncio.timeout(20), deleting(journal, 1):
        while await left(journal, [match_id]):  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0)
    assert not failures


async def test_nothing_is_deleted_by_default(
    matches: Matches, journal: Journal, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0 days are for ever."""
    match_id = await lone(matches, "old")
    clock.advance(10**6 * DAY_MS)
    monkeypatch.setattr(Retention, "run", None)
    async with deleting(journal, 0):
        assert await left(journal, [match_id]) == [match_id]
