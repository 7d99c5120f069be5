"""Who sits where? Joining, leaving, calling off: repeatable, and refused with the right reason."""

import dataclasses

import pytest

from lastcard_server.errors import Reason, Refusal
from lastcard_server.matches import setup as setups
from lastcard_server.matches.match import Match, Stage
from lastcard_server.matches.seating import cancel, freeze, join, leave
from lastcard_server.matches.setup import MatchSetup, SeatSetup
from tests.matches.table import Table, accepted, setup_of
from tests.matches.wild import picture


def sit(
    table: Table, owner: str, request_id: str, *, name: str = "Ada", seat: int | None = None
) -> int:
    """Join the table's match."""
    return join(table.match, owner, name, request_id, seat, table.clock.us)


def reason_of(match: Match, owner: str, seat: int) -> Reason:
    """Return why leaving is refused."""
    with pytest.raises(Refusal) as caught:
        leave(match, owner, 0, seat, match.last_us)
    return caught.value.reason


def test_a_join_takes_the_first_free_seat_and_a_repeat_gets_it_again() -> None:
    """The same request has the same seat; when the last is taken everybody is asked."""
    table = Table(setup_of(3, open_seats=2))
    assert sit(table, "key:a", "r") == 1
    version = table.match.version
    assert sit(table, "key:a", "r") == 1
    assert table.match.version == version
    assert table.match.turns == {}
    assert sit(table, "key:a", "r2") == 2
    assert table.match.stage is Stage.READYING
    assert sorted(table.match.turns) == [0, 1, 2]
    table.match = table.replayed()
    assert sit(table, "key:a", "r") == 1


def test_a_request_id_is_not_used_for_another_join() -> None:
    """Another name or seat under a used request id is refused; other callers have their own ids."""
    table = Table(setup_of(4, open_seats=3))
    assert sit(table, "key:a", "r", seat=2) == 2
    for changed in ({"name": "Eve", "seat": 2}, {"seat": 3}):
        with pytest.raises(Refusal) as caught:
            sit(table, "key:a", "r", **changed)
        assert caught.value.reason is Reason.REQUEST_ID_REUSED
    assert sit(table, "key:b", "r") == 1


def test_a_seat_that_is_taken_or_does_not_exist_is_refused() -> None:
    """TABLE_FULL for a taken one, BAD_FIELD for one that is not there, BAD_NAME for a name."""
    table = Table(setup_of(3, open_seats=1))
    for seat, name, reason in (
        (0, "Ada", Reason.TABLE_FULL),
        (3, "Ada", Reason.BAD_FIELD),
        (-1, "Ada", Reason.BAD_FIELD),
        (2, "A\nda", Reason.BAD_NAME),
        (2, "", Reason.BAD_NAME),
    ):
        with pytest.raises(Refusal) as caught:
            sit(table, "key:a", "r", name=name, seat=seat)
        assert caught.value.reason is reason
    assert table.match.version == 1
    sit(table, "key:a", "r")
    with pytest.raises(Refusal) as caught:
        sit(table, "key:b", "r")
    assert caught.value.reason is Reason.TABLE_FULL


def test_a_reserved_seat_is_claimed_once_by_its_holder_even_when_play_has_begun() -> None:
    """The holder of the key gets his seat, its name stays; a second claim finds none."""
    table = Table(setup_of(3))
    table.ready()
    assert sit(table, "key:1", "r", name="Eve") == 1
    assert table.match.seats[1].name == "player 1"
    with pytest.raises(Refusal) as caught:
        sit(table, "key:1", "r2")
    assert caught.value.reason is Reason.ALREADY_STARTED
    assert sit(table, "key:1", "r", name="Eve") == 1


