"""How does a round end and what does it score (R185-R189, R204, R213, Q28-Q42)?"""

from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, text

POINTS = {"scoring": "winner_takes"}
KINDS = ["r5", "rS", "rR", "rD2", "W", "W4", "WS", "WC"]


def last(card: str, others: str = "r1 | y2", **more: Any) -> Table:
    """Return a table at which P0 has just laid its last card."""
    more.setdefault("preset", "official_se")
    table = at(f"{card} | {others}", more.pop("top", "r6"), **more)
    table.act(0, f"play {card}")
    return table


def test_r185_a_round_ends_when_a_hand_is_empty() -> None:
    """P0 lays its last card and wins; everything afterwards is refused as round over."""
    table = last("r3")
    ended = table.event("RoundEnded")
    assert (ended.reason, ended.winners, table.phase) == ("went_out", (0,), "round_over")
    for seat in range(3):
        table.refuse(seat, "draw", "round_over")


@pytest.mark.parametrize("card", KINDS)
@pytest.mark.parametrize("preset", ["standard_no_112", "official_dk", "official_se"])
def test_r186_c33_any_card_may_be_the_last(card: str, preset: str) -> None:
    """Every kind of card that fits ends the round as last card."""
    assert last(card, preset=preset).event("RoundEnded").winners == (0,)


@pytest.mark.parametrize(
    ("card", "cards"),
    [pytest.param("rD2", 2, id="R187-two"), pytest.param("W4", 4, id="R187-four")],
)
def test_the_next_seat_still_draws_before_scoring(card: str, cards: int) -> None:
    """A draw card laid last makes the next seat draw first, and only that seat."""
    table = last(card, draw="b5 yS g0 g3 b9")
    assert table.counts == [0, 1 + cards, 1]
    assert table.event("CardsDrawn").count == cards
    names = [type(event).__name__ for event in table.events]
    assert names.index("CardsDrawn") < names.index("RoundEnded")


def test_r188_c32_those_cards_count() -> None:
    """b5 and yS drawn beside r1 make 26, y2 of the third seat makes 28."""
    ended = last("rD2", draw="b5 yS g0").event("RoundEnded")
    assert (ended.values, ended.points, ended.value) == ((0, 26, 2), (28, 0, 0), 28)


def test_c32_the_strict_reading_draws_nothing() -> None:
    """With finish_draw_counts=false the round is over as soon as the last card lies."""
    for preset, options in (
        ("family_se", {}),
        ("official_se", {"finish_draw_counts": False}),
    ):
        table = last("rD2", preset=preset, options=options)
        assert (table.counts, table.event("RoundEnded").value) == ([0, 1, 1], 3)


@pytest.mark.parametrize("direction", [1, -1])
def test_r187_the_next_seat_is_the_one_in_the_direction_of_play(direction: int) -> None:
    """Counter-clockwise the seat to the right draws."""
    table = last("rD2", direction=direction)
    assert table.count(direction % 3) == 3


@pytest.mark.parametrize("card", ["rS", "rR"])
def test_r186_skip_and_reverse_have_no_effect_as_last_card(card: str) -> None:
    """The round is over and no seat is skipped."""
    table = last(card)
    assert not table.all_events("SeatSkipped")


@pytest.mark.parametrize(
    ("hand", "legal"),
    [
        pytest.param("rS", set(), id="R189-special"),
        pytest.param("W", set(), id="R189-wild"),
        pytest.param("r3", {"r3"}, id="R189-number"),
        pytest.param("r7", {"r7"}, id="S15-seven"),
        pytest.param("r0", {"r0"}, id="S15-zero"),
    ],
)
def test_the_last_card_may_have_to_be_a_number(hand: str, legal: set[str]) -> None:
    """With number_only a special as last card is refused and the seat draws."""
    options = {"finish_card": "number_only"}
    table = at(f"{hand} | r1 g2 | y2 y3", "r6", options=options)
    assert table.lawful_cards(0) == legal
    if not legal:
        colour = " g" if hand == "W" else ""
        table.refuse(0, f"play {hand}{colour}", "finish_number_only")
        table.act(0, "draw")


