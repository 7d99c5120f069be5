"""PlayService call by call: views, polling for turns and acting, as curl would play."""

import asyncio
import time
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration

from lastcard.v1 import action_pb2, event_pb2, match_service_pb2, play_service_pb2, turn_pb2
from tests.server.edge import OPEN, PATIENT, Edge, answer, choice, house, reason, refused, reserved

SECOND = Duration(seconds=1)


def view(edge: Edge, match_id: str, key: str, **fields: Any) -> Any:
    """Return the call that asks for a view."""
    request = play_service_pb2.GetViewRequest(match_id=match_id, **fields)
    return edge.call(edge.plays.GetView, request, key)


async def turns(edge: Edge, key: str, **fields: Any) -> play_service_pb2.WaitTurnsResponse:
    """Return what polling brings."""
    usual: dict[str, Any] = {"wait_duration": Duration(seconds=5)}
    request = play_service_pb2.WaitTurnsRequest(**(usual | fields))
    response: play_service_pb2.WaitTurnsResponse
    response = await edge.call(edge.plays.WaitTurns, request, key)
    return response


def act(edge: Edge, key: str, given: turn_pb2.Answer) -> Any:
    """Return the call that answers a turn."""
    return edge.call(edge.plays.Act, play_service_pb2.ActRequest(answer=given), key)


def ref(turn: turn_pb2.Turn, **fields: Any) -> play_service_pb2.TurnRef:
    """Return the name of a turn."""
    named: dict[str, Any] = {"match_id": turn.match_id, "seat": turn.seat, "turn": turn.turn}
    return play_service_pb2.TurnRef(**(named | fields))


async def seated(edge: Edge, **fields: Any) -> tuple[match_service_pb2.Match, str]:
    """Return a match of a key on seat 0 against a house bot, which has begun, and the key."""
    key_id, bot = await edge.key()
    match = await edge.create(reserved(key_id), house(), **fields)
    (ready,) = (await turns(edge, bot)).turns
    await act(edge, bot, answer(ready))
    return match, bot


async def test_a_match_can_be_played_call_by_call(edge: Edge) -> None:
    """Polling and acting alone bring a match to its end."""
    match, bot = await seated(edge)
    answers = 0
    while True:
        found = (await view(edge, match.match_id, bot)).result
        if found.places:
            break
        for turn in (await turns(edge, bot, wait_duration=Duration(nanos=200_000_000))).turns:
            accepted = (await act(edge, bot, answer(turn))).accepted
            assert (accepted.turn, len(accepted.history)) == (turn.turn, 36)
            answers += 1
    assert answers > 0


async def test_a_view_shows_the_own_hand_and_the_open_turn(edge: Edge) -> None:
    """GetView finds the only seat of a caller and tells its turn without the view."""
    match, bot = await seated(edge)
    turn = (await turns(edge, bot)).turns[0]
    response = await view(edge, match.match_id, bot)
    assert response.view.hand
    assert response.view == turn.view
    assert (response.open_turn.turn, response.open_turn.HasField("view")) == (turn.turn, False)
    assert list(response.open_turn.legal_actions) == list(turn.legal_actions)


async def test_a_view_is_for_who_holds_the_seat(edge: Edge) -> None:
    """Others, organisers too, find no such match; a seat of another's is forbidden."""
    match, bot = await seated(edge)
    _, stranger = await edge.key()
    assert await reason(view(edge, match.match_id, stranger)) == "not_found"
    assert await reason(view(edge, match.match_id, edge.organiser)) == "not_found"
    assert await reason(view(edge, match.match_id, bot, seat=1)) == "forbidden"
    assert await reason(view(edge, match.match_id, bot, seat=99)) == "forbidden"


async def test_with_several_seats_the_seat_has_to_be_named(edge: Edge) -> None:
    """A key that holds two seats gets BAD_FIELD until it says which; a token means its own."""
    _, bot = await edge.key()
    match = await edge.create(OPEN, OPEN)
    tokens = [(await edge.join(match.match_id, f"s{n}", bot)).seat_token for n in range(2)]
    assert await reason(view(edge, match.match_id, bot)) == "bad_field"
    ready = (await view(edge, match.match_id, bot, seat=1)).open_turn
    assert (ready.seat, list(ready.seat_names)) == (1, ["s0", "s1"])
    assert (await view(edge, match.match_id, tokens[0])).open_turn.seat == 0
    assert await reason(view(edge, match.match_id, tokens[0], seat=1)) == "forbidden"


