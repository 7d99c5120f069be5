"""Is everybody told how a match has ended? Streams, polls, spectators, reads, each in its way."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from lastcard.v1 import event_pb2, match_service_pb2, play_service_pb2
from lastcard_server.journal.entry import Entry
from lastcard_server.journal.port import LogCorrupt
from lastcard_server.matches.match import log_of
from tests.server.edge import (
    OPEN,
    PATIENT,
    Edge,
    Player,
    answer,
    metadata,
    reason_of,
    refused,
    reserved,
)

CAPPED = match_service_pb2.MatchSettings(action_cap=1, max_rounds=1)
STRICT = match_service_pb2.MatchSettings(
    start_limit_duration=Duration(nanos=300_000_000),
    network_margin_duration=Duration(),
    absence_policy=match_service_pb2.ABSENCE_POLICY_FORFEIT_MATCH,
)


class Table:
    """A match of two seats: one plays over Play, the other sits by a token; one looks on."""

    def __init__(self, edge: Edge, match_id: str, player: Player, token: str) -> None:
        self.edge = edge
        self.match_id = match_id
        self.player = player
        self.token = token

    async def ready(self) -> None:
        """Answer both ready turns, and wait until a seat is asked for an action."""
        await self.player.send(answer(await self.player.turn()))
        await self.act()
        running = match_service_pb2.MATCH_STATE_RUNNING
        while await self.state() != running:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)

    async def state(self) -> int:
        """Return where the match stands."""
        get = match_service_pb2.GetMatchRequest(match_id=self.match_id)
        return int((await self.edge.call(self.edge.matches.GetMatch, get)).match.state)

    async def act(self) -> bool:
        """Answer for the seat with the token if it is asked; tell whether it was."""
        request = play_service_pb2.WaitTurnsRequest()
        turns = (await self.edge.call(self.edge.plays.WaitTurns, request, self.token)).turns
        for turn in turns:
            act = play_service_pb2.ActRequest(answer=answer(turn))
            await self.edge.call(self.edge.plays.Act, act, self.token)
        return bool(turns)


async def played(table: Table) -> None:
    """Let the only round end at its first action."""
    await table.ready()
    if not await table.act():
        await table.player.send(answer(await table.player.turn()))


async def last_standing(table: Table) -> None:
    """Answer for one seat alone; the other forfeits."""
    await table.player.send(answer(await table.player.turn()))


async def cancelled(table: Table) -> None:
    """Call it off in the midst of it."""
    await table.ready()
    request = match_service_pb2.CancelMatchRequest(match_id=table.match_id)
    await table.edge.call(table.edge.matches.CancelMatch, request)


async def frozen(table: Table) -> None:
    """Hand in a history that this server has sealed and the store does not hold."""
    turn = await table.player.turn()
    seal = table.edge.server._core.matches._runtime.custody.seal
    ahead = seal.seal(table.match_id, turn.turn + 100, bytes(32))
    await table.player.send(answer(turn, history=ahead))


async def damaged(table: Table) -> None:
    """Let the store find, when a server reads it again, that the log is not what was written."""
    await table.ready()
    runtime = table.edge.server._core.matches._runtime
    name, read = log_of(table.match_id), runtime.journal.read
    entries = await read(name)

    async def failing(log: str, after: int = 0) -> list[Entry]:
        if log == name:
            raise LogCorrupt("entry 4 does not follow from the entries before it", entries[:3])
        return await read(log, after)

    runtime.journal.read = failing  # type: ignore[method-assign]
    runtime.cache.drop(runtime.cache.slots[table.match_id])
    assert await table.state() == match_service_pb2.MATCH_STATE_FROZEN


ENDS = [
    (played, "played", CAPPED),
    (last_standing, "last_standing", STRICT),
    (cancelled, "cancelled", PATIENT),
    (frozen, "frozen", PATIENT),
    (damaged, "frozen", PATIENT),
]


@pytest.mark.parametrize(("end", "why", "settings"), ENDS, ids=[end.__name__ for end, *_ in ENDS])
async def test_everybody_is_told_how_a_match_ended(
    edge: Edge,
    end: Callable[[Table], Awaitable[None]],
    why: str,
    settings: match_service_pb2.MatchSettings,
) -> None:
    """Play, WatchSeats, WatchMatch, WaitTurns and GetMatch give one and the same typed reason."""
    key_id, key = await edge.key()
    match = await edge.create(reserved(key_id), OPEN, settings=settings)
    watch: Any = edge.matches.WatchMatch(
        match_service_pb2.WatchMatchRequest(match_id=match.match_id),
        metadata=metadata(edge.organiser),
    )
    await watch.read()
    player = edge.play(key)
    await player.hello()
    token = (await edge.join(match.match_id)).seat_token
    seats: Any = edge.plays.WatchSeats(
        play_service_pb2.WatchSeatsRequest(hello=play_service_pb2.Hello(instance="w")),
        metadata=metadata(token),
    )
    await seats.read()
    await end(Table(edge, match.match_id, player, token))
    reason = getattr(event_pb2, f"MATCH_END_REASON_{why.upper()}")

    (over,) = await player.until("matches_over")
    assert over.result.reason == reason
    message = await seats.read()
    while not message.matches_over:
        message = await seats.read()
    assert message.matches_over[0].result.reason == reason
    assert await last_reason(watch) == reason
    poll = play_service_pb2.WaitTurnsRequest(match_ids=[match.match_id])
    (over,) = (await edge.call(edge.plays.WaitTurns, poll, token)).matches_over
    assert over.result.reason == reason
    get = match_service_pb2.GetMatchRequest(match_id=match.match_id)
    assert (await edge.call(edge.matches.GetMatch, get)).match.result.reason == reason
    seats.cancel()


async def last_reason(watch: Any) -> int:
    """Read what a spectator is told to the end of the stream; return the reason of the end."""
    reason = 0
    while (response := await watch.read()) is not grpc.aio.EOF:
        assert response.HasField("update")
        assert not reason
        reason = response.over.result.reason
    return reason


async def test_who_looks_on_late_is_told_the_end_at_once(edge: Edge) -> None:
    """A full view, then how it ended, though nobody looked on when it did."""
    match = await edge.create(OPEN, OPEN)
    cancel = match_service_pb2.CancelMatchRequest(match_id=match.match_id)
    await edge.call(edge.matches.CancelMatch, cancel)
    request = match_service_pb2.WatchMatchRequest(match_id=match.match_id)
    watch: Any = edge.matches.WatchMatch(request, metadata=metadata(edge.organiser))
    assert await last_reason(watch) == event_pb2.MATCH_END_REASON_CANCELLED


@pytest.mark.parametrize("stream", ["Play", "WatchSeats"])
async def test_an_end_while_no_stream_is_open_is_told_to_the_next_that_asks(
    edge: Edge, stream: str
) -> None:
    """Of matches that are over and in which the caller has a seat, or are gone, once for each."""
    (key_id, bot), (other_id, _) = await edge.key(), await edge.key()
    ended, lives = [await edge.create(reserved(key_id), OPEN) for _ in range(2)]
    foreign = await edge.create(reserved(other_id), OPEN)
    player = edge.play(bot)
    await player.hello()
    await player.end()
    for match in ended, foreign:
        cancel = match_service_pb2.CancelMatchRequest(match_id=match.match_id)
        await edge.call(edge.matches.CancelMatch, cancel)

    gone, cancelled = "a" * 26, event_pb2.MATCH_END_REASON_CANCELLED
    asked = [ended.match_id, ended.match_id, gone, lives.match_id, foreign.match_id, "no\0id"]
    ends = [(ended.match_id, cancelled), (gone, event_pb2.MATCH_END_REASON_FROZEN)]
    for match_ids, told in (asked, ends), ([], []):
        hello = play_service_pb2.Hello(instance="a", match_ids=match_ids)
        if stream == "Play":
            call: Any = edge.plays.Play(metadata=metadata(bot))
            await call.write(play_service_pb2.PlayRequest(hello=hello))
        else:
            request = play_service_pb2.WatchSeatsRequest(hello=hello)
            call = edge.plays.WatchSeats(request, metadata=metadata(bot))
        first = await call.read()
        assert [(over.match_id, over.result.reason) for over in first.matches_over] == told
        call.cancel()


async def test_too_many_ends_are_not_asked_for(edge: Edge) -> None:
    """The stream is refused with a word on what is allowed."""
    _, bot = await edge.key()
    player = edge.play(bot)
    await player.hello(match_ids=["a" * 26] * 1001)
    detail = await refused(player.read())
    assert reason_of(detail) == "bad_field"
    assert "at most 1,000" in detail.message
