"""Field cases about the first card, the piles, colours and drawing (F15-F29, F65)."""

from collections import Counter

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, deals, make_rules, open_with, text

A, B, C, D = range(4)


@pytest.mark.parametrize(("preset", "times"), [("official_se", 2), ("standard_no", 2)])
def test_f15_a_wild_draw_four_never_opens(preset: str, times: int) -> None:
    """Even turned twice it goes back, all cards stay, and the next start works."""
    for table in deals(2, preset=preset):
        rejected = [engine.format_card(e.card) for e in table.all_events("StartCardRejected")]
        if rejected.count("W4") < times:
            continue
        assert table.top != "W4"
        cards = Counter(table.all_cards())
        assert cards == Counter(map(engine.format_card, engine.deck(table.state.rules)))
        assert table.legal()
        return
    raise AssertionError("no such deal")


@pytest.mark.parametrize(("first", "cards"), [("bS", 0), ("bD2", 2)])
def test_f16_the_first_card_hits_the_dealers_left(first: str, cards: int) -> None:
    """The seat to the left of the dealer is hit, the dealer is not."""
    table = open_with(first)
    dealer = table.event("DealerChosen").seat
    left = (dealer + 1) % 4
    assert table.turn == (dealer + 2) % 4
    assert (table.count(left), table.count(dealer)) == (7 + cards, 7)


@pytest.mark.parametrize("first", ["W", "WS", "WC"])
def test_f17_a_wild_first_asks_for_the_colour_before_anything_else(first: str) -> None:
    """Drawing or playing without having chosen is refused; then the same seat plays."""
    table = open_with(first)
    starter = table.turn
    assert starter == (table.event("DealerChosen").seat + 1) % 4
    card = table.hand(starter).split()[0]
    assert not table.accepts(starter, "draw")
    assert not table.accepts(starter, f"play {card}")
    table.act(starter, "choose_colour g")
    assert (table.top, table.colour, table.turn) == (first, "g", starter)
    assert table.accepts(starter, "draw")


def test_f18_the_discards_are_reshuffled() -> None:
    """A draws one of the three cards beneath g7; two remain, and the wild is colourless."""
    table = at("y1 | y2", "g7", draw="", discards="W b2 r1")
    table.act(A, "draw")
    assert (table.draw_count, table.top, table.colour) == (2, "g7", "g")
    assert engine.table_view(table.state).discard_count == 1
    assert set(table.all_cards()) == {"y1", "y2", "g7", "W", "b2", "r1"}
    if "W" in table.hand(A).split():
        assert len([action for action in table.legal() if action.startswith("play W")]) == 4


def test_f19_the_card_just_played_stays_on_the_pile() -> None:
    """The draw two that causes the reshuffle stays on top."""
    table = at("bD2 b3 | y1 | y2", "b2", draw="y9", discards="r2 r1")
    table.act(A, "play bD2 uno")
    assert (table.top, table.colour, table.count(B)) == ("bD2", "b", 3)
    got = set(table.hand(B).split()) - {"y1"}
    assert "y9" in got
    assert got - {"y9"} <= {"r1", "r2", "b2"}
    assert table.draw_count == 2


def test_f20_empty_piles_never_stop_the_game() -> None:
    """A draws nothing and the turn goes on."""
    table = at("y1 y2 | b1 r2 | b3", "r5", draw="")
    table.draw_and_keep(A)
    assert (table.count(A), table.turn) == (2, B)


def test_f21_ten_seats_can_empty_both_piles() -> None:
    """B draws the one card there is; a lap in which nobody plays or draws ends the round."""
    deck = Counter(map(engine.format_card, engine.deck(make_rules())))
    deck -= Counter(["r1", "W4", "y9"])
    others: list[list[str]] = [[] for _ in range(9)]
    for index, card in enumerate(sorted(deck.elements())):
        others[index % 9].append(card)
    hands = [["W4", "y9"], *others]
    table = at(" | ".join(" ".join(hand) for hand in hands), "r1", draw="")
    assert len(table.all_cards()) == 108
    held = table.count(B)
    table.act(A, "play W4 b")
    table.act(B, "accept_draw")
    assert (table.count(B), table.top, table.turn) == (held + 1, "W4", C)
    assert "r1" in table.hand(B).split()
    assert len(table.all_cards()) == 108


def test_f22_a_leavers_cards_stay_in_the_game() -> None:
    """B's twelve cards lie beneath the top card and come back with the reshuffle."""
    hand = "W b1 b2 b3 b4 b6 b7 b8 b9 y1 y2 y3"
    table = at(f"y4 | {hand} | g1 g2", "r5", draw="")
    cards = table.all_cards()
    engine.knock_out(table.state, engine.Seat(B))
    assert (table.top, engine.table_view(table.state).discard_count) == ("r5", 13)
    table.act(A, "draw")
    assert (table.all_cards(), table.draw_count) == (cards, 11)
    assert hand.split().count((set(table.hand(A).split()) - {"y4"}).pop()) == 1


