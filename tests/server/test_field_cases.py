"""Are the field cases of sessions and clocks impossible: whose view, whose events, whose time?"""

from typing import Any

from lastcard.v1 import match_service_pb2, play_service_pb2
from lastcard_server.errors import Reason
from lastcard_server.matches.match import GRACE_US
from lastcard_server.matches.timing import Fault, expire
from lastcard_server.matches.turns import OpenTurn
from tests.matches.table import Table, accepted, refused, setup_of
from tests.server.edge import OPEN, Edge, answer, reason, reserved


async def test_f50_a_view_is_that_of_whoever_asks(edge: Edge) -> None:
    """On one channel: who names another's seat is refused, and who names none gets the own one."""
    (one, ann), (two, bob) = await edge.key(), await edge.key()
    match = await edge.create(reserved(one), reserved(two))
    for key in (ann, bob):
        player = edge.play(key)
        await player.hello()
        await player.send(answer(await player.turn()))
        await player.until("accepted")
        player.call.cancel()

    async def seen(key: str, **seat: int) -> Any:
        request = play_service_pb2.GetViewRequest(match_id=match.match_id, **seat)
        return (await edge.call(edge.plays.GetView, request, key)).view

    views = [await seen(key) for key in (ann, bob)]
    assert [view.seat for view in views] == [0, 1]
    assert await seen(bob, seat=1) == views[1]
    assert await reason(seen(bob, seat=0)) == "forbidden"
    assert await reason(seen(ann, seat=1)) == "forbidden"


async def test_f51_who_gave_a_seat_back_hears_no_more_of_that_match(edge: Edge) -> None:
    """Its token is dead, its stream tells of the other match alone, the seat is another's."""
    (_, ann), (_, bob) = await edge.key(), await edge.key()
    first, second = await edge.create(OPEN, OPEN), await edge.create(OPEN, OPEN)
    left = await edge.join(first.match_id, "ann", ann)
    player = edge.play(ann)
    await player.hello()
    request = match_service_pb2.LeaveMatchRequest(match_id=first.match_id, seat=left.seat)
    await edge.call(edge.matches.LeaveMatch, request, ann)
    for name, match, key in (
        ("bob", first, bob),
        ("bo", first, bob),
        ("ann", second, ann),
        ("bob", second, bob),
    ):
        await edge.join(match.match_id, name, key)
    taker = edge.play(bob)
    await taker.hello()
    while (first.match_id, left.seat) not in taker.turns:
        await taker.read()
    await player.turn()
    await player.quiet()
    assert {match_id for match_id, _ in player.turns} == {second.match_id}
    view = play_service_pb2.GetViewRequest(match_id=first.match_id, seat=left.seat)
    assert await reason(edge.call(edge.plays.GetView, view, left.seat_token)) == "not_found"
    assert await reason(edge.call(edge.plays.GetView, view, ann)) == "not_found"


def turn_before(table: Table) -> OpenTurn:
    """Play for two until a seat has the turn again at once; return its turn before."""
    for _ in range(2000):
        ((seat, turn),) = table.match.turns.items()
        table.clock.advance(100)
        accepted(table.answer(seat, 0, uno=True))
        if seat in table.match.turns:
            return turn
    raise AssertionError("nobody was skipped")


def test_f56_the_time_of_a_turn_ends_with_the_turn() -> None:
    """For two a skip leaves the turn with its player: the clock of the last turn is not his."""
    table = Table(setup_of(2, preset="duel_no", move_limit_ms=1000, margin_ms=50))
    table.ready()
    before = turn_before(table)
    match = table.match
    ((seat, turn),) = match.turns.items()
    assert (turn.seat, turn.turn > before.turn) == (before.seat, True)
    version = match.version
    expire(match, before.deadline_us + 50_000 + GRACE_US, lambda _seat: Fault.LATE)
    late = refused(table.answer(seat, 0, turn=before.turn))
    assert (match.version, late.reason) == (version, Reason.TURN_ANSWERED)
    table.expire()
    assert match.version > version
