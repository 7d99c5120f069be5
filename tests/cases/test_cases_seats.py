"""Field cases about seats that leave, time out or send twice, and endless rounds (F42-F66)."""

from collections.abc import Iterator
from itertools import product

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, cards, deal, make_settings, open_with

A, B, C, D, E = range(5)
FIVE = "r1 r2 r3 | b1 b2 b3 | y1 y2 y3 | g1 g2 g3 | r4 y4 g4"
Seat = engine.Seat


def removed(table: Table, seat: int) -> Table:
    """Return the table after a seat has been knocked out of the round."""
    table.events = list(engine.knock_out(table.state, Seat(seat)))
    return table


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("seat", range(5))
def test_f42_the_turn_of_a_leaver_goes_to_its_successor(seat: int, direction: int) -> None:
    """In either direction, around both ends of the table."""
    table = at(FIVE, "r5", turn=seat, direction=direction)
    assert removed(table, seat).turn == (seat + direction) % 5


def test_f43_a_removed_seat_advances_the_turn_once() -> None:
    """A is removed on its turn; then B, C and B act."""
    table = removed(at("r1 r2 r3 | b1 r7 b3 b4 | y1 r8 y3 y4", "r5"), A)
    assert table.turn == B
    with pytest.raises(engine.RuleViolation):
        engine.time_out(table.state, Seat(A))
    table.act(B, "play r7")
    assert table.turn == C
    table.act(C, "play r8")
    assert table.turn == B


@pytest.mark.parametrize(
    ("turn", "leaver"), [(t, s) for t, s in product(range(4), repeat=2) if t != s]
)
def test_f44_another_seats_leaving_leaves_the_turn_alone(turn: int, leaver: int) -> None:
    """The seat on turn stays on turn by identity, not by position in a list."""
    table = at("r1 r2 | b1 b2 | y1 y2 | g1 g2", "r5", turn=turn)
    assert removed(table, leaver).turn == turn


def test_f45_the_last_seat_wins_and_early_leaving_is_harmless() -> None:
    """Leaving before the first round breaks nothing; of three seats the last one wins once."""
    state = engine.new_match(engine.preset("standard_no"), make_settings(), 3, bytes(32))
    engine.forfeit(state, Seat(A))
    assert engine.needs_round(state)
    engine.start_round(state)
    assert [len(engine.view(state, Seat(s)).hand) for s in range(3)] == [0, 7, 7]
    table = removed(removed(at("r1 r2 | b1 b2 | y1 y2", "r5"), B), A)
    assert table.event("RoundEnded").winners == (C,)
    with pytest.raises(engine.RuleViolation):
        engine.knock_out(table.state, Seat(C))


def test_f46_a_colour_always_holds() -> None:
    """The starter that owes the colour of a first wild leaves: the next seat can play."""
    table = removed(open_with("W"), open_with("W").turn)
    starter = (table.turn - 1) % 4
    assert table.count(starter) == 0
    assert table.legal()
    if table.phase == "choose_colour":
        table.act(table.turn, "choose_colour b")
    assert table.colour is not None
    assert table.phase == "play"


@pytest.mark.parametrize(("card", "turn", "count"), [("rR", A, 1), ("rS", A, 1), ("rD2", A, 3)])
def test_f47_seats_that_are_out_are_no_targets(card: str, turn: int, count: int) -> None:
    """With B and D out two live seats remain: reverse is a skip, effects hit C alone."""
    options = {"reverse_two_players": "skip"}
    table = at(f"{card} r2 | b1 b2 | y1 | g1 g2", "r5", options=options)
    for seat in (B, D):
        removed(table, seat)
    table.act(A, f"play {card} uno")
    assert (table.turn, table.counts) == (turn, [1, 0, count, 0])


