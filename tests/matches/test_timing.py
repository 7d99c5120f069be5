"""Does time do what the settings say: clocks, faults, policies, and time lost by the server?"""

import pytest

from lastcard_engine.actions import DRAW
from lastcard_engine.record import EntryKind
from lastcard_engine.settings import Absence
from lastcard_server.errors import Reason, Refusal
from lastcard_server.matches.match import GRACE_US, Stage
from lastcard_server.matches.setup import Clocks
from lastcard_server.matches.timing import Fault, Outage, expire, give_back
from tests.matches.table import Table, accepted, refused, setup_of
from tests.matches.wild import picture


def running(seats: int = 3, **options: object) -> tuple[Table, int]:
    """Return a table in which the first turn is asked, and the seat."""
    table = Table(setup_of(seats, **options))  # type: ignore[arg-type]  # passed on as they are
    table.ready()
    (seat,) = table.match.turns
    return table, seat


def test_nothing_runs_out_before_deadline_margin_and_grace() -> None:
    """A timeout is written when no answer that is on time can come in any more, not before."""
    table, seat = running(move_limit_ms=1000, margin_ms=50)
    match, version = table.match, table.match.version
    due_us = match.turns[seat].deadline_us + 50_000 + GRACE_US
    assert match.due_us() == due_us
    expire(match, due_us - 1, lambda _seat: Fault.LATE)
    assert match.version == version
    expire(match, due_us, lambda _seat: Fault.LATE)
    entries = [(entry.kind, entry.seat, entry.body) for entry in table.saved()[version:]]
    assert entries == [
        (EntryKind.FAULT, seat, "late"),
        (EntryKind.TIMEOUT, seat, str(version)),
    ]
    assert match.turns


@pytest.mark.parametrize("fault", [Fault.LATE, Fault.ABSENT, Fault.CRASHED])
def test_the_fault_of_a_silent_seat_is_what_its_connection_says(fault: Fault) -> None:
    """One fault a turn, of the kind the caller names, counted by kind."""
    table, seat = running()
    table.expire(fault)
    assert table.match.seats[seat].faults == {fault.value: 1}
    assert table.replayed().seats[seat].faults == {fault.value: 1}


def test_an_illegal_answer_outweighs_silence() -> None:
    """Who erred and then let time run out has committed the fault `illegal`, once."""
    table, seat = running()
    refused(table.answer(seat, 99))
    table.expire(Fault.LATE)
    assert table.match.seats[seat].faults == {"illegal": 1}


def test_a_seat_that_is_not_ready_in_time_plays_all_the_same() -> None:
    """Under PLAY_DEFAULT the match starts without the nonce of a silent seat."""
    table = Table(setup_of(2, start_limit_ms=2000))
    accepted(table.answer(1))
    table.expire(Fault.ABSENT)
    match = table.match
    assert match.stage is Stage.RUNNING
    assert match.nonces == (b"", b"")
    assert match.seats[0].faults == {"absent": 1}
    assert refused(table.answer(0, 0, turn=1)).reason is Reason.TURN_TIMED_OUT


def test_knock_out_takes_a_seat_out_of_the_round_alone() -> None:
    """The policy entry stands in place of the timeout, names the turn, and ends with the round."""
    table, seat = running(absence=Absence.KNOCK_OUT_ROUND, rounds=2, overrides=POINTS)
    number = table.match.turns[seat].turn
    table.expire()
    match = table.match
    entries = [(entry.kind, entry.seat, entry.body) for entry in table.saved()[-2:]]
    assert entries == [
        (EntryKind.FAULT, seat, "late"),
        (EntryKind.KNOCKED_OUT, seat, str(number)),
    ]
    assert match.state is not None
    assert not match.state.active[seat]
    assert refused(table.answer(seat, DRAW, turn=number)).reason is Reason.TURN_TIMED_OUT
    table.play(lambda m: bool(m.state and m.state.round_number == 2 and m.turns))
    assert match.state.active[seat]
    assert picture(table.replayed()) == picture(match)


POINTS = {"scoring": "winner_takes", "target_points": 5000}


def test_forfeit_takes_a_seat_out_of_the_match_and_the_others_play_on() -> None:
    """Out of all rounds and ranked last."""
    table, seat = running(4, absence=Absence.FORFEIT_MATCH, rounds=2, overrides=POINTS)
    table.expire()
    assert table.saved()[-1].kind == EntryKind.FORFEITED
    match = table.play(lambda m: m.over)
    assert match.result is not None
    assert match.result.reason == "played"
    assert match.result.places[seat] == max(match.result.places)
    assert picture(table.replayed()) == picture(match)


def test_of_two_seats_the_last_one_wins_by_forfeit() -> None:
    """One seat left: the match is over in the same append."""
    table, seat = running(2, absence=Absence.FORFEIT_MATCH)
    table.expire()
    kinds = [entry.kind for entry in table.match.unsaved[-3:]]
    assert kinds == [EntryKind.FAULT, EntryKind.FORFEITED, EntryKind.ENDED]
    result = table.match.result
    assert result is not None
    assert result.reason == "last_standing"
    assert result.places[seat] == 2


