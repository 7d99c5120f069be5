"""Do releases with different engine revisions agree on stores that last, at once and in turn?"""

import asyncio
from pathlib import Path
from random import Random

import pytest

from lastcard_engine.revisions import Revisions
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.port import Journal
from lastcard_server.matches.creation import LeftBehind, read_creation
from lastcard_server.matches.folding import replay
from lastcard_server.matches.match import Stage
from tests.journal.stores import DURABLE
from tests.matches.durable import Shelf, entries_of
from tests.matches.hall import answer_to
from tests.matches.pods import Pod
from tests.matches.table import KEYS, ManualClock, accepted, refused, seal, setup_of

OWNER = "key:creator"
OLD = Revisions(1, 1, 1)
NEW_ROLLED_OUT = Revisions(1, 2, 1)
NEW_RAISED = Revisions(1, 2, 2)
NEXT = Revisions(2, 2, 2)
SETUP = setup_of(2, action_cap=120, start_limit_ms=3_600_000, move_limit_ms=3_600_000)


async def play(match_id: str, dice: Random, *pods: Pod[Journal], steps: int = 400) -> bool:
    """Give the answers of a match to all servers, which in turn are asked; tell if it is over."""
    for step in range(steps):
        pod = pods[step % len(pods)]
        match = await pod.matches.get(match_id)
        if match.over:
            return True
        clock = ManualClock(pod.journal.now_us())
        commands = [answer_to(match, turn, dice, clock) for turn in match.turns.values()]
        answers = await asyncio.gather(*[each.matches.submit(commands) for each in pods])
        for outcomes in zip(*answers, strict=True):
            assert len({accepted(outcome).version for outcome in outcomes}) == 1
    return False


async def test_two_releases_play_one_match_on_a_database(tmp_path: Path) -> None:
    """As long as new matches take what both run, whichever gets an answer accepts it."""
    shelf = Shelf("postgres", tmp_path)
    async with (
        shelf.servers("old", revisions=OLD) as (old,),
        shelf.servers("new", revisions=NEW_ROLLED_OUT) as (new,),
    ):
        match_id = (await new.matches.create(OWNER, "r", SETUP)).match_id
        assert await play(match_id, Random(3), old, new)
        log = await entries_of(old, match_id)
    assert read_creation(log[0].body).revision == 1
    assert replay(match_id, log, KEYS, seal()).over


async def test_the_old_release_leaves_newer_matches_on_a_database_alone(tmp_path: Path) -> None:
    """It says which revision they take, ends none, and the new one plays on."""
    shelf = Shelf("postgres", tmp_path)
    async with (
        shelf.servers("old", revisions=OLD) as (old,),
        shelf.servers("new", revisions=NEW_RAISED) as (new,),
    ):
        match = await new.matches.create(OWNER, "r", SETUP)
        await assert_refused_by(old, match.match_id)
        assert await play(match.match_id, Random(1), new)
        assert (await new.matches.get(match.match_id)).stage is Stage.FINISHED


async def assert_refused_by(old: Pod[Journal], match_id: str) -> None:
    """Assert that an older server takes no part in a match, and finds nothing wrong with it."""
    with pytest.raises(Refusal) as refusal:
        await old.matches.get(match_id)
    assert refusal.value.reason is Reason.STORE_UNAVAILABLE
    assert "engine revision 2; this server runs 1" in refusal.value.message
    cache = old.matches._runtime.cache
    assert (cache.broken, set(cache.damaged), cache.foreign) == (set(), set(), {match_id})


@pytest.mark.parametrize("kind", DURABLE)
async def test_a_match_goes_on_over_a_rollout_and_back(kind: str, tmp_path: Path) -> None:
    """Releases that follow each other on a store play what both run to one end."""
    shelf, dice = Shelf(kind, tmp_path), Random(5)
    async with shelf.servers("a", revisions=OLD) as (pod,):
        match_id = (await pod.matches.create(OWNER, "r", SETUP)).match_id
        assert not await play(match_id, dice, pod, steps=5)
    async with shelf.servers("b", revisions=NEW_RAISED) as (pod,):
        assert (await pod.matches.get(match_id)).revision == 1
        assert not await play(match_id, dice, pod, steps=5)
    async with shelf.servers("c", revisions=OLD) as (pod,):
        assert await play(match_id, dice, pod)
        assert replay(match_id, await entries_of(pod, match_id), KEYS, seal()).over


@pytest.mark.parametrize("kind", DURABLE)
async def test_a_newer_match_waits_while_an_older_release_is_back(
    kind: str, tmp_path: Path
) -> None:
    """That one refuses it; a release that would leave a live match behind does not start."""
    shelf = Shelf(kind, tmp_path)
    async with shelf.servers("a", revisions=NEW_RAISED) as (pod,):
        match = await pod.matches.create(OWNER, "r", SETUP)
        assert not await play(match.match_id, Random(2), pod, steps=5)
        command = answer_to(
            match, next(iter(match.turns.values())), Random(1), ManualClock(pod.journal.now_us())
        )
    async with shelf.servers("b", revisions=OLD) as (pod,):
        await assert_refused_by(pod, match.match_id)
        outcome = refused((await pod.matches.submit([command]))[0])
        assert outcome.reason is Reason.STORE_UNAVAILABLE
        left = (await pod.matches.create(OWNER, "old", SETUP)).match_id
    with pytest.raises(LeftBehind, match="takes engine revision 1 and this release runs 2;"):
        async with shelf.servers("c", revisions=NEXT):
            pass
    async with shelf.servers("d", revisions=NEW_ROLLED_OUT) as (pod,):
        await pod.matches.cancel(left, OWNER)
    async with shelf.servers("e", revisions=NEXT) as (pod,):
        assert await play(match.match_id, Random(4), pod)
