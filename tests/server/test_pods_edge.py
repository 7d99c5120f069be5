"""Do real servers on one database serve streams, keys and drains as one server does?"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from lastcard.v1 import contest_service_pb2, key_service_pb2, match_service_pb2, rules_pb2
from lastcard_server import key_following
from lastcard_server.key_following import KeyFollower
from tests.postgres import running_server
from tests.server.edge import OPEN, PATIENT, Edge, Player, answer, house, reserved, running


@asynccontextmanager
async def servers(folder: Path, count: int) -> AsyncIterator[list[Edge]]:
    """Run servers on one database, with the same keys."""
    store = await running_server().database(str(folder))
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(count):
            config = {"store": store, "unsafe_store": True}
            found.append(await stack.enter_async_context(running(folder, **config)))
        yield found


async def play(player: Player) -> None:
    """Answer what comes, to the end of a match."""
    while True:
        response = await player.read()
        assert not response.refused, response.refused
        if response.matches_over:
            return
        if response.turns:
            await player.send(*map(answer, response.turns))


async def test_rivals_at_different_servers_play_a_match(tmp_path: Path) -> None:
    """Each key is made at one server and used at another; the house plays along at one of them."""
    async with servers(tmp_path, 2) as (one, two):
        keys = [await one.key(name=f"bot {n}") for n in range(2)]
        players = [one.play(keys[0][1]), two.play(keys[1][1])]
        for player in players:
            await player.hello()
            await player.read()
        await two.create(reserved(keys[0][0]), reserved(keys[1][0]), house(), settings=PATIENT)
        async with asyncio.timeout(60):
            await asyncio.gather(*map(play, players))


async def test_a_contest_of_keys_that_another_server_has_just_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are looked for before they are called unknown, hints or not."""

    async def hear_nothing(_: KeyFollower) -> None:
        """Take no hints."""

    monkeypatch.setattr(KeyFollower, "listen", hear_nothing)
    monkeypatch.setattr(key_following, "LOOK_SECONDS", 60.0)
    async with servers(tmp_path, 2) as (one, two):
        keys = [await one.key(name=f"bot {n}") for n in range(2)]
        spec = contest_service_pb2.ContestSpec(
            name="cup",
            rules=rules_pb2.RulesChoice(preset="duel_no"),
            entrants=[contest_service_pb2.Entrant(name=k, key_id=k) for k, _ in keys],
            seat_count=2,
            schedule=contest_service_pb2.SCHEDULE_ROUND_ROBIN,
            block_count=1,
        )
        create = contest_service_pb2.CreateContestRequest(spec=spec, request_id="c")
        made = await two.call(two.contests.CreateContest, create)
        assert [entrant.key_id for entrant in made.contest.spec.entrants] == [k for k, _ in keys]


async def test_a_server_that_drains_hands_its_streams_over(tmp_path: Path) -> None:
    """
    Its streams are closed with a reason; the bot goes on at the other one, where it left off.

    The other one has heard that it goes.
    """
    async with servers(tmp_path, 2) as (one, two):
        keys = [await one.key(name=f"bot {n}") for n in range(2)]
        goes, stays = one.play(keys[0][1]), two.play(keys[1][1])
        for player in (goes, stays):
            await player.hello()
            await player.read()
        await one.create(reserved(keys[0][0]), reserved(keys[1][0]), settings=PATIENT)
        staying = asyncio.create_task(play(stays))
        for _ in range(3):
            await goes.send(answer(await goes.turn()))
        draining = asyncio.create_task(one.server.drain())
        assert await goes.closing() == "DRAIN"
        again = two.play(keys[0][1])
        await again.hello()
        async with asyncio.timeout(60):
            await play(again)
            await staying
        await draining
        beats = await two.server._core.journal.heartbeats()
        assert sorted(beat.serving for beat in beats.values()) == [False, True]


async def test_a_seat_token_of_one_server_plays_at_another(tmp_path: Path) -> None:
    """It hears its turn there, and the end of its match."""
    async with servers(tmp_path, 2) as (one, two):
        match = await one.create(OPEN, OPEN)
        joined = await one.join(match.match_id, "Ada")
        player = two.play(joined.seat_token)
        await player.hello()
        await player.read()
        await one.join(match.match_id, "Bo")
        assert (await player.turn()).seat == joined.seat
        request = match_service_pb2.CancelMatchRequest(match_id=match.match_id)
        await one.call(one.matches.CancelMatch, request)
        assert (await player.until("matches_over"))[0].match_id == match.match_id


async def test_a_key_that_is_revoked_at_one_server_ends_its_streams_at_the_other(
    tmp_path: Path,
) -> None:
    """Within a second or two, hints or not."""
    async with servers(tmp_path, 2) as (one, two):
        key_id, secret = await one.key()
        player = two.play(secret)
        await player.hello()
        await player.read()
        await one.call(one.keys.RevokeKey, key_service_pb2.RevokeKeyRequest(key_id=key_id))
        assert await player.closing() == "REVOKED"
