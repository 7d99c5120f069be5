"""What is a card: its number, its notation, its colour, face and points?"""

import pytest

import lastcard_engine as engine


def test_kinds_follow_canonical_order() -> None:
    """Red, yellow, green, blue, then wilds; numbers before symbols; the number says which."""
    names = [engine.format_card(card) for card in engine.ALL_CARDS]
    assert names[:16] == [
        "r0",
        "r1",
        "r2",
        "r3",
        "r4",
        "r5",
        "r6",
        "r7",
        "r8",
        "r9",
        "rS",
        "rR",
        "rD2",
        "rD4",
        "rSE",
        "rDA",
    ]
    assert names[16] == "y0"
    assert " ".join(names[64:]) == "W W4 WS WX WC WR4 W6 W10 WCR WC1 WC2 WC3 WC4 WC5 WC6 WC7 WC8"


@pytest.mark.parametrize("card", engine.ALL_CARDS)
def test_colour_and_face_make_the_card(card: engine.Card) -> None:
    """Colour and face of a coloured card lead back to it; a wild has no colour."""
    colour = engine.colour_of(card)
    if colour is None:
        assert engine.face_of(card) >= engine.Face.WILD
    else:
        assert engine.coloured(colour, engine.face_of(card)) == card


def test_a_wild_face_has_no_colour() -> None:
    """Colouring a wild is refused."""
    with pytest.raises(ValueError, match="has no colour"):
        engine.coloured(engine.Colour.RED, engine.Face.WILD)


@pytest.mark.parametrize(
    ("name", "at_40", "at_50"),
    [
        ("r0", 0, 0),
        ("g9", 9, 9),
        ("bD2", 20, 20),
        ("yR", 20, 20),
        ("yS", 20, 20),
        ("rDA", 20, 20),
        ("W", 50, 50),
        ("W4", 50, 50),
        ("WCR", 50, 50),
        ("WS", 40, 50),
        ("WX", 40, 50),
        ("WC", 40, 50),
    ],
)
def test_points(name: str, at_40: int, at_50: int) -> None:
    """Faces count themselves, symbols 20, wilds 50, extra wilds what the option says."""
    card = engine.parse_card(name)
    assert (engine.card_value(card, 40), engine.card_value(card)) == (at_40, at_50)


@pytest.mark.parametrize("text", ["", "R5", "r10", "5r", "w", "W5", "r", "r5 ", "x1"])
def test_what_is_no_card_is_refused(text: str) -> None:
    """The sentence says how a card is written."""
    with pytest.raises(ValueError, match="is no card; write a colour"):
        engine.parse_card(text)


@pytest.mark.parametrize("text", ["", "R", "red", "ry", "W"])
def test_what_is_no_colour_is_refused(text: str) -> None:
    """The sentence says how a colour is written."""
    with pytest.raises(ValueError, match="is no colour; write r, y, g or b"):
        engine.parse_colour(text)
