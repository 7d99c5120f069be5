"""Who may lay an identical card out of turn, and when (R232, R233, S11, Q48, Q49)?"""

from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, make_settings

OPTIONS = {"jump_in": "identical"}
POLLED = make_settings("polled")


def jumping(hands: str, top: str = "r3", **more: Any) -> Table:
    """Return a table with jump-in switched on."""
    return at(hands, top, options=OPTIONS, **more)


HANDS = "r5 r1 g2 | b0 b1 b2 | g5 r5 y2 y4 | r8 g8"


@pytest.mark.parametrize("hold", [True, False])
def test_r232_an_identical_card_may_be_laid_out_of_turn(*, hold: bool) -> None:
    """P2 jumps in with r5, not with g5; play goes on after the jumper."""
    table = jumping(HANDS)
    table.act(0, "play r5", hold=hold)
    table.refuse(2, "jump_in g5", "not_identical")
    table.refuse(3, "jump_in r5", "card_not_in_hand")
    table.act(2, "jump_in r5")
    assert (table.turn, table.count(2), table.top) == (3, 3, "r5")
    played = table.event("CardPlayed")
    assert (played.seat, played.jump_in) == (2, True)


def test_q49_it_closes_when_the_next_seat_begins() -> None:
    """After the next seat has drawn, a jump-in is too late."""
    table = jumping(HANDS)
    table.act(0, "play r5")
    table.act(1, "draw")
    assert not table.accepts(2, "jump_in r5")


def test_s11_not_by_whoever_has_just_laid() -> None:
    """The seat that laid the card cannot jump in on it with its twin."""
    table = jumping("r5 r5 g2 | b0 b1 | y2 y4")
    table.act(0, "play r5", hold=True)
    assert not table.accepts(0, "jump_in r5")


def test_s11_not_on_the_start_card() -> None:
    """Before the first play nobody jumps in."""
    table = jumping("r5 r1 g2 | r3 b1 | r3 y4")
    assert not table.accepts(1, "jump_in r3")
    assert not table.accepts(2, "jump_in r3")


def test_s11_a_skipped_seat_may_jump_in() -> None:
    """The victim of a skip lays the same skip; the effect goes on from it."""
    table = jumping("rS r1 g2 | rS b1 b2 | y2 y4 | r8 g8")
    table.act(0, "play rS")
    assert table.turn == 2
    table.act(1, "jump_in rS")
    assert table.turn == 3


def test_s11_a_forced_draw_stays_drawn() -> None:
    """A draw two hits the next seat; the jump-in with its twin hits the one after the jumper."""
    table = jumping("rD2 r1 g2 | b1 b2 | y2 y4 | rD2 g8 g9")
    table.act(0, "play rD2")
    assert (table.count(1), table.turn) == (4, 2)
    table.act(3, "jump_in rD2")
    assert (table.count(1), table.count(0), table.turn) == (4, 4, 1)


def test_s11_a_jump_in_closes_the_previous_uno_window() -> None:
    """After it the silent next-to-last card before it cannot be caught any more."""
    table = jumping("r5 g2 | b0 b1 b2 | r5 y2 y4 | r8 g8")
    table.act(0, "play r5")
    assert table.owes_call() == 0
    table.act(2, "jump_in r5")
    table.refuse(3, "catch 0", "nothing_to_catch")


def test_q49_a_jump_in_can_owe_a_call_and_can_carry_one() -> None:
    """Jumping in to one card owes a call unless it comes with the jump-in."""
    for action, debt in (("jump_in r5", 2), ("jump_in r5 uno", None)):
        table = jumping("r5 g2 g3 | b0 b1 b2 | r5 y2 | r8 g8")
        table.act(0, "play r5")
        table.act(2, action)
        assert table.owes_call() == debt


def test_q49_a_jump_in_may_go_out() -> None:
    """The last card may be laid by jumping in."""
    table = jumping("r5 g2 g3 | b0 b1 b2 | r5 | r8 g8")
    table.act(0, "play r5")
    table.act(2, "jump_in r5")
    assert table.event("RoundEnded").winners == (2,)


def test_q49_s11_coloured_cards_only() -> None:
    """A wild is not identical to a wild for this purpose."""
    table = jumping("W r1 g2 | b0 b1 b2 | W y2 y4 | r8 g8")
    table.act(0, "play W g")
    assert not table.accepts(2, "jump_in W")


