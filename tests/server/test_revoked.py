"""Whoever is shut out is shut out at once, whatever it does: floods, never reads, or watches."""

import asyncio
from collections import deque
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from lastcard.v1 import key_service_pb2, match_service_pb2, play_service_pb2, turn_pb2
from lastcard_server.outbox import MOST_BYTES
from lastcard_server.servicers.play import _PLAY
from lastcard_server.streams import Closing, Delivery, Stream, Wish
from lastcard_server.telemetry import Telemetry
from tests.server.edge import (
    OPEN,
    SECONDS,
    Edge,
    answer,
    end_of,
    gauge,
    house,
    metadata,
    reason,
    reserved,
    running,
)

NONSENSE = turn_pb2.Answer(match_id="m", turn=999_999, choice=0)


async def revoke(edge: Edge, key_id: str) -> None:
    """Revoke a key."""
    await edge.call(edge.keys.RevokeKey, key_service_pb2.RevokeKeyRequest(key_id=key_id))


def watching(edge: Edge, match_id: str, key: str) -> Any:
    """Watch a match."""
    request = match_service_pb2.WatchMatchRequest(match_id=match_id)
    return edge.matches.WatchMatch(request, metadata=metadata(key))


async def flood(call: Any) -> None:
    """Send messages of answers that are refused, as fast as they are taken, until that fails."""
    while True:
        await call.write(play_service_pb2.PlayRequest(answers=[NONSENSE] * 500))


async def stuck(edge: Edge) -> None:
    """Wait until what is pending for the only stream is full and stays: nothing is sent or read."""
    looks: deque[float] = deque([0.0], maxlen=20)
    async with asyncio.timeout(SECONDS):
        while looks[0] < MOST_BYTES or len(set(looks)) > 1:
            await asyncio.sleep(0.01)
            looks.append(gauge(edge, "stream_pending_bytes"))


async def ended(flooding: asyncio.Task[None]) -> None:
    """Wait until a flood fails because the server has ended the call; it has to come soon."""
    async with asyncio.timeout(3):
        with pytest.raises((grpc.aio.AioRpcError, asyncio.InvalidStateError)):
            await flooding


async def test_a_flood_does_not_keep_a_revoked_stream_open(edge: Edge) -> None:
    """The call has ended within a moment though more answers arrive all the time."""
    key_id, bot = await edge.key()
    player = edge.play(bot)
    await player.hello()
    flooding = asyncio.create_task(flood(player.call))
    await player.until("refused")
    await revoke(edge, key_id)
    await ended(flooding)


async def test_a_flood_does_not_keep_a_replaced_stream_open(edge: Edge) -> None:
    """An older stream that goes on answering ends too, and the newer one has the turn."""
    key_id, bot = await edge.key()
    await edge.create(reserved(key_id), house())
    old, new = edge.play(bot), edge.play(bot)
    await old.hello()
    await old.turn()
    flooding = asyncio.create_task(flood(old.call))
    await old.until("refused")
    await new.hello()
    turn = await new.turn()
    await ended(flooding)
    await new.send(answer(turn))
    assert await new.until("accepted")


async def test_a_revoked_stream_that_is_never_read_is_cut(edge: Edge) -> None:
    """Two seconds after the revocation the server has given up a client that does not read."""
    key_id, bot = await edge.key()
    call: Any = edge.plays.Play(metadata=metadata(bot))
    await call.write(play_service_pb2.PlayRequest(hello=play_service_pb2.Hello(instance="a")))
    flooding = asyncio.create_task(flood(call))
    await stuck(edge)
    hub = edge.server._core.hub
    assert len(hub) == 1
    await revoke(edge, key_id)
    async with asyncio.timeout(4):
        while len(hub):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.05)
    assert not call.done(), "the client has ended it, and nothing was shown"
    flooding.cancel()
    call.cancel()
    await asyncio.wait([flooding])


async def test_nothing_comes_before_the_word_that_a_key_is_revoked() -> None:
    """What is pending is dropped and nobody waits for what is being decided."""
    stream = Stream(Wish("a", 1, Delivery.NEVER), _PLAY, Telemetry())
    stream.outbox.put(b"pending")
    stream.busy = True
    stream.close(Closing.AGE)
    stream.close(Closing.REVOKED)
    assert [message async for message in stream.messages()] == [_PLAY.closing(Closing.REVOKED)]


def test_only_a_stream_that_ends_for_good_is_deaf() -> None:
    """A draining stream still takes answers; replaced, old and revoked ones do not."""

    def stream() -> Stream:
        return Stream(Wish("a", 1, Delivery.NEVER), _PLAY, Telemetry())

    assert not stream().is_deaf
    for reason_given in Closing:
        one = stream()
        one.close(reason_given)
        assert one.is_deaf == (reason_given is not Closing.DRAIN)


async def test_revocation_ends_spectators_and_polls(edge: Edge) -> None:
    """WatchMatch and a WaitTurns that waits end as UNAUTHENTICATED."""
    key_id, spectator = await edge.key("KEY_ROLE_SPECTATOR")
    bot_id, bot = await edge.key()
    match = await edge.create(OPEN, OPEN)
    table = watching(edge, match.match_id, spectator)
    await table.read()
    request = play_service_pb2.WaitTurnsRequest(wait_duration=Duration(seconds=30))
    poll = asyncio.ensure_future(edge.call(edge.plays.WaitTurns, request, bot))
    await asyncio.sleep(0.1)
    await revoke(edge, key_id)
    await revoke(edge, bot_id)
    assert await end_of(table) == "unauthenticated"
    assert await reason(poll) == "unauthenticated"


