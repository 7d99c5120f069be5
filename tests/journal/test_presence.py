"""Does a store tell who is alive, whom they serve, and what has grown?"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from lastcard_server.journal.port import Beat, Hint, Index, Journal
from tests.journal.logs import LIVE, LOG, OVER, append_to, grow
from tests.journal.stores import Kind

DAY_US = 24 * 3600 * 1_000_000


def turn_of(*owners: str) -> Index:
    """Return the index of a live log in which these are to act."""
    return LIVE._replace(owners=owners)


async def next_of(hints: AsyncIterator[Hint], count: int) -> set[Hint]:
    """Return so many hints, in whatever order they come."""
    return {await asyncio.wait_for(anext(hints), 5) for _ in range(count)}


async def test_hints_name_logs_that_grew(journal: Journal) -> None:
    """Whoever listens hears of later appends, and the end of the store ends the hints."""
    await grow(journal, "early", "1")
    hints = journal.hints()
    others = journal.hints()
    await grow(journal, LOG, "1", index=turn_of("key:a"))
    await grow(journal, "keys", "1")
    assert {hint.log for hint in await next_of(hints, 2)} == {LOG, "keys"}
    waiting = asyncio.ensure_future(anext(hints))
    await asyncio.sleep(0)
    await journal.aclose()
    with pytest.raises(StopAsyncIteration):
        await waiting
    assert {hint.log async for hint in others} == {LOG, "keys"}


async def test_hints_tell_what_is_over_and_what_has_moved(journal: Journal) -> None:
    """A hint says that a log is over, and never hides that its owners have changed."""
    await grow(journal, LOG, "1", index=turn_of("key:a"))
    hints = journal.hints()
    await grow(journal, LOG, "2", index=turn_of("key:b"))
    assert await next_of(hints, 1) == {Hint(LOG, live=True, moved=True)}
    await grow(journal, LOG, "3", index=OVER)
    assert await next_of(hints, 1) == {Hint(LOG, live=False, moved=True)}


async def test_hints_of_one_log_become_one(journal: Journal) -> None:
    """Who is slow to listen hears of a log once, as it is, and that it has moved meanwhile."""
    await grow(journal, LOG, "1", index=turn_of("key:a"))
    hints = journal.hints()
    await grow(journal, LOG, "2", index=turn_of("key:b"))
    await grow(journal, LOG, "3", index=turn_of("key:b"))
    await grow(journal, "keys", "1")
    heard = {hint.log: hint for hint in await next_of(hints, 2)}
    assert heard.keys() == {LOG, "keys"}
    assert heard[LOG] == Hint(LOG, live=True, moved=True)


async def test_a_refused_append_gives_no_hint(journal: Journal) -> None:
    """Nobody hears that a log is over because somebody late believed it."""
    await grow(journal, LOG, "1", index=turn_of("key:a"))
    hints = journal.hints()
    late = append_to(LOG, None, "late", index=OVER)
    assert await journal.append([late]) != [None]
    await grow(journal, LOG, "2", index=turn_of("key:b"))
    (hint,) = await next_of(hints, 1)
    assert (hint.log, hint.live) == (LOG, True)


async def test_heartbeats_remember_each_pod(journal: Journal) -> None:
    """The last sign of life of every pod is known."""
    assert await journal.heartbeats() == {}
    before = journal.now_us()
    await journal.heartbeat("a")
    await journal.heartbeat("b")
    first = await journal.heartbeats()
    await journal.heartbeat("a")
    second = await journal.heartbeats()
    times = [before, first["a"].time_us, first["b"].time_us, second["a"].time_us]
    assert times == sorted(times)
    assert times[-1] <= journal.now_us()
    assert second["b"] == first["b"] == Beat(first["b"].time_us, frozenset(), serving=True)


async def test_heartbeats_tell_whom_a_pod_serves(journal: Journal) -> None:
    """A beat names the owners with a stream there; one without leaves them, an empty one clears."""
    await journal.heartbeat("a", ["key:x", "house"])
    await journal.heartbeat("b", {"key:y"})
    assert (await journal.heartbeats())["a"].owners == {"key:x", "house"}
    await journal.heartbeat("a")
    assert (await journal.heartbeats())["a"].owners == {"key:x", "house"}
    await journal.heartbeat("a", ())
    beats = await journal.heartbeats()
    assert beats["a"].owners == frozenset()
    assert beats["b"].owners == {"key:y"}


async def test_a_pod_takes_its_leave(journal: Journal) -> None:
    """A pod that says it no longer serves is known as such until it says otherwise."""
    await journal.heartbeat("a", ["key:x"])
    await journal.heartbeat("a", [], serving=False)
    assert (await journal.heartbeats())["a"].serving is False
    await journal.heartbeat("a")
    assert (await journal.heartbeats())["a"].serving is True


async def test_a_pod_is_forgotten_after_a_day(kind: Kind, tmp_path: Path) -> None:
    """A pod that was silent for a day falls out when another one beats; a living one stays."""
    now = [1_000_000]
    journal = await kind.open(tmp_path, lambda: now[0])
    await journal.heartbeat("old", ["key:x"])
    now[0] += 1
    await journal.heartbeat("young")
    now[0] += DAY_US
    await journal.heartbeat("new")
    assert {*await journal.heartbeats()} == {"young", "new"}
    await journal.aclose()
