"""What do swap-hands wilds, sevens and zeros do (R148, R234, R235, S06, S14, Q26-Q32)?"""

from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, cards, deal, make_rules, make_settings, text

SWAP: dict[str, Any] = {"deck_extras": {"swap_hands": 1}}
SEVENS: dict[str, Any] = {"seven_zero": True}


def opened(first: str, mode: str, **settings: Any) -> Table:
    """Return a table of three whose first card is a swap-hands wild; seat 2 deals."""
    hands = [cards(hand) for hand in ("r1 r2", "g1 g2 g3", "b1 b2 b3 b4")]
    rules = make_rules("standard_no_swap", first_card=mode, **SEVENS)
    draw = cards(f"{first} y1 y2 y3")
    state, events = engine.opening_position(rules, hands, draw, settings=make_settings(**settings))
    table = Table(state)
    table.events = events
    return table


def test_r014_the_swap_card_joins_the_deck_when_asked_for() -> None:
    """With swap_hands=1 the deck holds one, without it none."""
    card = engine.parse_card("WX")
    assert engine.deck(make_rules(**SWAP)).count(card) == 1
    assert engine.deck(make_rules()).count(card) == 0


def test_r148_hands_are_exchanged_with_the_seat_chosen() -> None:
    """P0 with four cards left swaps with P2, who holds two; the colour named holds."""
    table = at("WX r1 r2 r3 r4 | g1 | y1 y2", "r9", options=SWAP)
    table.act(0, "play WX g >2")
    assert [table.hand(seat) for seat in range(3)] == ["y1 y2", "g1", "r1 r2 r3 r4"]
    assert (table.turn, table.colour) == (1, "g")
    swapped = table.event("HandsSwapped")
    assert (swapped.seat, swapped.target, swapped.counts) == (0, 2, (2, 1, 4))
    assert table.event("CardPlayed").target == 2


def test_r234_a_seven_swaps_hands_with_a_seat_of_choice() -> None:
    """P0 with three cards left takes the single card of P2 and gives its own."""
    table = at("g7 r1 r2 r3 | g1 b9 | y1", "r7", options=SEVENS)
    table.act(0, "play g7 >2")
    assert [table.hand(0), table.hand(2)] == ["y1", "r1 r2 r3"]
    assert (table.turn, table.colour, table.top) == (1, "g", "g7")


@pytest.mark.parametrize(
    ("direction", "hands"),
    [(1, ["y1", "r1 r2", "g1 g2 g3"]), (-1, ["g1 g2 g3", "y1", "r1 r2"])],
)
def test_r235_a_zero_passes_all_hands_on_in_the_direction_of_play(
    direction: int, hands: list[str]
) -> None:
    """Every hand goes to the next seat on turn, the actor's own included."""
    table = at("r0 r1 r2 | g1 g2 g3 | y1", "r9", direction=direction, options=SEVENS)
    table.act(0, "play r0")
    assert [table.hand(seat) for seat in range(3)] == hands
    assert table.event("HandsRotated").counts == tuple(table.counts)


def test_r235_seats_out_of_the_round_are_passed_over() -> None:
    """A zero after P1 has left goes from P0 to P2 and back."""
    table = at("r0 r1 r2 | g1 g2 g3 | y1 y2", "r9", options=SEVENS)
    engine.knock_out(table.state, engine.Seat(1))
    table.act(0, "play r0")
    assert [table.hand(seat) for seat in range(3)] == ["y1 y2", "", "r1 r2"]


def test_q31_q32_a_target_is_needed_and_must_be_another_active_seat() -> None:
    """Nobody may refuse the swap, choose himself, a seat that is out, or one that is not there."""
    table = at("r7 WX r1 | g1 g2 | y1 y2 | b1 b2", "r9", options=SWAP | SEVENS)
    engine.knock_out(table.state, engine.Seat(3))
    table.refuse(0, "play r7", "target_needed")
    table.refuse(0, "play WX g", "target_needed")
    assert table.refusal(0, "play r7").endswith("aimed at: 1 or 2; write 'play r7 >1'")
    assert table.refusal(0, "play WX g").endswith("aimed at: 1 or 2; write 'play WX g >1'")
    table.refuse(0, "play WX >1", "colour_needed")
    table.refuse(0, "play r1 >1", "bad_target")
    for seat in (0, 3, 4):
        table.refuse(0, f"play r7 >{seat}", "bad_target")
    assert [action for action in table.legal(0) if "r7" in action] == ["play r7 >1", "play r7 >2"]
    assert len([action for action in table.legal(0) if "WX" in action]) == 8