async def test_polling_tells_the_end_of_matches_asked_for(edge: Edge) -> None:
    """The end of an own match is told as it comes and again when asked; others' are unknown."""
    match, bot = await seated(edge)
    foreign, _ = await seated(edge)
    ids = [match.match_id, foreign.match_id]
    held = [ref(turn) for turn in (await turns(edge, bot)).turns]
    waiting = asyncio.ensure_future(turns(edge, bot, known=held, match_ids=ids))
    for match_id in (foreign.match_id, match.match_id):
        cancel = match_service_pb2.CancelMatchRequest(match_id=match_id)
        await edge.call(edge.matches.CancelMatch, cancel)
    told = await waiting
    if not told.matches_over:
        told = await turns(edge, bot, match_ids=ids)
    assert [over.match_id for over in told.matches_over] == [match.match_id]
    assert [over.match_id for over in (await turns(edge, bot, match_ids=ids)).matches_over] == [
        match.match_id
    ]


async def test_polling_tells_that_a_match_is_gone(edge: Edge) -> None:
    """Nobody waits for an end that nobody can tell."""
    match, bot = await seated(edge)
    told = await turns(edge, bot, match_ids=[match.match_id, "a" * 26, "no id"])
    (over,) = told.matches_over
    assert over.match_id == "a" * 26
    assert over.result == event_pb2.MatchEnded(reason="MATCH_END_REASON_FROZEN")


async def test_polling_leaves_out_what_is_known_and_tells_what_is_closed(edge: Edge) -> None:
    """A known turn is not sent again, a closed one is named with its reason."""
    match, bot = await seated(edge)
    turn = (await turns(edge, bot)).turns[0]
    nothing = await turns(edge, bot, known=[ref(turn)], wait_duration=Duration(nanos=50_000_000))
    assert nothing == play_service_pb2.WaitTurnsResponse()
    await act(edge, bot, answer(turn))
    told = await turns(edge, bot, known=[ref(turn), ref(turn, match_id="a" * 26)])
    reasons = {closed.match_id: closed.reason for closed in told.closed_turns}
    assert reasons[match.match_id] == turn_pb2.TURN_CLOSE_REASON_ANSWERED
    assert reasons["a" * 26] == turn_pb2.TURN_CLOSE_REASON_WITHDRAWN


async def test_polling_wakes_up_for_a_new_turn(edge: Edge) -> None:
    """A call that waits returns when a turn opens, long before its time is up."""
    key_id, bot = await edge.key()
    waiting = asyncio.create_task(turns(edge, bot, wait_duration=Duration(seconds=8)))
    await asyncio.sleep(0.05)
    began = time.monotonic()
    match = await edge.create(reserved(key_id), house())
    (turn,) = (await waiting).turns
    assert (turn.match_id, turn.kind) == (match.match_id, turn_pb2.TURN_KIND_READY)
    assert time.monotonic() - began < 4


async def test_polling_returns_as_many_turns_as_asked_for(edge: Edge) -> None:
    """max_turns bounds one response; what is known makes room for the others."""
    key_id, bot = await edge.key()
    for _ in range(3):
        await edge.create(reserved(key_id), house())
    first = (await turns(edge, bot, max_turns=2)).turns
    assert len(first) == 2
    assert len((await turns(edge, bot, max_turns=2, known=map(ref, first))).turns) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"max_turns": -1},
        {"max_turns": 257},
        {"wait_duration": Duration(seconds=61)},
        {"wait_duration": Duration(seconds=-1)},
        {"wait_duration": Duration(nanos=2_000_000_000)},
        {"known": [play_service_pb2.TurnRef()] * 1_001},
    ],
)
async def test_polling_out_of_range_is_refused(edge: Edge, fields: dict[str, Any]) -> None:
    """Limits of the contract are BAD_FIELD beyond their ends."""
    _, bot = await edge.key()
    assert await reason(turns(edge, bot, **fields)) == "bad_field"


async def test_an_answer_counts_once(edge: Edge) -> None:
    """The same again gets the first outcome, another one TURN_ANSWERED, by value or by index."""
    _, bot = await seated(edge)
    turn = (await turns(edge, bot)).turns[0]
    first = (await act(edge, bot, answer(turn))).accepted
    by_value = turn.legal_actions[choice(turn)].action
    for again in (answer(turn), answer(turn, action=by_value)):
        repeated = (await act(edge, bot, again)).accepted
        assert (repeated.turn, repeated.version) == (first.turn, first.version)
    assert await reason(act(edge, bot, answer(turn, uno=False))) == "turn_answered"


async def test_answers_that_cannot_be_change_nothing(edge: Edge) -> None:
    """Each wrong answer is refused for its reason, and the turn is still open and the same."""
    match, bot = await seated(edge)
    _, stranger = await edge.key()
    turn = (await turns(edge, bot)).turns[0]
    card = action_pb2.Action(choose_colour=action_pb2.ChooseColour(colour="COLOUR_RED"))
    wrong: dict[str, turn_pb2.Answer] = {
        "bad_choice": answer(turn, choice=99),
        "stale_turn": answer(turn, turn=turn.turn + 1),
        "forbidden": answer(turn, seat=1),
        "not_found": answer(turn, match_id="a" * 26),
        "illegal_action": answer(turn, action=card),
        "bad_action": answer(turn, action=action_pb2.Action()),
    }
    for why, given in wrong.items():
        assert await reason(act(edge, bot, given)) == why
    for given in (
        answer(turn, choice=-1),
        turn_pb2.Answer(match_id=turn.match_id, turn=turn.turn, seat=turn.seat),
    ):
        assert await reason(act(edge, bot, given)) == "bad_choice"
    assert await reason(act(edge, stranger, answer(turn))) == "not_found"
    for number in (0, -5, -(2**31), 2**31 - 1):
        assert await reason(act(edge, bot, answer(turn, turn=number))) == "stale_turn"
    after = await view(edge, match.match_id, bot)
    assert (after.open_turn.turn, after.view) == (turn.turn, turn.view)


