"""What do skip, reverse and draw two do, at a table and between two (R099-R118, R226-R228)?"""

import pytest

import lastcard_engine as engine
from tests.builders import Table, at

FOUR = "| b1 g2 | y1 g3 | b3 y4"


@pytest.mark.parametrize("preset", ["standard_no", "official_se"])
def test_r099_skip_takes_the_next_turn(preset: str) -> None:
    """After a skip the seat after the next one is on turn."""
    table = at(f"rS r1 r2 {FOUR}", "r5", preset=preset)
    table.act(0, "play rS")
    assert (table.turn, table.event("SeatSkipped").seat) == (2, 1)


def test_r100_skip_follows_the_direction() -> None:
    """Counter-clockwise a skip by P3 passes over P2 and leads to P1."""
    table = at("b1 g2 | y1 g3 | b3 y4 | rS r1 r2", "r5", turn=3, direction=-1)
    table.act(3, "play rS")
    assert (table.turn, table.event("SeatSkipped").seat) == (1, 2)


def test_r101_reverse_flips_the_direction() -> None:
    """A reverse by P1 turns the direction and leads back to P0."""
    table = at("b1 g2 | rR r1 r2 | b3 y4 | y1 g3", "r5", turn=1)
    table.act(1, "play rR")
    assert (table.direction, table.turn) == (-1, 0)


def test_r102_r103_c23_after_a_reverse_the_previous_player_plays() -> None:
    """With three seats a reverse laid right after P0's turn gives P0 the turn."""
    table = at("r1 g2 b4 | rR r3 r2 | b3 y4", "r5", preset="short_se")
    table.act(0, "play r1")
    table.act(1, "play rR")
    assert table.turn == 0


def test_r104_the_direction_lasts_until_the_next_reverse() -> None:
    """Plays go on the other way until a second reverse restores it."""
    table = at("r1 g2 b4 | rR r3 r2 | b3 r4 rR y1", "r5", turn=1)
    table.act(1, "play rR")
    table.act(0, "play r1")
    assert (table.turn, table.direction) == (2, -1)
    table.act(2, "play rR")
    assert (table.turn, table.direction) == (0, 1)


@pytest.mark.parametrize("preset", ["standard_no", "official_se", "family_se"])
def test_r105_r226_r227_draw_two_costs_two_cards_and_the_turn(preset: str) -> None:
    """The next seat draws two and loses the turn without a choice, whatever it holds."""
    table = at("gD2 r1 r2 | bD2 b1 | y1 g3 | b3 y4", "g5", preset=preset, draw="y9 y8 y7")
    table.act(0, "play gD2")
    assert (table.turn, table.count(1)) == (2, 4)
    drawn = table.event("CardsDrawn")
    assert (drawn.seat, drawn.count, drawn.cause) == (1, 2, "draw_card")
    table.refuse(1, "play bD2", "not_your_turn")
    table.refuse(1, "accept_draw", "not_your_turn")


def test_r107_c48_only_the_seat_now_on_turn_may_answer_a_reverse() -> None:
    """P0, whose turn a reverse brought back, may lay another; P2 may not."""
    table = at("r1 bR g9 g8 | rR g1 g2 | yR g3 g4", "r3")
    table.act(0, "play r1")
    table.act(1, "play rR")
    table.refuse(2, "play yR", "not_your_turn")
    table.act(0, "play bR")
    assert (table.turn, table.direction) == (1, 1)


def test_r108_the_seat_after_the_victim_may_lay_a_draw_two() -> None:
    """The seat that drew has no answer; the one after it lays a draw two on the next."""
    table = at("rD2 r1 r2 | bD2 g1 g2 | yD2 g3 g4 | r4 r6", "r3")
    table.act(0, "play rD2")
    assert (table.turn, table.count(1)) == (2, 5)
    table.act(2, "play yD2")
    assert (table.turn, table.count(3)) == (0, 4)


def test_r109_the_effect_follows_the_play_at_once() -> None:
    """The events of a special come right after the play, in the same answer."""
    table = at(f"rS r1 r2 {FOUR}", "r5")
    names = [type(event).__name__ for event in table.act(0, "play rS", hold=True)]
    assert names == ["CardPlayed", "SeatSkipped"]


def test_c46_a_reverse_right_after_a_skip_leads_to_the_neighbour() -> None:
    """P0 skips P1, P2 reverses: the turn is P1's, not that of the last player to lay."""
    table = at("rS r1 r2 | y1 y2 | rR g4 g5 | b1 b2", "r9")
    table.act(0, "play rS")
    table.act(2, "play rR")
    assert table.turn == 1