def test_q52_s15_with_a_special_alone_one_draws_each_turn() -> None:
    """A drawn number may be laid, the special kept for good."""
    options = {"finish_card": "number_only"}
    table = at("rS | r1 g2 y9 | y2 y3", "r6", draw="r8 b9 b8", options=options)
    table.act(0, "draw")
    assert table.legal(0) == ["play r8", "keep"]


def test_q52_a_drawn_special_may_not_be_the_last_card_either() -> None:
    """With two specials one may be laid, the other not."""
    options = {"finish_card": "number_only"}
    table = at("rS | r1 g2 y9 | y2 y3", "r6", draw="rR b9 b8", options=options)
    table.act(0, "draw")
    assert table.legal(0) == ["play rR", "keep"]


def test_q52_jumping_in_with_a_last_special_is_barred() -> None:
    """A single skip may not be laid by jumping in."""
    options = {"finish_card": "number_only", "jump_in": "identical"}
    table = at("rS r1 g2 | b1 b2 | rS | y1 y2", "r6", options=options)
    table.act(0, "play rS")
    assert not table.accepts(2, "jump_in rS")


def test_q33_a_last_custom_wild_is_a_plain_wild() -> None:
    """The round ends; nobody draws and nothing else happens."""
    assert last("WC").counts == [0, 1, 1]


@pytest.mark.parametrize("card", ["W", "WS", "WC", "W4"])
def test_q42_naming_a_colour_with_the_last_card_is_optional(card: str) -> None:
    """The last wild is offered with and without a colour."""
    table = at(f"{card} | r1 | y2", "r6", preset="official_se")
    plays = {action for action in table.legal(0) if action.startswith("play")}
    assert plays == {f"play {card}"} | {f"play {card} {colour}" for colour in "rygb"}


def test_r204_the_winner_scores_the_opponents_hands() -> None:
    """g8, W and rS left make 78 points for P0."""
    ended = last("r3", "g8 W | rS").event("RoundEnded")
    assert (ended.winners, ended.points, ended.values) == ((0,), (78, 0, 0), (0, 58, 20))


def test_r213_eight_skip_and_draw_four_make_78() -> None:
    """8 + 20 + 50."""
    table = last("r2", "g8 bS | W4", preset="standard_no", options=POINTS)
    assert table.event("RoundEnded").points == (78, 0, 0)


@pytest.mark.parametrize(("preset", "value"), [("official_se", 82), ("official_dk", 102)])
def test_r199_r200_c26_extra_wilds_left_in_a_hand(preset: str, value: int) -> None:
    """WS, WC and r2 left in a hand count 82 or 102 by edition."""
    assert last("r1", "WS WC r2 | y0", preset=preset).event("RoundEnded").value == value


def test_r212_a_round_may_stand_alone() -> None:
    """With single_round the match is over with the round and no totals are kept."""
    table = last("r3", "g8 W | rS", preset="standard_no")
    ended = table.event("MatchEnded")
    assert (ended.reason, ended.places[0]) == ("single_round", 1)
    assert min(ended.places[1:]) > 1
    assert table.state.over
    assert list(table.view(0).totals) == [0, 0, 0]
    assert table.event("RoundEnded").value == 78


def test_q01_the_last_draw_card_takes_what_exists() -> None:
    """With a single card left the next seat draws one and the round is scored."""
    table = last("rD2", draw="b5", top="W", colour="r", discards="")
    assert table.count(1) == 3
    table = last("W4", draw="b5", top="W", colour="r", discards="")
    assert table.count(1) == 3


def test_q72_r031_the_remaining_hands_become_public_with_the_score() -> None:
    """The event that ends the round shows every hand to everybody."""
    table = last("r3", "g8 W | rS")
    ended = table.event("RoundEnded")
    for viewer in (None, engine.Seat(0), engine.Seat(1)):
        assert engine.redact(ended, viewer) == ended
    assert [text(hand) for hand in ended.hands] == ["", "g8 W", "rS"]
