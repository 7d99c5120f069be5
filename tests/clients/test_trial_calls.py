"""Does the contract serve those who play without a stream, follow the events, or race?"""

import asyncio

import grpc
import pytest

from lastcard.v1 import action_pb2, turn_pb2
from lastcard.v1 import error_reason_pb2 as reasons
from lastcard.v1 import match_service_pb2 as match_pb2
from lastcard.v1 import play_service_pb2 as play_pb2
from lastcard.v1 import play_service_pb2_grpc as play_grpc
from tests.clients.service import Service
from tests.clients.trial_client import Trial, bearer, id_of, lay_first, reserved


def unary(turn: turn_pb2.Turn) -> turn_pb2.Answer:
    """Return an answer to a turn; seat 0 calls UNO, seat 1 never does, so that one of them wins."""
    match_id, seat, number = id_of(turn)
    return turn_pb2.Answer(
        match_id=match_id,
        seat=seat,
        turn=number,
        choice=lay_first(turn),
        uno=seat == 0,
        history=turn.history,
    )


async def test_a_match_is_played_with_unary_calls(service: Service) -> None:
    """WaitTurns tells open turns that are not known yet and known ones that closed; Act answers."""
    match = await service.create(reserved(service.key_id, 2), "m")
    stub, metadata = play_grpc.PlayServiceStub(service.channel), bearer(service.key)
    known: list[play_pb2.TurnRef] = []
    result = None
    while result is None:
        request = play_pb2.WaitTurnsRequest(known=known)
        request.wait_duration.FromMilliseconds(100)
        waited = await stub.WaitTurns(request, metadata=metadata)
        assert {id_of(closed) for closed in waited.closed_turns} == {id_of(ref) for ref in known}
        assert not {id_of(turn) for turn in waited.turns} & {id_of(ref) for ref in known}
        for turn in waited.turns:
            act = play_pb2.ActRequest(answer=unary(turn))
            accepted = (await stub.Act(act, metadata=metadata)).accepted
            assert id_of(accepted) == id_of(turn)
            again = (await stub.Act(act, metadata=metadata)).accepted
            assert again.version == accepted.version
        known = [
            play_pb2.TurnRef(match_id=t.match_id, seat=t.seat, turn=t.turn) for t in waited.turns
        ]
        if not known:
            seat = play_pb2.GetViewRequest(match_id=match.match_id, seat=0)
            view = await stub.GetView(seat, metadata=metadata)
            result = view.result if view.HasField("result") else None
    assert sorted(result.places) == [1, 2]


async def test_refused_call_carries_its_reason(service: Service) -> None:
    """A refused act fails with a status, a sentence, and the detail in the trailing metadata."""
    stub = play_grpc.PlayServiceStub(service.channel)
    answer = turn_pb2.Answer(match_id="a" * 26, seat=0, turn=1, choice=0)
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await stub.Act(play_pb2.ActRequest(answer=answer), metadata=bearer(service.key))
    trailing = dict(failed.value.trailing_metadata() or ())
    detail = reasons.ErrorDetail.FromString(bytes(trailing["lastcard-error-bin"]))
    assert failed.value.code() is grpc.StatusCode.NOT_FOUND
    assert detail.reason == reasons.ERROR_REASON_NOT_FOUND
    assert detail.message == failed.value.details()


async def test_events_tell_the_match_as_it_happens(service: Service) -> None:
    """Updates of a seat form a chain from the first event to the last, and end with the result."""
    match = await service.create(reserved(service.key_id, 2), "m")
    told = Trial(
        service.channel,
        service.key,
        "one",
        event_delivery=play_pb2.EVENT_DELIVERY_AS_THEY_HAPPEN,
    )
    held: dict[int, int] = {}
    seen: dict[int, list[str]] = {0: [], 1: []}
    message = await told.connect()
    while True:
        for update in message.updates:
            assert update.after in (0, held.get(update.seat, update.after))
            held[update.seat] = update.version
            seen[update.seat] += [event.WhichOneof("payload") or "" for event in update.events]
        if message.turns:
            await told.send([told.answer(turn) for turn in message.turns])
        if match.match_id in told.over and not told.unsettled:
            break
        message = await told.receive()
    assert seen[0] == seen[1]
    assert seen[0].count("round_started") == 1
    assert seen[0][-2:] == ["round_ended", "match_ended"]


async def test_events_come_with_the_turn(service: Service) -> None:
    """With each turn comes what happened since the seat's last one, its own play first."""
    match = await service.create(reserved(service.key_id, 2), "m")
    told = Trial(
        service.channel, service.key, "one", event_delivery=play_pb2.EVENT_DELIVERY_WITH_TURN
    )
    played: dict[int, int] = {}
    message = await told.connect()
    while match.match_id not in told.over:
        for turn in message.turns:
            own = [
                event.card_played.card.face
                for event in turn.events
                if event.HasField("card_played") and event.card_played.seat == turn.seat
            ]
            expected = played.pop(turn.seat, None)
            assert own == ([] if expected is None else [expected])
            legal = turn.legal_actions[lay_first(turn)].action
            if legal.HasField("play_card"):
                played[turn.seat] = legal.play_card.card.face
        assert not message.updates
        if message.turns:
            await told.send([told.answer(turn) for turn in message.turns])
        message = await told.receive()


async def test_missing_call_is_caught_in_a_race(service: Service) -> None:
    """In race mode an update names the window; a catch in it is made once, however often sent."""
    seats = reserved(service.key_id, 2)
    match_id = (await service.create(seats, "m", match_pb2.REACTIONS_RACE)).match_id
    trial = Trial(
        service.channel,
        service.key,
        "one",
        event_delivery=play_pb2.EVENT_DELIVERY_AS_THEY_HAPPEN,
    )
    silent, window, message = -1, 0, await trial.connect()
    while silent < 0:
        answers = [trial.answer(turn) for turn in message.turns]
        for answer in answers:
            answer.uno = False
        if answers:
            await trial.send(answers)
        message = await trial.receive()
        for update in message.updates:
            counts = [player.hand_count for player in update.seat_view.table.players]
            if update.window and 1 in counts:
                silent, window = counts.index(1), update.window
    act = turn_pb2.OutOfTurnAct(
        match_id=match_id,
        seat=1 - silent,
        window=window,
        action=action_pb2.Action(catch_uno=action_pb2.CatchUno(target_seat=silent)),
        request_id="catch-1",
    )
    stub, metadata = play_grpc.PlayServiceStub(service.channel), bearer(service.key)
    request = play_pb2.ActRequest(out_of_turn=act)
    outcomes = await asyncio.gather(*(stub.Act(request, metadata=metadata) for _ in range(2)))
    assert outcomes[0] == outcomes[1]
    view = await stub.GetView(
        play_pb2.GetViewRequest(match_id=match_id, seat=silent), metadata=metadata
    )
    assert len(view.view.hand) == 3
    request.out_of_turn.request_id = "catch-2"
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await stub.Act(request, metadata=metadata)
    assert failed.value.code() is grpc.StatusCode.FAILED_PRECONDITION
