"""Does the contract keep its promises to a client that knows nothing but proto/?"""

import asyncio
from collections import Counter

import grpc
import pytest

from lastcard.v1 import action_pb2, card_pb2, turn_pb2
from lastcard.v1 import error_reason_pb2 as reasons
from lastcard.v1 import match_service_pb2 as match_pb2
from lastcard.v1 import play_service_pb2 as play_pb2
from tests.clients.service import Service
from tests.clients.trial_client import Trial, id_of, reserved
from tests.depth import few_or_all


async def test_a_match_is_played_to_its_end(service: Service) -> None:
    """One key plays both seats of a match; every answer is accepted once and none refused."""
    match = await service.create(reserved(service.key_id, 2), "m")
    trial = Trial(service.channel, service.key, "one")
    await trial.play([match.match_id])
    assert sorted(trial.over[match.match_id].places) == [1, 2]
    assert not trial.refused
    assert set(trial.delivered.values()) == {1}
    assert await trial.leave() is grpc.StatusCode.OK


async def test_several_seats_are_asked_at_once(service: Service) -> None:
    """With jump-in all other seats are asked about each play, under the version of its opening."""
    match = await service.create(reserved(service.key_id, 4), "m", jump_in="identical")
    trial = Trial(service.channel, service.key, "one")
    sizes: Counter[int] = Counter()
    groups: set[int] = set()
    message = await trial.connect()
    while match.match_id not in trial.over:
        asked = trial.waiting(match.match_id)
        if {turn.kind for turn in asked} == {turn_pb2.TURN_KIND_REACTION}:
            (number,) = {turn.turn for turn in asked}
            groups.add(number)
            sizes[len(asked)] += 1
        if message.turns:
            await trial.send([trial.answer(turn) for turn in reversed(message.turns)])
        message = await trial.receive()
    # The end may be told before what became of the answers that led to it.
    await trial.until(lambda: groups <= {number for _, _, number in trial.accepted})
    assert set(sizes) == {3}
    assert sizes[3] > 10
    assert not trial.refused
    versions = {turn[2]: accepted.version for turn, accepted in trial.accepted.items()}
    assert {number: versions[number] for number in groups} == {n: n for n in groups}


async def test_reconnecting_in_mid_turn_loses_and_doubles_nothing(service: Service) -> None:
    """Open turns come again under their numbers; an answer given before keeps its outcome."""
    ids = await service.create_many(6)
    trial = Trial(service.channel, service.key, "one")
    await trial.connect()
    await trial.until(lambda: len(trial.delivered) == 12)
    opened = [turn for match_id in ids for turn in trial.open[match_id].values()]
    given, kept = opened[:5], opened[5:]
    answers = [trial.answer(turn) for turn in given]
    await trial.send(answers)
    await trial.until(lambda: len(trial.accepted) == 5)
    outcomes = {turn: accepted.version for turn, accepted in trial.accepted.items()}
    trial.cut()
    trial.accepted.clear()
    first = await trial.connect(answers)
    assert {id_of(turn) for turn in first.turns} >= {id_of(turn) for turn in kept}
    await trial.until(lambda: len(trial.accepted) == 5)
    assert {turn: accepted.version for turn, accepted in trial.accepted.items()} == outcomes
    trial.cut()
    await trial.play(ids)
    assert not trial.refused


async def test_answer_binds_once(service: Service) -> None:
    """Another answer to an answered turn is refused; a choice that is none leaves the turn open."""
    await service.create_many(1)
    trial = Trial(service.channel, service.key, "one")
    message = await trial.connect()
    while not any(len(turn.legal_actions) > 1 for turn in message.turns):
        if message.turns:
            await trial.send([trial.answer(turn) for turn in message.turns])
        message = await trial.receive()
    (turn,) = message.turns
    await trial.send([trial.answer(turn, 99)])
    await trial.until(lambda: id_of(turn) in trial.refused)
    refused = trial.refused.pop(id_of(turn))
    assert refused.error.reason == reasons.ERROR_REASON_BAD_CHOICE
    assert refused.open_turn == turn.turn
    await trial.send([trial.answer(turn, choice) for choice in (0, 0, 1)])
    await trial.until(lambda: id_of(turn) in trial.refused)
    assert trial.refused[id_of(turn)].error.reason == reasons.ERROR_REASON_TURN_ANSWERED
    assert id_of(turn) in trial.accepted


@pytest.mark.parametrize("uno", [False, True])
async def test_ready_answer_binds_once(service: Service, *, uno: bool) -> None:
    """The opening's answer may be repeated like any other, with UNO or without: it says nothing."""
    await service.create_many(1)
    trial = Trial(service.channel, service.key, "one")
    await trial.connect()
    await trial.until(lambda: bool(trial.delivered))
    (turn, *_) = (turn for seats in trial.open.values() for turn in seats.values())
    answer = trial.answer(turn)
    answer.uno = uno
    await trial.send([answer, answer])
    await trial.until(lambda: bool(trial.accepted))
    await trial.send([answer])
    trial.accepted.clear()
    await trial.until(lambda: id_of(turn) in {**trial.accepted, **trial.refused})
    assert not trial.refused


