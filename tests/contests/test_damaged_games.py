"""Does a contest come to its end whatever was changed in the logs of its games?"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from lastcard_server.contests.contest import Contest, Stage
from lastcard_server.contests.contests import Contests
from lastcard_server.contests.spec import Entrant, Spec, seats_of
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.port import Journal
from lastcard_server.matches import saving, snapshots
from lastcard_server.matches.match import Stage as Standing
from tests.contests.fakes import a_spec
from tests.journal.stores import DURABLE
from tests.matches.durable import Shelf, a_clock, eventually, play_to_a_snapshot
from tests.matches.hall import answer_to
from tests.matches.pods import Bot, Pod
from tests.matches.table import KEYS, setup_of

OWNER = "key:creator"


@pytest.fixture(params=DURABLE)
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Shelf:
    """Return a store of each kind that lasts."""
    return Shelf(request.param, tmp_path)


@pytest.fixture(params=[1, 6], ids=["without a snapshot", "with a snapshot"])
def rounds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many rounds a game has; before all but the first a snapshot may be taken."""
    monkeypatch.setattr(snapshots, "EVERY", 1)
    monkeypatch.setattr(saving, "EVERY_SECONDS", 0.001)
    return int(request.param)


def the_spec(rounds: int = 1) -> Spec:
    """Return a contest of one block, two games between two keys."""
    entrants = tuple(Entrant(f"bot {key}", f"key:{key}") for key in range(2))
    spec = replace(a_spec(entrants=2, seats=2, blocks=1), entrants=entrants)
    match = setup_of(2, rounds=rounds, action_cap=600 * rounds, start_limit_ms=3_600_000)
    return replace(spec, match=replace(match, seats=seats_of(entrants, range(2))))


@asynccontextmanager
async def contests_of(pod: Pod[Journal]) -> AsyncIterator[Contests]:
    """Play contests at a server."""
    contests = Contests(pod.journal, pod.matches, KEYS, pod.journal)
    await contests.start()
    yield contests
    await contests.aclose()


async def first_game(pod: Pod[Journal], contests: Contests, rounds: int = 1) -> tuple[str, str]:
    """Begin a contest; return its id and that of a game in which both are ready."""
    contest = await contests.create(OWNER, "cup", the_spec(rounds))
    await contests.begin(contest.contest_id)

    async def is_begun() -> bool:
        return len(await pod.journal.logs("match/")) == 2

    await eventually(is_begun)
    games = await pod.journal.logs("match/")
    match = await pod.matches.get(games[0].log.removeprefix("match/"))
    for seat in range(2):
        await pod.matches.submit([answer_to(match, match.turns[seat], Random(seat), a_clock(pod))])
    return contest.contest_id, match.match_id


async def played_out(pod: Pod[Journal], contests: Contests, contest_id: str) -> Contest:
    """Let two bots play until a contest is finished."""
    for seat in range(2):
        await pod.matches.subscribe(f"key:{seat}", Bot(pod, Random(seat)))
    async with asyncio.timeout(60):
        async for seen in contests.watch(contest_id):
            contest = seen
    return contest


@pytest.mark.parametrize("version", [1, 2])
async def test_a_contest_goes_on_without_a_damaged_game(
    shelf: Shelf, version: int, rounds: int
) -> None:
    """Its block is played anew, like that of any frozen match, and the contest ends."""
    async with shelf.servers("a") as (pod,), contests_of(pod) as contests:
        contest_id, match_id = await first_game(pod, contests, rounds)
        if rounds > 1:
            await play_to_a_snapshot(pod, match_id)
    await shelf.move_time(match_id, version, by_us=1)
    async with shelf.servers("b") as (pod,), contests_of(pod) as contests:
        contest = await played_out(pod, contests, contest_id)
        assert contest.stage is Stage.FINISHED
        assert [row.game.attempt for row in contest.ledger] == [1, 1]
        assert match_id not in {row.game.match for row in contest.ledger}
        assert pod.matches.counts.matches_quarantined == 1


async def test_a_game_whose_log_is_damaged_when_it_ends_does_not_count(
    shelf: Shelf, rounds: int
) -> None:
    """Its record could not be proved."""
    async with shelf.servers("a") as (pod,), contests_of(pod) as contests:
        contest_id, match_id = await first_game(pod, contests, rounds)
        await shelf.move_time(match_id, 1, by_us=1)
        contest = await played_out(pod, contests, contest_id)
        assert contest.stage is Stage.FINISHED
        assert [row.game.attempt for row in contest.ledger] == [1, 1]
        with pytest.raises(Refusal) as refusal:
            await pod.matches.record(match_id)
        assert refusal.value.reason is Reason.HISTORY_LOST


async def test_the_home_of_a_contest_hears_of_damage_from_another_server(tmp_path: Path) -> None:
    """Which of them has read the game does not matter."""
    database = Shelf("postgres", tmp_path)
    async with database.servers("a", "b") as (one, two), contests_of(one) as contests:
        contest_id, match_id = await first_game(one, contests)
        await database.move_time(match_id, 2, by_us=1)

        async def is_found() -> bool:
            found = [await pod.matches.get(match_id) for pod in (two, one)]
            return all(match.stage is Standing.FROZEN for match in found)

        await eventually(is_found)
        contest = await played_out(one, contests, contest_id)
        assert [row.game.attempt for row in contest.ledger] == [1, 1]
