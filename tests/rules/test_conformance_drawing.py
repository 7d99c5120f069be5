"""How are cards drawn, and what if the piles run out (R087-R098, R191, R192, Q01, Q02)?"""

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, make_settings, text


def drawn(table: Table) -> str:
    """Return the cards of the only draw since the last act, as the table knows them."""
    return text(table.event("CardsDrawn").cards)


@pytest.mark.parametrize("preset", ["standard_no", "official_se"])
def test_r087_r096_exactly_one_card_is_drawn(preset: str) -> None:
    """With nothing to play one card is drawn, and no second one in the same turn."""
    table = at("b1 g2 | y1 y2", "r5", preset=preset, draw="b9 b8 b7")
    table.act(0, "draw")
    assert table.hand(0).split() == ["g2", "b1", "b9"]
    assert table.draw_count == 2
    table.refuse(0, "draw", "already_drawn")


def test_r088_a_drawn_card_that_fits_may_be_laid_at_once() -> None:
    """Drawing r9 on red offers it beside keeping; laying it passes the turn."""
    table = at("b1 g2 | y1 y2", "r5", draw="r9 b8")
    table.act(0, "draw")
    assert (table.turn, table.phase, table.legal()) == (0, "play_or_keep", ["play r9", "keep"])
    table.act(0, "play r9")
    assert (table.top, table.turn, table.hand(0)) == ("r9", 1, "g2 b1")


def test_r089_r095_s05_a_drawn_card_that_does_not_fit_can_only_be_kept() -> None:
    """The drawer is asked all the same; keep is the only legal action and passes the turn."""
    table = at("b1 g2 | y1 y2", "r5", draw="g3 b8")
    table.act(0, "draw")
    assert (table.turn, table.phase, table.legal()) == (0, "play_or_keep", ["keep"])
    table.refuse(0, "play g3", "card_does_not_match")
    table.act(0, "keep")
    assert (table.turn, table.count(0)) == (1, 3)


def test_s05_others_cannot_tell_whether_the_drawn_card_fits() -> None:
    """Drawing a card that fits and one that does not look the same to the others."""
    fits, fails = (at("b1 g2 | y1 y2 | g1", "r5", draw=draw) for draw in ("r9 b8", "g3 b8"))
    for table in (fits, fails):
        table.act(0, "draw")
    assert fits.view(1) == fails.view(1)
    assert [engine.redact(e, engine.Seat(1)) for e in fits.events] == [
        engine.redact(e, engine.Seat(1)) for e in fails.events
    ]


def test_r090_c12_a_fitting_drawn_card_may_be_kept() -> None:
    """Keeping r9 on red leaves one card more and passes the turn."""
    table = at("b1 g2 | y1 y2", "r5", draw="r9 b8")
    table.act(0, "draw")
    table.act(0, "keep")
    assert (table.turn, table.hand(0)) == (1, "r9 g2 b1")


def test_r091_r092_c11_a_playable_card_may_be_held_back_by_drawing() -> None:
    """With r2 in hand drawing is accepted, and the drawn r8 may be laid."""
    table = at("r2 b1 | y1 y2", "r5", draw="r8 b8")
    assert table.legal(0) == ["play r2", "draw"]
    table.act(0, "draw")
    assert table.legal(0) == ["play r8", "keep"]


def test_r093_only_the_drawn_card_may_be_laid_after_drawing() -> None:
    """Another card of the hand is refused after a draw, fitting or not."""
    table = at("r2 b1 | y1 y2", "r5", draw="g3 b8")
    table.act(0, "draw")
    table.refuse(0, "play r2", "only_drawn_card")
    assert table.legal() == ["keep"]


def test_r094_s01_drawing_may_be_closed_to_whoever_can_play() -> None:
    """With voluntary_draw=false a seat that can play must; one that cannot may draw."""
    table = at("r2 b1 | y1 y2", "r5", preset="family_se")
    table.refuse(0, "draw", "must_play")
    at("g2 b1 | y1 y2", "r5", preset="family_se").act(0, "draw")


def test_r094_an_unlawful_wild_draw_four_does_not_close_drawing() -> None:
    """A seat whose only other card is a wild it may lay must lay it; with nothing it draws."""
    table = at("W b1 | y1 y2", "r5", preset="family_se")
    table.refuse(0, "draw", "must_play")


