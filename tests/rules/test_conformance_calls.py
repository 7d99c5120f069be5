"""When must UNO be called, and how is a missing call caught in race mode (R166-R184)?"""

from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, text

HANDS = "r2 b3 | r1 g1 y9 | y1 y2 b8"


def silent(**more: Any) -> Table:
    """Return a table at which P0 has laid its next-to-last card without calling."""
    table = at(HANDS, "r6", **more)
    table.act(0, "play r2")
    return table


@pytest.mark.parametrize("preset", ["standard_no", "official_se", "guide_se", "family_se"])
def test_r166_a_call_with_the_play_leaves_no_duty(preset: str) -> None:
    """Laying the next-to-last card with the call cannot be caught."""
    table = at(HANDS, "r6", preset=preset)
    table.act(0, "play r2 uno", hold=True)
    assert table.event("UnoCalled").seat == 0
    assert table.owes_call() is None
    table.refuse(2, "catch 0", "nothing_to_catch")


@pytest.mark.parametrize("preset", ["standard_no", "official_se", "guide_se", "short_se"])
def test_r167_one_card_without_a_call_can_be_caught(preset: str) -> None:
    """A hand that has become one card in silence owes a call."""
    assert silent(preset=preset).owes_call() == 0


@pytest.mark.parametrize("preset", ["standard_no", "official_se", "official_dk"])
@pytest.mark.parametrize("catcher", [1, 2])
def test_r168_r174_q12_caught_in_time(preset: str, catcher: int) -> None:
    """Any other seat may catch before the next turn begins: two cards from the draw pile."""
    table = silent(preset=preset)
    before = table.draw_count
    table.act(catcher, "catch 0")
    assert (table.count(0), table.draw_count, table.turn) == (3, before - 2, 1)
    caught = table.event("UnoCaught")
    assert (caught.catcher, caught.target) == (catcher, 0)
    assert table.event("CardsDrawn").cause == "uno_penalty"
    assert table.owes_call() is None


@pytest.mark.parametrize(
    "begin",
    [
        pytest.param("begin_turn", id="R169"),
        pytest.param("play r1", id="R184"),
        pytest.param("draw", id="Q05-draw"),
    ],
)
def test_c16_the_next_turn_begins_with_a_play_a_draw_or_a_touch(begin: str) -> None:
    """After the first act of the next seat the catch comes too late."""
    table = silent()
    table.act(1, begin, hold=True)
    table.refuse(2, "catch 0", "nothing_to_catch")
    assert table.count(0) == 1


@pytest.mark.parametrize("answer", ["accept_draw", "challenge"])
def test_q05_s09_an_answer_to_a_wild_draw_four_begins_the_turn(answer: str) -> None:
    """Until the seat that faces it answers, a silent wild draw four can be caught."""
    table = at("W4 b3 | r1 g1 | y1 y2", "r6")
    table.act(0, "play W4 b")
    assert table.owes_call() == 0
    table.act(1, answer)
    assert table.owes_call() is None


@pytest.mark.parametrize("card", ["rD2", "rS"])
def test_q05_s09_a_forced_draw_and_a_lost_turn_begin_nothing(card: str) -> None:
    """A victim without a choice does not close the window."""
    table = at(f"{card} b3 | r1 g1 | r7 y2", "r6")
    table.act(0, f"play {card}")
    assert (table.owes_call(), table.turn) == (0, 2)
    table.act(2, "draw")
    assert table.owes_call() is None


def test_r176_nobody_notices_in_time() -> None:
    """The window closes silently; the hand stays one card."""
    table = silent()
    table.act(1, "play r1")
    assert (table.count(0), table.owes_call()) == (1, None)
    assert not table.all_events("UnoCaught")


@pytest.mark.parametrize("hold", [True, False])
def test_r177_c19_a_late_call_before_being_caught_cancels_the_penalty(*, hold: bool) -> None:
    """Call, then catch: nothing to catch, within the pause and after it."""
    table = at(HANDS, "r6")
    table.act(0, "play r2", hold=hold)
    table.act(0, "call_uno", hold=True)
    assert table.event("UnoCalled").seat == 0
    table.refuse(2, "catch 0", "nothing_to_catch")


@pytest.mark.parametrize("preset", ["guide_se", "standard_no"])
def test_r178_q03_c20_the_order_of_arrival_decides_the_race(preset: str) -> None:
    """Catch before call costs two cards, call before catch costs nothing."""
    table = silent(preset=preset)
    table.act(2, "catch 0")
    assert table.count(0) == 3
    table = silent(preset=preset)
    table.act(0, "call_uno")
    table.refuse(2, "catch 0", "nothing_to_catch")
    assert table.count(0) == 1


def test_c19_a_late_call_may_be_worthless() -> None:
    """With uno_self_correct=false only being unnoticed saves the seat."""
    table = silent(options={"uno_self_correct": False})
    if table.accepts(0, "call_uno"):
        table.act(0, "call_uno")
    assert table.owes_call() == 0


def test_r179_calling_with_one_card_has_no_other_consequence() -> None:
    """The late call is an event and changes no hand, no turn and no pile."""
    table = silent()
    hands, pile, turn = table.counts, table.draw_count, table.turn
    table.act(0, "call_uno")
    assert [type(event).__name__ for event in table.events] == ["UnoCalled"]
    assert (table.counts, table.draw_count, table.turn) == (hands, pile, turn)


