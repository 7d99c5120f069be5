"""Which cards make up the decks, and what is each worth (R001-R023, R193-R203)?"""

from collections import Counter
from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import at, cards, deal, make_rules

COLOURS = "rygb"


def counts(preset: str = "standard_no", **options: Any) -> Counter[str]:
    """Count the kinds of a deck by their notation."""
    return Counter(engine.format_card(card) for card in engine.deck(make_rules(preset, **options)))


def test_r001_r011_r012_the_112_deck_adds_one_shuffle_and_three_custom_wilds() -> None:
    """official_se plays with 112 cards: 108, one shuffle hands and three customizable wilds."""
    deck = counts("official_se")
    assert deck.total() == 112
    assert deck - counts() == Counter(WS=1, WC=3)


def test_r002_the_classic_deck_has_108_cards() -> None:
    """standard_no plays with 108 cards."""
    assert counts().total() == 108


def test_r003_four_colours_and_no_other() -> None:
    """The deck has red, yellow, green and blue; no other colour can be named."""
    deck = engine.deck(make_rules())
    colours = {engine.colour_of(card) for card in deck} - {None}
    assert {engine.format_colour(colour) for colour in colours if colour is not None} == set("rygb")
    for name in ("purple", "p", "R", "", "W"):
        with pytest.raises(ValueError, match="colour"):
            engine.parse_colour(name)
    with pytest.raises(ValueError, match=r"."):
        engine.parse_action("play W purple")


@pytest.mark.parametrize("preset", ["standard_no", "official_se"])
def test_r004_r005_one_zero_and_two_of_each_other_number(preset: str) -> None:
    """A colour has one 0 and two of every number 1-9, which makes 19 and 76 in all."""
    deck = counts(preset)
    for colour in COLOURS:
        assert [deck[f"{colour}{n}"] for n in range(10)] == [1] + [2] * 9
    numbers = sum(count for name, count in deck.items() if name[-1].isdigit() and name[1] != "D")
    assert numbers - deck["W4"] == 76


@pytest.mark.parametrize(
    "symbol",
    [pytest.param("D2", id="R006"), pytest.param("R", id="R007"), pytest.param("S", id="R008")],
)
def test_two_of_each_symbol_in_each_colour(symbol: str) -> None:
    """Draw two, reverse and skip come twice in every colour."""
    for preset in ("standard_no", "official_se"):
        assert [counts(preset)[colour + symbol] for colour in COLOURS] == [2] * 4


@pytest.mark.parametrize("wild", [pytest.param("W", id="R009"), pytest.param("W4", id="R010")])
def test_four_of_each_wild(wild: str) -> None:
    """There are four wilds and four wild draw fours."""
    for preset in ("standard_no", "official_se"):
        assert counts(preset)[wild] == 4


def test_r013_four_custom_wilds_make_the_other_112() -> None:
    """A deck with four customizable wilds and no shuffle wild has 112 cards."""
    deck = counts(deck_extras={"custom_wild": 4})
    assert (deck.total(), deck["WC"], deck["WS"]) == (112, 4, 0)


def test_r015_the_shuffle_edition_adds_one_card() -> None:
    """standard_no with one shuffle-hands wild has exactly that card more."""
    assert counts(deck_extras={"shuffle_hands": 1}) - counts() == Counter(WS=1)


@pytest.mark.parametrize("customs", range(4))
def test_r016_c42_the_table_chooses_how_many_custom_wilds_take_part(customs: int) -> None:
    """With one shuffle wild and n customizable wilds the deck has 109 + n cards."""
    deck = counts("official_se", deck_extras={"shuffle_hands": 1, "custom_wild": customs})
    assert (deck.total(), deck["WC"]) == (109 + customs, customs)


def test_r017_the_starter_preset_leaves_the_extra_cards_out() -> None:
    """starter_no plays with 108 cards and none of the extra wilds."""
    deck = counts("starter_no")
    assert (deck.total(), deck["WS"], deck["WX"], deck["WC"]) == (108, 0, 0, 0)


def test_r018_c45_the_edition_decides_the_first_card_and_the_extra_points() -> None:
    """The newer 112 box turns until a number and counts 50; the older applies and counts 40."""
    newer, older = make_rules("official_dk"), make_rules("official_dk_old")
    assert (newer.first_card, newer.extra_wild_points) == ("number_only", 50)
    assert (older.first_card, older.extra_wild_points) == ("apply", 40)
    assert len(engine.deck(newer)) == len(engine.deck(older)) == 112


@pytest.mark.parametrize("card", ["r7", "r0"])
def test_r020_sevens_and_zeros_have_no_effect_of_their_own(card: str) -> None:
    """A 7 or 0 leaves the other hands alone and passes the turn on."""
    table = at(f"{card} b1 b2 | y1 y2 | g1 g2", "r3")
    table.act(0, f"play {card}")
    assert [table.hand(seat) for seat in range(3)] == ["b1 b2", "y1 y2", "g1 g2"]
    assert table.turn == 1


