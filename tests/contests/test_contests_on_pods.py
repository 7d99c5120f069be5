"""Is a contest played by the one server that is its home, and does it survive what befalls it?"""

import asyncio
import logging
from collections.abc import Callable, Collection
from functools import partial
from random import Random
from typing import cast

import pytest

from lastcard_server.contests import contests as module
from lastcard_server.contests import ends
from lastcard_server.contests.contest import Contest, Stage
from lastcard_server.contests.contests import Contests
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.entry import chained, genesis
from lastcard_server.journal.port import Append, Hint, Index
from lastcard_server.matches.registry import Matches
from lastcard_server.secrets import ServerKeys
from tests.contests.fakes import FakeMatch, FakeMatches, World, a_spec
from tests.matches.pods import Database, PodJournal

KEYS = ServerKeys({"k": bytes(32)})
SECONDS = 20.0


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what happens every second happen a hundred times as often."""
    for each in (module, ends):
        monkeypatch.setattr(each, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(module, "GATHER_SECONDS", 0.001)


class Clock:
    """A clock that stands."""

    def now_us(self) -> int:
        """Return always the same time."""
        return 1_700_000_000_000_000


class Journal(PodJournal):
    """A server's journal, in which the matches of a world have their indexes."""

    def __init__(self, database: Database, world: World) -> None:
        super().__init__(database)
        self._world = world

    async def indexes(self, logs: Collection[str]) -> dict[str, Index]:
        """Return what is known of matches."""
        self._call("indexes")
        known = {f"match/{name}": match for name, match in self._world.matches.items()}
        return {
            log: Index(None, (), live=not known[log].over, label="") for log in logs if log in known
        }


class Pods:
    """Servers on one journal, of which one is the home of everything."""

    def __init__(self) -> None:
        self.database = Database()
        self.world = World()
        self.home = "a"
        self.contests: dict[str, Contests] = {}

    async def start(self, name: str) -> Contests:
        """Start a server."""
        matches = FakeMatches(self.world)
        self.contests[name] = Contests(
            Journal(self.database, self.world),
            cast("Matches", matches),
            KEYS,
            Clock(),
            lambda _: self.home == name,
        )
        await self.contests[name].start()
        return self.contests[name]

    def playing(self) -> list[str]:
        """Return which servers play anything."""
        return [name for name, contests in self.contests.items() if contests._running]

    def end(self, match: FakeMatch) -> None:
        """End a match, of which the servers hear unless hints are lost."""
        self.world.end(match)
        if not self.database.deaf:
            for view in self.database.views:
                view.heard.tell([Hint(f"match/{match.match_id}", live=False)])

    async def play_out(self, watched: Contest, games: int) -> None:
        """End matches one by one until so many games of a contest are finished."""
        random = Random(1)
        async with asyncio.timeout(SECONDS):
            while watched.finished_games < games:
                await asyncio.sleep(0.001)
                if live := self.world.live():
                    self.end(random.choice(live))

    async def aclose(self) -> None:
        """Stop all."""
        await asyncio.gather(*(contests.aclose() for contests in self.contests.values()))


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something."""
    async with asyncio.timeout(SECONDS):
        while not condition():  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("deaf", [False, True])
async def test_a_contest_moves_with_its_home(*, deaf: bool) -> None:
    """Started anywhere, it is played at home alone; where that moves, it goes on from there."""
    pods = Pods()
    pods.database.deaf = deaf
    a, b = await pods.start("a"), await pods.start("b")
    contest = await b.create("key:o", "r", a_spec(blocks=6, concurrency=8))
    await b.begin(contest.contest_id)
    await until(lambda: pods.playing() == ["a"])
    await pods.play_out(await a.get(contest.contest_id), 9)
    pods.home = "b"
    await until(lambda: pods.playing() == ["b"])
    await pods.play_out(contest, 24)
    await until(lambda: contest.stage is Stage.FINISHED)
    for contests in (a, b):
        found = await contests.get(contest.contest_id)
        assert [row.game.game for row in found.ledger] == list(range(24))
        assert (await contests.standings(contest.contest_id))[1] == 6
    assert len(pods.world.matches) == 24
    assert pods.world.most_live <= 8
    await pods.aclose()
    kinds = [e.kind for e in await pods.database.core.read(f"contest/{contest.contest_id}")]
    assert kinds == ["created", "started", *["game"] * 24, "ended"]


async def test_a_dead_server_is_followed_by_the_next_home() -> None:
    """What was played while nobody looked counts."""
    pods = Pods()
    a, b = await pods.start("a"), await pods.start("b")
    contest = await a.create("key:o", "r", a_spec(blocks=2, concurrency=8))
    await a.begin(contest.contest_id)
    await until(lambda: len(pods.world.matches) == 8)
    await a.aclose()
    for match in pods.world.live():
        pods.world.end(match)
    pods.home = "b"
    found = await b.get(contest.contest_id)
    await until(lambda: found.stage is Stage.FINISHED)
    assert len(found.ledger) == len(pods.world.matches) == 8
    await pods.aclose()


async def test_a_runner_follows_no_match() -> None:
    """Only indexes are asked for, and a match is read once it is over."""
    pods = Pods()
    a = await pods.start("a")
    contest = await a.create("key:o", "r", a_spec(blocks=2, concurrency=8))
    await a.begin(contest.contest_id)
    await until(lambda: len(pods.world.matches) == 8)
    await pods.play_out(contest, 4)
    assert not any(match.sinks for match in pods.world.matches.values())
    await pods.aclose()


async def test_an_end_that_memory_lags_behind_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A match whose index says that it is over is no match without result."""
    pods = Pods()
    a = await pods.start("a")
    contest = await a.create("key:o", "r", a_spec(blocks=1, concurrency=4))
    await a.begin(contest.contest_id)
    await until(lambda: len(pods.world.matches) == 4)
    first = pods.world.live()[0]
    looks = []

    def over(match: FakeMatch) -> bool:
        looks.append(match)
        return match.result is not None and (match is not first or looks.count(first) > 5)

    journal = cast("Journal", a._journal)
    indexes = partial(Journal.indexes, journal)

    async def truth(logs: Collection[str]) -> dict[str, Index]:
        with monkeypatch.context() as patch:
            patch.setattr(FakeMatch, "over", property(lambda match: match.result is not None))
            return await indexes(logs)

    monkeypatch.setattr(journal, "indexes", truth)
    monkeypatch.setattr(FakeMatch, "over", property(over))
    await pods.play_out(contest, 4)
    assert looks.count(first) > 5
    assert [row.game.attempt for row in contest.ledger] == [0] * 4
    await pods.aclose()


