"""What is in the No Mercy deck, and what do its cards do (NM01-NM09, NM18-NM27, R021-R023)?"""

from collections import Counter
from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, cards, deal, make_rules, make_settings, text

COLOURS = "rygb"


def no_mercy(hands: str, top: str, **more: Any) -> Table:
    """Return a table that plays No Mercy, sevens and zeros apart."""
    options = {**more.pop("options", {})}
    return at(hands, top, preset="no_mercy", options=options, **more)


def kinds(rules: engine.Rules) -> Counter[str]:
    """Return how many copies of each card a deck has."""
    return Counter(map(engine.format_card, engine.deck(rules)))


A_COUNTS = {"S": 3, "R": 3, "D2": 3, "D4": 2, "DA": 3, "SE": 2}


def test_nm01_r021_r022_r023_c41_the_deck_is_the_most_common_list() -> None:
    """36 of each colour and 24 wilds; draw cards of 2, 4, 6 and 10; no plain wild."""
    found = kinds(make_rules("no_mercy"))
    for colour in COLOURS:
        assert [found[f"{colour}{number}"] for number in range(10)] == [2] * 10
        assert {face: found[colour + face] for face in A_COUNTS} == A_COUNTS
    wilds = {"WR4": 8, "W6": 4, "W10": 4, "WCR": 8, "W": 0, "W4": 0}
    assert {card: found[card] for card in wilds} == wilds
    assert sum(found.values()) == 168


@pytest.mark.parametrize(
    ("name", "zeros", "fours", "roulettes", "plain"),
    [("a", 2, 2, 8, 0), ("b", 2, 3, 4, 0), ("c", 1, 3, 4, 4)],
)
def test_nm01_three_public_lists_are_kept(
    name: str, zeros: int, fours: int, roulettes: int, plain: int
) -> None:
    """Each has 168 cards; those that are not the default are played as custom decks."""
    counts = engine.no_mercy_counts(name)
    rules = make_rules("no_mercy", deck="custom", deck_counts=counts)
    engine.validate(rules, 6)
    found = kinds(rules)
    assert found == Counter(counts)
    assert found.total() == 168
    assert (found["r0"], found["bD4"], found["WCR"], found["W"]) == (zeros, fours, roulettes, plain)
    assert set(engine.NO_MERCY_LISTS) == {"a", "b", "c"}


def test_nm23_card_values_and_the_sum_of_the_deck() -> None:
    """Coloured symbols count 20, wilds 50, the deck 2840."""
    for card, value in (("rDA", 20), ("rSE", 20), ("rD4", 20), ("WCR", 50), ("WR4", 50)):
        assert engine.card_value(engine.parse_card(card)) == value
    deck = engine.deck(make_rules("no_mercy"))
    assert sum(map(engine.card_value, deck)) == 2840


def test_nm02_six_seats_unless_more_are_allowed() -> None:
    """Seven players are refused until max_players is raised."""
    with pytest.raises(engine.RulesError) as refusal:
        engine.validate(make_rules("no_mercy"), 7)
    assert "2 to 6" in refusal.value.message
    engine.validate(make_rules("no_mercy", max_players=10), 10)


def test_nm03_specials_turned_first_are_covered_by_a_number() -> None:
    """They lie beneath the start card and do nothing."""
    state, _ = engine.opening_position(
        make_rules("no_mercy"),
        hands=[cards("r1"), cards("r2")],
        draw=cards("rSE W6 g4 b1"),
    )
    assert text(state.discards) == "rSE W6 g4"
    assert (state.turn, state.colour) == (0, engine.Colour.GREEN)


def test_nm04_a_forgotten_call_costs_two_until_the_next_turn_begins() -> None:
    """As in the classic game."""
    table = no_mercy("r2 b3 | r1 g1 | y1 y2", "r6")
    table.act(0, "play r2")
    late = table.clone()
    table.act(2, "catch 0")
    assert table.count(0) == 3
    late.act(1, "play r1 uno")
    late.refuse(2, "catch 0", "nothing_to_catch")


