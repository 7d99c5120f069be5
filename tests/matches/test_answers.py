"""Does an answer count exactly once, on time, from the right seat, and for what it says?"""

import pytest

from lastcard_engine.actions import DRAW, KEEP, Play
from lastcard_engine.cards import parse_card
from lastcard_engine.record import EntryKind
from lastcard_server.errors import Reason, Refusal
from lastcard_server.matches.match import Match
from lastcard_server.matches.turns import Ready, TurnClose, TurnKind
from tests.matches.table import Table, accepted, refused, setup_of


def running(seats: int = 4, **options: object) -> Table:
    """Return a table in which the first turn is asked."""
    table = Table(setup_of(seats, **options))  # type: ignore[arg-type]  # passed on as they are
    table.ready()
    assert only_seat(table.match) >= 0
    return table


def only_seat(match: Match) -> int:
    """Return the one seat that is asked."""
    (seat,) = match.turns
    return seat


def test_every_match_opens_with_a_ready_turn_to_every_seat() -> None:
    """All seats are asked at once whether they are there; then the first round is dealt."""
    table = Table(setup_of(3))
    assert {seat: turn.kind for seat, turn in table.match.turns.items()} == {
        0: TurnKind.READY,
        1: TurnKind.READY,
        2: TurnKind.READY,
    }
    assert {turn.turn for turn in table.match.turns.values()} == {1}
    table.ready()
    kinds = [entry.kind for entry in table.saved()]
    assert kinds == ["created", "nonce", "nonce", "nonce", "started", "round_started"]


def test_a_turn_is_numbered_by_the_version_at_which_it_was_asked() -> None:
    """The number of a turn is the version of the entry that opened it."""
    table = running()
    for _ in range(12):
        seat = only_seat(table.match) if len(table.match.turns) == 1 else min(table.match.turns)
        assert table.match.turns[seat].turn <= table.match.version
        if not table.match.group_version:
            assert table.match.turns[seat].turn == table.match.version
        accepted(table.answer(seat, table.match.turns[seat].default_choice))


def test_nonces_enter_the_deal_and_started_repeats_them() -> None:
    """Other nonces deal other cards; `started` holds what was used, an absent one is empty."""
    tables = []
    for nonce in (b"", b"\x01\x02"):
        table = Table(setup_of(2))
        accepted(table.answer(0, Ready(nonce)))
        accepted(table.answer(1, Ready()))
        tables.append(table)
    plain, salted = (table.match for table in tables)
    assert plain.nonces == (b"", b"")
    assert salted.nonces == (b"\x01\x02", b"")
    assert plain.state is not None
    assert salted.state is not None
    assert plain.state.deal_key != salted.state.deal_key
    assert tables[1].replayed().nonces == salted.nonces


def test_a_nonce_has_at_most_32_bytes() -> None:
    """A longer nonce is refused and the ready turn stays open."""
    table = Table(setup_of(2))
    refusal = refused(table.answer(0, Ready(bytes(33))))
    assert (refusal.reason, refusal.open_turn) == (Reason.BAD_FIELD, 1)


def test_the_same_answer_again_gets_the_first_outcome() -> None:
    """A repeat, by index or by value, is accepted with the first version and writes nothing."""
    table = running()
    seat = only_seat(table.match)
    turn = table.match.turns[seat]
    first = accepted(table.answer(seat, turn.default_choice))
    action = turn.actions[turn.default_choice]
    version = table.match.version
    table.clock.advance(60_000)
    for reply in (turn.default_choice, action):
        again = accepted(table.answer(seat, reply, turn=turn.turn))
        assert (again.version, again.turn) == (first.version, turn.turn)
    assert table.match.version == version


def test_repeats_are_known_after_a_restart() -> None:
    """The once-only table is part of what the journal tells."""
    table = running()
    seat = only_seat(table.match)
    turn = table.match.turns[seat]
    first = accepted(table.answer(seat, turn.default_choice, uno=True))
    table.match = table.replayed()
    again = accepted(table.answer(seat, turn.default_choice, uno=True, turn=turn.turn))
    assert again.version == first.version
    assert refused(table.answer(seat, turn.default_choice, turn=turn.turn)).reason is (
        Reason.TURN_ANSWERED
    )