@pytest.mark.parametrize("card", ["r7", "r0", "WX"])
def test_s14_q29_q30_as_last_card_it_moves_no_hand(card: str) -> None:
    """The round is over first; the card takes no target."""
    table = at(f"{card} | g1 g2 | y1 y2", "r9", options=SWAP | SEVENS)
    if card != "r0":
        table.refuse(0, f"play {card}{' g' if card == 'WX' else ''} >1", "bad_target")
    table.act(0, f"play {card}")
    assert table.event("RoundEnded").winners == (0,)
    assert [table.hand(1), table.hand(2)] == ["g1 g2", "y1 y2"]
    assert not table.all_events("HandReceived")


def test_s06_a_call_made_with_a_seven_is_void_and_a_hand_received_owes_none() -> None:
    """P0 calls with its next-to-last card and gets one card for it: no call, no duty, no group."""
    settings = make_settings("polled")
    table = at("r7 r1 | g1 | y1 y2", "r9", options=SEVENS, settings=settings)
    table.act(0, "play r7 >1 uno")
    assert not table.all_events("UnoCalled")
    assert (table.hand(0), table.hand(1)) == ("g1", "r1")
    assert (table.state.duties, table.state.group, table.turn) == (0, None, 1)
    assert engine.table_view(table.state).called == (False, False, False)


@pytest.mark.parametrize("action", ["play r7 >0", "play r0"])
def test_s06_the_call_of_a_hand_does_not_go_with_it(action: str) -> None:
    """P0 has called and loses its card to P1, whose duty of earlier is void too."""
    options = SEVENS | {"uno_window": "open"}
    table = at("r1 r2 | r7 r0 g3 | y1 y2", "r9", options=options)
    table.act(0, "play r1 uno")
    assert engine.table_view(table.state).called[0]
    table.act(1, action)
    assert engine.table_view(table.state).called == (False, False, False)
    assert table.state.duties == 0


def test_s06_the_race_pause_opens_on_the_sizes_all_can_see() -> None:
    """After a seven that brings one card the pause is that of any play that leaves one."""
    table = at("r7 r1 r2 | g1 | y1 y2", "r9", options=SEVENS)
    table.act(0, "play r7 >1", hold=True)
    assert (table.count(0), table.state.window) == (1, True)
    table = at("r7 r1 | g1 g2 | y1 y2", "r9", options=SEVENS)
    table.act(0, "play r7 >1", hold=True)
    assert (table.count(0), table.state.window) == (2, False)


def test_r148_each_new_owner_alone_sees_a_hand() -> None:
    """The two learn their new hands; to bystanders and spectators only sizes are told."""
    table = at("r7 r1 r2 | g1 g3 | y1 y2", "r9", options=SEVENS)
    table.act(0, "play r7 >1")
    received = {event.seat: event for event in table.all_events("HandReceived")}
    assert {seat: text(event.cards) for seat, event in received.items()} == {0: "g1 g3", 1: "r1 r2"}
    for seat, event in received.items():
        for viewer in (None, *map(engine.Seat, range(3))):
            told = engine.redact(event, viewer)
            assert told.count == 2
            assert (told == event) is (viewer == seat)


def test_r234_a_jump_in_is_aimed_too() -> None:
    """P2 jumps in with the same seven and names whom it swaps with."""
    options = SEVENS | {"jump_in": "identical"}
    table = at("r7 r1 r2 | g1 g3 | r7 y1 | b1 b2 b3", "r9", options=options)
    table.act(0, "play r7 >1", hold=True)
    table.refuse(2, "jump_in r7", "target_needed")
    assert "write 'jump_in r7 >" in table.refusal(2, "jump_in r7")
    table.refuse(2, "jump_in r7 >2", "bad_target")
    table.act(2, "jump_in r7 >3")
    assert [table.hand(2), table.hand(3)] == ["b1 b2 b3", "y1"]
    assert table.turn == 3


