"""Field cases about hands that change owners and points of partners (F40, F58, F60)."""

import pytest

import lastcard_engine as engine
from tests.builders import at

A, B, C, D = range(4)


def test_f40_partners_score_their_opponents_alone_and_once() -> None:
    """A goes out: 9 and 20 of the opponents for the pair; the 50 of its partner count nowhere."""
    table = at("r1 | r9 | W | bS", "r5", preset="pairs_se")
    table.act(A, "play r1")
    ended = table.event("RoundEnded")
    assert (ended.winners, ended.value, ended.points) == ((A, C), 29, (29, 0, 29, 0))
    assert table.state.totals == [29, 0, 29, 0]


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("jump_in r7", "target_needed"),
        ("jump_in r7 >2", "bad_target"),
        ("jump_in r7 >9", "bad_target"),
    ],
)
def test_f58_a_jump_in_with_a_seven_cannot_leave_out_the_swap(action: str, reason: str) -> None:
    """Without a target, aimed at itself or at nobody it is refused; aimed at A it swaps."""
    options = {"seven_zero": True, "jump_in": "identical"}
    table = at("b2 b3 | r7 y1 y2 | r7 g1 g2", "r5", turn=B, options=options)
    table.act(B, "play r7 >0", hold=True)
    table.refuse(C, action, reason)
    table.act(C, "jump_in r7 >0")
    assert (table.hand(A), table.hand(C), table.turn) == ("g1 g2", "y1 y2", A)


@pytest.mark.parametrize(
    ("direction", "sizes"), [(-1, [2, 3, 4, 1]), (1, [4, 1, 2, 3])], ids=["left", "right"]
)
def test_f60_a_zero_moves_hands_along_the_order_of_play(direction: int, sizes: list[int]) -> None:
    """A's one card goes to the next seat, which is on turn and can not be caught for it."""
    hands = "r0 g9 | b1 b2 | y1 y2 y3 | g1 g2 g3 g4"
    table = at(hands, "r5", direction=direction, options={"seven_zero": True})
    table.act(A, "play r0")
    assert table.counts == sizes
    assert (table.turn, table.hand(table.turn)) == (direction % 4, "g9")
    assert table.owes_call() is None


def test_f60_without_the_house_rule_sevens_and_zeros_do_nothing() -> None:
    """Hands stay where they are, and neither card takes a target."""
    table = at("r0 r7 g9 | b1 b2", "r5")
    table.refuse(A, "play r7 >1", "bad_target")
    table.act(A, "play r0")
    assert (table.hand(A), table.hand(B)) == ("r7 g9", "b1 b2")
    assert isinstance(table.events[0], engine.CardPlayed)
    assert not table.all_events("HandReceived")
