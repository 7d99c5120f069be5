"""Do contests play to their end over a journal, across kills, retries and other servers?"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import cast

import pytest

from lastcard_server.contests import contests as module
from lastcard_server.contests import runner
from lastcard_server.contests.contest import Contest, Stage
from lastcard_server.contests.contests import Contests
from lastcard_server.contests.schedule import seat_map
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.memory import MemoryJournal
from lastcard_server.journal.port import Append, Conflict, StoreUnavailable
from lastcard_server.matches.registry import Matches
from lastcard_server.secrets import ServerKeys
from tests.contests.fakes import FakeMatches, World, a_spec

KEYS = ServerKeys({"k": bytes(32)})


class Clock:
    """A clock that stands."""

    def now_us(self) -> int:
        """Return always the same time."""
        return 1_700_000_000_000_000


class FlakyJournal(MemoryJournal):
    """A journal that cannot be written every now and then."""

    refusals = 0
    appends = 0

    async def append(self, appends: Sequence[Append]) -> list[Conflict | None]:
        """Refuse every third append."""
        self.appends += 1
        if self.appends % 3 == 0:
            self.refusals += 1
            raise StoreUnavailable("disk full")
        return await super().append(appends)


def a_server(journal: MemoryJournal, world: World) -> tuple[Contests, FakeMatches]:
    """Return the contests of a server over a journal and a world."""
    matches = FakeMatches(world)
    return Contests(journal, cast("Matches", matches), KEYS, Clock()), matches


async def settle() -> None:
    """Let every task run until it waits."""
    for _ in range(60):
        await asyncio.sleep(0)


async def play_out(contests: Contests, world: World, contest: Contest) -> None:
    """End matches one by one until the contest is finished."""
    random = Random(1)
    async with asyncio.timeout(20):
        while contest.stage is not Stage.FINISHED:
            await settle()
            if live := world.live():
                world.end(random.choice(live))
    await contests.aclose()


async def test_a_contest_is_played_to_its_end() -> None:
    """Every game is played once, never more at once than may run, and the standings count all."""
    journal, world = MemoryJournal(), World()
    contests, _ = a_server(journal, world)
    spec = a_spec(blocks=5, concurrency=8)
    contest = await contests.create("key:o", "r", spec)
    await contests.begin(contest.contest_id)
    await play_out(contests, world, contest)
    assert len(world.matches) == len(contest.ledger) == 20
    assert world.most_live <= 8
    assert contest.decisions == 20 * 40
    _, blocks, table = await contests.standings(contest.contest_id)
    assert blocks == 5
    assert {row.games for row in table} == {20}
    assert sum(row.wins for row in table) == pytest.approx(20)
    assert sum(row.faults.get("late", 0) for row in table) == 20


async def test_the_legs_of_a_block_share_a_deal_group() -> None:
    """The group is the block's alone; match ids follow from contest, block, leg and attempt."""
    journal, world = MemoryJournal(), World()
    contests, _ = a_server(journal, world)
    contest = await contests.create("key:o", "r", a_spec(blocks=2, concurrency=8))
    await contests.begin(contest.contest_id)
    await settle()
    groups: dict[str, list[str]] = {}
    for match in world.matches.values():
        groups.setdefault(match.group, []).append(match.match_id)
    assert groups == {
        f"{contest.contest_id}/{block}/0": [
            KEYS.game_id(contest.contest_id, block, leg, 0) for leg in range(4)
        ]
        for block in range(2)
    }
    await contests.aclose()


async def test_a_killed_server_is_followed_by_another() -> None:
    """Servers that are killed at any moment leave a contest that ends with every game once."""
    journal, world, random = MemoryJournal(), World(), Random(3)
    contests, _ = a_server(journal, world)
    contest = await contests.create("key:o", "r", a_spec(blocks=6, concurrency=8))
    await contests.begin(contest.contest_id)
    for _ in range(12):
        for _ in range(random.randrange(30)):
            await asyncio.sleep(0)
        await contests.aclose()  # a kill: nothing is written any more
        for match in random.sample(world.live(), min(2, len(world.live()))):
            match.sinks.clear()
            world.end(match)  # while no server is there
        contests, _ = a_server(journal, world)
        await contests.start()
    contest = await contests.get(contest.contest_id)
    await play_out(contests, world, contest)
    assert [row.game.game for row in contest.ledger] == list(range(24))
    assert len({row.game.match for row in contest.ledger}) == len(world.matches) == 24


async def test_two_servers_may_play_one_contest() -> None:
    """Double starts meet in the same matches, and of two results one is written."""
    journal, world = MemoryJournal(), World()
    first, _ = a_server(journal, world)
    second, _ = a_server(journal, world)
    contest = await first.create("key:o", "r", a_spec(blocks=4, concurrency=8))
    await first.begin(contest.contest_id)
    await second.start()
    await play_out(first, world, contest)
    await settle()
    await second.aclose()
    kinds = [entry.kind for entry in await journal.read(f"contest/{contest.contest_id}")]
    assert kinds == ["created", "started", *["game"] * 16, "ended"]
    assert len(world.matches) == 16


async def test_a_store_that_cannot_be_written_is_tried_again() -> None:
    """Results that could not be written are written later, each once."""
    journal, world = FlakyJournal(), World()
    contests, _ = a_server(journal, world)
    contest = await contests.create("key:o", "r", a_spec(blocks=3, concurrency=4))
    await contests.begin(contest.contest_id)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "FIRST_PAUSE_SECONDS", 0.001)
        await play_out(contests, world, contest)
    assert journal.refusals >= 3
    assert [row.game.game for row in contest.ledger] == list(range(12))


