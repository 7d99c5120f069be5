"""A holder gives each turn to one stream, moves it when that ends, and never loses one."""

from typing import Any

import pytest

from lastcard.v1 import play_service_pb2
from lastcard_server.holders import Holder
from lastcard_server.keys import Caller, Role
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Update
from lastcard_server.matches.turns import TurnClose
from lastcard_server.servicers.play import layout_of
from lastcard_server.streams import Closing, Delivery, Stream, Wish
from lastcard_server.telemetry import Telemetry
from tests.matches.table import Table, setup_of

PLAY = layout_of(play_service_pb2.PlayResponse)


class Desk:
    """A holder with streams, without a server."""

    def __init__(self, caller: Caller | None = None) -> None:
        self.telemetry = Telemetry()
        self.holder = Holder(caller or Caller("key:0", Role.BOT, "0"), self.telemetry)

    def stream(self, instance: str = "a", most: int = 256, delivery: str = "never") -> Stream:
        """Add a stream."""
        stream = Stream(Wish(instance, most, Delivery(delivery)), PLAY, self.telemetry)
        self.holder.add(stream)
        return stream


def pending(stream: Stream) -> play_service_pb2.PlayResponse:
    """Return what a stream would send now."""
    return play_service_pb2.PlayResponse.FromString(stream.outbox.pack()[0])


def asking(seats: int = 1, count: int = 1) -> list[Match]:
    """Return matches in which the first seats, all of key:0, are asked whether they are ready."""
    matches = []
    for number in range(count):
        match = Table(setup_of(4), match_id=f"{number:026d}").match
        for occupant in match.seats[:seats]:
            occupant.owner = "key:0"
        matches.append(match)
    return matches


def open_turn(desk: Desk, match: Match, seat: int = 0) -> None:
    """Tell the holder of a seat's turn."""
    desk.holder.turn_opened(match, match.turns[seat])


def test_a_turn_told_twice_is_sent_once() -> None:
    """Hearing again of a turn that lies with a stream changes nothing."""
    desk, (match,) = Desk(), asking()
    stream = desk.stream()
    open_turn(desk, match)
    open_turn(desk, match)
    assert len(pending(stream).turns) == 1
    open_turn(desk, match)
    assert not pending(stream).turns
    assert stream.open_turns == 1


def test_a_turn_asked_anew_replaces_the_one_before() -> None:
    """A new number for the same seat leaves one open turn, the new one."""
    desk, (match,) = Desk(), asking()
    stream = desk.stream()
    open_turn(desk, match)
    match.turns[0].turn = 7
    open_turn(desk, match)
    assert [turn.turn for turn in pending(stream).turns] == [7]
    assert stream.open_turns == 1


def test_turns_go_to_the_stream_with_the_most_room_and_then_stay() -> None:
    """A seat keeps its stream; a new one goes where there is more room."""
    desk, (one, two) = Desk(), asking(count=2)
    wide, narrow = desk.stream("wide", 10), desk.stream("narrow", 2)
    open_turn(desk, one)
    assert len(pending(wide).turns) == 1
    desk.holder.turn_closed(one, 0, one.turns[0].turn, TurnClose.WITHDRAWN)
    wide.open_turns = 9  # others have come meanwhile
    one.turns[0].turn = 5
    open_turn(desk, one)
    open_turn(desk, two)
    assert [turn.match_id for turn in pending(wide).turns] == [one.match_id]
    assert [turn.match_id for turn in pending(narrow).turns] == [two.match_id]


def test_turns_without_room_wait_and_come_when_there_is_some() -> None:
    """A third turn waits for the first to close; closed while it waits it is never sent."""
    desk, (one, two, three, four) = Desk(), asking(count=4)
    stream = desk.stream(most=2)
    for match in (one, two, three, four):
        open_turn(desk, match)
    assert len(pending(stream).turns) == 2
    desk.holder.turn_closed(three, 0, three.turns[0].turn, TurnClose.TIMED_OUT)
    desk.holder.turn_closed(one, 0, one.turns[0].turn, TurnClose.TIMED_OUT)
    response = pending(stream)
    assert [turn.match_id for turn in response.turns] == [four.match_id]
    assert [closed.match_id for closed in response.closed_turns] == [one.match_id]


def test_turns_move_when_their_stream_ends() -> None:
    """What lay with a stream that ended goes to the others, and is counted as moved."""
    desk, (one, two) = Desk(), asking(count=2)
    first = desk.stream("first")
    open_turn(desk, one)
    pending(first)
    open_turn(desk, two)
    second = desk.stream("second")
    desk.holder.remove(first)
    assert len(pending(second).turns) == 2
    assert desk.telemetry.turns_moved == 2
    desk.holder.remove(second)
    third = desk.stream("third")
    assert len(pending(third).turns) == 2


