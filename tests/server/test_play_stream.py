"""Play: one stream for all seats of a caller, repeated on reconnect, ended for a reason."""

import asyncio
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from lastcard.v1 import action_pb2, match_service_pb2, play_service_pb2, turn_pb2
from tests.server.edge import (
    Edge,
    answer,
    end_of,
    house,
    metadata,
    reason_of,
    refused,
    reserved,
)


async def test_a_match_is_played_to_its_end_over_one_stream(edge: Edge) -> None:
    """Turns come, answers are accepted, and the end is told once with its result."""
    key_id, bot = await edge.key()
    match = await edge.create(reserved(key_id), house(), reserved(key_id), house("greedy"))
    player = edge.play(bot)
    await player.hello()
    accepted = 0
    over: list[Any] = []
    while not over:
        response = await player.read()
        assert not response.refused
        assert not response.closed_turns
        accepted += len(response.accepted)
        over += response.matches_over
        if response.turns:
            await player.send(*map(answer, response.turns))
    assert over[0].match_id == match.match_id
    assert len(over[0].result.places) == 4
    assert accepted > 4
    await player.end()


async def test_to_connect_is_to_reconnect(edge: Edge) -> None:
    """A new stream first gets every open turn with its full view, though it was sent before."""
    key_id, bot = await edge.key()
    await edge.create(reserved(key_id), house())
    first = edge.play(bot)
    await first.hello()
    await first.send(answer(await first.turn()))
    asked = await first.turn()
    first.call.cancel()
    second = edge.play(bot)
    await second.hello()
    again = await second.turn()
    assert (again.turn, again.view) == (asked.turn, asked.view)
    assert again.legal_actions == asked.legal_actions
    await second.send(answer(asked))
    assert (await second.until("accepted"))[0].turn == asked.turn


async def test_outcomes_name_what_was_answered(edge: Edge) -> None:
    """In one message good answers are accepted and bad ones refused, each under its own name."""
    key_id, bot = await edge.key()
    matches = [await edge.create(reserved(key_id), house()) for _ in range(3)]
    player = edge.play(bot)
    await player.hello()
    while len(player.turns) < 3:
        await player.read()
    one, two, three = (player.turns[match.match_id, 0] for match in matches)
    await player.send(answer(one), answer(two, choice=5), answer(three, match_id="b" * 26))
    accepted: list[Any] = []
    refusals: dict[str, Any] = {}
    while len(accepted) < 1 or len(refusals) < 2:
        response = await player.read()
        accepted += response.accepted
        refusals |= {refusal.match_id: refusal for refusal in response.refused}
    assert [outcome.match_id for outcome in accepted] == [one.match_id]
    bad = refusals[two.match_id]
    assert (reason_of(bad.error), bad.turn, bad.open_turn) == ("bad_choice", two.turn, two.turn)
    unknown = refusals["b" * 26]
    assert (reason_of(unknown.error), unknown.open_turn, unknown.history) == ("not_found", 0, b"")


async def test_an_answer_without_a_choice_is_refused_and_the_stream_goes_on(edge: Edge) -> None:
    """A missing, an unknown and a too long reply are Refused; the true one is then accepted."""
    key_id, bot = await edge.key()
    await edge.create(reserved(key_id), house())
    player = edge.play(bot)
    await player.hello()
    turn = await player.turn()
    nonce = action_pb2.Action(ready=action_pb2.Ready(nonce=bytes(33)))
    empty = turn_pb2.Answer(match_id=turn.match_id, seat=turn.seat, turn=turn.turn)
    bare = action_pb2.Action(play_card=action_pb2.PlayCard())
    for wrong, why in (
        (empty, "bad_choice"),
        (answer(turn, action=bare), "bad_action"),
        (answer(turn, action=nonce), "bad_action"),
    ):
        await player.send(wrong)
        (refusal,) = await player.until("refused")
        assert reason_of(refusal.error) == why
    fair = action_pb2.Action(ready=action_pb2.Ready(nonce=bytes(32)))
    await player.send(answer(turn, action=fair, uno=False))
    assert (await player.until("accepted"))[0].turn == turn.turn


async def test_the_first_message_holds_a_hello_and_no_other_does(edge: Edge) -> None:
    """Without a hello, and with a second one, the stream ends as BAD_FIELD."""
    _, bot = await edge.key()
    without = edge.play(bot)
    await without.call.write(play_service_pb2.PlayRequest())
    assert await end_of(without) == "bad_field"
    twice = edge.play(bot)
    await twice.hello()
    await twice.hello()
    assert await end_of(twice) == "bad_field"
    nothing = edge.play(bot)
    await nothing.call.done_writing()
    assert await end_of(nothing) == "bad_field"


@pytest.mark.parametrize(
    "fields",
    [
        {"instance": ""},
        {"instance": "a b"},
        {"instance": "x" * 65},
        {"max_open_turns": -1},
        {"max_open_turns": 4_097},
        {"event_delivery": 99},
        {"event_delivery": -1},
    ],
)
async def test_a_hello_out_of_range_is_refused(edge: Edge, fields: dict[str, Any]) -> None:
    """Each field of a hello is checked, for Play and WatchSeats alike."""
    _, bot = await edge.key()
    player = edge.play(bot)
    await player.hello(**fields)
    assert await end_of(player) == "bad_field"
    hello = play_service_pb2.Hello(**({"instance": "a"} | fields))
    request = play_service_pb2.WatchSeatsRequest(hello=hello)
    call = edge.plays.WatchSeats(request, metadata=metadata(bot))
    detail = await refused(call.read())
    assert reason_of(detail) == "bad_field"