@pytest.mark.parametrize(
    ("faced", "answers"),
    [
        ("rD2", {"bD2", "yD4", "WR4", "W6", "W10"}),
        ("rD4", {"yD4", "WR4", "W6", "W10"}),
        ("WR4", {"yD4", "WR4", "W6", "W10"}),
        ("W6", {"W6", "W10"}),
        ("W10", {"W10"}),
    ],
)
def test_nm05_r241_an_answer_is_worth_the_same_or_more(faced: str, answers: set[str]) -> None:
    """Colour and symbol do not count; a lower draw card is refused as too low."""
    hand = "bD2 yD4 WR4 W6 W10 y1"
    laid = f"{faced} y" if faced.startswith("W") else faced
    table = no_mercy(f"{faced} r1 r2 | {hand} | {hand}", "r3")
    table.act(0, f"play {laid}")
    assert table.lawful_cards() == answers
    for card in {"bD2", "yD4", "WR4", "W6", "W10"} - answers:
        table.refuse(table.turn, f"play {card}{' g' if card[0] == 'W' else ''}", "stack_too_low")


def test_nm05_r241_the_whole_sum_is_passed_on() -> None:
    """Two, four and six make twelve for the fourth seat."""
    table = no_mercy("bD2 r1 r2 | rD4 g1 g2 | W6 gD2 g4 | r4 yD4", "b3")
    table.act(0, "play bD2")
    table.act(1, "play rD4")
    table.act(2, "play W6 g")
    assert (table.turn, table.view(3).pending) == (3, 12)
    table.act(3, "accept_draw")
    assert (table.count(3), table.turn, table.colour) == (14, 0, "g")


def test_nm06_stacking_is_optional() -> None:
    """A seat that could stack may take the sum."""
    table = no_mercy("bD2 r1 r2 | rD4 g1 | y1 y2", "b3")
    table.act(0, "play bD2")
    table.act(1, "accept_draw")
    assert table.count(1) == 4


def test_nm07_a_reverse_draw_four_hits_the_other_way() -> None:
    """Four players: P1 lays it, P0 faces four; its player has named the colour."""
    table = no_mercy("r1 r2 | WR4 g1 g2 | y1 y2 | b1 b2", "g3", turn=1)
    table.act(1, "play WR4 b")
    assert (table.turn, table.direction, table.view(0).pending) == (0, -1, 4)
    table.act(0, "accept_draw")
    assert (table.count(0), table.turn, table.colour) == (6, 3, "b")


@pytest.mark.parametrize(("two", "victim"), [("skip", 0), ("turn_only", 1)])
def test_nm08_between_two_it_follows_the_rule_for_reverse(two: str, victim: int) -> None:
    """As a skip it comes back to its player, who may stack it away; else the other faces it."""
    options = {"reverse_two_players": two}
    table = no_mercy("WR4 W10 g1 | y1 y2", "g3", options=options)
    table.act(0, "play WR4 b")
    assert (table.turn, table.view(victim).pending) == (victim, 4)
    if victim == 0:
        table.act(0, "play W10 r uno")
        assert (table.turn, table.view(1).pending) == (1, 14)


def test_nm09_drawing_ends_with_a_card_that_fits_and_must_be_laid() -> None:
    """Drawn to take a sum the cards are not laid, whether they fit or not."""
    table = no_mercy("b1 g2 | rD2 y2 | y1", "r5", draw="g1 r3 r4 r6 r8")
    table.act(0, "draw")
    assert (table.count(0), table.legal(0)) == (4, ["play r3"])
    table.refuse(0, "keep", "must_play")
    table.act(0, "play r3")
    table.act(1, "play rD2 uno")
    table.act(2, "accept_draw")
    assert (table.hand(2), table.turn) == ("r4 r6 y1", 0)