async def test_two_instances_share_the_seats_of_a_key(service: Service) -> None:
    """Each turn goes to one stream of the key; when a stream ends its turns move to the other."""
    ids = await service.create_many(20)
    one, two = (Trial(service.channel, service.key, name) for name in ("one", "two"))
    await one.connect()
    await one.until(lambda: len(one.delivered) == 40)
    assert not (await two.connect()).turns
    one.cut()
    await two.until(lambda: len(two.delivered) == 40)
    assert set(two.delivered) == set(one.delivered)
    two.cut()
    pair = [Trial(service.channel, service.key, name, max_open_turns=12) for name in "ab"]
    playing = [asyncio.create_task(trial.play(ids, *pair)) for trial in pair]
    await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
    for task in playing:
        task.cancel()
    await asyncio.wait(playing)
    assert pair[0].over.keys() | pair[1].over.keys() == set(ids)
    for trial in pair:
        assert trial.accepted
        assert not trial.refused


async def test_newer_stream_of_an_instance_replaces_the_older(service: Service) -> None:
    """The older stream of an instance is told that it is replaced, and ends."""
    older, newer = (Trial(service.channel, service.key, "one") for _ in range(2))
    await older.connect()
    await newer.connect()
    message = await older.receive()
    assert message.closing.reason == play_pb2.CLOSING_REASON_REPLACED
    assert await older.leave() is grpc.StatusCode.OK


async def test_seat_tokens_play_one_seat_each(service: Service) -> None:
    """A token plays its seat alone; a stream it opens after the end is told the result at once."""
    open_seats = [match_pb2.SeatSpec(open=match_pb2.OpenSeat()) for _ in range(2)]
    match = await service.create(open_seats, "m")
    joined = [await service.join(match.match_id, name) for name in ("a", "b")]
    players = [Trial(service.channel, seat.seat_token, "i") for seat in joined]
    await asyncio.gather(*(player.play([match.match_id]) for player in players))
    for seat, player in zip(joined, players, strict=True):
        assert {turn[1] for turn in player.delivered} == {seat.seat}
    later = Trial(service.channel, joined[0].seat_token, "later")
    first = await later.connect()
    assert [over.result for over in first.matches_over] == [players[0].over[match.match_id]]


async def test_hundreds_of_matches_on_one_stream(service: Service) -> None:
    """One stream plays them at once, a thousand in a deep search; many turns to a message."""
    ids = await service.create_many(few_or_all(300, 1_000))
    trial = Trial(service.channel, service.key, "one", max_open_turns=4_096)
    await trial.play(ids)
    await trial.until(lambda: not trial.unsettled)
    assert trial.over.keys() == set(ids)
    assert not trial.refused
    assert len(trial.accepted) == sum(trial.delivered.values())
    assert max(trial.batches) > 100


async def test_rubbish_is_refused_and_the_stream_goes_on(service: Service) -> None:
    """Whatever an answer holds, it is refused with a reason of its own and the next one counts."""
    ids = await service.create_many(1)
    trial = Trial(service.channel, service.key, "one")
    await trial.connect()
    await trial.until(lambda: bool(trial.waiting(ids[0])))
    match_id, seat, number = id_of(trial.waiting(ids[0])[0])
    card = card_pb2.Card()
    actions = [action_pb2.Action(), action_pb2.Action(play_card=action_pb2.PlayCard(card=card))]
    named = turn_pb2.Answer(match_id=match_id, seat=seat, turn=number)
    rubbish = [
        (reasons.ERROR_REASON_BAD_CHOICE, turn_pb2.Answer()),
        (reasons.ERROR_REASON_BAD_CHOICE, turn_pb2.Answer(choice=-1)),
        (reasons.ERROR_REASON_BAD_ACTION, turn_pb2.Answer(action=actions[0])),
        (reasons.ERROR_REASON_BAD_ACTION, turn_pb2.Answer(action=actions[1])),
        (reasons.ERROR_REASON_STALE_TURN, turn_pb2.Answer(turn=99, choice=0)),
        (reasons.ERROR_REASON_FORBIDDEN, turn_pb2.Answer(seat=9, choice=0)),
        (reasons.ERROR_REASON_NOT_FOUND, turn_pb2.Answer(match_id="z" * 26, choice=0)),
        (reasons.ERROR_REASON_BAD_FIELD, turn_pb2.Answer(choice=0, history=b"x")),
    ]
    for reason, wrong in rubbish:
        answer = turn_pb2.Answer()
        answer.CopyFrom(named)
        answer.MergeFrom(wrong)
        await trial.send([answer])
        while id_of(answer) not in trial.refused:
            await trial.receive()
        refused = trial.refused.pop(id_of(answer))
        assert refused.error.reason == reason
        assert refused.error.message.endswith(".")
    trial.cut()
    await trial.play(ids)
    assert not trial.refused