def test_q49_not_while_a_challenge_is_pending() -> None:
    """On a wild draw four nobody jumps in before or after the window."""
    table = jumping("W4 r1 g2 | b0 b1 b2 | W4 y2 y4 | r8 g8")
    table.act(0, "play W4 g", hold=True)
    assert not table.accepts(2, "jump_in W4")


@pytest.mark.parametrize("called", ["", " uno"])
def test_s03_with_jump_in_the_race_pauses_after_every_play(called: str) -> None:
    """Whatever was laid, nobody is asked until the pause is over."""
    for hands in (HANDS, "r5 r1 | b0 b1 | y1 y2", "W r1 g1 | b0 b1 | y1 y2"):
        card = hands.split()[0]
        table = jumping(hands)
        colour = " g" if card == "W" else ""
        table.act(0, f"play {card}{colour}{called}", hold=True)
        assert table.state.window
        assert engine.to_act(table.state) == ()


@pytest.mark.parametrize("action", ["play r5", "play r5 uno"])
def test_s03_without_jump_in_the_race_pauses_after_one_card_only(action: str) -> None:
    """Called or not, a play that leaves one card pauses; one that leaves two does not."""
    table = at("r5 r1 | b0 b1 | y1 y2", "r3")
    table.act(0, action, hold=True)
    assert table.state.window
    table = at("r5 r1 r2 | b0 b1 | y1 y2", "r3")
    table.act(0, action, hold=True)
    assert not table.state.window
    assert table.turn == 1


def test_s03_only_an_open_pause_can_be_closed() -> None:
    """Closing a window that is not open is refused."""
    table = at("r5 r1 r2 | b0 b1 | y1 y2", "r3")
    with pytest.raises(engine.RuleViolation):
        engine.close_window(table.state)


def test_q48_in_a_race_the_first_accepted_jump_in_wins() -> None:
    """A second twin comes too late for the first card, but may follow the new one."""
    table = jumping("r5 g2 g3 | b0 b1 b2 | r5 y2 y4 | r5 g8 g9")
    table.act(0, "play r5", hold=True)
    table.act(3, "jump_in r5", hold=True)
    assert (table.state.window, table.top) == (True, "r5")
    table.act(2, "jump_in r5")
    assert table.turn == 3


def test_q48_polled_every_seat_but_the_actor_is_asked_after_a_play() -> None:
    """Holders are offered the jump-in and a pass, the others a pass alone."""
    table = jumping(HANDS, settings=POLLED)
    table.act(0, "play r5")
    assert sorted(engine.to_act(table.state)) == [1, 2, 3]
    assert (table.legal(1), table.legal(2)) == (["pass"], ["jump_in r5", "pass"])
    table.settle()
    assert table.turn == 1


def test_q48_polled_the_nearest_seat_jumps_in() -> None:
    """Of two that jump in the first after the actor does; the other keeps its card."""
    table = jumping("r5 g2 g3 | b0 b1 b2 | r5 y2 y4 | r5 g8 g9", settings=POLLED)
    table.act(0, "play r5")
    table.settle(P2="jump_in r5", P3="jump_in r5")
    assert [event.seat for event in table.all_events("CardPlayed")] == [2]
    assert (table.count(2), table.count(3)) == (2, 3)
    table.settle()
    assert table.turn == 3


def test_q48_polled_a_catch_before_a_jump_in_in_seat_order() -> None:
    """A catch by a nearer seat is settled first; then the jump-in takes place."""
    table = jumping("r5 g2 | b0 b1 b2 | r5 y2 y4 | r8 g8", settings=POLLED)
    table.act(0, "play r5")
    assert table.legal(2) == ["jump_in r5", "catch 0", "pass"]
    table.settle(P1="catch 0", P2="jump_in r5")
    assert (table.count(0), table.count(2)) == (3, 2)
    table.settle()
    assert table.turn == 3


def test_s11_polled_a_nearer_jump_in_supersedes_a_catch() -> None:
    """The jump-in closes the window, so the later catch is without effect."""
    table = jumping("r5 g2 | b0 b1 b2 | r5 y2 y4 | r8 g8", settings=POLLED)
    table.act(0, "play r5")
    table.settle(P2="jump_in r5", P3="catch 0")
    assert (table.count(0), table.count(2)) == (1, 2)