@pytest.mark.parametrize("uno", [False, True])
def test_a_ready_answer_binds_by_its_nonce_alone(*, uno: bool) -> None:
    """UNO says nothing in a ready turn; another nonce, or none at all, is another answer."""
    table = Table(setup_of(2))
    first = accepted(table.answer(0, Ready(b"nonce"), uno=uno))
    assert accepted(table.answer(0, Ready(b"nonce"), uno=not uno, turn=1)).version == first.version
    for other in (Ready(b"other"), Ready(), 0, DRAW):
        assert refused(table.answer(0, other, turn=1)).reason is Reason.TURN_ANSWERED
    plain = accepted(table.answer(1, 0, uno=uno))
    for same in (Ready(), 0):
        assert accepted(table.answer(1, same, uno=not uno, turn=1)).version == plain.version
    for other in (Ready(b"nonce"), 1, DRAW):
        assert refused(table.answer(1, other, turn=1)).reason is Reason.TURN_ANSWERED


def test_another_answer_to_an_answered_turn_is_refused() -> None:
    """Another choice, another UNO flag, an unreadable reply: the first answer stands."""
    table = running()
    seat = only_seat(table.match)
    turn = table.match.turns[seat]
    accepted(table.answer(seat, turn.default_choice))
    version = table.match.version
    unreadable = Refusal(Reason.BAD_ACTION, "No kind.")
    for reply, uno in (
        (turn.default_choice + 1, False),
        (turn.default_choice, True),
        (KEEP, False),
    ):
        refusal = refused(table.answer(seat, reply, uno=uno, turn=turn.turn))
        assert refusal.reason is Reason.TURN_ANSWERED
    assert refused(table.answer(seat, unreadable, turn=turn.turn)).reason is Reason.TURN_ANSWERED
    assert table.match.version == version


def test_a_stale_turn_is_refused_with_the_open_one() -> None:
    """An answer under a number that is not open names the one that is."""
    table = running()
    seat = only_seat(table.match)
    number = table.match.turns[seat].turn
    for wrong in (number - 1, number + 1, 0, -1, 2**31 - 1):
        refusal = refused(table.answer(seat, 0, turn=wrong))
        assert (refusal.reason, refusal.open_turn) == (Reason.STALE_TURN, number)


def test_a_seat_without_an_open_turn_is_told_so() -> None:
    """An unasked answer is refused as NOT_YOUR_TURN."""
    table = running()
    seat = (only_seat(table.match) + 1) % 4
    refusal = refused(table.answer(seat, 0, turn=table.match.version))
    assert (refusal.reason, refusal.open_turn) == (Reason.NOT_YOUR_TURN, 0)


def test_an_illegal_answer_leaves_the_turn_open_and_writes_nothing() -> None:
    """Bad choices, foreign and unreadable actions are refused; the turn can still be answered."""
    table = running()
    seat = only_seat(table.match)
    turn = table.match.turns[seat]
    before = table.match.version
    unreadable = Refusal(Reason.BAD_ACTION, "The action has no kind.")
    missing = next(
        Play(parse_card(name))
        for name in ("r9", "y9", "g9", "b9", "r1")
        if Play(parse_card(name)) not in turn.actions
    )
    for reply, reason in (
        (len(turn.actions), Reason.BAD_CHOICE),
        (-1, Reason.BAD_CHOICE),
        (missing, Reason.ILLEGAL_ACTION),
        (KEEP, Reason.ILLEGAL_ACTION),
        (Ready(), Reason.ILLEGAL_ACTION),
        (unreadable, Reason.BAD_ACTION),
    ):
        refusal = refused(table.answer(seat, reply))
        assert (refusal.reason, refusal.open_turn) == (reason, turn.turn), reply
        assert refusal.message.endswith(".")
    assert table.match.version == before
    assert table.match.turns[seat] is turn
    accepted(table.answer(seat, DRAW))


def test_illegal_answers_count_as_one_fault_when_the_turn_closes() -> None:
    """However many there were: one fault entry, in front of the answer that closed the turn."""
    table = running()
    seat = only_seat(table.match)
    refused(table.answer(seat, 99))
    refused(table.answer(seat, 98))
    outcome = accepted(table.answer(seat, DRAW))
    kinds = [(entry.kind, entry.seat, entry.body) for entry in table.saved()[-2:]]
    assert kinds[0] == (EntryKind.FAULT, seat, "illegal")
    assert kinds[1][0] == EntryKind.ACTION
    assert outcome.version == table.log[-1].version
    assert table.match.seats[seat].faults == {"illegal": 1}