async def test_a_cancelled_match_has_its_whole_block_played_again() -> None:
    """The other legs of the block are cancelled, and all are played under a new deal."""
    journal, world = MemoryJournal(), World()
    contests, matches = a_server(journal, world)
    contest = await contests.create("key:o", "r", a_spec(blocks=2, concurrency=8))
    await contests.begin(contest.contest_id)
    await settle()
    first = world.live()
    world.end(first[0])
    await settle()
    world.end(first[1], "cancelled")
    await settle()
    assert matches.cancelled == [first[2].match_id, first[3].match_id]
    assert {match.group for match in world.live()} == {
        f"{contest.contest_id}/0/1",
        f"{contest.contest_id}/1/0",
    }
    await play_out(contests, world, contest)
    assert [row.game.attempt for row in contest.ledger] == [1] * 4 + [0] * 4


async def test_creating_twice_gives_the_same_contest() -> None:
    """The same request is the same contest; another under its request_id is refused."""
    journal, world = MemoryJournal(), World()
    contests, _ = a_server(journal, world)
    both = await asyncio.gather(*(contests.create("key:o", "r", a_spec()) for _ in range(2)))
    assert both[0] is both[1]
    assert len(await journal.read(f"contest/{both[0].contest_id}")) == 1
    with pytest.raises(Refusal) as refused:
        await contests.create("key:o", "r", a_spec(name="other"))
    assert refused.value.reason is Reason.REQUEST_ID_REUSED
    other = await contests.create("key:p", "r", a_spec(name="other"))
    assert other.contest_id != both[0].contest_id


async def test_what_does_not_exist_is_not_found() -> None:
    """Every read of an unknown contest is refused alike and nothing is kept of it."""
    contests, _ = a_server(MemoryJournal(), World())
    for call in (contests.get, contests.begin, contests.standings):
        with pytest.raises(Refusal) as refused:
            await call("z" * 26)
        assert refused.value.reason is Reason.NOT_FOUND
    assert contests._logs == {}


async def test_a_schedule_that_cannot_be_is_refused() -> None:
    """Too few entrants are refused as a bad field, and nothing is created."""
    journal = MemoryJournal()
    contests, _ = a_server(journal, World())
    with pytest.raises(Refusal) as refused:
        await contests.create("key:o", "r", replace(a_spec(), squares=seat_map(5)))
    assert refused.value.reason is Reason.BAD_FIELD
    assert await journal.logs("contest/") == []


async def test_starting_twice_changes_nothing() -> None:
    """A contest that runs, or is finished, stays as it is when it is started."""
    journal, world = MemoryJournal(), World()
    contests, _ = a_server(journal, world)
    contest = await contests.create("key:o", "r", a_spec(blocks=1))
    await asyncio.gather(*(contests.begin(contest.contest_id) for _ in range(3)))
    assert contest.head.version == 2
    await play_out(contests, world, contest)
    await contests.begin(contest.contest_id)
    assert contest.stage is Stage.FINISHED


async def test_a_watch_begins_with_the_present_and_ends_with_the_contest() -> None:
    """Watching tells growing numbers of finished games, from creation to the end."""
    journal, world = MemoryJournal(), World()
    contests, _ = a_server(journal, world)
    contest = await contests.create("key:o", "r", a_spec(blocks=2))
    told: list[tuple[Stage, int]] = []

    async def watch() -> None:
        async for now in contests.watch(contest.contest_id):
            told.append((now.stage, now.finished_games))  # noqa: PERF401 - looked at meanwhile

    watching = asyncio.create_task(watch())
    await settle()
    assert told == [(Stage.CREATED, 0)]
    await contests.begin(contest.contest_id)
    await play_out(contests, world, contest)
    await asyncio.wait_for(watching, 5)
    assert told[-1] == (Stage.FINISHED, 8)
    assert [games for _, games in told] == sorted(games for _, games in told)


async def test_finished_contests_leave_memory_and_can_be_read_again() -> None:
    """Only a few finished contests are kept; a forgotten one reads the same from the journal."""
    journal, world = MemoryJournal(), World()
    contests, _ = a_server(journal, world)
    ids = []
    for number in range(module.AT_REST_MAX + 3):
        contest = await contests.create("key:o", f"r{number}", a_spec(blocks=1))
        await contests.begin(contest.contest_id)
        await play_out(contests, world, contest)
        ids.append(contest.contest_id)
    await contests.get(ids[-1])
    assert len(contests._logs) <= module.AT_REST_MAX + 1
    assert ids[0] not in contests._logs
    assert len((await contests.get(ids[0])).ledger) == 4


async def test_a_finished_contest_that_was_deleted_is_not_found() -> None:
    """Not even where it is still in memory."""
    journal, world = MemoryJournal(), World()
    contests, _ = a_server(journal, world)
    contest = await contests.create("key:o", "r", a_spec(blocks=1))
    await contests.begin(contest.contest_id)
    await play_out(contests, world, contest)
    assert await contests.get(contest.contest_id) is contest
    await journal.forget([f"contest/{contest.contest_id}"])
    for ask in (contests.get, contests.standings, contests.begin):
        with pytest.raises(Refusal) as refused:
            await ask(contest.contest_id)
        assert refused.value.reason is Reason.NOT_FOUND