def test_f23_a_wild_forgets_its_colour() -> None:
    """Drawn again after a reshuffle it may name any colour and counts as no colour."""
    table = at("y1 | g1 g2", "b4", draw="", discards="W W W")
    table.act(A, "draw")
    assert table.legal() == [f"play W {colour}" for colour in "rygb"] + ["keep"]
    table.act(A, "play W y uno")
    assert table.colour == "y"
    table = at("W4 W b1 | g1 g2 | g3 g4", "r5")
    table.act(A, "play W4 b")
    table.act(B, "challenge")
    assert table.event("ChallengeResolved").guilty is False


def test_f24_the_called_colour_survives_draws_and_reshuffles() -> None:
    """Yellow holds through A's draw; B lays y5, and another colour is refused."""
    table = at("y1 r1 | y5 g4 g6 | g1 g2", "W4", colour="y", draw="", discards="g7 g8 g9")
    table.act(A, "draw")
    table.act(A, "keep")
    assert (table.top, table.colour) == ("W4", "y")
    table.refuse(B, "play g4", "card_does_not_match")
    table.act(B, "play y5")


def test_f25_the_colour_question_has_no_dead_end() -> None:
    """A wild is laid with its colour in one act; a first wild offers exactly four colours."""
    table = at("W r1 | b1 b2", "b4")
    assert table.legal() == [f"play W {colour}" for colour in "rygb"] + ["draw"]
    table.refuse(A, "play W", "colour_needed")
    assert table.legal() == [f"play W {colour}" for colour in "rygb"] + ["draw"]
    opened = open_with("W")
    assert opened.legal() == [f"choose_colour {colour}" for colour in "rygb"]


def test_f26_a_called_colour_is_matched() -> None:
    """On a wild that called red exactly r3 and W are legal."""
    table = at("y1 y2 | r3 b3 W", "W", colour="r", turn=B)
    assert table.lawful_cards(B) == {"r3", "W"}
    assert "draw" in table.legal(B)


def test_f27_one_draw_a_turn_and_a_fitting_card_may_be_kept() -> None:
    """A second draw is refused; keeping b7 passes the turn."""
    table = at("y1 | g1 g2", "b4", draw="b7 b8")
    table.act(A, "draw")
    table.refuse(A, "draw", "already_drawn")
    table.act(A, "keep")
    assert (table.turn, table.hand(A)) == (B, "y1 b7")


@pytest.mark.parametrize(
    ("mode", "drawn", "legal"),
    [("one", ["r9"], ["keep"]), ("until_playable", ["r9", "r8", "b1"], ["play b1", "keep"])],
)
def test_f28_drawing_on_is_a_house_rule(mode: str, drawn: list[str], legal: list[str]) -> None:
    """By default one card is drawn; drawing until one fits takes an option."""
    table = at("y1 | g1 g2", "b4", draw="r9 r8 b1 b2", options={"draw_mode": mode})
    table.act(A, "draw")
    assert sorted(table.hand(A).split()) == sorted(["y1", *drawn])
    assert table.legal() == legal
    table.act(A, "keep")
    assert table.turn == B


def test_f29_no_pass_without_a_draw_and_one_card_a_turn() -> None:
    """Passing is refused; after r7 the turn is B's and g7 is refused."""
    table = at("r7 g7 b7 | g1 g2", "r5")
    for action in ("pass", "keep"):
        assert not table.accepts(A, action)
    with pytest.raises(ValueError, match=r"."):
        engine.parse_action("play r7 g7")
    table.act(A, "play r7")
    table.refuse(A, "play g7", "not_your_turn")
    assert table.turn == B


def test_f65_the_decks_are_complete() -> None:
    """108 and 112 cards with the counts of the rulebooks."""
    classic = Counter(map(engine.format_card, engine.deck(make_rules())))
    for colour in "rygb":
        assert classic[colour + "0"] == 1
        faces = [str(number) for number in range(1, 10)] + ["S", "R", "D2"]
        assert {classic[colour + face] for face in faces} == {2}
    assert (classic["W"], classic["W4"], classic.total()) == (4, 4, 108)
    box = Counter(map(engine.format_card, engine.deck(make_rules("official_se"))))
    assert box - classic == Counter(WS=1, WC=3)


def test_f18_the_top_of_the_new_pile_is_what_is_drawn() -> None:
    """The cards drawn are those that lay on top of the pile, in their order."""
    table: Table = at("rD2 r1 | y1 | y2", "r5", draw="b1 g2 b3")
    table.act(A, "play rD2 uno")
    assert text(table.event("CardsDrawn").cards) == "b1 g2"
