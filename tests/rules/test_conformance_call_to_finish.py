"""What if the last card may be laid only after a call (R180, Q69, S06, S08)?"""

from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, make_rules, make_settings

HANDS = "r1 r2 | r3 r4 | r5 b6"


def literal(hands: str = HANDS, reactions: str = "race", **options: Any) -> Table:
    """Return a table at which a call is required to finish."""
    settings = make_settings(reactions)
    return at(hands, "r9", preset="family_se_literal", settings=settings, options=options)


def silent_to_the_last(reactions: str, **options: Any) -> Table:
    """Return a table at which P0 is on turn with one card for which it has not called."""
    table = literal(reactions=reactions, uno_window="open", **options)
    table.act(0, "play r1")
    for seat, action in ((1, "play r3 uno"), (2, "play r5 uno")):
        if reactions == "polled":
            table.settle()
        table.act(seat, action)
    if reactions == "polled":
        table.settle()
    assert (table.turn, table.hand(0)) == (0, "r2")
    return table


@pytest.mark.parametrize("reactions", ["race", "polled"])
def test_r180_the_last_card_is_refused_without_a_call(reactions: str) -> None:
    """P0 never called: its last card is refused, and it may draw or call."""
    table = silent_to_the_last(reactions)
    table.refuse(0, "play r2", "uno_not_called")
    table.refuse(0, "play r2 uno", "uno_not_called")
    assert table.legal(0) == ["draw", "call_uno"]


@pytest.mark.parametrize("reactions", ["race", "polled"])
def test_q69_a_call_is_possible_until_the_last_card(reactions: str) -> None:
    """The own turn offers the call; after it the same turn goes on, and the card may be laid."""
    table = silent_to_the_last(reactions)
    table.act(0, "call_uno")
    assert table.event("UnoCalled").seat == 0
    assert table.legal(0) == ["play r2"]
    table.act(0, "play r2")
    assert table.event("RoundEnded").winners == (0,)


def test_q69_the_call_is_an_act_of_the_turn() -> None:
    """It counts towards the cap on turn actions, and the default remains to draw."""
    table = silent_to_the_last("polled")
    assert engine.default_action(table.state, engine.Seat(0)) == engine.DRAW
    before = table.state.actions
    table.act(0, "call_uno")
    assert table.state.actions == before + 1
    table.refuse(0, "call_uno", "not_offered")


def test_q69_a_call_with_the_next_to_last_card_is_enough() -> None:
    """Nothing more is asked of a seat that called in time."""
    table = literal()
    table.act(0, "play r1 uno")
    table.act(1, "play r3 uno")
    table.act(2, "play r5 uno")
    assert table.legal(0) == ["play r2"]


@pytest.mark.parametrize("reactions", ["race", "polled"])
def test_q69_who_was_caught_cannot_call_any_more(reactions: str) -> None:
    """With a penalty of no cards P0 keeps its one card, may not lay it and may not call."""
    table = silent_to_the_last(reactions, uno_penalty_cards=0, uno_penalty_skip_turn=False)
    state = table.state
    if reactions == "race":
        table.act(1, "catch 0")
        engine.apply(state, engine.Seat(0), engine.CALL_UNO)
    else:
        table.act(0, "draw")
        table.act(0, "keep")
        table = literal(reactions="polled", uno_penalty_cards=0, uno_penalty_skip_turn=False)
        table.act(0, "play r1")
        table.settle(P1="catch 0")
        table.act(1, "play r3 uno")
        table.act(2, "play r5 uno")
    assert table.legal(0) == ["draw"]
    table.refuse(0, "play r2", "uno_not_called")
    if reactions == "polled":
        table.refuse(0, "call_uno", "not_offered")


def test_q69_cards_drawn_give_a_new_chance() -> None:
    """What was caught was that one card: with the next single card a call counts again."""
    table = silent_to_the_last("race", uno_penalty_cards=0, uno_penalty_skip_turn=False)
    table.act(1, "catch 0")
    table.act(0, "draw")
    assert not any(table.state.caught)


def test_q69_a_jump_in_with_the_last_card_needs_the_call_too() -> None:
    """P2 holds the same card as its last one: silent it may not jump in, called it may."""
    hands = "r5 r1 | r3 r4 | r5"
    silent = literal(hands, jump_in="identical")
    silent.act(0, "play r5 uno", hold=True)
    silent.refuse(2, "jump_in r5", "uno_not_called")
    silent.act(2, "call_uno", hold=True)
    silent.act(2, "jump_in r5")
    assert silent.event("RoundEnded").winners == (2,)


@pytest.mark.parametrize(
    ("hands", "action"),
    [("r7 r1 | g1 | y1 y2", "play r7 >1"), ("r0 r1 | g1 | y1", "play r0")],
)
def test_s06_a_single_card_received_counts_as_called(hands: str, action: str) -> None:
    """Whoever holds one card after the swap may lay it without a call."""
    table = literal(hands, seven_zero=True)
    table.act(0, action)
    called = engine.table_view(table.state).called
    assert called == tuple(count == 1 for count in table.counts)


def test_s08_the_call_can_only_be_required_where_it_can_be_made_late() -> None:
    """Without self-correction the rules contradict each other."""
    with pytest.raises(engine.RulesError) as refusal:
        make_rules("family_se_literal", uno_self_correct=False)
    assert refusal.value.reason == "contradiction"
    assert refusal.value.option == "uno_required_to_finish"