async def test_bytes_that_do_not_parse_end_the_stream(edge: Edge) -> None:
    """Garbage in the middle of a stream is INVALID_ARGUMENT with the reason MALFORMED."""
    _, bot = await edge.key()
    call: Any = edge.channel.stream_stream("/lastcard.v1.PlayService/Play")(metadata=metadata(bot))
    hello = play_service_pb2.Hello(instance="a")
    await call.write(play_service_pb2.PlayRequest(hello=hello).SerializeToString())
    await call.write(b"\xff\xff\xff")
    assert await end_of(call) == "malformed"
    assert await call.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_turn_that_runs_out_is_closed_on_the_stream(edge: Edge) -> None:
    """A client that is silent hears of the clock and of the next turn."""
    key_id, bot = await edge.key()
    quick = match_service_pb2.MatchSettings(
        start_limit_duration=Duration(nanos=100_000_000),
        move_limit_duration=Duration(seconds=600),
        network_margin_duration=Duration(),
    )
    await edge.create(reserved(key_id), house(), settings=quick)
    player = edge.play(bot)
    await player.hello()
    turn = await player.turn()
    (closed,) = await player.until("closed_turns")
    assert (closed.turn, closed.reason) == (turn.turn, turn_pb2.TURN_CLOSE_REASON_TIMED_OUT)
    while player.turns[turn.match_id, 0].turn == turn.turn:
        await player.read()


async def test_events_come_with_the_turn_where_a_stream_asks_for_them(edge: Edge) -> None:
    """WITH_TURN: the rules, and everything since the seat's last turn; NEVER: nothing."""
    key_id, bot = await edge.key()
    player = edge.play(bot)
    await player.hello(event_delivery=play_service_pb2.EVENT_DELIVERY_WITH_TURN)
    await asyncio.sleep(0.05)
    await edge.create(reserved(key_id), house())
    await player.send(answer(await player.turn()))
    first = await player.turn()
    kinds = [event.WhichOneof("payload") for event in first.events]
    assert kinds[:2] == ["match_started", "round_started"]
    assert len(first.events[1].round_started.hand) == 7
    assert first.rules.hand_size == 7
    await player.send(answer(first))
    second = await player.turn()
    assert second.events
    assert "round_started" not in [event.WhichOneof("payload") for event in second.events]
    assert second.rules == first.rules


async def test_updates_come_as_they_happen_in_a_chain(edge: Edge) -> None:
    """AS_THEY_HAPPEN: first a full view, then updates that follow one another without a gap."""
    key_id, bot = await edge.key()
    player = edge.play(bot)
    await player.hello(event_delivery=play_service_pb2.EVENT_DELIVERY_AS_THEY_HAPPEN)
    await asyncio.sleep(0.05)
    await edge.create(reserved(key_id), house())
    version = 0
    over: list[Any] = []
    updates = 0
    while not over:
        response = await player.read()
        for update in response.updates:
            assert update.after == version
            assert update.seat == 0
            version, updates = update.version, updates + 1
        over += response.matches_over
        if response.turns:
            await player.send(*map(answer, response.turns))
    assert updates > 5
    assert version > 5


async def test_seats_can_be_watched_and_answered_apart(edge: Edge) -> None:
    """WatchSeats streams turns; answers go through Act, and their closing is streamed too."""
    key_id, bot = await edge.key()
    hello = play_service_pb2.Hello(
        instance="browser", event_delivery=play_service_pb2.EVENT_DELIVERY_AS_THEY_HAPPEN
    )
    request = play_service_pb2.WatchSeatsRequest(hello=hello)
    call = edge.plays.WatchSeats(request, metadata=metadata(bot))
    await asyncio.sleep(0.05)
    await edge.create(reserved(key_id), house())
    closed: list[Any] = []
    async for response in call:
        closed += response.closed_turns
        if response.matches_over:
            break
        for turn in response.turns:
            act = play_service_pb2.ActRequest(answer=answer(turn))
            await edge.call(edge.plays.Act, act, bot)
    assert {one.reason for one in closed} == {turn_pb2.TURN_CLOSE_REASON_ANSWERED}


async def test_a_client_that_says_goodbye_gets_what_is_pending(edge: Edge) -> None:
    """After the last answer and half-close its outcome still comes, then the stream ends OK."""
    key_id, bot = await edge.key()
    await edge.create(reserved(key_id), house())
    player = edge.play(bot)
    await player.hello()
    turn = await player.turn()
    await player.send(answer(turn))
    await player.call.done_writing()
    assert (await player.until("accepted"))[0].turn == turn.turn
    assert await player.closing() == ""
    assert await player.call.code() is grpc.StatusCode.OK


async def test_a_stream_of_a_match_that_ends_elsewhere_is_told(edge: Edge) -> None:
    """A match that is cancelled closes the open turn as MATCH_OVER and is over."""
    key_id, bot = await edge.key()
    match = await edge.create(reserved(key_id), house())
    player = edge.play(bot)
    await player.hello()
    await player.turn()
    request = match_service_pb2.CancelMatchRequest(match_id=match.match_id)
    await edge.call(edge.matches.CancelMatch, request)
    response = await player.read()
    assert response.closed_turns[0].reason == turn_pb2.TURN_CLOSE_REASON_MATCH_OVER
    over = response.matches_over or await player.until("matches_over")
    assert over[0].match_id == match.match_id