def test_an_answer_is_on_time_by_its_stamp() -> None:
    """Deadline + margin is on time however late it is decided; one microsecond more is not."""
    for late_us, reason in ((0, None), (1, Reason.TURN_TIMED_OUT)):
        table = running(2, move_limit_ms=1000, margin_ms=50)
        seat = only_seat(table.match)
        turn = table.match.turns[seat]
        stamp = turn.deadline_us + 50_000 + late_us
        outcome = table.answer(seat, DRAW, received_us=stamp)
        assert getattr(outcome, "reason", None) is reason


def test_an_answer_to_a_turn_the_clock_closed_says_so() -> None:
    """After the timeout every answer to the turn is TURN_TIMED_OUT, its default included."""
    table = running(2)
    seat = only_seat(table.match)
    turn = table.match.turns[seat]
    table.expire()
    for reply in (turn.default_choice, 0, 99):
        assert refused(table.answer(seat, reply, turn=turn.turn)).reason is Reason.TURN_TIMED_OUT


def test_strangers_learn_nothing() -> None:
    """Who has no seat gets NOT_FOUND whatever he sends; who has another one gets FORBIDDEN."""
    table = running()
    seat = only_seat(table.match)
    for owner in ("key:x", "", "house", f"seat:{table.match.match_id}:9", "seat:other:0"):
        for turn in (table.match.turns[seat].turn, 1, 0):
            refusal = refused(table.answer(seat, 0, turn=turn, owner=owner, history=b"x" * 36))
            assert (refusal.reason, refusal.open_turn) == (Reason.NOT_FOUND, 0)
            assert refusal.history == b""
    other = refused(table.answer(seat, 0, owner=table.owner((seat + 1) % 4)))
    assert (other.reason, other.open_turn, other.history) == (Reason.FORBIDDEN, 0, b"")
    assert refused(table.answer(4, 0, turn=1, owner="key:0")).reason is Reason.FORBIDDEN


def test_a_seat_token_acts_for_its_seat_as_long_as_it_is_the_newest() -> None:
    """The generation of the token must be the seat's."""
    table = running()
    seat = only_seat(table.match)
    owner = f"seat:{table.match.match_id}:{seat}"
    assert refused(table.answer(seat, DRAW, owner=owner, generation=1)).reason is Reason.NOT_FOUND
    accepted(table.answer(seat, DRAW, owner=owner, generation=0))


def test_a_match_that_is_over_still_knows_its_answers() -> None:
    """After the end a repeat gets its first outcome, anything new MATCH_OVER."""
    table = running(2)
    answers = []
    while not table.match.over:
        seat = min(table.match.turns) if table.match.turns else -1
        if seat < 0:
            table.expire()
            continue
        turn = table.match.turns[seat]
        answers.append((accepted(table.answer(seat, 0)), turn))
    for outcome, turn in answers:
        assert accepted(table.answer(turn.seat, 0, turn=turn.turn)).version == outcome.version
    fresh = refused(table.answer(0, 0, turn=table.match.version))
    assert fresh.reason is Reason.MATCH_OVER


def test_a_seat_has_answered_once_it_did_so_in_the_game() -> None:
    """Neither the ready turn nor a turn that the clock closed is an answer in the game."""
    table = running(3)
    answered = [seat.answered for seat in table.match.seats]
    assert not any(seat.in_the_game() for seat in answered)
    first = only_seat(table.match)
    while (second := only_seat(table.match)) == first:
        table.expire()
    assert not any(seat.in_the_game() for seat in answered)
    accepted(table.answer(second, 0))
    assert [seat.in_the_game() for seat in answered] == [seat == second for seat in range(3)]


def test_before_all_seats_are_taken_nobody_is_asked() -> None:
    """An answer at an open table is NOT_STARTED."""
    table = Table(setup_of(3, open_seats=1))
    assert table.match.turns == {}
    assert refused(table.answer(0, 0, turn=1)).reason is Reason.NOT_STARTED


@pytest.mark.parametrize("seats", [2, 10])
def test_closed_turns_are_news_with_their_reason(seats: int) -> None:
    """What was closed says why: answered, timed out."""
    table = running(seats)
    seat = only_seat(table.match)
    number = table.match.turns[seat].turn
    accepted(table.answer(seat, DRAW))
    assert (seat, number, TurnClose.ANSWERED) in table.match.closed
    seat = only_seat(table.match)
    number = table.match.turns[seat].turn
    table.expire()
    assert (seat, number, TurnClose.TIMED_OUT) in table.match.closed
