"""The oracle plays what only house rules and No Mercy know: stacking, mercy, roulette, calls."""

from typing import Any

import pytest

from tests.oracle import absence, rounds, turns
from tests.oracle.legal import asked, legal
from tests.oracle.options import options_of
from tests.oracle.table import Refused, State
from tests.oracle.tables import do, table

CROSS = ["d2>d2", "d2>wd4", "wd4>wd4"]


def stacking(hands: list[str], draw: str, **more: Any) -> State:
    """Lay out a table where draw two and wild draw four may be stacked and challenged."""
    return table(
        "standard_no_points", hands, draw=draw, stacking="pairs", stack_pairs=CROSS, **more
    )


def test_stack_on_wild_draw_four() -> None:
    """Facing a stackable wild draw four one may stack, accept or challenge (S10)."""
    state = stacking(["W4 r2 b1", "y1 W4 g1", "y2 y3"], "b1 b2 b3 b4 b5 b6 b7 b8 b9 g9")
    do(state, "play W4 b")
    colours = [f"play W4 {c}" for c in "rygb"]
    assert legal(state, 1) == [*colours, "accept_draw", "challenge"]
    do(state, "play W4 g")
    assert state.debt is not None
    assert (state.debt.total, state.debt.offender) == (8, 1)


def test_guilty_takes_the_sum() -> None:
    """Guilty in a chain: the offender takes the whole sum and the challenger plays (S10)."""
    state = stacking(["rD2 r2 b1", "y1 W4 rD2", "g2 y3"], "b1 b2 b3 b4 b5 b6 b7 b8 b9 g9")
    hands = do(state, "play rD2", "play W4 g", "challenge")
    assert [len(hand) for hand in hands] == [2, 8, 2]  # he could have stacked his draw two
    assert (asked(state), state.colour, state.debt) == ([2], "g", None)


def test_innocent_costs_two_more() -> None:
    """Innocent in a chain, whatever colours are held: the sum and two for the challenger (S10)."""
    state = stacking(["rD2 r2 b1", "r1 W4 W4", "g2 y3"], "b1 b2 b3 b4 b5 b6 b7 b8 b9 g9")
    hands = do(state, "play rD2", "play W4 g", "challenge")
    assert [len(hand) for hand in hands] == [2, 2, 10]
    assert asked(state) == [0]


def test_automatic_penalty_in_a_chain() -> None:
    """With auto_penalty the offender draws four first, and the sum grows and passes on (S10)."""
    draw = "b1 b2 b3 b4 b5 b6 b7 b8 b9 g9"
    hands = ["rD2 r2 b1", "y1 W4 rD2", "g2 W4 y3"]
    state = stacking(hands, draw, wd4_enforcement="auto_penalty")
    do(state, "play rD2", "play W4 g")
    assert len(state.hands[1]) == 6
    assert state.debt is not None
    assert state.debt.total == 6


def test_first_draw_two_may_be_answered() -> None:
    """A first-card draw two may be answered where stacking is on (S10)."""
    state = table("official_se", ["yD2 b1", "y1", "y2"], top="rD2", stacking="pairs")
    state.running = False
    state.draw_pile, state.discard = ["rD2", "b1", "b2"], []
    from tests.oracle import rounds  # noqa: PLC0415

    rounds.turn_first_card(state)
    assert legal(state, 0) == ["play yD2", "accept_draw"]


def test_mercy_stops_a_debt() -> None:
    """Mercy is checked on each card; the debt lapses, the next active seat plays (NM12, NM14)."""
    many = "y1 y2 y3 y4 y6 y8 y9 b1 b2 b3 b4 b6 b8 b9 g1 g2 g3 g4 g6 g8 g9 r1 r2 r3"  # 24
    state = table("no_mercy", ["W6 r9 r8", many, "y2 y3"], draw="r4 r5 r6 r7 r8")
    do(state, "play W6 b", "accept_draw")
    assert (state.out, asked(state), state.debt) == ([1], [2], None)
    assert state.draw_pile == ["r5", "r6", "r7", "r8"]
    assert state.discard[-1] == "W6"
    assert len(state.discard) == 27


def test_last_one_standing_takes_bonus() -> None:
    """The last seat standing wins; each knocked-out seat is worth the bonus (NM17, NM24)."""
    many = "y1 y2 y3 y4 y6 y8 y9 b1 b2 b3 b4 b6 b8 b9 g1 g2 g3 g4 g6 g8 g9 r1 r2 r3"
    state = table("no_mercy_points", ["rD2 r9 r8", many], draw="r4 r5 r6 r7 r8")
    do(state, "play rD2", "accept_draw")
    assert state.results[-1].reason == "last_standing"
    assert state.results[-1].points == [250, 0]


