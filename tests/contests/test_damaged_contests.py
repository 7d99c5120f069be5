"""What becomes of a contest whose own log, or a deal group of it, was changed in the store?"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest

from lastcard.v1 import contest_service_pb2 as pb
from lastcard.v1.rules_pb2 import RulesChoice
from lastcard_server.contests import runner
from lastcard_server.contests.contest import Contest, Stage, log_name
from lastcard_server.contests.contests import Contests
from lastcard_server.errors import Reason, Refusal
from lastcard_server.key_registry import KeyRegistry
from lastcard_server.keys import Caller, Role
from lastcard_server.servicers.contest import ContestServicer
from tests.contests.test_damaged_games import OWNER, contests_of, first_game, played_out, the_spec
from tests.journal.stores import DURABLE, KINDS
from tests.matches.durable import Shelf, eventually
from tests.matches.pods import Bot

ORGANISER = Caller(OWNER, Role.ORGANISER, "organiser")
SPEC = pb.ContestSpec(
    name="cup",
    rules=RulesChoice(preset="standard_no"),
    entrants=[pb.Entrant(name=name, house_strategy="random") for name in ("ann", "bob")],
    seat_count=2,
    schedule=pb.SCHEDULE_ROUND_ROBIN,
    block_count=1,
)
Call = Callable[[], Awaitable[object]]


@pytest.fixture(params=DURABLE)
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Shelf:
    """Return a store of each kind that lasts."""
    return Shelf(request.param, tmp_path)


async def move_time(shelf: Shelf, log: str, by_us: int) -> None:
    """Let the first entry of logs have been written at another time than it was."""
    spoil = KINDS[shelf.kind].spoil
    assert spoil
    where = f"version = 1 AND number IN (SELECT number FROM logs WHERE log LIKE '{log}')"
    await spoil(shelf.folder, f"UPDATE entries SET time_us = time_us + {by_us} WHERE {where}")


async def move_head(shelf: Shelf, log: str, by: int) -> None:
    """Let a log end at another version than it does."""
    spoil = KINDS[shelf.kind].spoil
    assert spoil
    await spoil(shelf.folder, f"UPDATE logs SET version = version + {by} WHERE log = '{log}'")


def calls_for(servicer: ContestServicer, contest_id: str) -> dict[str, Call]:
    """Return every call that concerns a contest, by name."""

    async def watch() -> None:
        request = pb.WatchContestRequest(contest_id=contest_id)
        async for _ in servicer.WatchContest(request, ORGANISER):
            return

    return {
        "create": lambda: servicer.CreateContest(
            pb.CreateContestRequest(spec=SPEC, request_id="cup"), ORGANISER
        ),
        "start": lambda: servicer.StartContest(
            pb.StartContestRequest(contest_id=contest_id), ORGANISER
        ),
        "get": lambda: servicer.GetContest(pb.GetContestRequest(contest_id=contest_id), ORGANISER),
        "standings": lambda: servicer.GetStandings(
            pb.GetStandingsRequest(contest_id=contest_id), ORGANISER
        ),
        "games": lambda: servicer.ListGames(pb.ListGamesRequest(contest_id=contest_id), ORGANISER),
        "watch": watch,
    }


def errors_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the lines at ERROR."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


async def test_a_contest_whose_log_is_damaged_is_refused_until_it_is_restored(
    shelf: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    """Every call says what is wrong, the log says it once, and other contests are played."""
    async with shelf.servers("a") as (pod,), contests_of(pod) as contests:
        contest_id, _ = await first_game(pod, contests)
        log = log_name(contest_id)
        before = await pod.journal.head(log)
    await move_time(shelf, log, by_us=1)
    async with shelf.servers("b") as (pod,), contests_of(pod) as contests:
        servicer = ContestServicer(contests, await KeyRegistry.open(pod.journal), ("random",))
        for name, call in calls_for(servicer, contest_id).items():
            with pytest.raises(Refusal) as refusal:
                await call()
            assert refusal.value.reason is Reason.HISTORY_LOST, name
            assert "until its operator restores it" in refusal.value.message
        other = await contests.create(OWNER, "another cup", the_spec())
        await contests.begin(other.contest_id)
        assert (await played_out(pod, contests, other.contest_id)).stage is Stage.FINISHED
        (line,) = errors_in(caplog)
        assert contest_id in line
        assert "entry 1 does not follow" in line
        assert "has lost" not in caplog.text
        assert contests.losses == 0
        assert await pod.journal.head(log) == before
    await move_time(shelf, log, by_us=-1)
    async with shelf.servers("c") as (pod,), contests_of(pod) as contests:
        assert (await played_out(pod, contests, contest_id)).stage is Stage.FINISHED


async def test_a_contest_that_is_restored_goes_on(tmp_path: Path) -> None:
    """Servers that share a database notice it by themselves."""
    shelf = Shelf("postgres", tmp_path)
    async with shelf.servers("a") as (pod,), contests_of(pod) as contests:
        contest_id, _ = await first_game(pod, contests)
    await move_time(shelf, log_name(contest_id), by_us=1)
    async with shelf.servers("b") as (pod,), contests_of(pod) as contests:
        with pytest.raises(Refusal):
            await contests.get(contest_id)
        await move_time(shelf, log_name(contest_id), by_us=-1)
        assert (await played_out(pod, contests, contest_id)).stage is Stage.FINISHED


async def test_nothing_is_written_behind_damage_while_a_contest_is_played(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The games are over; their contest waits, tells those who watch, and goes on once restored."""
    shelf = Shelf("postgres", tmp_path)
    async with shelf.servers("a") as (pod,), contests_of(pod) as contests:
        contest_id, _ = await first_game(pod, contests)
        log = log_name(contest_id)
        watching = asyncio.create_task(_watched(contests, contest_id))
        await asyncio.sleep(0)
        await move_head(shelf, log, by=1)
        for seat in range(2):
            await pod.matches.subscribe(f"key:{seat}", Bot(pod, Random(seat)))
        with pytest.raises(Refusal) as refusal:
            await asyncio.wait_for(watching, 20)
        assert refusal.value.reason is Reason.HISTORY_LOST
        with pytest.raises(Refusal):
            await contests.begin(contest_id)
        assert (await pod.journal.head(log)).version == 3, "its two entries and what was changed"
        assert len([line for line in errors_in(caplog) if contest_id in line]) == 1
        await move_head(shelf, log, by=-1)
        assert (await asyncio.wait_for(_watched(contests, contest_id), 40)).ledger


async def _watched(contests: Contests, contest_id: str) -> Contest:
    async for seen in contests.watch(contest_id):
        contest = seen
    return contest


@pytest.mark.parametrize("when", ["as it is played", "before it is resumed"])
async def test_a_contest_goes_on_without_a_damaged_deal_group(
    shelf: Shelf, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its block is played anew, with another group, and the games it had are called off."""
    monkeypatch.setattr(runner, "QUIET_SECONDS", 0.5)
    resumed = when == "before it is resumed"
    async with shelf.servers("a") as (pod,), contests_of(pod) as contests:
        contest_id, match_id = await first_game(pod, contests)
        if not resumed:
            await move_time(shelf, "group/%", by_us=1)
            contest = await played_out(pod, contests, contest_id)
    if resumed:
        await move_time(shelf, "group/%", by_us=1)
    async with shelf.servers("b") as (pod,), contests_of(pod) as contests:
        if resumed:
            contest = await played_out(pod, contests, contest_id)
        assert contest.stage is Stage.FINISHED
        assert [row.game.attempt for row in contest.ledger] == [1, 1]
        assert match_id not in {row.game.match for row in contest.ledger}

        async def are_over() -> bool:
            return not await pod.journal.logs("match/", live=True)

        await eventually(are_over)