async def test_a_key_revoked_before_its_hello_gets_no_stream(edge: Edge) -> None:
    """Whoever was let in and then revoked is refused when the stream would open."""
    key_id, bot = await edge.key()
    player = edge.play(bot)
    await asyncio.sleep(0.1)
    await revoke(edge, key_id)
    await player.hello()
    assert await end_of(player) == "unauthenticated"


async def test_who_may_not_see_a_match_any_more_watches_it_no_longer(edge: Edge) -> None:
    """A stranger once the seats are taken, and a seat token once its seat was given back."""
    _, stranger = await edge.key()
    _, bot = await edge.key()
    match = await edge.create(OPEN, OPEN)
    joined = await edge.join(match.match_id, "s", bot)
    views = [watching(edge, match.match_id, key) for key in (stranger, joined.seat_token)]
    for view in views:
        await view.read()
    request = match_service_pb2.LeaveMatchRequest(match_id=match.match_id, seat=joined.seat)
    await edge.call(edge.matches.LeaveMatch, request, bot)
    async with asyncio.timeout(5):
        assert await end_of(views[1]) == "not_found"
    for name in ("a", "b"):
        await edge.join(match.match_id, name, bot)
    async with asyncio.timeout(5):
        assert await end_of(views[0]) == "not_found"


async def test_watching_a_match_counts_as_a_stream(tmp_path: Path) -> None:
    """Spectators' streams and players' share one quota, and room comes back."""
    async with running(tmp_path, streams_per_key=2) as edge:
        _, bot = await edge.key()
        match = await edge.create(OPEN, OPEN)
        table = watching(edge, match.match_id, bot)
        await table.read()
        player, more = edge.play(bot), edge.play(bot)
        await player.hello("a")
        await player.read()
        await more.hello("b")
        assert await end_of(more) == "quota"
        assert await end_of(watching(edge, match.match_id, bot)) == "quota"
        table.cancel()
        await asyncio.sleep(0.2)
        again = watching(edge, match.match_id, bot)
        await again.read()
        again.cancel()


async def test_a_seat_token_ends_with_the_key_that_took_its_seat(edge: Edge) -> None:
    """Calls with it are refused as if it had never been one, on the stream it has open too."""
    key_id, bot = await edge.key()
    _, other = await edge.key()
    match = await edge.create(OPEN, OPEN)
    lost = await edge.join(match.match_id, "a", bot)
    kept = await edge.join(match.match_id, "b", other)
    player = edge.play(lost.seat_token)
    await player.hello()
    turn = await player.turn()
    polling = asyncio.ensure_future(
        edge.call(
            edge.plays.WaitTurns,
            play_service_pb2.WaitTurnsRequest(
                known=[play_service_pb2.TurnRef(match_id=turn.match_id, turn=turn.turn)],
                wait_duration=Duration(seconds=9),
            ),
            lost.seat_token,
        )
    )
    view = watching(edge, match.match_id, lost.seat_token)
    await view.read()
    await asyncio.sleep(0.1)
    await revoke(edge, key_id)
    async with asyncio.timeout(3):
        assert await player.closing() == "REVOKED"
        assert await reason(polling) == "unauthenticated"
        assert await end_of(view) == "unauthenticated"
    act = play_service_pb2.ActRequest(answer=answer(turn))
    seen = match_service_pb2.GetMatchRequest(match_id=match.match_id)
    for method, request in ((edge.plays.Act, act), (edge.matches.GetMatch, seen)):
        assert await reason(edge.call(method, request, lost.seat_token)) == "unauthenticated"

    async def played_on() -> None:
        again = edge.play(lost.seat_token)
        await again.hello()  # the refusal may come before it is written
        await again.closing()

    assert await reason(played_on()) == "unauthenticated"
    neighbour = edge.play(kept.seat_token)
    await neighbour.hello()
    await neighbour.send(answer(await neighbour.turn()))
    assert await neighbour.until("accepted")


async def test_a_seat_token_stays_dead_when_the_server_starts_anew(tmp_path: Path) -> None:
    """It is the key registry that says so, and the match who took the seat."""
    store = f"sqlite:{tmp_path / 'journal'}"
    async with running(tmp_path, store=store) as edge:
        key_id, bot = await edge.key()
        match = await edge.create(OPEN, OPEN)
        token = (await edge.join(match.match_id, "a", bot)).seat_token
        await revoke(edge, key_id)
    async with running(tmp_path, store=store) as edge:
        request = match_service_pb2.GetMatchRequest(match_id=match.match_id)
        assert await reason(edge.call(edge.matches.GetMatch, request, token)) == "unauthenticated"


async def test_a_seat_given_back_and_taken_by_another_key_is_that_keys(edge: Edge) -> None:
    """The token of who left is superseded, revoked or not; the new one lives on."""
    key_id, bot = await edge.key()
    _, other = await edge.key()
    match = await edge.create(OPEN, OPEN)
    left = await edge.join(match.match_id, "a", bot)
    request = match_service_pb2.LeaveMatchRequest(match_id=match.match_id, seat=left.seat)
    await edge.call(edge.matches.LeaveMatch, request, bot)
    taken = await edge.join(match.match_id, "b", other, seat=left.seat)
    await revoke(edge, key_id)
    seen = match_service_pb2.GetMatchRequest(match_id=match.match_id)
    assert await reason(edge.call(edge.matches.GetMatch, seen, left.seat_token)) == "not_found"
    assert await edge.call(edge.matches.GetMatch, seen, taken.seat_token)