def test_nm18_r247_discard_all_takes_its_colour_along() -> None:
    """The cards lie beneath it without effect; the last one may go with them."""
    table = no_mercy("rDA r1 rD2 b2 | y1 y2", "r5")
    table.act(0, "play rDA uno")
    assert (table.hand(0), table.turn, table.view(1).pending) == ("b2", 1, 0)
    assert text(table.state.discards[-3:]) == "r1 rD2 rDA"
    assert table.event("CardsDiscarded").cards == cards("r1 rD2")
    out = no_mercy("rDA r1 r2 | y1 y2", "r5")
    out.act(0, "play rDA")
    assert out.event("RoundEnded").winners == (0,)


@pytest.mark.parametrize("how", ["silent", "with the play", "before the play"])
def test_nm19_s07_a_discard_to_one_card_owes_a_call(how: str) -> None:
    """Silent, it is caught for two cards; a call with the play or ahead of it counts."""
    table = no_mercy("rDA r1 r2 b2 | y1 y2 | g1 g2", "r5")
    if how == "before the play":
        table.act(0, "call_uno")
    table.act(0, "play rDA uno" if how == "with the play" else "play rDA")
    assert table.owes_call() == (0 if how == "silent" else None)
    if how == "silent":
        table.act(2, "catch 0")
        assert table.count(0) == 3


@pytest.mark.parametrize("reactions", ["race", "polled"])
def test_s15_a_discard_all_leaves_a_card_where_the_last_must_be_a_number(reactions: str) -> None:
    """The owner chooses which; alone in hand the card may not be laid at all."""
    options = {"finish_card": "number_only"}
    settings = make_settings(reactions)
    table = no_mercy("rDA r1 r1 r9 rS | y1 y2", "r5", options=options, settings=settings)
    table.act(0, "play rDA", hold=True)
    assert (table.turn, table.phase) == (0, "keep_card")
    assert table.legal(0) == ["choose_card r1", "choose_card r9", "choose_card rS"]
    table.refuse(0, "choose_card b1", "card_not_in_hand")
    table.refuse(1, "choose_card y1", "not_your_turn")
    table.refuse(0, "play r1", "not_offered")
    table.act(0, "choose_card r9", hold=True)
    assert table.hand(0) == "r9"
    assert text(table.state.discards[-4:]) == "r1 r1 rS rDA"
    assert table.state.duty[0]
    alone = no_mercy("rDA | y1 y2", "r5", options=options)
    alone.refuse(0, "play rDA", "finish_number_only")
    alone.refuse(0, "choose_card rDA", "not_offered")


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_nm20_r246_skip_everyone_gives_another_turn(seats: int) -> None:
    """All the others are passed over, in order; the turn is a full one."""
    hands = " | ".join(["rSE r1 r2", *["y1 y2"] * (seats - 1)])
    table = no_mercy(hands, "r5")
    table.act(0, "play rSE")
    assert [event.seat for event in table.all_events("SeatSkipped")] == [*range(1, seats)]
    assert (table.turn, table.phase) == (0, "play")
    assert table.legal(0) == ["play r1", "play r2", "draw"]


def test_nm21_r248_c40_the_victim_names_the_colour_of_a_roulette() -> None:
    """It takes cards until that colour comes, wilds being none, and loses its turn."""
    table = no_mercy("WCR r1 r2 | y1 y2 | g1 g2", "r5", draw="r1 W6 g0 b1")
    table.refuse(0, "play WCR g", "bad_colour")
    table.act(0, "play WCR")
    assert (table.turn, table.phase, table.colour) == (1, "choose_colour", "r")
    assert table.event("CardPlayed").colour == engine.Colour.RED
    assert table.legal(1) == [f"choose_colour {colour}" for colour in COLOURS]
    for act in ("play y1", "draw", "accept_draw"):
        assert table.refusal(1, act) == "name the colour of the roulette before all else"
    table.act(1, "choose_colour g")
    assert (table.count(1), table.turn, table.colour) == (5, 2, "g")
    assert table.event("CardsDrawn").cause == "roulette"
    assert table.legal(2) == ["play g1", "play g2", "draw"]