def test_roulette() -> None:
    """The victim names the colour and keeps all cards until it appears (NM21)."""
    state = table("no_mercy", ["WCR r1 r2", "y1", "y2 y3"], draw="r1 W6 g0 g1")
    do(state, "play WCR")
    assert legal(state, 1) == [f"choose_colour {c}" for c in "rygb"]
    hands = do(state, "choose_colour g")
    assert hands[1] == ["r1", "y1", "g0", "W6"]
    assert (asked(state), state.colour) == ([2], "g")


@pytest.mark.parametrize(("rule", "facing"), [("skip", 0), ("turn_only", 1)])
def test_reverse_draw_four_for_two(rule: str, facing: int) -> None:
    """With two players a wild reverse draw four may fall back on who laid it (NM07, NM08)."""
    state = table("no_mercy", ["WR4 r1 r2", "y1 y2"], draw="b1", reverse_two_players=rule)
    do(state, "play WR4 g")
    assert (asked(state), state.direction) == ([facing], -1)
    last = table("no_mercy_points", ["WR4", "y1"], draw="b1 b2 b3 b4", reverse_two_players=rule)
    do(last, "play WR4")
    assert last.results[-1].points == [11, 0]  # S14: the opponent draws


def test_must_play() -> None:
    """Under must_play the drawn fitting card is the only lawful answer (S01, R098)."""
    state = table("no_mercy", ["y1 y2", "y3 y4"], draw="g1 b2 r0 r1")
    do(state, "draw")
    assert legal(state, 0) == ["play r0"]


def test_discard_all_must_leave_a_card() -> None:
    """With number_only a discard-all leaves a card of the owner's choice (S15)."""
    state = table("no_mercy", ["rDA r1 r9", "y1 y2"], finish_card="number_only")
    do(state, "play rDA")
    assert legal(state, 0) == ["keep_card r1", "keep_card r9"]
    assert do(state, "keep_card r9")[0] == ["r9"]
    assert state.duty_of(0) is None  # S07: the call went with the discard-all
    won = table("no_mercy", ["rDA r1 r9", "y1 y2"])
    do(won, "play rDA")
    assert won.results[-1].winners == [0]


def test_call_required_to_finish() -> None:
    """Who never called may not lay the last card, but may still call (R180, Q69)."""
    state = table("family_se_literal", ["r1 r2", "r3 r4"], uno_penalty_skip_turn=False)
    do(state, "play r1", "play r3", uno=False)
    with pytest.raises(Refused, match="uno_not_called"):
        turns.step(state, 0, "play r2")
    assert legal(state, 0) == ["draw", "call_uno"]
    do(state, "call_uno", "play r2")
    assert state.results[-1].winners == [0]


def test_received_hand_owes_nothing() -> None:
    """One card received for a seven owes no call, and a call with it is void (S06)."""
    state = table("house_no", ["r7 g1", "y1", "b1 b2"], polled=True, jump_in="off")
    do(state, "play r7 >1", uno=False)
    assert (state.duties, state.group, asked(state)) == ([], None, [1])


def test_pairs() -> None:
    """Partners neither catch each other nor count each other's cards (Q12, R219)."""
    state = table("pairs_se", ["r1 r2", "r3 y9", "b9 b8", "r4 g7"], polled=True)
    do(state, "play r1", uno=False)
    assert asked(state) == [1, 3]
    do(state, "pass", "pass")
    turns.close_group(state)
    do(state, "play r3")
    assert asked(state) == [1, 3]  # the window lasts until the next turn has ended
    do(state, "pass", "pass")
    turns.close_group(state)
    do(state, "draw", "keep")
    assert asked(state) == [3]
    do(state, "play r4")
    do(state, "play r2")
    assert state.results[-1].points == [16, 0, 16, 0]
    assert state.results[-1].winners == [0, 2]


def test_superseded_answers() -> None:
    """A jump-in aimed at a seat that has left meanwhile is without effect (Q31)."""
    hands = ["r7 g1 g2", "y1 y2", "r7 b1 b2", "y3 y4"]
    state = table("house_no", hands, polled=True, stacking="none", stack_pairs=["d2>d2"])
    do(state, "play r7 >1")
    turns.step(state, 1, "pass")
    turns.step(state, 2, "jump_in r7 >3")
    absence.knock_out(state, 3)
    turns.close_group(state)
    assert (state.hands[2], asked(state)) == (["r7", "b1", "b2"], [1])


def test_host() -> None:
    """The host who deals is the last seat, as the dealer is unless said otherwise."""
    state = rounds.new_match(
        options_of("standard_no", dealer_pick="host"), 5, lambda _, cards: list(cards), polled=True
    )
    assert rounds.next_dealer(state) == 4