def test_q31_an_answer_aimed_at_a_seat_that_left_is_without_effect() -> None:
    """P3 leaves while the group is open: the jump-in aimed at it is superseded."""
    options = SEVENS | {"jump_in": "identical"}
    settings = make_settings("polled")
    table = at("r7 r1 r2 | g1 g3 | r7 y1 | b1 b2", "r9", options=options, settings=settings)
    table.act(0, "play r7 >1")
    table.act(2, "jump_in r7 >3")
    engine.knock_out(table.state, engine.Seat(3))
    events = table.settle()
    assert events == []
    assert (table.hand(2), table.turn) == ("r7 y1", 1)


@pytest.mark.parametrize("mode", ["apply", "face_only"])
def test_q26_turned_first_it_swaps_nothing(mode: str) -> None:
    """The seat left of the dealer names the colour, and plays."""
    table = opened("WX", mode)
    assert (table.phase, table.turn) == ("choose_colour", 0)
    table.act(0, "choose_colour g")
    assert (table.phase, table.turn, table.colour) == ("play", 0, "g")
    assert table.counts == [2, 3, 4]


def test_q26_counted_as_dealer_played_the_dealer_swaps_with_a_seat_of_choice() -> None:
    """The dealer names the colour, then the seat; the seat on its left plays."""
    table = opened("WX", "dealer_played")
    assert (table.phase, table.turn) == ("choose_colour", 2)
    table.act(2, "choose_colour g")
    assert (table.phase, table.legal()) == ("choose_target", ["choose_target 0", "choose_target 1"])
    table.refuse(2, "choose_target 2", "bad_target")
    table.refuse(2, "draw", "target_needed")
    table.refuse(0, "choose_target 1", "not_your_turn")
    table.act(2, "choose_target 0")
    assert [table.hand(0), table.hand(2)] == ["b1 b2 b3 b4", "r1 r2"]
    assert (table.phase, table.turn, table.colour) == ("play", 0, "g")
    table.refuse(0, "choose_target 1", "no_target_to_choose")


def test_q26_a_dealer_who_leaves_or_is_silent_holds_nobody_up() -> None:
    """Silence chooses the first seat; a dealer that leaves swaps with nobody."""
    table = opened("WX", "dealer_played")
    table.act(2, "choose_colour g")
    gone = table.clone()
    engine.time_out(table.state, engine.Seat(2))
    assert (table.hand(2), table.turn) == ("r1 r2", 0)
    engine.knock_out(gone.state, engine.Seat(2))
    assert (gone.hand(0), gone.phase, gone.turn) == ("r1 r2", "play", 0)


@pytest.mark.parametrize("first", ["r7", "r0"])
@pytest.mark.parametrize("mode", ["number_only", "apply", "dealer_played", "face_only"])
def test_q30_a_seven_or_zero_turned_first_is_a_number(first: str, mode: str) -> None:
    """No hand moves, and the seat left of the dealer plays (S15: they are numbers)."""
    table = opened(first, mode)
    assert (table.counts, table.turn, table.phase) == ([2, 3, 4], 0, "play")


def test_s15_sevens_and_zeros_may_be_laid_last_under_number_only() -> None:
    """They are numbers, and as last cards they move no hand."""
    options = SEVENS | {"finish_card": "number_only"}
    for card in ("r7", "r0"):
        table = at(f"{card} | g1 g2", "r9", options=options)
        table.act(0, f"play {card}")
        assert table.event("RoundEnded").winners == (0,)


def test_q66_the_host_is_the_last_seat() -> None:
    """With dealer_pick=host nobody draws, the last seat deals and seat 0 begins."""
    for seats in (2, 5):
        table = deal(seats, dealer_pick="host")
        assert not table.all_events("DealerDrawn")
        assert (table.event("DealerChosen").seat, table.turn) == (seats - 1, 0)