def test_s11_polled_no_group_on_a_wild() -> None:
    """Where nobody could jump in and nothing can be caught, nobody is asked."""
    table = jumping("W r1 g2 | b0 b1 b2 | y2 y4", settings=POLLED)
    table.act(0, "play W g")
    assert (table.state.group, table.turn) == (None, 1)


def test_s11_two_seats_may_jump_in_too() -> None:
    """With two seats the other may lay the twin before its own turn begins."""
    table = jumping("rS r1 g2 | rS b1 b2")
    table.act(0, "play rS")
    assert table.turn == 0
    table.act(1, "jump_in rS")
    assert table.turn == 1


def test_q04_polled_a_silent_wild_still_asks_for_a_catch() -> None:
    """With jump-in on, a wild that leaves one card in silence can be caught."""
    table = jumping("W r1 | b0 b1 b2 | y2 y4", settings=POLLED)
    table.act(0, "play W g")
    assert table.legal(1) == table.legal(2) == ["catch 0", "pass"]


@pytest.mark.parametrize("reactions", ["race", "polled"])
@pytest.mark.parametrize("window", ["next_turn_ends", "own_next_turn", "open"])
def test_s11_a_jump_in_closes_longer_windows_too(window: str, reactions: str) -> None:
    """Whatever the window, the seat that was jumped in on is safe."""
    options = OPTIONS | {"uno_window": window}
    settings = make_settings(reactions)
    hands = "r5 g2 | b0 b1 b2 | r5 y2 y4 | r8 g8"
    table = at(hands, "r3", options=options, settings=settings)
    table.act(0, "play r5")
    if reactions == "race":
        table.act(2, "jump_in r5")
        assert table.owes_call() is None
    else:
        table.settle(P2="jump_in r5")
        assert not any("catch 0" in table.legal(seat) for seat in engine.to_act(table.state))


def test_q49_polled_a_card_is_offered_once() -> None:
    """When the next seat leaves after the group has closed nobody is asked about it again."""
    table = jumping(HANDS, settings=POLLED)
    table.act(0, "play r5")
    table.settle()
    engine.knock_out(table.state, engine.Seat(1))
    assert (table.state.group, table.turn) == (None, 2)


def test_q07_an_early_call_out_of_turn_gives_no_credit_for_a_jump_in() -> None:
    """Calling with two cards first and jumping in next is a silent jump-in."""
    table = jumping("r5 g2 g3 | b0 b1 b2 | r5 y2 | r8 g8")
    table.act(0, "play r5")
    if table.accepts(2, "call_uno"):
        table.act(2, "call_uno")
    table.act(2, "jump_in r5")
    assert table.owes_call() == 2


def test_q07_an_early_call_of_the_seat_on_turn_does_not_cover_a_jump_in() -> None:
    """P1 calls ahead of its play; P2 jumps in silently to one card and owes its own call."""
    table = jumping("r5 g2 g3 | b0 b1 | r5 y2 | r8 g8")
    table.act(0, "play r5")
    table.act(1, "call_uno")
    table.act(2, "jump_in r5")
    assert table.owes_call() == 2


@pytest.mark.parametrize(("uno", "asked"), [(False, True), (True, False)])
def test_q49_polled_a_jump_in_to_one_card_carries_its_call(*, uno: bool, asked: bool) -> None:
    """Silent, it can be caught in the next group; called, it cannot."""
    table = jumping("r5 g2 g3 | b0 b1 b2 | r5 y2 | r8 g8", settings=POLLED)
    table.act(0, "play r5")
    table.settle(P2="jump_in r5 uno" if uno else "jump_in r5")
    assert ("catch 2" in table.legal(3)) is asked


def test_s11_s12_q49_a_debt_that_lapses_with_its_seat_is_pending_no_more() -> None:
    """While a stack is faced nobody jumps in; when that seat is gone the card lies open to it."""
    options = {"jump_in": "identical", "stacking": "pairs"}
    table = at("rD2 r1 r2 | g1 g2 | rD2 b1 b2 | y1 y2", "r5", options=options)
    table.act(0, "play rD2")
    assert (table.phase, table.turn) == ("answer_draw", 1)
    table.refuse(2, "jump_in rD2", "jump_in_closed")
    engine.knock_out(table.state, engine.Seat(1))
    assert (table.phase, table.turn) == ("play", 2)
    table.act(2, "jump_in rD2")
    assert (table.turn, table.counts[2]) == (3, 2)