@pytest.mark.parametrize("reason", TurnClose)
def test_a_stream_hears_of_turns_it_did_not_close_itself(reason: TurnClose) -> None:
    """ANSWERED is told only where another one answered."""
    desk, (match,) = Desk(), asking()
    stream, other = desk.stream("a"), desk.stream("b", 1)
    open_turn(desk, match)
    pending(stream)
    command: Any = type("Named", (), {"match_id": match.match_id, "seat": 0})
    desk.holder.answering(stream, [command])
    desk.holder.turn_closed(match, 0, match.turns[0].turn, reason)
    assert bool(pending(stream).closed_turns) == (reason is not TurnClose.ANSWERED)
    match.turns[0].turn += 1
    open_turn(desk, match)
    pending(stream)
    desk.holder.answering(other, [command])
    desk.holder.turn_closed(match, 0, match.turns[0].turn, reason)
    assert len(pending(stream).closed_turns) == 1


def test_a_refused_answer_does_not_hide_what_closes_the_turn_later() -> None:
    """After a refusal the stream is told again when somebody else answers."""
    desk, (match,) = Desk(), asking()
    stream = desk.stream()
    open_turn(desk, match)
    pending(stream)
    command: Any = type("Named", (), {"match_id": match.match_id, "seat": 0})
    desk.holder.answering(stream, [command])
    desk.holder.refused(command)
    desk.holder.turn_closed(match, 0, match.turns[0].turn, TurnClose.ANSWERED)
    assert len(pending(stream).closed_turns) == 1


class OneMatch:
    """A registry with one match."""

    def __init__(self, match: Match) -> None:
        self.match = match

    async def get(self, _match_id: str) -> Match:
        """Return it."""
        return self.match


async def test_dropped_updates_are_replaced_by_a_full_view() -> None:
    """A reader that falls behind by 1,024 updates gets one full view, and the chain goes on."""
    desk = Desk()
    table = Table(setup_of(4))
    table.ready()
    match = table.match
    stream = desk.stream(delivery="as_they_happen")
    for _ in range(1_025):
        desk.holder.update(match, Update(match.version, match.version, []))
    assert not pending(stream).updates
    assert desk.telemetry.views_replaced == 1
    registry: Any = OneMatch(match)
    await desk.holder.restore(stream, registry)
    (update,) = pending(stream).updates
    assert update.after == 0
    assert update.seat_view.hand
    desk.holder.update(match, Update(match.version, match.version, []))
    assert pending(stream).updates[0].after == match.version


def test_events_kept_for_a_turn_are_bounded() -> None:
    """More than 256 events are left out: the turn's view says all."""
    desk = Desk()
    table = Table(setup_of(4))
    table.ready()
    match, events = table.match, list(table.match.events)
    seat = next(iter(match.turns))
    match.seats[seat].owner = "key:0"
    stream = desk.stream(delivery="with_turn")
    desk.holder.update(match, Update(1, 2, events))
    open_turn(desk, match, seat)
    assert len(pending(stream).turns[0].events) > 2
    for _ in range(257):
        desk.holder.update(match, Update(1, 2, events[-1:]))
    match.turns[seat].turn += 1
    open_turn(desk, match, seat)
    assert len(pending(stream).turns[0].events) < 2


def test_a_match_that_is_over_is_told_once_to_each_stream_of_its_seats() -> None:
    """Streams of other matches hear nothing; one without any turn of it does."""
    desk, (one, two) = Desk(), asking(seats=2, count=2)
    first, second = desk.stream("first", 2), desk.stream("second", 2)
    for seat in (0, 1):
        open_turn(desk, one, seat)
    pending(first), pending(second)
    desk.holder.match_over(one)
    assert [len(pending(stream).matches_over) for stream in (first, second)] == [1, 1]
    desk.holder.match_over(two)
    assert [len(pending(stream).matches_over) for stream in (first, second)] == [1, 1]


def test_a_match_that_ends_unseen_takes_its_turns_along() -> None:
    """Told of the end alone, a stream has room again, and no turn of the match comes later."""
    desk, (one, two, three) = Desk(), asking(count=3)
    stream = desk.stream(most=1)
    for match in (one, two, three):
        open_turn(desk, match)
    for match in (two, one):
        match.over = True
        desk.holder.match_over(match)
    response = pending(stream)
    assert [turn.match_id for turn in response.turns] == [three.match_id]
    assert [over.match_id for over in response.matches_over] == [two.match_id, one.match_id]
    assert (stream.open_turns, desk.holder.seats) == (1, 1)


def test_a_superseded_seat_token_gets_no_turn() -> None:
    """When the seat has been given to somebody else, streams of the old token end."""
    (match,) = asking()
    caller = Caller(f"seat:{match.match_id}:0", Role.BOT, None, (match.match_id, 0), 0)
    desk = Desk(caller)
    stream = desk.stream()
    match.seats[0].generation = 1
    open_turn(desk, match)
    assert not pending(stream).turns
    assert stream.most_turns == 0


async def test_a_stream_ends_with_its_first_reason() -> None:
    """What is pending goes first, then Closing, and a later reason does not count."""
    desk, (match,) = Desk(), asking()
    stream = desk.stream()
    open_turn(desk, match)
    stream.close(Closing.DRAIN)
    stream.close(Closing.AGE)
    messages = [play_service_pb2.PlayResponse.FromString(m) async for m in stream.messages()]
    assert len(messages[0].turns) == 1
    assert messages[-1].closing.reason == play_service_pb2.CLOSING_REASON_DRAIN
