"""Field cases about turns, direction, draw cards and wild draw fours (F01-F14)."""

import lastcard_engine as engine
from tests.builders import at

SKIP = {"reverse_two_players": "skip"}
A, B, C, D = range(4)


def test_f01_a_reverse_between_two_is_a_skip() -> None:
    """A is on turn again, blue holds, and A has its one other card."""
    table = at("bR r5 | b1 y2", "b7", options=SKIP)
    table.act(A, "play bR uno")
    assert (table.turn, table.colour, table.hand(A)) == (A, "b", "r5")


def test_f02_after_a_reverse_the_neighbour_the_other_way_is_next() -> None:
    """A skips B, C reverses: B is next, neither A nor C."""
    table = at("rS r1 | y1 y2 | rR g4 | b1 b2", "r9")
    table.act(A, "play rS uno")
    table.act(C, "play rR uno")
    assert table.turn == B


def test_f03_a_wild_draw_four_hits_one_seat_once() -> None:
    """Exactly four cards leave the pile, all for B."""
    table = at("W4 b2 b3 | y1 | y2 | y3", "r5")
    before = table.draw_count
    table.act(A, "play W4 b")
    table.act(B, "accept_draw")
    assert table.counts == [2, 5, 1, 1]
    assert (before - table.draw_count, table.turn, table.colour) == (4, C, "b")


def test_f04_nobody_answers_a_draw_two() -> None:
    """B draws two, holds four with its draw two, and is not on turn."""
    table = at("rD2 r1 | bD2 b1 | y1", "r5")
    table.act(A, "play rD2 uno")
    table.refuse(B, "play bD2", "not_your_turn")
    assert (table.count(B), table.turn) == (4, C)
    assert "bD2" in table.hand(B).split()


def test_f05_a_served_draw_two_leaves_an_ordinary_turn() -> None:
    """C may lay any blue card, any draw two and wilds."""
    table = at("bD2 b1 | y1 | b3 y2 gD2 W", "b5")
    table.act(A, "play bD2 uno")
    assert table.lawful_cards(C) == {"b3", "gD2", "W"}
    table.act(C, "play b3")
    assert table.turn == A


def test_f07_penalties_are_counted_once() -> None:
    """B: three, four, four and one card make twelve."""
    table = at("W4 W4 r1 | y1 y2 y3", "g5", draw=" ".join(["b9 b8 b7 b6 g9"] * 4))
    table.act(A, "play W4 b")
    table.act(B, "accept_draw")
    assert "W4" in table.lawful_cards(A)
    table.act(A, "play W4 r uno")
    table.act(B, "accept_draw")
    table.act(A, "draw")
    table.act(A, "keep")
    table.act(B, "draw")
    assert (table.count(B), table.state.pending) == (12, 0)


def test_f08_a_penalty_ignores_drawing_until_one_fits() -> None:
    """B gets exactly two cards although the first would fit, and no play is offered."""
    options = {"draw_mode": "until_playable"}
    table = at("rD2 r1 | y1 | y2", "r5", draw="r7 b4 g2 g3", options=options)
    table.act(A, "play rD2 uno")
    assert table.hand(B).split() == ["r7", "y1", "b4"]
    assert (table.turn, table.phase) == (C, "play")


def test_f10_a_wild_draw_four_is_judged_by_the_called_colour() -> None:
    """On a wild draw four that called yellow it is lawful without yellow; the challenge fails."""
    table = at("W4 W r1 b2 | g1 g2 | g3 g4", "W4", colour="y")
    assert "W4" in table.lawful_cards(A)
    table.act(A, "play W4 r")
    table.act(B, "challenge")
    assert (table.count(B), table.turn, table.colour) == (8, C, "r")


def test_f11_the_same_number_in_another_colour_is_no_guilt() -> None:
    """With b7 and g7 on a red seven the challenge fails."""
    table = at("W4 b7 g7 | y1 | y2", "r7")
    table.act(A, "play W4 b")
    table.act(B, "challenge")
    assert (table.count(B), table.turn, table.colour) == (7, C, "b")