@pytest.mark.parametrize("kept", [2, 5])
async def test_a_store_that_was_put_back_is_right(
    kept: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Servers fold what it holds, say so, and the contest goes on to its end."""
    pods = Pods()
    a, b = await pods.start("a"), await pods.start("b")
    contest = await a.create("key:o", "r", a_spec(blocks=3, concurrency=4))
    await a.begin(contest.contest_id)
    await b.get(contest.contest_id)
    await pods.play_out(contest, 7)
    with caplog.at_level(logging.WARNING):
        pods.database.roll_back(f"contest/{contest.contest_id}", kept)
        await until(lambda: a.losses > 0 < b.losses)
    assert "the store has lost a part of contest" in caplog.text
    for contests in (a, b):
        found = await contests.get(contest.contest_id)
        await pods.play_out(found, 12)
        assert [row.game.game for row in found.ledger] == list(range(12))
    await pods.aclose()


async def test_a_watch_anywhere_hears_all() -> None:
    """Who watches on another server hears of every game, and of the end."""
    pods = Pods()
    pods.database.deaf = True
    a, b = await pods.start("a"), await pods.start("b")
    contest = await a.create("key:o", "r", a_spec(blocks=2, concurrency=8))
    told: list[tuple[Stage, int]] = []

    async def watch() -> None:
        async for now in b.watch(contest.contest_id):
            told.append((now.stage, now.finished_games))  # noqa: PERF401 - looked at meanwhile

    watching = asyncio.create_task(watch())
    await until(lambda: told == [(Stage.CREATED, 0)])
    await a.begin(contest.contest_id)
    await until(lambda: told[-1][0] is Stage.RUNNING)
    await pods.play_out(contest, 8)
    await asyncio.wait_for(watching, SECONDS)
    assert told[-1] == (Stage.FINISHED, 8)
    assert [games for _, games in told] == sorted(games for _, games in told)
    await pods.aclose()


UNREADABLE = [("paused", "{}"), ("created", "{}"), ("created", "[]"), ("game", "nonsense")]


@pytest.mark.parametrize(("kind", "body"), UNREADABLE)
async def test_a_contest_that_cannot_be_read_holds_up_no_other(
    caplog: pytest.LogCaptureFixture, kind: str, body: str
) -> None:
    """Of a newer release, say: no server ends by it or fails to start, and it is said once."""
    pods = Pods()
    a, core = await pods.start("a"), pods.database.core
    entry = chained(genesis("contest/newer"), kind, core.now_us(), body=body)
    index = Index(None, (), live=True, label="key:o")
    append = Append("contest/newer", genesis("contest/newer"), (entry,), index)
    assert await core.append([append]) == [None]
    await until(lambda: "entry 1 of the log contest/newer cannot be read" in caplog.text)
    pods.home = "b"
    b = await pods.start("b")
    contest = await b.create("key:o", "r", a_spec(blocks=2))
    await b.begin(contest.contest_id)
    await pods.play_out(contest, 8)
    await until(lambda: contest.stage is Stage.FINISHED)
    with pytest.raises(Refusal, match="cannot read the contest; ask its operator") as refusal:
        await a.get("newer")
    assert refusal.value.reason is Reason.STORE_UNAVAILABLE
    assert not any(each._matches.broken.is_set() for each in (a, b))
    assert len([r for r in caplog.records if r.levelno == logging.ERROR]) == 2
    await pods.aclose()