def test_f48_a_time_out_hits_the_seat_that_was_asked() -> None:
    """A's wild draw four carries its colour; B's time-out accepts, B's challenge draws A four."""
    table = at("W4 r2 b3 | y1 y2 | g1 g2", "r5")
    table.refuse(A, "play W4", "colour_needed")
    table.act(A, "play W4 b")
    late = table.clone()
    engine.time_out(late.state, Seat(B))
    assert late.counts == [2, 6, 2]
    table.act(B, "challenge")
    assert table.counts == [6, 2, 2]


def test_f49_no_foreign_card_is_in_what_a_seat_sees() -> None:
    """A's view of a fresh deal differs in no byte when the others' cards are exchanged."""
    table = deal(3, key=5)
    other = table.clone()
    hands = other.state.hands
    hands[B], hands[C] = hands[C], hands[B]
    other.state.draw_pile.reverse()
    assert repr(table.view(A)) == repr(other.view(A))
    own = {engine.format_card(card) for card in table.view(A).hand} | {table.top}
    for event in table.events:
        seen = engine.redact(event, Seat(A))
        if isinstance(seen, engine.CardsDealt):
            assert all(engine.format_card(card) in own for card in seen.cards)


def test_f53_two_plays_at_once_are_one() -> None:
    """Of two plays of A sent back to back one is accepted; B is on turn."""
    table = at("r1 r2 | b1 b2 | y1 y2", "r5")
    table.act(A, "play r1", hold=True)
    assert not table.accepts(A, "play r2")
    table.close_window()
    table.refuse(A, "play r2", "not_your_turn")
    assert (table.turn, table.count(A)) == (B, 1)


def test_f54_equal_cards_are_one_legal_action() -> None:
    """With two r5 in hand, one drawn, the play is offered once and leaves the other."""
    table = at("r5 b1 | g1 g2", "r9", draw="r5 b2")
    assert table.legal() == ["play r5", "draw"]
    table.act(A, "draw")
    assert table.legal() == ["play r5", "keep"]
    table.act(A, "play r5")
    assert table.hand(A) == "r5 b1"
    assert not table.accepts(A, "play r5")


def timed_out_positions() -> Iterator[tuple[str, Table, str]]:
    """Yield a table in every phase that waits, and the default that ends the wait."""
    yield "play", at("r1 b1 | g1 g2", "r5"), "draw"
    drawn = at("r1 b1 | g1 g2", "r5", draw="r9 r8")
    drawn.act(A, "draw")
    yield "play_or_keep", drawn, "keep"
    yield "choose_colour", open_with("W"), "choose_colour r"
    faced = at("W4 r2 b3 | y1 y2 | g1 g2", "r5")
    faced.act(A, "play W4 b")
    yield "challenge", faced, "accept_draw"
    stacked = at("rD2 r2 b3 | bD2 y2 y3 | g1 g2", "r5", options={"stacking": "pairs"})
    stacked.act(A, "play rD2")
    yield "answer_draw", stacked, "accept_draw"
    rules = engine.make_rules("standard_no_swap", {"first_card": "dealer_played"})
    hands = [cards(hand) for hand in ("r1 r2", "g1 g2", "b1 b2")]
    turned = Table(engine.opening_position(rules, hands, cards("WX y1 y2"))[0])
    turned.act(C, "choose_colour g")
    yield "choose_target", turned, "choose_target 0"
    kept = at("rDA r1 r9 | y1 y2", "r5", preset="no_mercy", options={"finish_card": "number_only"})
    kept.act(A, "play rDA")
    yield "keep_card", kept, "choose_card r1"
    for phase, op, default in (
        ("choose_card", "adjust_hand(next,1)", "choose_card g1"),
        ("dare", "dare(next,crow,draw(self,4))", "dare_done"),
        ("vote", "vote(laughed?,discard_to(self,1),draw(self,4))", "vote yes"),
    ):
        rule = {"id": "rule", "ops": [op]}
        options = {"deck_extras": {"custom_wild": 1}, "custom_rules": [rule]}
        asking = at("WC1 b1 b2 | g1 g2", "r5", options=options)
        asking.act(A, "play WC1 b")
        yield phase, asking, default


POSITIONS = list(timed_out_positions())


