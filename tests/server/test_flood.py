"""One key that floods delays nobody else, and what is kept for it is bounded."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from lastcard.v1 import match_service_pb2, play_service_pb2, turn_pb2
from lastcard.v1.play_service_pb2_grpc import PlayServiceStub
from lastcard_server import hub
from lastcard_server.matches.commands import Command
from lastcard_server.matches.registry import Matches
from lastcard_server.outbox import MOST_BYTES
from lastcard_server.servicers import play
from lastcard_server.share import MOST_ANSWERS
from tests.server.edge import Edge, answer, end_of, gauge, house, metadata, reason_of, reserved

STREAMS = 24
NONSENSE = turn_pb2.Answer(match_id="m", turn=999_999, choice=0)
FLOOD = play_service_pb2.PlayRequest(answers=[NONSENSE] * 2_000)
QUICK = match_service_pb2.MatchSettings(
    start_limit_duration=Duration(seconds=5), move_limit_duration=Duration(seconds=5)
)
FULL = 4 * MOST_BYTES + play._MOST_PIECES * MOST_ANSWERS * 256
"""So many bytes may be pending for a stream: what it takes to be full, and the pieces under way."""


async def flood(plays: Any, key: str, instance: str) -> None:
    """Send messages of answers that are refused, as fast as they are taken; read nothing."""
    call = plays.Play(metadata=metadata(key))
    hello = play_service_pb2.Hello(instance=instance)
    await call.write(play_service_pb2.PlayRequest(hello=hello))
    while True:
        await call.write(FLOOD)


@asynccontextmanager
async def flooded(edge: Edge, streams: int = STREAMS) -> AsyncIterator[str]:
    """Let a key flood while the context lasts; return who it is once it has begun."""
    key_id, key = await edge.key()
    async with grpc.aio.insecure_channel(edge.server.address, [("connection", "own")]) as channel:
        plays = PlayServiceStub(channel)
        floods = [asyncio.create_task(flood(plays, key, f"f{n}")) for n in range(streams)]
        while gauge(edge, "messages_waiting") < streams // 2:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.001)
        try:
            yield f"key:{key_id}"
        finally:
            for task in floods:
                task.cancel()
            await asyncio.wait(floods)


class Watch:
    """What was decided in which order, and how much had gathered."""

    def __init__(self, edge: Edge, monkeypatch: pytest.MonkeyPatch) -> None:
        self.decided: list[tuple[int, Command, int]] = []
        self.most_waiting = self.most_pending = 0.0
        clock, submit = edge.server._core.clock, Matches.submit

        async def watched(matches: Matches, commands: Sequence[Command]) -> Any:
            assert len(commands) <= MOST_ANSWERS
            self.decided.append((clock.now_us(), commands[0], len(commands)))
            self.most_waiting = max(self.most_waiting, gauge(edge, "messages_waiting"))
            self.most_pending = max(self.most_pending, gauge(edge, "stream_pending_bytes"))
            return await submit(matches, commands)

        monkeypatch.setattr(Matches, "submit", watched)

    def overtaken(self, owner: str) -> int:
        """Return how many answers of others were decided at most while one of an owner waited."""
        most = 0
        for number, (_, command, _) in enumerate(self.decided):
            if command.owner == owner:
                since = command.received_us
                before = self.decided[:number]
                others = [n for at, c, n in before if at >= since and c.owner != owner]
                most = max(most, sum(others))
        return most


async def play_on(edge: Edge, key: str, answers: int) -> int:
    """Play all seats of a key for so many accepted answers; return how many were not."""
    player = edge.play(key)
    await player.hello("honest")
    accepted = failed = 0
    while accepted < answers:
        response = await player.read()
        accepted += len(response.accepted)
        failed += len(response.refused) + len(response.closed_turns)
        if response.turns:
            await player.send(*map(answer, response.turns))
    player.call.cancel()
    return failed


async def test_a_flood_delays_no_other_key(edge: Edge, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    All answers of an honest bot are accepted on time, each after at most a few full messages.

    What waits is no more than a message a stream, what is pending no more than a stream may hold.
    """
    key_id, key = await edge.key()
    for _ in range(3):
        await edge.create(reserved(key_id), reserved(key_id), settings=QUICK)
    async with asyncio.timeout(30), flooded(edge) as flooder:
        watch = Watch(edge, monkeypatch)
        assert await play_on(edge, key, 60) == 0
    owners = {command.owner for _, command, _ in watch.decided}
    assert owners == {f"key:{key_id}", flooder}
    assert watch.overtaken(f"key:{key_id}") <= 3 * MOST_ANSWERS
    assert STREAMS // 2 <= watch.most_waiting <= STREAMS + 1
    assert watch.most_pending <= STREAMS * FULL


async def test_what_is_kept_for_who_reads_nothing_is_bounded(edge: Edge) -> None:
    """Streams whose outcomes are not taken are not read any more; others are served as ever."""
    async with asyncio.timeout(30), flooded(edge, 4):
        counts = edge.server._core.telemetry.answers
        decided = -1
        while decided != counts["not_found"]:
            decided = counts["not_found"]
            await asyncio.sleep(0.3)
        assert 4 * MOST_BYTES < gauge(edge, "stream_pending_bytes") <= 4 * FULL
        assert gauge(edge, "messages_waiting") == 0
        key_id, key = await edge.key()
        await edge.create(reserved(key_id), house(), settings=QUICK)
        assert await play_on(edge, key, 3) == 0


async def test_a_stream_that_takes_nothing_is_cut(
    edge: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while the server gives it up, with QUOTA for whoever reads on."""
    monkeypatch.setattr(play, "STALLED_SECONDS", 0.2)
    monkeypatch.setattr(hub, "_REFUSED_SECONDS", 0.1)
    _, key = await edge.key()
    call: Any = edge.plays.Play(metadata=metadata(key))
    hello = play_service_pb2.Hello(instance="a")
    await call.write(play_service_pb2.PlayRequest(hello=hello))
    counts, sent = edge.server._core.telemetry.answers, 0
    async with asyncio.timeout(10):
        while gauge(edge, "stream_pending_bytes") <= 4 * MOST_BYTES:
            if counts["not_found"] == sent:
                sent += MOST_ANSWERS
                await call.write(play_service_pb2.PlayRequest(answers=[NONSENSE] * MOST_ANSWERS))
            await asyncio.sleep(0.001)
        while len(edge.server._core.hub):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.01)
        assert not call.done(), "the client has ended it, and nothing was shown"
        assert await end_of(call) == "quota"


async def test_many_answers_in_one_message_have_an_outcome_each(edge: Edge) -> None:
    """More than are decided at a go: 600 refusals come, and the one good answer is accepted."""
    key_id, key = await edge.key()
    await edge.create(reserved(key_id), house())
    player = edge.play(key)
    await player.hello()
    turn = await player.turn()
    wrong = [answer(turn, match_id="b" * 26) for _ in range(600)]
    await player.send(*wrong, answer(turn))
    refused, accepted = list[Any](), list[Any]()
    while len(refused) < 600 or not accepted:
        response = await player.read()
        refused += response.refused
        accepted += response.accepted
    assert {reason_of(outcome.error) for outcome in refused} == {"not_found"}
    assert (len(refused), len(accepted)) == (600, 1)
