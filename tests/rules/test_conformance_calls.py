"""When must UNO be called, and how is a missing call caught in race mode (R166-R184)?"""

from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import Table, at

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


def test_s15_r177_who_calls_while_choosing_has_called() -> None:
    """The last card but the discard-all is chosen at once; a call in between counts for it."""
    options = {"finish_card": "number_only"}
    table = at("rDA r1 | y1 y2", "r5", preset="no_mercy", options=options)
    table.act(0, "play rDA")
    table.act(0, "call_uno")
    table.act(0, "choose_card r1")
    assert (table.state.called[0], table.owes_call()) == (True, None)
    table.refuse(1, "catch 0", "nothing_to_catch")
