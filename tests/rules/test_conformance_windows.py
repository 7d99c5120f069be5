"""How long can a missing call be caught, and what does the penalty cost (R170-R175, Q11, Q54)?"""

import pytest

import lastcard_engine as engine
from tests.builders import at, make_settings, text
from tests.rules.test_conformance_calls import HANDS, silent


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        pytest.param("guide_se", {}, id="R170"),
        pytest.param("official_dk", {"uno_window": "next_turn_ends"}, id="R172"),
        pytest.param("standard_no", {"uno_window": "next_turn_ends"}, id="R183"),
    ],
)
def test_the_window_may_last_until_the_next_turn_ends(
    preset: str, options: dict[str, object]
) -> None:
    """While the next seat decides on its drawn card the catch counts, afterwards it does not."""
    table = silent(preset=preset, options=options, draw="r9 g9 g8 g7 g6 g4")
    table.act(1, "draw")
    deciding = table.clone()
    deciding.act(2, "catch 0")
    assert deciding.count(0) == 3
    table.act(1, "keep")
    table.refuse(2, "catch 0", "nothing_to_catch")


def test_c13_c14_c15_c49_each_preset_has_its_own_limit() -> None:
    """After the next seat has drawn, the catch counts exactly where the window ends later."""
    for preset, late in (
        ("standard_no", False),
        ("official_se", False),
        ("official_dk", False),
        ("guide_se", True),
        ("family_se", True),
        ("short_se", True),
    ):
        table = at("r2 b3 | g1 y9 b5 | y1 y2 b8", "r6", preset=preset)
        table.act(0, "play r2")
        table.act(1, "draw")
        assert (table.owes_call() == 0) is late, preset


def test_r171_q11_the_penalty_may_cost_the_next_turn() -> None:
    """Two cards, and the next time the turn would reach the seat it is passed over, once."""
    table = silent(preset="family_se", draw="r7 b9 b8 b7 b6 b5")
    table.act(2, "catch 0")
    assert (table.count(0), table.turn) == (3, 1)
    table.act(1, "play r1")
    table.act(2, "play y1")
    assert table.turn == 1
    table.act(1, "play y9 uno")
    assert table.turn == 2
    table.act(2, "play y2 uno")
    assert table.turn == 0


def test_s18_a_turn_lost_to_a_card_does_not_pay_the_lost_turn() -> None:
    """A skip on a seat that owes a turn leaves the debt; it is paid the next time."""
    table = at("r2 b3 | r1 g1 y9 | rS y2 b8 r4", "r6", preset="family_se", draw="b9 b7 b5 b4 b2 b1")
    table.act(0, "play r2")
    table.act(2, "catch 0")
    table.act(1, "play r1")
    table.act(2, "play rS")
    assert table.turn == 1
    table.act(1, "draw")
    table.act(1, "keep")
    table.act(2, "play r4")
    assert table.turn == 1


def test_r173_q54_the_window_may_stay_open() -> None:
    """Two turns later a seat that still holds its one card can be caught."""
    table = silent(preset="short_se")
    table.act(1, "play r1")
    table.act(2, "draw")
    table.act(2, "keep")
    assert table.owes_call() == 0
    table.act(1, "catch 0")
    assert table.count(0) == 3
    assert table.owes_call() is None


def test_q54_an_open_window_ends_when_the_hand_changes() -> None:
    """Drawing ends the duty: the hand is no longer one card."""
    table = silent(preset="short_se")
    table.act(1, "play r1")
    table.act(2, "draw")
    table.act(2, "keep")
    table.act(0, "draw")
    assert table.owes_call() is None


def test_c13_the_window_may_last_until_the_own_next_turn() -> None:
    """With own_next_turn the catch counts all around the table until the seat acts again."""
    table = silent(options={"uno_window": "own_next_turn"})
    table.act(1, "play r1")
    table.act(2, "draw")
    table.act(2, "keep")
    assert table.owes_call() == 0
    table.act(0, "draw")
    assert table.owes_call() is None


def test_r175_c18_q53_the_penalty_may_come_from_the_discard_pile() -> None:
    """The two cards directly beneath the top card are taken; the top stays."""
    table = at(HANDS, "r6", preset="short_se_literal", discards="y7 b1 g2", draw="b9 b8")
    table.act(0, "play r2")
    table.act(2, "catch 0")
    assert sorted(table.hand(0).split()) == ["b3", "g2", "r6"]
    assert (table.top, table.draw_count) == ("r2", 2)


def test_q53_a_shortage_is_made_up_from_the_draw_pile() -> None:
    """With one card beneath the top the second comes from the draw pile."""
    table = at(HANDS, "r6", preset="short_se_literal", draw="b9 b8")
    table.act(0, "play r2")
    table.act(2, "catch 0")
    assert table.hand(0).split() == ["r6", "b3", "b9"]
    assert text(table.state.draw_pile) == "b8"


def test_q06_whoever_is_next_himself_ends_his_own_window() -> None:
    """After a skip between two the offender can be caught until its own next act."""
    table = at("rS b3 | r1 g1 y9", "r6")
    table.act(0, "play rS")
    assert (table.turn, table.owes_call()) == (0, 0)
    table.act(0, "draw")
    assert table.owes_call() is None