def test_r181_q07_a_call_out_of_turn_gives_no_credit() -> None:
    """A seat with two cards that is skipped and calls at once must call again when it lays."""
    table = at("rS b3 b4 | r8 g1 | r1 r9 r0", "r6", draw="r7 b9 b8")
    table.act(0, "play rS")
    if table.accepts(1, "call_uno"):
        table.act(1, "call_uno")
        assert not table.all_events("UnoCalled")
    assert (table.owes_call(), table.count(1)) == (None, 2)
    table.act(2, "play r1")
    table.act(0, "draw")
    table.act(0, "keep")
    table.act(1, "play r8")
    assert table.owes_call() == 1


def test_q07_a_call_on_the_own_turn_with_two_cards_counts_for_the_play() -> None:
    """Calling first and laying next is as good as calling with the play."""
    table = at(HANDS, "r6")
    table.act(0, "call_uno")
    table.act(0, "play r2")
    assert (table.owes_call(), table.count(0)) == (None, 1)


def test_q07_an_early_call_lapses_with_the_turn() -> None:
    """A call that was not followed by the next-to-last card is not carried to a later turn."""
    table = at("r2 b3 | r1 g1 y9", "r6", draw="g7 g9 g8")
    table.act(0, "call_uno")
    table.act(0, "draw")
    table.act(0, "keep")
    table.act(1, "play r1")
    table.act(0, "play r2")
    assert table.count(0) == 2
    table.act(1, "draw")
    table.act(1, "keep")
    table.act(0, "draw")
    table.act(0, "keep")
    assert table.owes_call() is None


@pytest.mark.parametrize("preset", ["official_dk", "standard_no"])
def test_r182_c17_the_penalty_may_be_four(preset: str) -> None:
    """With uno_penalty_cards=4 a caught seat holds five."""
    table = silent(preset=preset, options={"uno_penalty_cards": 4})
    table.act(2, "catch 0")
    assert table.count(0) == 5


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


def test_q08_s04_a_false_catch_costs_nothing_and_tells_nothing() -> None:
    """No duty, a call, or a window that is over: the same refusal, and no hand changes."""
    larger = at("r2 b3 b4 | r1 g1 y9 | y1 y2 b8", "r6")
    larger.act(0, "play r2")
    called = at(HANDS, "r6")
    called.act(0, "play r2 uno")
    late = silent()
    late.act(1, "play r1")
    messages = set()
    for table in (larger, called, late):
        counts = table.counts
        table.refuse(2, "catch 0", "nothing_to_catch")
        assert table.counts == counts
        messages.add(table.refusal(2, "catch 0"))
    assert len(messages) == 1


def test_q08_a_false_call_costs_nothing() -> None:
    """A call with three cards in hand, on turn or not, changes no hand and is no event."""
    table = at("r2 b3 b4 | r1 g1 y9 | y1 y2 b8", "r6")
    for seat in range(3):
        if table.accepts(seat, "call_uno"):
            assert table.act(seat, "call_uno") == []
    assert (table.counts, table.turn) == ([3, 3, 3], 0)


def test_s07_a_call_with_a_play_that_leaves_more_than_one_card_means_nothing() -> None:
    """It is no event, shows nothing, and gives no credit for the next play."""
    table = at("r2 b3 r4 | r1 g1 y9", "r6")
    if table.accepts(0, "play r2 uno"):
        table.act(0, "play r2 uno")
        assert not table.all_events("UnoCalled")
        assert not any(table.view(1).called)
        table.act(1, "play r1")
        table.act(0, "play r4")
        assert table.owes_call() == 0


def test_q70_what_is_public_and_what_is_not_announced() -> None:
    """Sizes, piles, direction, colour and calls are told; that a call is missing is not."""
    table = silent()
    seen = table.view(2)
    assert (list(seen.counts), seen.direction, seen.pending) == ([1, 3, 3], 1, 0)
    assert (seen.top, seen.colour) == (engine.parse_card("r2"), engine.Colour.RED)
    assert not any(seen.called)
    assert not [name for name in seen._fields if "dut" in name]
    assert [type(event).__name__ for event in table.events] == ["CardPlayed"]
    calling = at(HANDS, "r6")
    calling.act(0, "play r2 uno")
    assert list(calling.view(2).called) == [True, False, False]


def test_q12_nobody_catches_himself() -> None:
    """The offender is the one seat that cannot catch."""
    table = silent()
    table.refuse(0, "catch 0", "nothing_to_catch")


def test_r169_a_turn_begins_once() -> None:
    """Touching the pile is for the seat on turn, before its first act, and only once."""
    table = silent()
    table.refuse(2, "begin_turn", "not_your_turn")
    table.act(1, "begin_turn")
    table.refuse(1, "begin_turn", "already_begun")
    table.act(1, "draw")
    table.refuse(1, "begin_turn", "already_begun")


@pytest.mark.parametrize(("first", "debt"), [("", 0), ("call_uno", None)])
def test_r181_q07_a_call_out_of_turn_does_nothing_for_or_against_another(
    first: str, debt: int | None
) -> None:
    """P1 calls with two cards while P0 is on turn: only P0's own call protects P0."""
    table = at("r2 b3 | r1 g1 | y1 y2 b8", "r6")
    if first:
        table.act(0, first)
    if table.accepts(1, "call_uno"):
        table.act(1, "call_uno")
    table.act(0, "play r2")
    assert table.owes_call() == debt


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