def test_f55_every_phase_that_waits_is_there() -> None:
    """No phase that asks a seat is left out of those tried."""
    never = {engine.Phase.NOT_STARTED, engine.Phase.ROUND_OVER, engine.Phase.MATCH_OVER}
    assert {phase for phase, _, _ in POSITIONS} == set(engine.Phase) - never


@pytest.mark.parametrize(("phase", "table", "default"), POSITIONS)
def test_f55_no_phase_waits_for_ever(phase: str, table: Table, default: str) -> None:
    """Each phase has a default action that moves the game on."""
    seat = Seat(table.turn)
    assert table.phase == phase
    assert engine.format_action(engine.default_action(table.state, seat)) == default
    before = engine.state_hash(table.state)
    engine.time_out(table.state, seat)
    assert engine.state_hash(table.state) != before
    assert (engine.to_act(table.state), table.phase) != ((seat,), phase)


@pytest.mark.parametrize("card", ["W", "W4"])
def test_f57_nobody_grows_by_the_own_wild(card: str) -> None:
    """A wild of A's never adds a card to A's hand; every growth has its draw event."""
    table = at(f"{card} r1 r2 | y1 y2", "g5")
    table.act(A, f"play {card} r")
    assert table.count(A) == 2
    assert all(event.seat != A for event in table.all_events("CardsDrawn"))
    if card == "W4":
        engine.time_out(table.state, Seat(B))
        assert table.counts == [2, 6]


def test_f59_a_jump_in_comes_after_the_draw_and_has_its_effect_once() -> None:
    """D jumps in with rD2 after B has drawn: A draws two and misses, B is on turn."""
    options = {"jump_in": "identical"}
    table = at("rD2 r1 r2 | b1 | y1 | rD2 y1 y2", "r5", options=options)
    table.act(A, "play rD2", hold=True)
    assert table.count(B) == 3
    table.act(D, "jump_in rD2")
    assert (table.counts, table.turn) == ([4, 3, 1, 2], B)
    table = at("rS r1 r2 | b1 | y1 | rS y1 y2", "r5", options=options)
    table.act(A, "play rS")
    table.act(D, "jump_in rS")
    assert (table.turn, table.counts) == (B, [2, 1, 1, 2])


def lazy_round(table: Table) -> int:
    """Let everybody draw and keep to the end of the round; return the number of turn actions."""
    acts = 0
    while engine.to_act(table.state):
        for seat in engine.to_act(table.state):
            action = engine.default_action(table.state, seat)
            table.events = list(engine.apply(table.state, seat, action, False))  # noqa: FBT003
            acts += not isinstance(action, engine.Pass)
        if table.state.group is not None and not engine.to_act(table.state):
            engine.close_group(table.state)
    return acts


@pytest.mark.parametrize("seats", [2, 4, 10])
@pytest.mark.parametrize("preset", ["standard_no", "official_se"])
def test_f66_a_table_of_drawers_comes_to_an_end(seats: int, preset: str) -> None:
    """Seats that only draw and keep end every round by a lap without cards or by the cap."""
    for key in range(12):
        table = deal(seats, preset=preset, key=key, settings=make_settings("polled"))
        acts = lazy_round(table)
        ended = table.event("RoundEnded")
        assert ended.reason in ("blocked", "action_cap", "went_out")
        assert acts <= 2000


def test_f66_two_that_only_swap_wilds_come_to_an_end() -> None:
    """Wilds laid and drawn again for ever are cut off by the cap."""
    settings = make_settings("polled", action_cap=300)
    table = at("W W b1 b2 | W W b1 b2", "r5", draw="", discards="W W", settings=settings)
    acts = 0
    while not table.state.over:
        seat = table.turn
        wild = next((action for action in table.legal() if action.startswith("play W")), None)
        draws = table.legal()[-1]
        table.act(seat, wild if wild and table.count(seat) > 3 else draws)
        if table.state.group is not None:
            table.settle()
        acts += 1
    assert acts <= 300
    assert table.event("RoundEnded").reason in ("action_cap", "blocked")
