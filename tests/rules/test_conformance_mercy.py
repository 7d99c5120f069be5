"""When does a hand knock its seat out, and what follows (S12, NM12-NM17, NM24, R190, R244, C47)?"""

from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, make_settings, text

ONES = " ".join(["y1"] * 40)


def ones(number: int) -> str:
    """Return a hand of that many yellow ones."""
    return " ".join(["y1"] * number)


def mercy(hands: str, top: str = "r5", **more: Any) -> Table:
    """Return a table that plays No Mercy to 25 cards."""
    return at(hands, top, preset="no_mercy", draw=more.pop("draw", ONES), **more)


@pytest.mark.parametrize(("held", "out"), [(22, False), (23, True), (24, True)])
def test_r244_s12_nm12_25_cards_are_out_at_once(held: int, out: bool) -> None:  # noqa: FBT001 - a case
    """The draw stops with the card that makes 25; 24 stay in."""
    table = mercy(f"rD2 r1 r2 | {ones(held)} | b1 b2", options={"stacking": "none"})
    before = table.draw_count
    table.act(0, "play rD2")
    assert table.state.active[1] is not out
    assert before - table.draw_count == min(2, 25 - held)
    assert table.turn == 2
    assert len(table.all_events("SeatSkipped")) == (0 if out else 1)


def test_nm12_nm14_a_sum_lapses_when_its_payer_is_out() -> None:
    """P1 holds 24 and owes six: one card, out, and P2 has an ordinary turn."""
    table = mercy(f"W6 r1 r2 | {ones(24)} | b1 b2")
    table.act(0, "play W6 g")
    before = table.draw_count
    table.act(1, "accept_draw")
    assert before - table.draw_count == 1
    assert table.event("SeatKnockedOut").count == 25
    assert (table.turn, table.phase, table.view(2).pending) == (2, "play", 0)


def test_nm13_s12_the_hand_goes_beneath_the_discards_and_returns() -> None:
    """No card is lost, none is shown, and the next reshuffle brings them back."""
    table = mercy(f"rD2 r1 r2 | {ones(24)} | b1 b2", options={"stacking": "none"}, draw="g1 g2 g3")
    all_cards = table.all_cards()
    table.act(0, "play rD2")
    assert table.all_cards() == all_cards
    assert text(table.state.discards) == f"{ones(24)} g1 r5 rD2"
    assert engine.redact(table.event("CardsDrawn"), engine.Seat(2)).cards == ()  # type: ignore[union-attr]
    assert table.view(2).discard_count == 27


@pytest.mark.parametrize("last", ["draw", "roulette"])
def test_nm15_drawing_on_and_a_roulette_stop_at_the_limit(last: str) -> None:
    """Neither goes on once the hand has 25 cards; the turn passes."""
    draw = "b1 b2 b3 b4 b6 g9"
    table = mercy(f"{ones(22)} | {ones(22)} | r1 WCR", draw=draw, turn=0 if last == "draw" else 2)
    if last == "draw":
        table.act(0, "draw")
        assert (table.state.active[0], table.turn, table.draw_count) == (False, 1, 3)
    else:
        table.act(2, "play WCR")
        table.act(0, "choose_colour g")
        assert (table.state.active[0], table.turn, table.draw_count) == (False, 1, 3)
        assert table.colour == "g"


@pytest.mark.parametrize(("two", "turn"), [("skip", 0), ("turn_only", 2)])
def test_nm16_two_left_play_as_two(two: str, turn: int) -> None:
    """After P1 is out a reverse acts by the rule for two."""
    options = {"reverse_two_players": two, "stacking": "none"}
    table = mercy(f"rD2 r1 rR r2 | {ones(24)} | r8 r9 b2", options=options)
    table.act(0, "play rD2")
    table.act(2, "play r8")
    table.act(0, "play rR")
    assert table.turn == turn


def test_nm17_r190_the_last_one_standing_wins_at_once() -> None:
    """Two knocked out of three: the round is over, and says why."""
    table = mercy(f"rD2 r1 rS rD4 | {ones(24)} | {ones(23)}", options={"stacking": "none"})
    table.act(0, "play rD2")
    assert table.turn == 2
    table.act(2, "draw")
    ended = table.event("RoundEnded")
    assert (ended.reason, ended.winners) == ("last_standing", (0,))


def test_nm17_a_challenge_or_penalty_can_end_the_round_too() -> None:
    """A caught seat that reaches the limit leaves the other as the winner."""
    options = {"mercy_limit": 3, "hand_size": 2}
    table = mercy("r1 r2 | b1 b2", options=options)
    table.act(0, "play r1")
    table.act(1, "catch 0")
    ended = table.event("RoundEnded")
    assert (ended.reason, ended.winners) == ("last_standing", (1,))


