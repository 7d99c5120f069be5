"""Which cards may be laid on which (R060-R086)?"""

import pytest

from tests.builders import Table, at

HELD = "b1 y2"


def lawful(hand: str, top: str, colour: str | None = None, preset: str = "standard_no") -> str:
    """Return the cards of `hand` that may lawfully be laid, in the order of the hand."""
    table = at(f"{hand} | {HELD} | {HELD}", top, colour=colour, preset=preset)
    return " ".join(card for card in hand.split() if card in table.lawful_cards(0))


@pytest.mark.parametrize("preset", ["standard_no", "official_se"])
@pytest.mark.parametrize(
    ("hand", "top", "legal"),
    [
        pytest.param("g9 b4 rS y2", "g4", "g9 b4", id="R060"),
        pytest.param("g4", "g4", "g4", id="R061"),
        pytest.param("gD2 gS g0", "g4", "gD2 gS g0", id="R062"),
        pytest.param("r2 rS g7 y7 W b3 gD2", "r7", "r2 rS g7 y7 W", id="R066"),
        pytest.param("W b3", "r7", "W", id="R067"),
        pytest.param("r0 b5 g4 yR", "r5", "r0 b5", id="R068"),
        pytest.param("bS rS", "r5", "rS", id="R069"),
        pytest.param("bS", "b3", "bS", id="R070"),
        pytest.param("bS", "yS", "bS", id="R071"),
        pytest.param("rD2", "bD2", "rD2", id="R072-symbol"),
        pytest.param("rD2", "b5", "", id="R072-other"),
        pytest.param("rR", "bR", "rR", id="R073-symbol"),
        pytest.param("rR", "b5", "", id="R073-other"),
        pytest.param("rS", "bS", "rS", id="R074-symbol"),
        pytest.param("rS", "b5", "", id="R074-other"),
        pytest.param("r2 W", "r5", "r2 W", id="R080"),
    ],
)
def test_lawful_cards(preset: str, hand: str, top: str, legal: str) -> None:
    """A card may be laid on its colour, its number or its symbol; a wild always."""
    assert lawful(hand, top, preset=preset) == legal


def test_r060_a_card_that_fits_nothing_is_refused() -> None:
    """A card of another colour and face is refused with card_does_not_match."""
    table = at("y2 g9 | b1 b2", "g4")
    table.refuse(0, "play y2", "card_does_not_match")
    table.refuse(0, "play r9", "card_not_in_hand")


def test_r063_r064_the_same_value_changes_the_colour() -> None:
    """b4 on g4 makes blue the colour in force; then blue or another 4 follows."""
    table = at("b4 r1 r2 | b1 y4 g7 | y1 y2", "g4")
    table.act(0, "play b4")
    assert table.colour == "b"
    assert table.lawful_cards(1) == {"b1", "y4"}


def test_r065_r083_f26_the_named_colour_holds_and_not_the_card_beneath() -> None:
    """After a wild naming yellow only yellow cards and wilds follow."""
    table = at("W r1 r2 | r5 y1 r9 b5 W | y1 y2", "r5")
    table.act(0, "play W y")
    assert table.colour == "y"
    assert table.lawful_cards(1) == {"y1", "W"}


def test_r083_the_colour_under_the_wild_is_forgotten() -> None:
    """With r5 under a wild that named blue, b1 is legal and r5 is not."""
    assert lawful("r5 b1", "W", colour="b") == "b1"


def test_r075_r106_c44_c34_symbol_on_symbol_by_the_seat_after_the_victim() -> None:
    """The skipped seat cannot answer with its own skip; the one after it may lay one."""
    table = at("rS r1 r2 | bS g1 g2 | yS g3 g4 | r4 r6", "r3")
    table.act(0, "play rS")
    assert table.turn == 2
    table.refuse(1, "play bS", "not_your_turn")
    table.act(2, "play yS")
    assert table.turn == 0


def test_r076_action_cards_match_anything_where_the_option_says_so() -> None:
    """With action_match=any a coloured special may be laid on anything, a number not."""
    assert lawful("rS gD2 r9", "b5", preset="short_se_literal") == "rS gD2"


def test_r077_c24_specials_may_have_to_match_the_colour() -> None:
    """With colour_only a symbol does not match its like in another colour; by default it does."""
    assert lawful("bS yR", "yS", preset="official_dk_literal") == "yR"
    assert lawful("bS yR", "yS", preset="official_dk") == "bS yR"
    assert lawful("b5 y1", "y5", preset="official_dk_literal") == "b5 y1"


def test_r078_r079_f29_one_card_a_turn() -> None:
    """After one of several equal numbers the turn is the next seat's."""
    table = at("g7 b7 r1 r2 | b1 y2", "r7")
    table.act(0, "play g7")
    assert table.turn == 1
    table.refuse(0, "play b7", "not_your_turn")


def test_r078_two_cards_are_no_action() -> None:
    """The notation has no play of two cards."""
    with pytest.raises(ValueError, match=r"."):
        at("g7 b7 | b1", "r7").act(0, "play g7 b7")


def colours_offered(table: Table, wild: str) -> list[str]:
    """Return the colours a wild may be laid with."""
    plays = [action.split() for action in table.legal(0)]
    return [play[2] for play in plays if play[:2] == ["play", wild] and len(play) > 2]


@pytest.mark.parametrize("wild", ["W", "WS", "WC"])
def test_r081_r082_whoever_lays_a_wild_names_any_of_the_four_colours(wild: str) -> None:
    """Each wild is offered once a colour, the one in force included, and none is refused."""
    table = at(f"{wild} r1 r2 | b1 y2", "r5", preset="official_se")
    assert colours_offered(table, wild) == list("rygb")
    for colour in "rygb":
        branch = table.clone()
        branch.act(0, f"play {wild} {colour}")
        assert branch.colour == colour


def test_r081_a_wild_without_a_colour_and_a_colour_without_a_wild_are_refused() -> None:
    """A wild needs its colour in the middle of a hand; a coloured card cannot name one."""
    table = at("W r1 r2 | b1 y2", "r5")
    table.refuse(0, "play W", "colour_needed")
    table.refuse(0, "play r1 b", "bad_colour")


@pytest.mark.parametrize("top", ["r5", "y5", "g5", "b5"])
def test_r084_r085_wilds_lie_on_every_colour(top: str) -> None:
    """Wild and, holding no card of the colour, wild draw four are lawful on every colour."""
    other = {"r": "b1", "y": "b1", "g": "b1", "b": "r1"}[top[0]]
    assert lawful(f"W W4 {other}", top) == "W W4"


def test_r086_a_wild_lies_on_a_wild() -> None:
    """A wild may be laid on a wild that named green."""
    assert lawful("W b1", "W", colour="g") == "W"


def test_r149_a_custom_wild_is_playable_although_another_card_fits() -> None:
    """A customizable wild is legal beside a fitting card and names a colour."""
    table = at("r1 WC b2 | b1 y2", "r5", preset="official_se")
    assert table.lawful_cards(0) == {"r1", "WC"}
    table.refuse(0, "play WC", "colour_needed")


def test_q34_a_custom_wild_without_a_rule_is_a_plain_wild() -> None:
    """Laying one changes the colour and nothing else."""
    table = at("WC r1 r2 | b1 y2 | g1 g2", "r5", preset="official_se")
    table.act(0, "play WC g")
    assert (table.colour, table.turn, table.counts) == ("g", 1, [2, 2, 2])
