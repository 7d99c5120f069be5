"""What happens when the same or contrary things are asked of two servers of one store at once?"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from lastcard.v1 import match_service_pb2, play_service_pb2, turn_pb2
from tests.server.edge import OPEN, PATIENT, Edge, answer, reserved
from tests.server.test_pods_edge import servers

ROUNDS = 6


@pytest.fixture
async def pods(tmp_path: Path) -> AsyncIterator[list[Edge]]:
    """Run two servers on one database."""
    async with servers(tmp_path, 2) as found:
        yield found


async def outcomes(*calls: Awaitable[Any]) -> tuple[list[Any], list[grpc.aio.AioRpcError]]:
    """Make calls at once; return what was answered, and what was refused for a stated reason."""
    done = await asyncio.gather(*calls, return_exceptions=True)
    failed = [end for end in done if isinstance(end, BaseException)]
    refusals = [end for end in failed if isinstance(end, grpc.aio.AioRpcError)]
    assert len(refusals) == len(failed), failed
    bugs = {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DATA_LOSS}
    assert not bugs & {refusal.code() for refusal in refusals}, refusals
    return [end for end in done if end not in failed], refusals


def act(edge: Edge, given: turn_pb2.Answer, key: str) -> Awaitable[Any]:
    """Answer a turn at one server."""
    return edge.call(edge.plays.Act, play_service_pb2.ActRequest(answer=given), key)


async def view(edge: Edge, match_id: str, key: str) -> Any:
    """Return a key's view of its match at one server."""
    request = play_service_pb2.GetViewRequest(match_id=match_id)
    return await edge.call(edge.plays.GetView, request, key)


async def turns(edge: Edge, key: str) -> list[turn_pb2.Turn]:
    """Return the turns of a key that are open at one server now."""
    request = play_service_pb2.WaitTurnsRequest(wait_duration=Duration(nanos=1_000_000))
    return list((await edge.call(edge.plays.WaitTurns, request, key)).turns)


async def begun(edge: Edge) -> tuple[str, list[str]]:
    """Return a match of two keys that has begun, and their secrets."""
    keys = [await edge.key(name=f"bot {n}") for n in range(2)]
    match = await edge.create(*(reserved(key_id) for key_id, _ in keys), settings=PATIENT)
    secrets = [secret for _, secret in keys]
    for secret in secrets:
        for turn in await turns(edge, secret):
            await act(edge, answer(turn), secret)
    return match.match_id, secrets


async def test_one_request_to_both_servers_creates_one_match_and_takes_one_seat(
    pods: list[Edge],
) -> None:
    """The answers are the same, the seat's token too."""
    for n in range(ROUNDS):
        made = await asyncio.gather(*(pod.create(OPEN, OPEN, request_id=f"c{n}") for pod in pods))
        assert made[0].match_id == made[1].match_id
        joins = (pod.join(made[0].match_id, "Ada", request_id="once") for pod in pods)
        one, two = await asyncio.gather(*joins)
        assert (one.seat, one.seat_token) == (two.seat, two.seat_token)


async def test_contrary_answers_at_both_servers_count_once_and_show_at_both(
    pods: list[Edge],
) -> None:
    """One choice is applied; whoever reads at either server then sees it, nothing older."""
    match_id, keys = await begun(pods[0])
    tried = 0
    for pod, key in itertools.islice(itertools.product(pods * 20, keys), 60):
        for turn in await turns(pod, key):
            before = (await view(pod, match_id, key)).version
            given = {answer(turn).choice, turn.default_choice, len(turn.legal_actions) - 1}
            calls = (
                act(at, answer(turn, choice=choice), key)
                for at, choice in zip(itertools.cycle(pods), sorted(given))
            )
            answered, refused = await outcomes(*calls)
            assert len(answered) == 1, (answered, refused)
            tried += bool(refused)
            for reader, other in itertools.product(pods, keys):
                seen = await view(reader, match_id, other)
                assert seen.version >= answered[0].accepted.version > before
    assert tried >= ROUNDS


async def test_leaving_and_cancelling_at_both_servers_at_once_ends_a_match_once(
    pods: list[Edge],
) -> None:
    """Each call is done or refused for a reason; both servers agree on what holds."""
    for n in range(ROUNDS):
        match = await pods[0].create(OPEN, OPEN)
        seats = [await pods[i].join(match.match_id, name) for i, name in enumerate(("Ada", "Bo"))]
        leave = match_service_pb2.LeaveMatchRequest(match_id=match.match_id, seat=seats[0].seat)
        cancel = match_service_pb2.CancelMatchRequest(match_id=match.match_id)
        one, two = pods if n % 2 else reversed(pods)
        done, _ = await outcomes(
            one.call(one.matches.LeaveMatch, leave),
            two.call(two.matches.CancelMatch, cancel),
            one.call(one.matches.CancelMatch, cancel),
        )
        assert done
        request = match_service_pb2.GetMatchRequest(match_id=match.match_id)
        found = [await pod.call(pod.matches.GetMatch, request) for pod in pods]
        assert found[0].match == found[1].match
        assert found[0].match.HasField("result")
