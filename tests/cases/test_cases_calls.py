"""Field cases about the call of UNO, going out and points (F30-F41)."""

import pytest

import lastcard_engine as engine
from tests.builders import at

A, B, C, D = range(4)
POINTS = {"scoring": "winner_takes"}


@pytest.mark.parametrize(
    ("before", "caught"), [(None, True), ((B, "draw"), False), ((B, "play r9"), False)]
)
def test_f30_the_window_ends_when_the_next_seat_acts(
    before: tuple[int, str] | None, *, caught: bool
) -> None:
    """In time the catch costs two cards; after B's draw or play it costs nothing."""
    table = at("r1 y9 | r9 g1 g2 | b1 b2", "r5")
    table.act(A, "play r1")
    if before:
        table.act(*before)
        table.refuse(C, "catch 0", "nothing_to_catch")
    else:
        table.act(C, "catch 0")
        assert table.turn == B
    assert table.count(A) == (3 if caught else 1)


def test_f31_a_false_call_costs_nothing_and_does_not_last() -> None:
    """A call with two cards of which none is laid, and one with five, change no hand."""
    table = at("r1 y9 | g1 g2 g3", "b4", draw="g2 g6 g7")
    if table.accepts(A, "call_uno"):
        table.act(A, "call_uno")
    table.act(A, "draw")
    table.act(A, "keep")
    assert table.count(A) == 3
    assert not table.view(B).called[A]
    table = at("r1 y9 y8 y7 y6 | g1 g2 g3", "b4")
    if table.accepts(A, "call_uno"):
        table.act(A, "call_uno")
    assert table.counts == [5, 3]


@pytest.mark.parametrize(("call", "caught"), [(" uno", False), ("", True)])
def test_f32_drawing_clears_an_earlier_call(call: str, *, caught: bool) -> None:
    """A called, drew b7 and lays it: only a new call protects."""
    table = at("y1 | g1 g2 g3", "b4", draw="b7 g6 g7")
    if table.accepts(A, "call_uno"):
        table.act(A, "call_uno")
    table.act(A, "draw")
    table.act(A, f"play b7{call}")
    assert (table.owes_call() == A) is caught


@pytest.mark.parametrize("late", [True, False])
def test_f33_a_forced_draw_does_not_close_the_window(*, late: bool) -> None:
    """After B's two cards A may still call late, or be caught; C's first act ends it."""
    table = at("rD2 y9 | g1 g2 | r9 b2", "r5")
    table.act(A, "play rD2")
    assert table.count(B) == 4
    if late:
        table.act(A, "call_uno")
        table.refuse(C, "catch 0", "nothing_to_catch")
        assert table.count(A) == 1
        return
    in_time = table.clone()
    in_time.act(C, "catch 0")
    assert (in_time.count(A), in_time.turn) == (3, C)
    table.act(C, "draw")
    table.refuse(B, "catch 0", "nothing_to_catch")


def test_f34_a_catch_has_a_target() -> None:
    """Only A is caught; naming B, who has called, has no effect."""
    table = at("r1 y9 | g3 r8 | r6 y7 | y5 y4 y3", "r5", turn=B)
    table.act(B, "play r8 uno")
    table.act(C, "play r6 uno")
    table.act(D, "draw")
    table.act(D, "keep")
    table.act(A, "play r1")
    table.refuse(D, "catch 1", "nothing_to_catch")
    table.refuse(D, "catch 2", "nothing_to_catch")
    table.act(D, "catch 0")
    assert (table.count(A), table.count(B), table.count(C)) == (3, 1, 1)


def test_f35_an_unnoticed_silence_does_not_bar_the_win() -> None:
    """A never called and was never caught: it wins with its last card."""
    table = at("r1 r2 | r9 g1 g2", "r5")
    table.act(A, "play r1")
    table.act(B, "play r9")
    table.act(A, "play r2")
    assert table.event("RoundEnded").winners == (A,)


@pytest.mark.parametrize(("lost", "order"), [(False, [B, C, D, A]), (True, [B, C, D, B])])
def test_f36_a_penalty_moves_no_turn(lost: bool, order: list[int]) -> None:  # noqa: FBT001
    """A draws two at once, B is still on turn; the lost turn is A's next one."""
    table = at("r1 y9 | g1 g2 | g3 g4 | g6 g7", "r5", options={"uno_penalty_skip_turn": lost})
    table.act(A, "play r1")
    table.act(D, "catch 0")
    assert table.count(A) == 3
    turns = []
    for _ in range(4):
        turns.append(table.turn)
        table.act(table.turn, "draw")
        table.act(table.turn, "keep")
    assert turns == order


def test_f37_a_last_draw_two_is_drawn_and_counted() -> None:
    """B draws g9 and gS first: A scores 93."""
    table = at("rD2 | y5 W | b9", "r5", draw="g9 gS b1", options=POINTS)
    table.act(A, "play rD2")
    assert table.event("RoundEnded").points == (93, 0, 0)


def test_f38_after_the_last_card_nobody_acts() -> None:
    """Every further action is refused as round over."""
    table = at("r1 | y5 r9 | b9 r8", "r5", options=POINTS)
    table.act(A, "play r1")
    for seat, action in ((A, "draw"), (B, "play r9"), (C, "draw"), (B, "catch 0")):
        table.refuse(seat, action, "round_over")


def test_f39_nobody_is_credited_with_its_own_hand() -> None:
    """When A leaves B wins with at most A's 84 points, never with its own 54 in them."""
    table = at("r6 b8 rR W4 | b1 W y3", "r5", options=POINTS)
    table.events = list(engine.knock_out(table.state, engine.Seat(A)))
    ended = table.event("RoundEnded")
    assert ended.winners == (B,)
    assert ended.points[B] in (0, 84)
    assert ended.points[A] == 0


@pytest.mark.parametrize(("points", "value"), [(40, 82), (50, 102)])
def test_f41_extra_wilds_at_the_end(points: int, value: int) -> None:
    """WS, WC and r2 count 82 or 102; a shuffle as last card wins and shuffles nothing."""
    options = {"extra_wild_points": points}
    table = at("r1 | WS WC r2", "r5", preset="official_se", options=options)
    table.act(A, "play r1")
    assert table.event("RoundEnded").value == value
    table = at("WS | g1 g2 | y1", "r5", preset="official_se", options=options)
    table.act(A, "play WS g")
    assert table.event("RoundEnded").winners == (A,)
    assert [table.hand(B), table.hand(C)] == ["g1 g2", "y1"]
