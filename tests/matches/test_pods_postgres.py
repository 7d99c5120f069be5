"""Do servers on one PostgreSQL database play as those in the tests of `test_pods`?"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from lastcard_server.journal.entry import Entry, Head
from lastcard_server.journal.port import Journal
from lastcard_server.journal.postgres import open_postgres
from lastcard_server.matches.commands import Accepted
from lastcard_server.matches.folding import replay
from lastcard_server.matches.match import Stage, log_of
from tests.matches.hall import Player
from tests.matches.pods import Bot, Pod, assert_kept, served
from tests.matches.table import KEYS, seal, setup_of
from tests.postgres import running_server

OWNER = "key:creator"


@asynccontextmanager
async def servers(
    folder: Path, *names: str, notify: bool = True
) -> AsyncIterator[list[Pod[Journal]]]:
    """Run servers, each with a connection of its own to one database."""
    address = await running_server().database(str(folder))
    opened = partial(open_postgres, address, unsafe=True, notify=notify)
    async with served(opened, *names) as running:
        yield running


async def test_seats_on_different_servers_play_one_match_promptly(tmp_path: Path) -> None:
    """Each server hears of the other's entries by the database's notifications."""
    async with servers(tmp_path, "a", "b") as (one, two):
        bots = [Bot(one, Random(1)), Bot(two, Random(2))]
        for seat, bot in enumerate(bots):
            await bot.pod.matches.subscribe(f"key:{seat}", bot)
        match = await one.matches.create(OWNER, "r", setup_of(2, action_cap=100))
        async with asyncio.timeout(60):
            for bot in bots:
                await bot.ended.wait()
        entries = await one.journal.read(log_of(match.match_id))
        final = replay(match.match_id, entries, KEYS, seal())
        assert final.stage is Stage.FINISHED
        assert not any(seat.faults for seat in final.seats)
        assert all(isinstance(o, Accepted) for bot in bots for o in bot.outcomes)
        answers = [entry.time_us for entry in entries if entry.kind in {"action", "reaction"}]
        gaps = sorted(later - sooner for sooner, later in pairwise(answers))
        assert gaps[len(gaps) // 2] < 500_000, "prompt, and not by the look of every second"


async def test_without_notifications_a_match_goes_on_all_the_same(tmp_path: Path) -> None:
    """The look of every second finds each turn for its seat, and for a spectator elsewhere."""
    async with servers(tmp_path, "a", "b", "c", notify=False) as (one, two, three):
        bots, watcher = [Bot(one, Random(1)), Bot(two, Random(2))], Player()
        for seat, bot in enumerate(bots):
            await bot.pod.matches.subscribe(f"key:{seat}", bot)
        setup = setup_of(2, action_cap=6, move_limit_ms=60_000)
        match = await one.matches.create(OWNER, "r", setup)
        known = (await three.matches.subscribe_match(match.match_id, watcher)).version
        async with asyncio.timeout(40):
            for player in (*bots, watcher):
                await player.ended.wait()
        final = await three.matches.get(match.match_id)
        assert final.stage is Stage.FINISHED
        assert not any(seat.faults for seat in final.seats)
        assert_kept(final, *bots)
        chain = [(update.after, update.version) for _, update in watcher.updates]
        chain = [(known, known), *(link for link in chain if link[1] > known)]
        assert [after for after, _ in chain[1:]] == [version for _, version in chain[:-1]]
        assert chain[-1][1] == final.version


async def test_own_appends_cost_no_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that plays a match alone asks the database for nothing but to append."""
    async with servers(tmp_path, "a", "b") as (one, _):
        bots = [Bot(one, Random(5)), Bot(one, Random(6))]
        for seat, bot in enumerate(bots):
            await one.matches.subscribe(f"key:{seat}", bot)
        since, asked = one.journal.since, list[int]()

        async def counted(heads: Mapping[str, Head]) -> dict[str, list[Entry] | None]:
            asked.append(len(heads))
            return await since(heads)

        monkeypatch.setattr(one.journal, "since", counted)
        began = time.monotonic()
        await one.matches.create(OWNER, "r", setup_of(2, action_cap=100))
        async with asyncio.timeout(60):
            await bots[0].ended.wait()
        looks = 2 + 2 * (time.monotonic() - began)  # each asks for what is live and what was
        assert len(bots[0].sent) > looks, "long enough to tell"
        assert len(asked) <= looks, "the looks of every second"


@pytest.mark.parametrize("notify", [True, False])
async def test_a_bot_whose_server_dies_plays_on_at_another(tmp_path: Path, *, notify: bool) -> None:
    """The other server takes over with what is in the database; a spectator sees the end."""
    async with servers(tmp_path, "a", "b", "c", notify=notify) as (one, two, three):
        stays, moves, watcher = Bot(two, Random(1)), Bot(one, Random(2)), Player()
        await two.matches.subscribe("key:0", stays)
        await one.matches.subscribe("key:1", moves)
        match = await one.matches.create(OWNER, "r", setup_of(2, action_cap=60))
        await three.matches.subscribe_match(match.match_id, watcher)
        async with asyncio.timeout(60):
            while len(moves.outcomes) < 5:  # noqa: ASYNC110 - nothing says so
                await asyncio.sleep(0.002)
            await one.die()
            moves.pod = two
            await two.matches.subscribe("key:1", moves)
            await stays.ended.wait()
            await watcher.ended.wait()
        found = await three.matches.get(match.match_id)
        assert found.stage is Stage.FINISHED
        assert_kept(found, stays, moves)
