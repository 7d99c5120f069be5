"""What becomes of the table when seats leave?"""

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, deal, make_settings

HANDS = "r2 r3 | g2 g3 | b2 b3 | y2 y3"
POLLED = make_settings("polled")


def knock_out(table: Table, seat: int) -> Table:
    """Take a seat out of the round; return the table."""
    table.events = list(engine.knock_out(table.state, engine.Seat(seat)))
    return table


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("seat", range(4))
def test_the_turn_passes_on_from_the_seat_that_left(seat: int, direction: int) -> None:
    """F42: to its successor in the direction of play, wherever it sits."""
    table = knock_out(at(HANDS, "r9", turn=seat, direction=direction), seat)
    assert table.turn == (seat + direction) % 4


@pytest.mark.parametrize("seat", [0, 2, 3])
def test_others_stay_on_turn_when_a_seat_leaves(seat: int) -> None:
    """F44: a seat is known by its number, not by its place in a list."""
    assert knock_out(at(HANDS, "r9", turn=1), seat).turn == 1


def test_the_hand_goes_beneath_the_discards_unseen() -> None:
    """S12, Q64, F22: the cards stay in the game, nobody sees them, the top card stays."""
    table = knock_out(at(HANDS, "r9", discards="b5"), 1)
    assert [engine.format_card(card) for card in table.state.discards] == ["g2", "g3", "b5", "r9"]
    (event,) = table.all_events("SeatKnockedOut")
    assert event == engine.SeatKnockedOut(engine.Seat(1), 2)
    assert table.all_cards() == at(HANDS, "r9", discards="b5").all_cards()


def test_a_drawn_card_goes_with_its_owner() -> None:
    """No drawn card is left pending."""
    table = at(HANDS, "r9")
    table.act(0, "draw")
    knock_out(table, 0)
    assert (table.turn, table.phase) == (1, "play")


def test_a_debt_vanishes_with_its_debtor() -> None:
    """S12: the seat that faced a wild draw four is gone, so nobody draws."""
    table = at("W4 g5 g6 | g2 g3 | b2 b3", "r9")
    table.act(0, "play W4 b")
    knock_out(table, 1)
    assert (table.turn, table.phase, table.colour) == (2, "play", "b")
    assert table.view(2).pending == 0


@pytest.mark.parametrize(("hand", "guilty"), [("r5 r6", True), ("g5 g6", False)])
def test_a_challenge_outlives_the_one_challenged(hand: str, guilty: bool) -> None:  # noqa: FBT001
    """F12: it is judged as stored, nobody is shown a hand that is gone, nobody draws for it."""
    table = at(f"W4 {hand} | g2 g3 | b2 b3", "r9")
    table.act(0, "play W4 b")
    knock_out(table, 0)
    assert table.legal(1) == ["accept_draw", "challenge"]
    table.act(1, "challenge")
    assert table.event("ChallengeResolved").guilty is guilty
    assert table.all_events("HandShown") == []
    assert table.count(1) == (2 if guilty else 8)
    assert table.turn == (1 if guilty else 2)


@pytest.mark.parametrize("seats", [2, 3])
def test_the_last_seat_wins_the_round(seats: int) -> None:
    """NM17, F45: the round ends at once, and only once."""
    table = at(" | ".join(HANDS.split(" | ")[:seats]), "r9", preset="official_se")
    for seat in range(seats - 1):
        knock_out(table, seat)
    ended = table.event("RoundEnded")
    assert (ended.reason, ended.winners) == ("last_standing", (seats - 1,))
    with pytest.raises(engine.RuleViolation) as caught:
        knock_out(table, seats - 1)
    assert caught.value.reason == "round_over"


def test_two_that_are_left_play_as_two() -> None:
    """F47: a reverse between two live seats acts as the option says."""
    table = at("rR r3 r4 | g2 g3 | b2 b3", "r9", preset="official_se")
    knock_out(table, 1)
    table.act(0, "play rR")
    assert table.turn == 0


def test_a_forfeited_seat_is_not_dealt_to_again() -> None:
    """F47: out of all later rounds, never dealer, ranked last."""
    table = deal(3, preset="official_se", hand_size=2)
    engine.forfeit(table.state, engine.Seat(1))
    while table.state.running:
        for seat in engine.to_act(table.state):
            engine.time_out(table.state, seat)
            break
        else:
            engine.close_window(table.state)
    for _ in range(3):
        table.events = list(engine.start_round(table.state.clone()))
        assert {event.seat for event in table.all_events("CardsDealt")} == {0, 2}
        assert table.event("DealerChosen").seat != 1


def test_forfeits_between_rounds_end_the_match() -> None:
    """When one seat is left it has won, before the first round too."""
    rules = engine.make_rules("official_se")
    state = engine.new_match(rules, engine.Settings(), 3, bytes(32))
    assert engine.forfeit(state, engine.Seat(0)) == [engine.SeatForfeited(engine.Seat(0))]
    *_, ended = engine.forfeit(state, engine.Seat(2))
    assert ended == engine.MatchEnded(engine.MatchEnd.LAST_STANDING, (2, 1, 2))
    assert state.over
    with pytest.raises(engine.RuleViolation) as caught:
        engine.forfeit(state, engine.Seat(1))
    assert caught.value.reason == "match_over"


def test_a_seat_forfeits_once() -> None:
    """A second time is refused."""
    table = deal(3)
    engine.forfeit(table.state, engine.Seat(1))
    with pytest.raises(engine.RuleViolation) as caught:
        engine.forfeit(table.state, engine.Seat(1))
    assert caught.value.reason == "seat_out"


def test_an_asked_seat_that_leaves_a_group_is_not_waited_for() -> None:
    """The others' answers complete the group."""
    table = at("r2 b3 | g2 g3 | b2 b4", "r9", settings=POLLED)
    table.act(0, "play r2")
    table.act(1, "catch 0")
    knock_out(table, 2)
    assert engine.to_act(table.state) == ()
    engine.close_group(table.state)
    assert (table.count(0), table.turn) == (3, 1)


def test_whoever_owed_a_call_and_left_cannot_be_caught() -> None:
    """S12: the duty is gone; answers that named it have no effect."""
    table = at("r2 b3 | g2 g3 | b2 b4", "r9", settings=POLLED)
    table.act(0, "play r2")
    table.act(1, "catch 0")
    knock_out(table, 0)
    assert table.legal(2) == ["pass"]
    table.settle()
    assert table.all_events("UnoCaught") == []


def test_the_colour_of_a_first_wild_is_the_next_seats_to_name() -> None:
    """F46: when the one who should name it is gone."""
    state, _ = engine.opening_position(
        engine.make_rules("official_se"),
        [(engine.Card(1),), (engine.Card(2),), (engine.Card(3),)],
        (engine.parse_card("W"),),
    )
    engine.knock_out(state, engine.Seat(0))
    assert engine.to_act(state) == (1,)
    engine.apply(state, engine.Seat(1), engine.ChooseColour(engine.Colour.RED))
    assert (engine.to_act(state), state.phase) == ((1,), "play")


@pytest.mark.parametrize("verb", [engine.knock_out, engine.forfeit, engine.time_out])
def test_a_seat_that_does_not_exist_is_refused(verb: object) -> None:
    """By every verb that names one."""
    table = deal(3)
    for seat in (-1, 3):
        with pytest.raises(engine.RuleViolation) as caught:
            verb(table.state, engine.Seat(seat))  # type: ignore[operator]
        assert caught.value.reason == "no_such_seat"