def test_a_seat_that_is_left_is_free_and_its_token_dead() -> None:
    """Leaving withdraws all ready turns; the next holder has a token of the next generation."""
    table = Table(setup_of(3, open_seats=1))
    sit(table, "key:a", "r")
    accepted(table.answer(0))
    leave(table.match, "key:a", 0, 2, table.clock.us)
    match = table.match
    assert (match.stage, match.turns) == (Stage.OPEN, {})
    assert (match.seats[2].taken, match.seats[2].generation) == (False, 1)
    assert reason_of(match, "key:a", 2) is Reason.NOT_FOUND
    with pytest.raises(Refusal) as caught:
        sit(table, "key:a", "r")
    assert caught.value.reason is Reason.REQUEST_ID_REUSED
    assert sit(table, "key:b", "r") == 2
    assert sorted(match.turns) == [0, 1, 2]
    assert match.seat_of(f"seat:{match.match_id}:2", 2, 0) is None
    assert match.seat_of(f"seat:{match.match_id}:2", 2, 1) is not None
    assert picture(table.replayed()) == picture(match)
    for seat in range(3):
        accepted(table.answer(seat))
    assert match.stage is Stage.RUNNING


def test_leaving_is_for_the_holder_and_before_the_start() -> None:
    """Strangers learn nothing, other players are FORBIDDEN, after the deal it is too late."""
    table = Table(setup_of(3))
    assert reason_of(table.match, "key:x", 0) is Reason.NOT_FOUND
    assert reason_of(table.match, "key:1", 0) is Reason.FORBIDDEN
    table.ready()
    assert reason_of(table.match, "key:0", 0) is Reason.ALREADY_STARTED
    cancel(table.match, "key:creator", table.clock.us)
    assert reason_of(table.match, "key:0", 0) is Reason.MATCH_OVER


def test_cancelling_ends_a_match_without_result_and_once() -> None:
    """All turns close, the second time nothing happens, a played match cannot be cancelled."""
    table = Table(setup_of(2))
    table.ready()
    cancel(table.match, "key:creator", table.clock.us)
    match = table.match
    assert (match.stage, match.turns, match.due_us()) == (Stage.CANCELLED, {}, None)
    assert match.result is not None
    assert (match.result.reason, match.result.places) == ("cancelled", ())
    version = match.version
    cancel(match, "key:creator", table.clock.us)
    assert match.version == version
    assert picture(table.replayed()) == picture(match)
    played = Table(setup_of(2))
    played.play(lambda m: m.over)
    with pytest.raises(Refusal) as caught:
        cancel(played.match, "key:creator", played.clock.us)
    assert caught.value.reason is Reason.MATCH_OVER


def test_a_frozen_match_is_over() -> None:
    """Freezing closes everything for good."""
    table = Table(setup_of(2))
    table.ready()
    freeze(table.match, table.clock.us)
    match = table.match
    assert (match.stage, match.turns) == (Stage.FROZEN, {})
    assert match.result is not None
    assert match.result.reason == "frozen"
    freeze(match, table.clock.us)
    assert table.replayed().version == match.version


def test_a_setup_survives_its_way_through_json() -> None:
    """What is read back equals what was written, rules and all."""
    wanted = setup_of(
        4,
        preset="official_se",
        overrides={"jump_in": "identical", "deck_extras": {"shuffle_hands": 2}},
        entrants=(2, 0, 3, 1),
        reaction_hold_ms=20,
    )
    assert setups.from_plain(setups.plain(wanted)) == wanted
    assert wanted.entrants == (2, 0, 3, 1)


def test_setups_that_cannot_be_played_are_refused() -> None:
    """Too many seats, a nameless holder, an entrant twice."""
    good = setup_of(4)
    nameless = (SeatSetup("key:0", ""), *good.seats[1:])
    twice = tuple(dataclasses.replace(seat, entrant=0) for seat in good.seats)
    for seats, reason in (
        (good.seats[:1], Reason.BAD_RULES),
        (good.seats * 3, Reason.BAD_RULES),
        (nameless, Reason.BAD_NAME),
        (twice, Reason.BAD_FIELD),
    ):
        with pytest.raises(Refusal) as caught:
            MatchSetup(good.rules, good.preset, seats)
        assert caught.value.reason is reason