async def test_an_act_of_neither_kind_is_refused(edge: Edge) -> None:
    """An empty act is BAD_FIELD."""
    call = edge.call(edge.plays.Act, play_service_pb2.ActRequest())
    assert await reason(call) == "bad_field"


async def test_acts_before_the_start_and_after_the_end_are_refused(edge: Edge) -> None:
    """Before the seats are filled it is NOT_STARTED, after the end MATCH_OVER."""
    key_id, bot = await edge.key()
    match = await edge.create(reserved(key_id), OPEN)
    early = turn_pb2.Answer(match_id=match.match_id, turn=1, choice=0)
    assert await reason(act(edge, bot, early)) == "not_started"
    request = match_service_pb2.CancelMatchRequest(match_id=match.match_id)
    await edge.call(edge.matches.CancelMatch, request)
    assert await reason(act(edge, bot, early)) == "match_over"


async def test_a_turn_that_ran_out_says_so(edge: Edge) -> None:
    """An answer after the clock closed the turn is TURN_TIMED_OUT, and so is polling's reason."""
    key_id, bot = await edge.key()
    quick = match_service_pb2.MatchSettings(
        move_limit_duration=Duration(nanos=10_000_000),
        network_margin_duration=Duration(),
    )
    await edge.create(reserved(key_id), house(), settings=quick)
    (ready,) = (await turns(edge, bot)).turns
    await act(edge, bot, answer(ready))
    turn = (await turns(edge, bot)).turns[0]
    while not (told := (await turns(edge, bot, known=[ref(turn)])).closed_turns):
        pass
    assert told[0].reason == turn_pb2.TURN_CLOSE_REASON_TIMED_OUT
    assert await reason(act(edge, bot, answer(turn))) == "turn_timed_out"


async def test_race_acts_name_their_window(edge: Edge) -> None:
    """Out of turn only the open window counts; request_id and action are checked first."""
    race = match_service_pb2.MatchSettings()
    race.CopyFrom(PATIENT)
    race.reactions = match_service_pb2.REACTIONS_RACE
    match, bot = await seated(edge, settings=race)
    catch = action_pb2.Action(catch_uno=action_pb2.CatchUno(target_seat=1))

    def out_of_turn(**fields: Any) -> Any:
        usual: dict[str, Any] = {
            "match_id": match.match_id,
            "window": 10_000,
            "action": catch,
            "request_id": "c1",
        }
        given = turn_pb2.OutOfTurnAct(**(usual | fields))
        return edge.call(edge.plays.Act, play_service_pb2.ActRequest(out_of_turn=given), bot)

    assert await reason(out_of_turn()) == "window_closed"
    assert await reason(out_of_turn(request_id="")) == "bad_field"
    assert await reason(out_of_turn(request_id="a b")) == "bad_field"
    assert await reason(out_of_turn(action=action_pb2.Action())) == "bad_action"
    assert await reason(out_of_turn(seat=1)) == "forbidden"
    assert await reason(out_of_turn(match_id="")) == "not_found"


async def test_a_history_that_is_not_ours_freezes_nothing(edge: Edge) -> None:
    """A forged history is refused or ignored; the match goes on."""
    _, bot = await seated(edge)
    turn = (await turns(edge, bot)).turns[0]
    forged = act(edge, bot, answer(turn, history=bytes(36)))
    try:
        await forged
    except Exception:  # noqa: BLE001 - whichever it is, the true answer must still count
        await act(edge, bot, answer(turn))


async def test_a_spectator_plays_no_seats(edge: Edge) -> None:
    """A spectator's key is FORBIDDEN to poll."""
    _, watcher = await edge.key("KEY_ROLE_SPECTATOR")
    detail = await refused(turns(edge, watcher))
    assert detail.reason == 9


async def test_a_superseded_seat_token_is_not_valid_any_more(edge: Edge) -> None:
    """After a seat was given back its token is UNAUTHENTICATED for playing."""
    match = await edge.create(OPEN, OPEN)
    token = (await edge.join(match.match_id)).seat_token
    request = match_service_pb2.LeaveMatchRequest(match_id=match.match_id)
    await edge.call(edge.matches.LeaveMatch, request, token)
    assert await reason(turns(edge, token)) == "unauthenticated"
