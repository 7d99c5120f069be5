"""Play with many streams, many instances and many matches: each turn is in one place at a time."""

import asyncio

import pytest

from lastcard.v1 import key_service_pb2, match_service_pb2, turn_pb2
from tests.server.edge import OPEN, PATIENT, Edge, answer, end_of, house, reason_of, reserved


async def test_the_newest_stream_of_an_instance_wins(edge: Edge) -> None:
    """The older stream ends with REPLACED, and its turns come to the newer one."""
    key_id, bot = await edge.key()
    await edge.create(reserved(key_id), house())
    old = edge.play(bot)
    await old.hello("same")
    turn = await old.turn()
    new = edge.play(bot)
    await new.hello("same")
    assert (await new.turn()).turn == turn.turn
    assert await old.closing() == "REPLACED"
    await new.send(answer(turn))
    assert await new.until("accepted")


async def test_several_instances_share_the_turns_of_a_key(edge: Edge) -> None:
    """Each turn goes to one of them; when a stream ends its turns move to the other."""
    key_id, bot = await edge.key()
    one, two = edge.play(bot), edge.play(bot)
    await one.hello("one", max_open_turns=3)
    await two.hello("two", max_open_turns=3)
    await asyncio.sleep(0.1)
    for _ in range(4):
        await edge.create(reserved(key_id), house())
    await asyncio.gather(one.quiet(), two.quiet())
    assert len(one.turns) + len(two.turns) == 4
    assert not one.turns.keys() & two.turns.keys()
    assert 1 <= len(one.turns) <= 3
    lost = set(one.turns)
    one.call.cancel()
    while len(two.turns) < 3:
        await two.read()
    moved = next(turn for key, turn in two.turns.items() if key in lost)
    await two.send(answer(moved))
    assert await two.until("accepted")


async def test_answers_are_accepted_on_any_stream(edge: Edge) -> None:
    """An instance may answer a turn that lies with another one, which is then told."""
    key_id, bot = await edge.key()
    await edge.create(reserved(key_id), house())
    holder, other = edge.play(bot), edge.play(bot)
    await holder.hello("holder")
    turn = await holder.turn()
    await other.hello("other")
    await other.send(answer(turn))
    assert (await other.until("accepted"))[0].turn == turn.turn
    (closed,) = await holder.until("closed_turns")
    assert (closed.turn, closed.reason) == (turn.turn, turn_pb2.TURN_CLOSE_REASON_ANSWERED)


async def test_no_more_turns_are_open_than_a_stream_asks_for(edge: Edge) -> None:
    """Further turns wait until one is answered."""
    key_id, bot = await edge.key()
    for _ in range(3):
        await edge.create(reserved(key_id), house(), OPEN)
    player = edge.play(bot)
    await player.hello(max_open_turns=2)
    for _ in range(3):
        await edge.create(reserved(key_id), reserved(key_id))
    await player.quiet()
    assert len(player.turns) == 2
    first = next(iter(player.turns.values()))
    await player.send(answer(first))
    await player.quiet()
    assert len(player.turns) == 3


async def test_a_seat_token_plays_its_seat_alone(edge: Edge) -> None:
    """Its stream gets that seat's turns, and answers for another seat are refused."""
    _, bot = await edge.key()
    match = await edge.create(OPEN, OPEN)
    tokens = [(await edge.join(match.match_id, f"s{n}", bot)).seat_token for n in range(2)]
    player = edge.play(tokens[1])
    await player.hello()
    turn = await player.turn()
    assert turn.seat == 1
    await player.send(answer(turn, seat=0))
    (refusal,) = await player.until("refused")
    assert reason_of(refusal.error) == "forbidden"


async def test_a_seat_given_back_ends_its_streams(edge: Edge) -> None:
    """When the seat is taken anew, a stream of its old token ends with REVOKED."""
    _, bot = await edge.key()
    match = await edge.create(OPEN, OPEN)
    token = (await edge.join(match.match_id, "s", bot)).seat_token
    player = edge.play(token)
    await player.hello()
    request = match_service_pb2.LeaveMatchRequest(match_id=match.match_id)
    await edge.call(edge.matches.LeaveMatch, request, bot)
    for name in ("a", "b"):
        await edge.join(match.match_id, name, bot)
    assert await player.closing() == "REVOKED"


async def test_revoking_a_key_ends_its_streams(edge: Edge) -> None:
    """The stream ends with REVOKED, and the key is UNAUTHENTICATED from then on."""
    key_id, bot = await edge.key()
    player = edge.play(bot)
    await player.hello()
    await asyncio.sleep(0.05)
    request = key_service_pb2.RevokeKeyRequest(key_id=key_id)
    await edge.call(edge.keys.RevokeKey, request)
    assert await player.closing() == "REVOKED"
    assert await end_of(edge.play(bot)) == "unauthenticated"


async def test_a_key_may_have_so_many_streams(edge: Edge) -> None:
    """The 65th instance is refused as QUOTA; a replacement of one is not."""
    _, bot = await edge.key()
    players = [edge.play(bot) for _ in range(64)]
    for number, player in enumerate(players):
        await player.hello(f"i{number}")
    await asyncio.sleep(0.2)
    more = edge.play(bot)
    await more.hello("more")
    assert await end_of(more) == "quota"
    again = edge.play(bot)
    await again.hello("i0")
    assert await players[0].closing() == "REPLACED"


async def test_a_thousand_matches_on_one_stream(edge: Edge) -> None:
    """One stream carries 1,000 matches at once, many turns to a message, to their ends."""
    key_id, bot = await edge.key()
    count = 1_000
    short = match_service_pb2.MatchSettings()
    short.CopyFrom(PATIENT)
    short.action_cap = 6
    player = edge.play(bot)
    await player.hello(max_open_turns=4_096)
    for _ in range(count):
        await edge.create(reserved(key_id), reserved(key_id), settings=short)
    over, messages, turns = 0, 0, 0
    while over < count:
        response = await player.read()
        assert not response.refused
        assert len(response.turns) <= 256
        assert response.ByteSize() <= 256 << 10
        over += len(response.matches_over)
        messages, turns = messages + 1, turns + len(response.turns)
        if response.turns:
            await player.send(*map(answer, response.turns))
    assert turns > 4 * count
    assert turns / messages > 4
    await player.end()


async def test_a_stream_that_is_old_ends_and_says_so(
    edge: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At its greatest age a stream ends with AGE, before the connection's age cuts it."""
    monkeypatch.setattr("lastcard_server.hub.STREAM_AGE_SECONDS", 0.1)
    _, bot = await edge.key()
    player = edge.play(bot)
    await player.hello()
    assert await player.closing() == "AGE"