def test_c40_the_player_may_be_the_one_to_name_it() -> None:
    """Under roulette_chooser=player the colour goes with the card and the victim is not asked."""
    options = {"roulette_chooser": "player"}
    table = no_mercy("WCR r1 r2 | y1 y2 | g1 g2", "r5", draw="r1 W6 g0 b1", options=options)
    table.refuse(0, "play WCR", "colour_needed")
    table.act(0, "play WCR g")
    assert (table.count(1), table.turn, table.colour) == (5, 2, "g")


def test_nm21_a_roulette_stops_with_the_piles_and_is_not_stacked() -> None:
    """Q01: with no green card left the victim has taken all there were."""
    table = no_mercy("WCR r1 r2 | WR4 W10 y2 | g1 g2", "r5", draw="r1 b1")
    table.act(0, "play WCR")
    assert not table.accepts(1, "play WR4 g")
    table.act(1, "choose_colour g")
    assert (table.count(1), table.turn) == (6, 2)


def test_q65_s09_a_silent_victim_names_the_colour_in_force() -> None:
    """The default colour is that in force; naming one is no turn, so that no window closes."""
    table = no_mercy("WCR r1 | y1 y2 | g1 g2", "b5", draw="y1 b9")
    table.act(0, "play WCR")
    engine.time_out(table.state, engine.Seat(1))
    assert (table.colour, table.count(1), table.owes_call()) == ("b", 4, 0)


def test_nm22_q47_a_last_draw_card_is_drawn_unanswered_and_without_mercy() -> None:
    """P1 wins with a six on a two: P2, who holds 20, draws eight and is not knocked out."""
    many = " ".join(["y1"] * 20)
    table = no_mercy(f"rD2 r1 r2 | W6 | {many}", "r5", options={"scoring": "winner_takes"})
    table.act(0, "play rD2")
    table.act(1, "play W6")
    ended = table.event("RoundEnded")
    assert (ended.winners, len(ended.hands[2]), ended.reason) == ((1,), 28, "went_out")
    assert table.all_events("SeatKnockedOut") == []


@pytest.mark.parametrize(
    ("card", "drawn"),
    [("rSE", 0), ("rDA", 0), ("WCR", 0), ("rD4", 4), ("WR4", 4), ("W6", 6), ("W10", 10)],
)
def test_r187_s14_what_each_card_does_when_it_is_laid_last(card: str, drawn: int) -> None:
    """Draw cards are drawn by the next seat, between two by the opponent; all else is void."""
    table = no_mercy(f"{card} | y1 y2", "r5")
    table.act(0, f"play {card}")
    ended = table.event("RoundEnded")
    assert (ended.winners, len(ended.hands[1])) == ((0,), 2 + drawn)


def test_nm25_r214_a_match_goes_to_a_thousand() -> None:
    """950 is not enough, 1000 is."""
    for before, over in ((900, False), (980, True)):
        table = at(
            "r1 | W10",
            "r5",
            preset="no_mercy_points",
            totals=(before, 0),
        )
        table.act(0, "play r1")
        assert table.state.totals[0] == before + 50
        assert table.state.over is over


def test_r215_one_round_is_the_rule() -> None:
    """The preset no_mercy ends with its first round."""
    table = no_mercy("r1 | y1", "r5")
    table.act(0, "play r1")
    assert table.state.over


def test_nm26_nothing_can_be_challenged() -> None:
    """There is no wild draw four, and no other card opens a challenge."""
    for card in ("WR4", "W6", "W10"):
        table = no_mercy(f"{card} r1 r2 | y1 y2 | b1 b2", "r5")
        table.act(0, f"play {card} g")
        assert table.phase == "answer_draw"
        table.refuse(table.turn, "challenge", "nothing_to_challenge")