@pytest.mark.parametrize(("preset", "pointed"), [("no_mercy", False), ("no_mercy_points", True)])
def test_nm24_each_knock_out_is_worth_250_to_the_winner(preset: str, pointed: bool) -> None:  # noqa: FBT001 - a case
    """For every seat that is out, besides the hands; a single round has no points."""
    hands = f"rD2 rS r1 | {ones(24)} | {ones(24)} | y1 g9"
    options = {"stacking": "none"}
    table = at(hands, "r5", preset=preset, draw=ONES, options=options)
    table.act(0, "play rD2")
    table.act(2, "draw")
    table.act(3, "draw")
    while table.state.running:
        acts = [act for act in table.legal() if not act.startswith("draw")]
        table.act(table.turn, acts[-1] if acts else "draw")
    ended = table.event("RoundEnded")
    (winner,) = ended.winners
    others = sum(value for seat, value in enumerate(ended.values) if seat != winner)
    assert ended.value == others + 250 * table.state.active.count(False)
    assert ended.points[winner] == (ended.value if pointed else 0)


def test_c47_out_of_the_round_is_back_in_the_next() -> None:
    """The match goes on with all seats."""
    options = {"stacking": "none"}
    table = at(f"rD2 | {ones(3)} | {ones(24)}", "r5", preset="no_mercy_points", options=options)
    table.act(0, "play rD2")
    engine.start_round(table.state)
    assert table.state.active == [True, True, True]


@pytest.mark.parametrize("scoring", ["low_total", "elimination"])
def test_s12_the_lost_hand_counts_where_everybody_adds_his_own(scoring: str) -> None:
    """25 ones are 25 points for P1, although it holds no card at the end."""
    options = {"scoring": scoring, "stacking": "none", "mercy_bonus": 0}
    table = mercy(f"rD2 r1 | {ones(24)} | b1 b2", options=options)
    table.act(0, "play rD2 uno")
    table.act(2, "draw")
    while table.state.running:
        table.act(table.turn, table.legal()[0])
    assert table.event("RoundEnded").points[1] == 25


def test_s12_a_hand_that_was_received_is_not_checked_before_a_card_is_drawn() -> None:
    """After a shuffle 30 cards may be held; the next card drawn knocks out."""
    options = {"deck_extras": {"shuffle_hands": 1}, "mercy_limit": 8, "hand_size": 7}
    table = at(
        f"WS r1 {ones(7)} | {ones(9)} | b1",
        "r5",
        options=options,
        draw="g1 g2 g3",
    )
    table.act(0, "play WS g")
    assert table.counts == [6, 6, 6]
    table.state.hands[1] = [engine.parse_card("y1")] * 30
    table.act(1, "draw")
    assert (table.state.active[1], table.draw_count) == (False, 2)


@pytest.mark.parametrize("reactions", ["race", "polled"])
def test_s12_a_caught_seat_on_turn_that_falls_hands_its_turn_on(reactions: str) -> None:
    """Between three, the caught seat is on turn again after a skip of everyone: P1 is next."""
    options = {"mercy_limit": 3, "hand_size": 2}
    settings = make_settings(reactions)
    table = mercy("rSE r2 | b1 b2 | g1 g2", options=options, settings=settings)
    table.act(0, "play rSE")
    if reactions == "race":
        table.act(1, "catch 0")
    else:
        table.settle(P1="catch 0")
    assert (table.state.active[0], table.turn) == (False, 1)


def test_s12_what_was_owed_vanishes_with_the_seat() -> None:
    """Duty, lost turn and debt of a seat that is out are gone."""
    options = {"mercy_limit": 3, "hand_size": 2, "uno_penalty_skip_turn": True}
    table = mercy("r1 r2 | b1 b2 | g1 g2", options=options)
    table.act(0, "play r1")
    table.act(1, "catch 0")
    state = table.state
    assert (state.duty[0], state.owed_skip[0], state.pending, state.hands[0]) == (0, False, 0, [])


def test_s12_an_offender_that_falls_leaves_the_challenger_on_turn() -> None:
    """Guilty with 22 cards: three are drawn, the offender is out, the challenger plays."""
    hand = " ".join(["r1"] * 22)
    table = at(f"W4 {hand} | b1 b2 | g1", "r5", options={"mercy_limit": 25}, draw=ONES)
    table.act(0, "play W4 b")
    table.act(1, "challenge")
    assert (table.state.active[0], table.turn, table.phase) == (False, 1, "play")


def test_s12_an_unlawful_four_that_costs_its_player_the_round_still_hits() -> None:
    """Under auto_penalty the offender falls by its own four, and the next seat draws four."""
    hand = " ".join(["r1"] * 22)
    options = {"mercy_limit": 25, "wd4_enforcement": "auto_penalty"}
    table = at(f"W4 {hand} | b1 b2 | g1", "r5", options=options, draw=ONES)
    table.act(0, "play W4 b")
    assert (table.state.active[0], table.count(1), table.turn) == (False, 6, 2)


def test_r245_without_a_limit_nobody_is_out() -> None:
    """Forty cards are held in the ordinary game."""
    table = at(f"rD2 r1 r2 | {ones(40)} | b1", "r5")
    table.act(0, "play rD2")
    assert (table.state.active[1], table.count(1)) == (True, 42)