def test_a_seat_that_was_never_ready_forfeits_at_the_start() -> None:
    """The policy for a silent ready turn waits for `started`."""
    table = Table(setup_of(3, absence=Absence.FORFEIT_MATCH))
    accepted(table.answer(0))
    accepted(table.answer(2))
    table.expire(Fault.ABSENT)
    kinds = [entry.kind for entry in table.saved()[3:]]
    assert kinds == ["fault", "timeout", "started", "forfeited", "round_started"]
    assert table.match.state is not None
    assert table.match.state.left[1]


# Clocks


def test_the_bank_pays_for_what_exceeds_the_move_limit() -> None:
    """think_ms is stored with the answer; what is over the limit comes off, the increment on."""
    table, seat = running(2, move_limit_ms=100, bank_ms=1000, increment_ms=30)
    turn = table.match.turns[seat]
    assert (turn.bank_ms, turn.deadline_us - turn.opened_us) == (1000, 1_100_000)
    accepted(table.answer(seat, DRAW, received_us=turn.opened_us + 350_900))
    occupant = table.match.seats[seat]
    assert (occupant.bank_ms, occupant.last_answer_ms) == (1000 - 250 + 30, 350)
    assert table.replayed().seats[seat].bank_ms == 780


def test_a_timeout_empties_the_bank_and_an_answer_in_the_margin_cannot_overdraw_it() -> None:
    """The bank never falls below zero."""
    table, seat = running(2, move_limit_ms=100, bank_ms=50, margin_ms=40)
    turn = table.match.turns[seat]
    accepted(table.answer(seat, DRAW, received_us=turn.deadline_us + 40_000))
    assert table.match.seats[seat].bank_ms == 0
    table, seat = running(2, move_limit_ms=100, bank_ms=50)
    table.expire()
    assert table.match.seats[seat].bank_ms == 0


def test_the_time_of_an_outage_is_given_back_once() -> None:
    """Deadlines move by the part of the outage a turn has lived through, and only once."""
    table, seat = running(move_limit_ms=5000)
    turn = table.match.turns[seat]
    deadline_us = turn.deadline_us
    outage = Outage(turn.opened_us + 2_000_000, turn.opened_us + 62_000_000)
    table.clock.us = outage.until_us
    assert give_back(table.match, [outage], table.clock.us)
    assert turn.deadline_us == deadline_us + 60_000_000
    assert not give_back(table.match, [outage], table.clock.us)
    assert table.replayed().turns[seat].deadline_us == turn.deadline_us
    stamp = table.clock.us + 2_999_999
    outcome = accepted(table.answer(seat, DRAW, received_us=stamp))
    assert outcome.turn == turn.turn
    assert table.match.seats[seat].last_answer_ms == 4999


def test_an_outage_before_the_turn_was_asked_gives_only_the_rest() -> None:
    """A turn asked in the last moment before a crash gets what it has lost, no more."""
    table, seat = running(move_limit_ms=5000)
    turn = table.match.turns[seat]
    deadline_us = turn.deadline_us
    outage = Outage(turn.opened_us - 900_000, turn.opened_us + 10_000_000)
    assert give_back(table.match, [outage], outage.until_us)
    assert turn.deadline_us == deadline_us + 10_000_000


def test_several_outages_are_given_back_together() -> None:
    """A match that was not looked at meanwhile gets the time of each, and nothing in between."""
    table, seat = running(move_limit_ms=5000)
    turn = table.match.turns[seat]
    at, before = turn.opened_us, turn.deadline_us
    outages = [Outage(at - 5_000_000, at - 1_000_000), Outage(at + 1_000_000, at + 3_000_000)]
    outages.append(Outage(at + 3_500_000, at + 4_000_000))
    table.clock.us = at + 4_000_000
    assert give_back(table.match, outages, table.clock.us)
    assert turn.deadline_us - before == 2_500_000
    assert not give_back(table.match, outages, table.clock.us)


def test_a_match_that_waits_for_nobody_gets_nothing_back() -> None:
    """At an open table and after the end no clock runs."""
    table = Table(setup_of(3, open_seats=1))
    outage = Outage(table.clock.us, table.clock.us + 10**9)
    assert not give_back(table.match, [outage], outage.until_us)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("start_limit_ms", 99),
        ("move_limit_ms", 9),
        ("move_limit_ms", 86_400_001),
        ("bank_ms", -1),
        ("margin_ms", 10_001),
        ("reaction_ms", 60_001),
        ("reaction_limit_ms", 0),
    ],
)
def test_clocks_out_of_range_are_refused(name: str, value: int) -> None:
    """Each limit has the range of the contract."""
    with pytest.raises(Refusal, match=name) as caught:
        Clocks(**{name: value})
    assert caught.value.reason is Reason.BAD_FIELD