def test_f12_a_challenge_never_hits_a_bystander() -> None:
    """B lays a four and leaves: A never draws, whatever C may still do, and no card is lost."""
    table = at("y1 | W4 r2 y3 | y4 | y5", "r5", turn=B)
    cards = table.all_cards()
    table.act(B, "play W4 b")
    table.events = list(engine.knock_out(table.state, engine.Seat(B)))
    for action in table.legal(table.turn):
        branch = table.clone()
        branch.act(branch.turn, action)
        assert branch.count(A) == 1
        assert branch.count(D) == 1
        assert branch.count(B) == 0
        assert branch.count(C) <= 1 + 6
        assert branch.all_cards() == cards
    assert table.accepts(C, "accept_draw")


def test_f14_only_the_seat_that_would_draw_may_challenge() -> None:
    """C is refused without learning anything; B accepts, the colour stays, C is next."""
    outcomes = []
    for hand in ("W4 r2", "W4 g2"):
        table = at(f"{hand} | y1 | y2", "r5")
        table.act(A, "play W4 b uno")
        table.refuse(C, "challenge", "not_target")
        outcomes.append(table.view(C))
        table.act(B, "accept_draw")
        assert (table.count(B), table.colour, table.turn) == (5, "b", C)
    assert outcomes[0] == outcomes[1]


CROSS = ["d2>d2", "d2>wd4", "wd4>wd4"]


def test_f06_whether_a_four_answers_a_two_is_agreed() -> None:
    """Without stacking and with equal cards alone it does not; where it is listed, C owes six."""
    for options, answered in (
        ({}, False),
        ({"stacking": "pairs", "stack_pairs": ["d2>d2", "wd4>wd4"]}, False),
        ({"stacking": "pairs", "stack_pairs": CROSS}, True),
    ):
        table = at("rD2 r1 | W4 y1 | y2", "r5", options=options)
        table.act(A, "play rD2 uno")
        assert table.accepts(B, "play W4 g") is answered
        if answered:
            table.act(B, "play W4 g uno")
            assert (table.view(C).pending, table.turn, table.colour) == (6, C, "g")
            table.act(C, "accept_draw")
            assert (table.count(C), table.turn) == (7, A)


def test_f09_a_chain_ends_with_its_round() -> None:
    """C draws four before the scoring; the next round owes nothing and draws one card."""
    table = at(
        "rD2 r1 | bD2 | y1 y2", "r5", preset="standard_no_points", options={"stacking": "pairs"}
    )
    table.act(A, "play rD2 uno")
    table.act(B, "play bD2")
    assert len(table.event("RoundEnded").hands[C]) == 6
    engine.start_round(table.state)
    seat = table.turn
    assert (table.view(seat).pending, table.direction, table.owes_call()) == (0, 1, None)
    before = table.count(seat)
    table.act(seat, "draw")
    assert table.count(seat) == before + 1


def test_f13_stacking_leaves_the_challenge() -> None:
    """B may accept, challenge or stack; challenged, A draws four and B plays on in blue."""
    options = {"stacking": "pairs", "stack_pairs": ["d2>d2", "wd4>wd4"]}
    table = at("W4 r2 | y1 W4 | y2", "r5", options=options)
    table.act(A, "play W4 b uno")
    assert table.legal(B) == [*(f"play W4 {c}" for c in "rygb"), "accept_draw", "challenge"]
    table.act(B, "challenge")
    assert (table.count(A), table.turn, table.phase, table.colour) == (5, B, "play", "b")


def test_f52_a_stack_is_drawn_once_and_by_its_last_victim() -> None:
    """Counts that follow from events alone are those of the views; the sum is public: 2, 4, 0."""
    table = at("rD2 r1 r2 | bD2 b1 b2 | y1", "r5", options={"stacking": "pairs"})
    drawn, sums = [], []
    for seat, act in ((A, "play rD2"), (B, "play bD2"), (C, "accept_draw")):
        table.act(seat, act)
        drawn += [(event.seat, event.count) for event in table.all_events("CardsDrawn")]
        sums.append(engine.table_view(table.state).pending)
    assert (drawn, sums, table.counts) == ([(C, 4)], [2, 4, 0], [2, 2, 5])
