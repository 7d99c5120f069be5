"""Are positions built as described, and read as they are written?"""

import pytest

import lastcard_engine as engine
from tests.builders import at, cards, make_rules, text


def test_a_position_is_what_was_asked_for() -> None:
    """Hands in canonical order, piles the right way up, everybody in, nothing pending."""
    state = engine.position(
        make_rules("official_se"),
        [cards("W r5 b1"), cards("g2")],
        cards("y7")[0],
        turn=engine.Seat(1),
        direction=-1,
        draw=cards("r1 r2"),
        discards=cards("b3 b4"),
        totals=[10, 20],
    )
    assert [text(hand) for hand in state.hands] == ["r5 b1 W", "g2"]
    assert (text(state.draw_pile), text(state.discards)) == ("r2 r1", "b3 b4 y7")
    assert (state.turn, state.direction, state.dealer, state.totals) == (1, -1, 1, [10, 20])
    assert (state.phase, state.colour) == ("play", engine.Colour.YELLOW)
    stock = cards("W r5 b1 g2 y7 r1 r2 b3 b4")
    assert engine.violations(state, stock) == ()


def test_a_drawn_card_is_pending() -> None:
    """The seat on turn may lay it or keep it."""
    table = at("r5 b1 | g2", "y7", drawn=cards("b1")[0])
    assert table.legal() == ["keep"]


def test_the_colour_in_force_must_be_known_and_true() -> None:
    """A wild needs the colour that was named, a coloured card has its own."""
    with pytest.raises(ValueError, match="needs the colour"):
        at("r5 | g2", "W")
    with pytest.raises(ValueError, match="that of a coloured top card"):
        at("r5 | g2", "b3", colour="r")
    assert at("r5 | g2", "b3", colour="b").colour == "b"


def test_an_opening_turns_the_first_card() -> None:
    """What is turned acts as the rules say."""
    state, events = engine.opening_position(
        make_rules("official_se"), [cards("r1"), cards("g1"), cards("b1")], cards("rD2 y1 y2 y3")
    )
    assert text(state.hands[0]) == "r1 y1 y2"
    assert (state.turn, state.dealer) == (1, 2)
    assert isinstance(events[0], engine.StartCardTurned)


def test_an_opening_without_a_start_card_is_refused() -> None:
    """A pile of specials alone is no pile for number_only."""
    with pytest.raises(ValueError, match="may start"):
        engine.opening_position(make_rules(), [cards("r1"), cards("g1")], cards("W W4 rS"))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "hands",
        "round=1",
        "hands=r5/x9",
        "hands=r5/b1 turn=x",
        "hands=r5/b1 moon=full",
        "hands=r5/b1 phase=later",
        "hands=r5/b1 group=1",
        "rules={} settings={} hands=r5/b1 turn=0",
        "rules={} settings={} hands=b1,r5/b1",
        'rules={"deck":"tarot"} settings={} hands=r5/b1',
    ],
)
def test_what_is_no_position_is_refused(line: str) -> None:
    """Nothing but the one written form is read."""
    with pytest.raises(ValueError, match="position"):
        engine.parse_position(line)


def test_a_written_position_is_readable() -> None:
    """Values of a new match are left out."""
    table = at("r5 b1 | g2 W", "y7", draw="r1 r2")
    line = engine.format_position(table.state)
    assert line.startswith('rules={"reverse_two_players":"turn_only","scoring":"single_round"}')
    assert line.endswith(
        "round=1 phase=play dealer=1 colour=y hands=r5,b1/g2,W draw=r1,r2 discards=y7 "
        "active=1,1 serial=1"
    )