def test_r097_draw_until_one_fits() -> None:
    """With until_playable the draw goes on through misses to the first card that fits."""
    table = at(
        "b2 g2 | y1 y2", "r5", draw="g1 b2 y9 r0 b8", options={"draw_mode": "until_playable"}
    )
    table.act(0, "draw")
    assert sum(event.count for event in table.all_events("CardsDrawn")) == 4
    assert (table.count(0), table.legal()) == (6, ["play r0", "keep"])


@pytest.mark.parametrize(("fitting", "plays"), [("r0", ["r0"]), ("W", ["W"] * 4)])
def test_r098_s01_the_card_that_fits_must_be_laid(fitting: str, plays: list[str]) -> None:
    """With must_play there is no keeping, and nothing is laid automatically."""
    options = {"draw_mode": "until_playable", "drawn_card": "must_play"}
    table = at("b2 g2 | y1 y2", "r5", draw=f"g1 {fitting} b8", options=options)
    table.act(0, "draw")
    assert (table.phase, table.count(0)) == ("play_or_keep", 4)
    assert [action.split()[1] for action in table.legal()] == plays
    table.refuse(0, "keep", "must_play")


def test_s01_must_play_lets_a_card_that_does_not_fit_be_kept() -> None:
    """A drawn card that does not fit is kept also under must_play."""
    table = at("b2 g2 | y1 y2", "r5", draw="g1 b8", options={"drawn_card": "must_play"})
    table.act(0, "draw")
    assert table.legal() == ["keep"]


def test_s16_q51_an_unlawful_wild_draw_four_does_not_stop_the_draw() -> None:
    """Holding red, the drawn W4 is passed over and cannot be laid as a bluff afterwards."""
    table = at("r2 g2 | y1 y2", "r5", draw="W4 b3 r0", options={"draw_mode": "until_playable"})
    table.act(0, "draw")
    assert table.count(0) == 5
    assert table.legal() == ["play r0", "keep"]
    table.refuse(0, "play W4 b", "only_drawn_card")


def test_q50_s16_empty_piles_stop_the_draw() -> None:
    """With until_playable the draw ends when no card is left, and the turn passes."""
    table = at("b2 g2 | y1 y2", "r5", draw="g1 b3", options={"draw_mode": "until_playable"})
    table.act(0, "draw")
    assert (table.count(0), table.draw_count, table.legal()) == (4, 0, ["keep"])
    table.act(0, "keep")
    assert table.turn == 1


def test_r191_r192_c31_the_discards_but_the_top_become_the_draw_pile() -> None:
    """A draw from an empty pile first shuffles the discards beneath the top card."""
    below = "r1 r2 r3 r4 r6 r7 r8 r9 y1 y2 y3 y4 y6 y7 y8 y9 g1 g2 g3"
    table = at("b1 g2 | y1 y2", "r5", draw="", discards=below)
    table.act(0, "draw")
    assert table.event("DeckReshuffled").count == 19
    assert (table.top, table.count(0), table.draw_count) == ("r5", 3, 18)
    (new,) = set(table.hand(0).split()) - {"b1", "g2"} or {"g2"}
    assert new in below.split()


def test_r191_the_new_pile_is_shuffled() -> None:
    """The order of the new draw pile depends on the deal, not on the order of the discards."""
    orders = set()
    for deal in range(3):
        below = "r1 r2 r3 r4 r6 r7 r8 r9 y1 y2"
        key = bytes([deal]) * 32
        table = at("b1 g2 | y1 y2", "r5", draw="", discards=below, deal_key=key)
        table.act(0, "draw")
        orders.add(text(table.state.draw_pile))
    assert len(orders) > 1


def test_q01_the_reshuffle_happens_in_the_middle_of_a_penalty() -> None:
    """A draw two takes the last card of the pile and one of the new pile."""
    table = at("rD2 r1 | b1 g2 | y1 y2", "r5", draw="g9", discards="y8 y9 b9")
    table.act(0, "play rD2")
    assert "g9" in table.hand(1).split()
    assert (table.count(1), table.top, table.draw_count) == (4, "rD2", 3)