def test_nm27_a_coloured_draw_four_fits_by_colour_or_symbol() -> None:
    """On a served red one lie a blue one and any red card."""
    assert no_mercy("bD4 r2 b3 | y1", "rD4").lawful_cards(0) == {"bD4", "r2"}


def test_r240_q71_the_deck_of_another_edition_is_a_warning() -> None:
    """It is played, and said to be odd."""
    mixed = make_rules("standard_no", deck="no_mercy_168")
    engine.validate(mixed, 4)
    assert engine.warnings("standard_no", mixed) == ("preset_mismatch",)
    assert engine.warnings("no_mercy", make_rules("no_mercy")) == ()
    assert engine.warnings("standard_no", make_rules("standard_no")) == ()


@pytest.mark.parametrize(
    ("first_card", "card", "asked", "phase", "draws"),
    [
        ("apply", "rD4", 0, "answer_draw", 0),
        ("apply", "rSE", 1, "play", 0),
        ("apply", "rDA", 0, "play", 0),
        ("apply", "WCR", 0, "choose_colour", 0),
        ("dealer_played", "rSE", 2, "play", 0),
        ("dealer_played", "W6", 2, "choose_colour", 0),
        ("dealer_played", "WCR", 0, "choose_colour", 2),
        ("face_only", "rD4", 0, "play", 0),
        ("face_only", "W10", 0, "choose_colour", 0),
    ],
)
def test_a_no_mercy_card_turned_first_acts_like_its_class(
    first_card: str, card: str, asked: int, phase: str, draws: int
) -> None:
    """Like skip, draw two, wild and wild draw four; the dealer's acts as if he laid it."""
    state, _ = engine.opening_position(
        make_rules("no_mercy", first_card=first_card),
        hands=[cards("y1 y2"), cards("g1 g2"), cards("b1 b2")],
        draw=cards(f"{card} r1 g3 b4 b5 b6 b7 b8 b9"),
        settings=make_settings(),
    )
    table = Table(state)
    assert (table.turn, table.phase) == (asked, phase)
    if phase == "choose_colour":
        table.act(asked, "choose_colour g")
        assert table.count(0) == 2 + draws


def test_wild_draw_cards_turned_first_are_given_back_under_apply() -> None:
    """R044 goes for all of them."""
    state, events = engine.opening_position(
        make_rules("no_mercy", first_card="apply"),
        hands=[cards("y1"), cards("g1")],
        draw=cards("WR4 W6 W10 b5 b6"),
    )
    assert text(state.discards) == "WR4 W6 W10 b5"
    assert sum(isinstance(event, engine.StartCardRejected) for event in events) == 3


def test_nm01_a_dealt_round_holds_all_cards() -> None:
    """Six seats, 168 cards between hands and piles."""
    table = deal(6, preset="no_mercy")
    assert len(table.all_cards()) == 168


def test_nm10_r242_a_seven_swaps_hands_with_a_seat_of_choice() -> None:
    """Every other active seat may be named, and one must be."""
    table = no_mercy("r7 r1 r2 | y1 y2 | g1", "r5")
    assert [act for act in table.legal() if act.startswith("play r7")] == [
        "play r7 >1",
        "play r7 >2",
    ]
    table.refuse(0, "play r7", "target_needed")
    table.act(0, "play r7 >2")
    assert [table.hand(seat) for seat in range(3)] == ["g1", "y1 y2", "r1 r2"]


def test_nm11_r243_a_zero_passes_hands_on_past_seats_that_are_out() -> None:
    """In the direction of play, among those who are in."""
    table = no_mercy("r0 r1 | y1 y2 | g1 g2 | b1", "r5")
    engine.knock_out(table.state, engine.Seat(1))
    table.act(0, "play r0")
    assert [table.hand(seat) for seat in range(4)] == ["b1", "", "r1", "g1 g2"]