@pytest.mark.parametrize("window", ["next_turn_starts", "next_turn_ends", "own_next_turn"])
def test_q06_the_own_next_act_ends_every_window_but_the_open_one(window: str) -> None:
    """Touching the pile for the own next turn is such an act, though the hand stays."""
    table = at("rS b3 | r1 g1 y9", "r6", options={"uno_window": window})
    table.act(0, "play rS")
    assert table.owes_call() == 0
    table.act(0, "begin_turn")
    assert (table.count(0), table.owes_call()) == (1, None)


def test_q54_an_open_window_outlasts_the_own_next_act() -> None:
    """Only another hand, a call, a catch or the end of the round closes it."""
    table = at("rS b3 | r1 g1 y9", "r6", preset="short_se")
    table.act(0, "play rS")
    table.act(0, "begin_turn")
    assert table.owes_call() == 0
    table.act(0, "call_uno")
    assert table.owes_call() is None


def test_q11_a_lost_turn_is_not_carried_into_the_next_round() -> None:
    """A seat that owed a turn when the round ended has its first turn in the new one."""
    options = {"first_card": "number_only", "voluntary_draw": True}
    table = at("r2 b3 | r1 | y1 y2 b8", "r6", preset="family_se", options=options)
    table.act(0, "play r2")
    table.act(2, "catch 0")
    table.act(1, "play r1")
    engine.start_round(table.state)
    for seat in (1, 2):
        assert table.turn == seat
        table.draw_and_keep(seat)
    assert table.turn == 0


def test_q11_a_successful_challenge_does_not_pay_the_lost_turn() -> None:
    """P1 owes a turn and wins its challenge: the offender draws, then P1 sits out."""
    table = at("W4 r2 b3 | r8 g1", "r6", turn=1, options={"uno_penalty_skip_turn": True})
    table.act(1, "play r8")
    table.act(0, "catch 1")
    table.act(0, "play W4 b")
    table.act(1, "challenge")
    assert table.event("ChallengeResolved").guilty is True
    assert (table.count(0), table.turn) == (6, 0)


def test_q11_r171_a_lost_turn_is_used_up_when_the_turn_would_reach_the_seat() -> None:
    """Caught in the pause before its own next turn, a seat of two sits that very turn out."""
    table = at("rS b3 | r1 g1 y9", "r6", preset="family_se")
    table.act(0, "play rS", hold=True)
    table.act(1, "catch 0", hold=True)
    assert not table.all_events("SeatSkipped")
    table.close_window()
    assert [event.seat for event in table.all_events("SeatSkipped")] == [0]
    assert table.turn == 1


def test_q11_r171_a_polled_group_decides_before_the_turn_reaches_the_seat() -> None:
    """The same where the catch is an answer in a group: it closes before anybody is asked."""
    settings = make_settings("polled")
    table = at("rS b3 | r1 g1 y9", "r6", preset="family_se", settings=settings)
    table.act(0, "play rS")
    events = table.settle(P1="catch 0")
    assert [type(event).__name__ for event in events][-1] == "SeatSkipped"
    assert table.turn == 1


def test_q11_a_jump_in_leaves_a_lost_turn_owed_that_was_not_reached() -> None:
    """P1 owes a turn; a jump-in in the pause before it takes the turn past P1."""
    options = {"jump_in": "identical"}
    table = at("r5 y4 y6 | r2 g1 | r5 b1 b2 | g3 g4", "r8", preset="family_se", options=options)
    table.state.owed_skip[1] = True
    table.act(0, "play r5", hold=True)
    table.act(2, "jump_in r5")
    assert (table.turn, table.state.owed_skip[1]) == (3, True)


def test_q11_a_lost_challenge_turn_still_lets_the_others_react() -> None:
    """After a won challenge that a lost turn follows, whoever can be caught is asked about."""
    table = at(
        "W4 r2 b3 | r8 g1 y1 | y2 y4",
        "r6",
        settings=make_settings("polled"),
        options={"uno_penalty_skip_turn": True, "uno_window": "open"},
    )
    table.state.owed_skip[1] = True
    table.state.hands[2] = [engine.parse_card("y2")]
    table.state.duty[2], table.state.duties = 1, 1
    table.act(0, "play W4 b")
    table.settle()
    table.act(1, "challenge")
    assert table.state.group is not None
    table.settle()
    assert table.turn == 2


@pytest.mark.parametrize("reactions", ["race", "polled"])
def test_r170_a_seat_that_leaves_unheard_does_not_end_the_window(reactions: str) -> None:
    """The next turn is that of the next seat that acts; after its turn the window is closed."""
    settings = make_settings(reactions)
    options = {"uno_window": "next_turn_ends"}
    table = at("r2 b3 | r1 | r3 y2 | r4 g4", "r6", options=options, settings=settings)
    table.act(0, "play r2")
    if reactions == "polled":
        table.settle()
    engine.knock_out(table.state, engine.Seat(1))
    if reactions == "polled":
        table.settle()
    assert table.state.duty[0] > 0
    table.act(2, "play r3 uno")
    if reactions == "polled":
        table.settle()
    assert (table.turn, table.state.duties) == (3, 0)