def test_q01_a_penalty_is_cut_short_and_never_owed_later() -> None:
    """With a single card left a draw two takes that card and nothing more."""
    table = at("rD2 r1 r2 | b1 g2 | y1 r3", "W", colour="r", draw="")
    table.act(0, "play rD2")
    assert (table.count(1), table.turn, table.top) == (3, 2, "rD2")
    table.act(2, "play r3 uno")
    table.act(0, "play r1 uno")
    assert (table.turn, table.count(1)) == (1, 3)


def test_q01_a_draw_that_finds_nothing_passes_the_turn() -> None:
    """With empty piles a draw takes no card and the turn goes on."""
    table = at("b1 g2 | y1 r2", "r5", draw="")
    table.draw_and_keep(0)
    assert (table.count(0), table.turn) == (2, 1)


def go_round(table: Table, turns: int) -> None:
    """Let the seats on turn draw and keep."""
    for _ in range(turns):
        table.draw_and_keep(table.turn)


def test_q02_s02_a_lap_without_play_and_card_ends_the_round() -> None:
    """A blocked round ends after one full lap; with winner_takes it scores nothing."""
    table = at("b1 b2 | y1 | g9", "r5", draw="", options={"scoring": "winner_takes"})
    go_round(table, 2)
    assert not table.all_events("RoundEnded")
    go_round(table, 1)
    ended = table.event("RoundEnded")
    assert (ended.reason, ended.points, ended.value) == ("blocked", (0, 0, 0), 0)


def test_q02_a_single_round_goes_to_the_lowest_hand() -> None:
    """A blocked single round is won by the lowest hand value; equal values share it."""
    for hands, winners in (("b1 b2 | y1 | g9", (1,)), ("b1 | y1 | g9", (0, 1))):
        table = at(hands, "r5", draw="")
        go_round(table, 3)
        assert table.event("RoundEnded").winners == winners


@pytest.mark.parametrize("scoring", ["low_total", "elimination"])
def test_q02_own_hands_count_where_totals_are_own(scoring: str) -> None:
    """A blocked round adds everyone's own hand under low_total and elimination."""
    table = at("b1 b2 | y1 | g9", "r5", draw="", options={"scoring": scoring})
    go_round(table, 3)
    assert table.event("RoundEnded").points == (3, 1, 9)


def test_s02_a_lap_with_a_drawn_card_is_no_blocked_lap() -> None:
    """While cards are still drawn the round goes on."""
    table = at("b1 b2 | y1 | g9", "r5", draw="b3 b4 b6 b7")
    go_round(table, 4)
    assert not table.all_events("RoundEnded")


def test_s02_whoever_can_play_must_when_no_card_can_be_drawn() -> None:
    """With nothing to draw a seat that holds a lawful card cannot draw instead."""
    table = at("r1 b2 | y1 y2 | g9 g8", "r5", draw="")
    table.refuse(0, "draw", "must_play")
    assert table.legal() == ["play r1"]


def test_s02_the_cap_ends_a_round_like_a_blocked_one() -> None:
    """After `action_cap` turn actions the round ends without a winner's points."""
    table = at(
        "b1 b2 | y1 | g9",
        "r5",
        options={"scoring": "winner_takes"},
        settings=make_settings(action_cap=4),
    )
    go_round(table, 2)
    ended = table.event("RoundEnded")
    assert (ended.reason, ended.points) == ("action_cap", (0, 0, 0))


@pytest.mark.parametrize(("out", "winner"), [(3, 1), (1, 3)])
def test_q02_seats_that_are_out_neither_lengthen_the_lap_nor_win(out: int, winner: int) -> None:
    """With one of four out three turns block the round; the lowest live hand wins."""
    table = at("b9 b8 | y1 y2 | b7 b6 | y3 y4", "r5", draw="")
    engine.knock_out(table.state, engine.Seat(out))
    go_round(table, 2)
    assert (table.draw_count, engine.table_view(table.state).discard_count) == (0, 1)
    go_round(table, 2)
    assert not table.all_events("RoundEnded")
    go_round(table, 1)
    assert table.event("RoundEnded").winners == (winner,)