VALUES = [
    pytest.param("r0", 0, id="R193-zero"),
    pytest.param("g9", 9, id="R193-nine"),
    pytest.param("bD2", 20, id="R194"),
    pytest.param("bR", 20, id="R195"),
    pytest.param("bS", 20, id="R196"),
    pytest.param("W", 50, id="R197"),
    pytest.param("W4", 50, id="R198"),
]


@pytest.mark.parametrize(("card", "value"), VALUES)
@pytest.mark.parametrize("extra", [40, 50])
def test_card_values(card: str, value: int, extra: int) -> None:
    """Numbers count their face, coloured symbols 20, wild and wild draw four 50."""
    assert engine.card_value(engine.parse_card(card), extra) == value


@pytest.mark.parametrize(
    ("card", "preset", "value"),
    [
        pytest.param("WS", "official_se", 40, id="R199"),
        pytest.param("WC", "official_se", 40, id="R200"),
        pytest.param("WS", "standard_no", 50, id="R201-shuffle"),
        pytest.param("WX", "standard_no", 50, id="R201-swap"),
        pytest.param("WC", "standard_no", 50, id="R201-custom"),
        pytest.param("WS", "official_dk_old", 40, id="R202-older"),
        pytest.param("WS", "official_dk", 50, id="R202-newer"),
        pytest.param("W", "standard_no", 50, id="R203-wild"),
        pytest.param("W4", "standard_no", 50, id="R203-draw-four"),
    ],
)
def test_values_of_wilds_by_edition(card: str, preset: str, value: int) -> None:
    """The extra wilds count 40 or 50 by edition; the plain ones always 50."""
    points = make_rules(preset).extra_wild_points
    assert engine.card_value(engine.parse_card(card), points) == value


def test_r216_a_wild_outweighs_two_skips_and_five_nines() -> None:
    """A wild is worth more than two skips and more than five nines."""
    wild, skip, nine = (engine.card_value(card) for card in cards("W rS r9"))
    assert wild > 2 * skip
    assert wild > 5 * nine


def test_r193_r194_r195_r196_r197_r198_r199_r200_the_decks_are_worth_1240_and_1400() -> None:
    """The classic deck is worth 1240 points, with the four extra wilds at 40 it is 1400."""
    for preset, total in (("standard_no", 1240), ("official_se", 1400), ("official_dk", 1440)):
        rules = make_rules(preset)
        values = [engine.card_value(c, rules.extra_wild_points) for c in engine.deck(rules)]
        assert sum(values) == total


def test_q41_a_wild_is_colourless_in_hand_and_pile() -> None:
    """No wild kind has a colour of its own."""
    assert {engine.colour_of(card) for card in cards("W W4 WS WX WC WR4 W6 W10 WCR")} == {None}


def test_r019_a_custom_deck_has_the_cards_that_are_counted() -> None:
    """Sixty cards are dealt and played; a deck without numbers is refused by name."""
    counts = {f"{colour}{face}": 3 for colour in "rygb" for face in (1, 5, 7, "S", "D4")}
    rules = make_rules("standard_no", deck="custom", deck_counts=counts)
    engine.validate(rules, 4)
    assert len(engine.deck(rules)) == 60
    assert deal(4, deck="custom", deck_counts=counts).counts == [7, 7, 7, 7]
    with pytest.raises(engine.RulesError) as refusal:
        make_rules("standard_no", deck="custom", deck_counts={"rS": 60, "W": 20})
    assert (refusal.value.reason, refusal.value.option) == ("no_number_cards", "deck_counts")


@pytest.mark.parametrize(
    ("options", "reason", "option"),
    [
        ({"deck": "custom"}, "contradiction", "deck_counts"),
        ({"deck_counts": {"r5": 60}}, "contradiction", "deck_counts"),
        ({"deck": "custom", "deck_counts": {"p5": 60}}, "bad_value", "deck_counts"),
        ({"deck": "custom", "deck_counts": {"r5": -1}}, "bad_value", "deck_counts"),
        ({"deck": "custom", "deck_counts": {"r5": 101}}, "bad_value", "deck_counts"),
        ({"deck": "custom", "deck_counts": {"r5": 14}}, "contradiction", "deck_counts"),
        ({"deck": "custom", "deck_counts": {"r5": 20}}, "contradiction", "hand_size"),
    ],
    ids=["no counts", "no custom deck", "card", "negative", "many", "few", "large hands"],
)
def test_decks_that_cannot_be_dealt_are_refused(
    options: dict[str, Any], reason: str, option: str
) -> None:
    """R019, Q22: the option is named, and what it may be."""
    with pytest.raises(engine.RulesError) as refusal:
        engine.validate(make_rules("standard_no", **options), 4)
    assert (refusal.value.reason, refusal.value.option) == (reason, option)
    if reason == "bad_value" or option == "hand_size":
        assert refusal.value.allowed