TWO = [
    pytest.param("rS", "skip", 0, id="R113-skip"),
    pytest.param("rS", "turn_only", 0, id="R113-turn_only"),
    pytest.param("rD2", "skip", 0, id="R114-skip"),
    pytest.param("rD2", "turn_only", 0, id="R114-turn_only"),
    pytest.param("rR", "skip", 0, id="R115"),
    pytest.param("rR", "turn_only", 1, id="R116"),
]


@pytest.mark.parametrize(("card", "reverse", "turn"), TWO)
def test_two_seats(card: str, reverse: str, turn: int) -> None:
    """Skip and draw two give the next turn to oneself; a reverse does as the option says."""
    table = at(f"{card} r1 r2 | b1 g2", "r5", options={"reverse_two_players": reverse})
    table.act(0, f"play {card}")
    assert table.turn == turn
    assert table.count(1) == (4 if card == "rD2" else 2)


def test_r114_wild_draw_four_between_two() -> None:
    """After the other has accepted a wild draw four the turn is one's own again."""
    table = at("W4 b1 b2 | y1 g2", "r5")
    table.act(0, "play W4 b")
    table.act(1, "accept_draw")
    assert (table.turn, table.count(1)) == (0, 6)


@pytest.mark.parametrize("preset", ["official_dk", "official_se", "duel_no"])
def test_r118_c22_reverse_is_a_skip_for_two(preset: str) -> None:
    """Where the preset does not say otherwise a reverse between two is a skip."""
    table = at("rR r1 r2 | b1 g2", "r5", preset=preset)
    table.act(0, "play rR")
    assert table.turn == 0


def test_r228_a_wild_draw_four_cannot_be_answered_with_another() -> None:
    """Whoever faces one may accept or challenge and nothing else."""
    table = at("W4 b1 b2 | W4 r2 | y1 y2", "r5")
    table.act(0, "play W4 b")
    assert table.legal(1) == ["accept_draw", "challenge"]
    assert not table.accepts(1, "play W4 r")


def test_r233_nobody_lays_out_of_turn() -> None:
    """Without jump-in an identical card out of turn is refused."""
    table = at("r5 r1 r2 | b0 b1 | r5 y2", "r3")
    table.act(0, "play r5")
    table.refuse(2, "play r5", "not_your_turn")
    assert not table.accepts(2, "jump_in r5")


def test_r245_no_hand_is_too_large() -> None:
    """Without a mercy limit a hand of forty stays in the round."""
    big = "r1 r2 r3 r4 r6 r7 r8 r9 y1 y2 y3 y4 y5 y6 y7 y8 y9 g1 g2 g3 g4 g5 g6 g7 g8 g9"
    table = at(f"rD2 r0 y0 | {big} {big} | b1 b2", "r5")
    table.act(0, "play rD2")
    assert table.count(1) == 54
    table.act(2, "draw")
    table.act(2, "keep")
    table.act(0, "play r0 uno")
    assert table.turn == 1


def test_r025_two_seats_play_a_round_to_its_winner() -> None:
    """A round of two comes to an end with a winner."""
    table = at("r1 r2 | r3 y1", "r5")
    table.act(0, "play r1 uno")
    table.act(1, "play r3 uno")
    table.act(0, "play r2")
    assert table.event("RoundEnded").winners == (0,)


def turn_after(table: Table, action: str) -> int:
    """Return whose turn it is after an action of P0."""
    table.act(0, action)
    return table.turn


@pytest.mark.parametrize("seats", range(3, 11))
@pytest.mark.parametrize(("card", "step"), [("r9", 1), ("rS", 2), ("rR", -1), ("rD2", 2)])
def test_r035_r099_r101_r105_at_every_size_of_table(seats: int, card: str, step: int) -> None:
    """The next turn lies the same number of seats away at tables of three to ten."""
    hands = " | ".join([f"{card} r1 r2"] + ["b1 g2"] * (seats - 1))
    assert turn_after(at(hands, "r5"), f"play {card}") == step % seats


def test_r024_duel_tables_seat_two() -> None:
    """The preset for a duel refuses a third seat."""
    engine.validate(engine.preset("duel_no"), 2)
    with pytest.raises(engine.RulesError):
        engine.validate(engine.preset("duel_no"), 3)
