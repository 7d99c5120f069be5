"""How do simultaneous questions work in polled mode (S03-S05, Q04, Q09, Q12, Q48)?"""

from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, make_settings

HANDS = "r2 b3 | r1 g1 y9 | y1 y2 b8 | g7 g8 g9"
POLLED = make_settings("polled")


def silent(**more: Any) -> Table:
    """Return a polled table at which P0 has laid its next-to-last card without calling."""
    table = at(HANDS, "r6", settings=POLLED, **more)
    table.act(0, "play r2")
    return table


@pytest.mark.parametrize("preset", ["standard_no", "official_se"])
def test_q04_q12_a_silent_next_to_last_card_asks_every_other_seat(preset: str) -> None:
    """Every active seat but the actor is asked at once, to catch or to pass."""
    table = silent(preset=preset)
    assert sorted(engine.to_act(table.state)) == [1, 2, 3]
    for seat in (1, 2, 3):
        assert table.legal(seat) == ["catch 0", "pass"]
    assert table.legal(0) == []


def test_r169_s03_nobody_plays_while_the_group_is_open() -> None:
    """The next turn is asked only when the group has closed."""
    table = silent()
    assert not table.accepts(1, "play r1")
    assert not table.accepts(0, "call_uno")
    table.settle()
    assert (table.turn, table.phase) == (1, "play")


def test_s03_a_called_card_and_a_larger_hand_ask_nobody() -> None:
    """With the call, or with two cards left, the next turn follows at once."""
    for hands, action in ((HANDS, "play r2 uno"), ("r2 b3 b4 | r1 g1", "play r2")):
        table = at(hands, "r6", settings=POLLED)
        table.act(0, action)
        assert (table.state.group, table.turn) == (None, 1)


def test_q09_s04_one_penalty_for_two_catches() -> None:
    """Both catches are accepted, the first in seat order counts, the other has no effect."""
    table = silent()
    events = table.settle(P2="catch 0", P3="catch 0")
    assert table.count(0) == 3
    caught = [event for event in events if isinstance(event, engine.UnoCaught)]
    assert [(event.catcher, event.target) for event in caught] == [(2, 0)]
    assert table.turn == 1


@pytest.mark.parametrize("actor", range(4))
def test_q48_answers_resolve_in_seat_order_after_the_actor(actor: int) -> None:
    """The seat nearest to the actor's left is the one that caught, wherever the actor sits."""
    hands = ["y7 g1 g2"] * 4
    hands[actor] = "r2 b3"
    table = at(" | ".join(hands), "r6", settings=POLLED, turn=actor)
    table.act(actor, "play r2")
    everyone = {f"P{seat}": f"catch {actor}" for seat in range(4) if seat != actor}
    table.settle(**everyone)
    assert table.event("UnoCaught").catcher == (actor + 1) % 4
    assert table.count(actor) == 3


def test_q09_the_order_of_arrival_means_nothing() -> None:
    """Answers given in the opposite order lead to the same state and the same events."""
    outcomes = []
    for order in ((1, 2, 3), (3, 2, 1), (2, 3, 1)):
        table = silent()
        for seat in order:
            table.act(seat, "catch 0" if seat != 1 else "pass")
        events = engine.close_group(table.state)
        outcomes.append((engine.state_hash(table.state), tuple(events)))
    assert len(set(outcomes)) == 1


def test_s05_answers_are_no_events_and_change_no_view() -> None:
    """Who answered what before the group closes is visible to nobody else."""
    table = silent()
    views = [table.view(seat) for seat in (0, 1, 3)]
    assert table.act(2, "catch 0") == []
    assert [table.view(seat) for seat in (0, 1, 3)] == views
    assert engine.to_act(table.state) == (1, 3)


def test_q09_a_seat_answers_once() -> None:
    """A second answer of the same seat is refused and changes nothing."""
    table = silent()
    table.act(2, "pass")
    table.refuse(2, "catch 0", "already_answered")


def test_s03_the_group_closes_only_when_every_seat_has_answered() -> None:
    """Closing earlier is refused, and so is closing when none is open."""
    table = silent()
    table.act(2, "catch 0")
    before = engine.state_hash(table.state)
    with pytest.raises(engine.RuleViolation):
        engine.close_group(table.state)
    assert engine.state_hash(table.state) == before
    table.act(1, "pass")
    table.act(3, "pass")
    engine.close_group(table.state)
    with pytest.raises(engine.RuleViolation):
        engine.close_group(table.state)


def test_q65_a_seat_whose_time_runs_out_passes() -> None:
    """The default answer in a group is to pass."""
    table = silent()
    for seat in (1, 2, 3):
        assert engine.default_action(table.state, engine.Seat(seat)) == engine.Pass()
        engine.time_out(table.state, engine.Seat(seat))
    assert engine.to_act(table.state) == ()
    engine.close_group(table.state)
    assert (table.count(0), table.turn) == (1, 1)


def test_r170_c13_q12_a_longer_window_asks_again_when_the_turn_has_ended() -> None:
    """With next_turn_ends a second group follows the next turn, and no third."""
    table = at(HANDS, "r6", settings=POLLED, preset="guide_se")
    table.act(0, "play r2")
    table.settle()
    table.act(1, "draw")
    assert table.turn == 1
    table.act(1, "keep")
    assert sorted(engine.to_act(table.state)) == [1, 2, 3]
    for seat in (1, 2, 3):
        assert table.legal(seat) == ["catch 0", "pass"]
    table.settle(P3="catch 0")
    assert (table.count(0), table.turn) == (3, 2)


def test_q54_an_open_window_asks_after_every_turn() -> None:
    """With an open window the group comes back while the hand stays one card."""
    table = at(HANDS, "r6", settings=POLLED, preset="short_se")
    table.act(0, "play r2")
    for seat in (1, 2):
        table.settle()
        table.act(seat, "draw")
        table.act(seat, "keep")
    assert len(engine.to_act(table.state)) == 3
    table.settle(P1="catch 0")
    assert table.count(0) == 3


def test_s03_polled_tables_have_no_late_call_and_no_touch() -> None:
    """Late calls and begin_turn belong to race mode."""
    table = silent()
    table.settle()
    assert not table.accepts(0, "call_uno")
    assert not table.accepts(1, "begin_turn")
    assert not table.accepts(2, "catch 0")


def test_r185_no_group_after_the_round_is_over() -> None:
    """Going out ends the round without asking anybody."""
    table = at("r2 | r1 g1 | y1 y2", "r6", settings=POLLED)
    table.act(0, "play r2")
    assert table.event("RoundEnded").winners == (0,)
    assert engine.to_act(table.state) == ()


def test_r170_a_longer_window_asks_no_third_time() -> None:
    """With next_turn_ends and nobody catching, the turn after the next asks nobody."""
    table = at(HANDS, "r6", settings=POLLED, preset="guide_se")
    table.act(0, "play r2")
    for seat in (1, 2):
        table.settle()
        table.act(seat, "draw")
        table.act(seat, "keep")
    assert (table.state.group, table.turn) == (None, 3)
