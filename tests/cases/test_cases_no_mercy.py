"""Field cases about No Mercy (F61-F64)."""

import pytest

import lastcard_engine as engine
from tests.builders import DRAW, Table, at, text

A, B, C = range(3)


def no_mercy(hands: str, top: str, draw: str = "") -> Table:
    """Return a table that plays No Mercy."""
    return at(hands, top, preset="no_mercy", draw=draw or DRAW)


def test_f61_a_roulette_ends_with_the_colour_and_its_phase_with_it() -> None:
    """B takes four cards, a wild being no colour, loses the turn, and C plays on in green."""
    table = no_mercy("WCR r2 r3 | b1 b2 | y1 y3", "r5", draw="r1 W6 y2 g8 b9")
    table.act(A, "play WCR")
    table.act(B, "choose_colour g")
    assert table.hand(B) == "r1 y2 g8 b1 b2 W6"
    assert (table.turn, table.phase, table.colour) == (C, "play", "g")


def test_f62_a_discard_all_stays_on_top() -> None:
    """Wilds stay in hand, the red cards lie beneath without effect, B owes nothing."""
    table = no_mercy("rDA r1 rS rD2 b2 W6 | y1 y2", "r5")
    table.act(A, "play rDA")
    assert (table.hand(A), table.top, table.colour) == ("b2 W6", "rDA", "r")
    assert text(table.state.discards) == "r5 r1 rS rD2 rDA"
    assert (table.turn, table.view(B).pending) == (B, 0)


@pytest.mark.parametrize(
    ("card", "held", "out", "drawn"),
    [("rD2", 23, True, 2), ("rD2", 22, False, 2), ("W10", 20, True, 5)],
)
def test_f63_25_cards_are_out_and_24_are_not(card: str, held: int, out: bool, drawn: int) -> None:  # noqa: FBT001 - a case
    """Out at once on reaching 25; the rest of a debt lapses and C is next."""
    table = no_mercy(f"{card} r1 r2 | {' '.join(['y1'] * held)} | b1 b2", "r5")
    before, stock = table.draw_count, table.all_cards()
    table.act(A, f"play {card}{' r' if card == 'W10' else ''}")
    table.act(B, "accept_draw")
    assert (table.state.active[B], table.turn) == (not out, C)
    assert (before - table.draw_count, table.view(C).pending) == (drawn, 0)
    assert table.all_cards() == stock


@pytest.mark.parametrize(("card", "drawn"), [("rSE", 0), ("W10", 10)])
def test_f64_any_card_may_be_the_last(card: str, drawn: int) -> None:
    """A wins with either; B still draws ten for the second, and mercy asks nothing any more."""
    table = no_mercy(f"{card} | {' '.join(['y1'] * 20)}", "r5")
    table.act(A, f"play {card}")
    ended = table.event("RoundEnded")
    assert (ended.winners, ended.reason, len(ended.hands[B])) == ((A,), "went_out", 20 + drawn)
    assert engine.legal_actions(table.state, engine.Seat(B)) == []
