"""Views, turns and updates are what they would be if built field by field, and nothing else."""

import pytest

from lastcard.v1 import play_service_pb2, turn_pb2, view_pb2
from lastcard_engine.views import table_view, view
from lastcard_server.convert import turns
from lastcard_server.convert.rules import rules_message
from lastcard_server.convert.views import NOT_STARTED, seat_bytes, table_bytes
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Update
from lastcard_server.matches.turns import TurnKind
from tests.depth import few_or_all
from tests.matches.table import Table, setup_of
from tests.matches.wild import SETUPS, wild
from tests.server import plain
from tests.server.wire import repeated_singulars

SEEDS = [4, 5, 6]


def decoded_turn(body: bytes) -> turn_pb2.Turn:
    """Return a turn from bytes that every parser takes alike, its history struck out."""
    assert repeated_singulars(turn_pb2.Turn, body) == []
    turn = turn_pb2.Turn.FromString(body)
    assert len(turn.history) == 36
    turn.ClearField("history")
    return turn


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
@pytest.mark.parametrize("seed", few_or_all(SEEDS[:1], SEEDS))
def test_turns_and_views_equal_those_built_field_by_field(setup: object, seed: int) -> None:
    """Whatever happens at a table, every open turn and every view decodes to the plain message."""
    kinds = set()
    for table in wild(setup, seed):  # type: ignore[arg-type]
        match = table.match
        for asked in match.turns.values():
            kinds.add(asked.kind)
            assert decoded_turn(turns.turn_bytes(match, asked)) == plain.turn(match, asked)
        if match.state is None:
            continue
        spectator = table_bytes(table_view(match.state))
        assert view_pb2.TableView.FromString(spectator) == plain.table(match.state)
        for seat in range(len(match.seats)):
            body = seat_bytes(view(match.state, seat))  # type: ignore[arg-type]
            assert view_pb2.SeatView.FromString(body) == plain.seat_view(match.state, seat)
    assert len(kinds) > 2


def started(seats: int = 4) -> Match:
    """Return a match whose first round has begun."""
    table = Table(setup_of(seats))
    table.ready()
    return table.match


def test_a_view_may_be_left_out_of_a_turn() -> None:
    """GetView tells a turn without its view, which stands beside it."""
    match = started()
    (asked,) = match.turns.values()
    expected = plain.turn(match, asked)
    expected.ClearField("view")
    assert decoded_turn(turns.turn_bytes(match, asked, with_view=False)) == expected


def test_rules_and_events_are_added_to_a_turn() -> None:
    """A turn with its story is the turn, the rules in force, and the events in order."""
    match = started()
    (asked,) = match.turns.values()
    bare = turns.turn_bytes(match, asked)
    told = turn_pb2.Turn.FromString(turns.with_story(bare, match.setup.rules, [b"\x08\x01", b""]))
    assert [event.may_ignore for event in told.events] == [True, False]
    assert told.rules == rules_message(match.setup.rules)
    told.ClearField("events")
    told.ClearField("rules")
    assert told == turn_pb2.Turn.FromString(bare)


@pytest.mark.parametrize("viewer", [None, 2])
def test_an_update_holds_events_and_the_view_they_lead_to(viewer: int | None) -> None:
    """An update names what it follows, and a seat's or the table's view, never both."""
    match = started()
    assert match.state is not None
    body = turns.update_bytes(match, Update(3, match.version, match.events), viewer)
    assert repeated_singulars(turn_pb2.Update, body) == []
    update = turn_pb2.Update.FromString(body)
    assert (update.match_id, update.after, update.version) == (match.match_id, 3, match.version)
    assert update.HasField("seat") == (viewer is not None) == update.HasField("seat_view")
    assert update.HasField("table_view") == (viewer is None)
    assert len(update.events) > 2
    if viewer is not None:
        assert update.seat_view == plain.seat_view(match.state, viewer)


def test_a_full_view_follows_nothing() -> None:
    """A full view has no events, and its `after` is 0."""
    update = turn_pb2.Update.FromString(turns.full_view_bytes(started(), None))
    assert update.after == 0
    assert not update.events


def test_before_the_first_round_a_table_shows_that_it_has_not_started() -> None:
    """A spectator of an open match gets a table without cards; a seat gets no view."""
    match = Table(setup_of(4, open_seats=1)).match
    watched = turn_pb2.Update.FromString(turns.full_view_bytes(match, None))
    assert watched.table_view == view_pb2.TableView(phase="PHASE_NOT_STARTED")
    assert watched.table_view == view_pb2.TableView.FromString(NOT_STARTED)
    assert not turn_pb2.Update.FromString(turns.full_view_bytes(match, 0)).HasField("seat_view")


def test_get_view_tells_view_and_open_turn() -> None:
    """The response holds the view once, and the open turn of the seat that is asked alone."""
    match = started()
    assert match.state is not None
    (asked,) = match.turns.values()
    for seat in range(4):
        body = turns.seat_view_response(match, seat)
        kind = play_service_pb2.GetViewResponse
        assert repeated_singulars(kind, body) == []
        response = kind.FromString(body)
        assert response.view == plain.seat_view(match.state, seat)
        assert response.HasField("open_turn") == (seat == asked.seat)
        assert response.version == match.version
        assert not response.HasField("result")
        assert not response.has_answered  # the seats were ready, no more


def test_the_end_of_a_match_is_told_with_its_result() -> None:
    """MatchOver and GetView name reason, places and totals."""
    match = Table(setup_of(4)).play(lambda m: m.over)
    assert match.result is not None
    over = turn_pb2.MatchOver.FromString(turns.over_bytes(match))
    assert over.match_id == match.match_id
    assert tuple(over.result.places) == match.result.places
    response = play_service_pb2.GetViewResponse.FromString(turns.seat_view_response(match, 1))
    assert response.result == over.result
    assert response.has_answered


def test_the_tables_that_play_meet_every_kind_of_turn() -> None:
    """What is compared above covers every kind of turn there is."""
    missing = set(TurnKind)
    for table in (table for setup in SETUPS.values() for table in wild(setup, SEEDS[0])):
        missing -= {asked.kind for asked in table.match.turns.values()}
        if not missing:
            return
    assert missing == set()
