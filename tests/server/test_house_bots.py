"""What do the house's bots get to see in the server?"""

from typing import Any

import pytest

from lastcard.bots import HOUSE
from lastcard.v1 import turn_pb2
from lastcard_engine import Play
from lastcard_server import house
from lastcard_server.convert.rules import rules_message
from lastcard_server.matches.house import Listener
from lastcard_server.matches.news import Update
from tests.matches.table import Table, setup_of


def watched(monkeypatch: pytest.MonkeyPatch, name: str) -> tuple[Any, list[turn_pb2.Turn]]:
    """Return a strategy of the server, and the turns that its bot is asked."""
    turns: list[turn_pb2.Turn] = []

    def choose(turn: turn_pb2.Turn) -> int:
        turns.append(turn)
        return 0

    monkeypatch.setattr(house, "HOUSE", {name: choose})
    return house.strategies()[name], turns


def test_the_adviser_is_told_the_rules_and_what_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its turns hold both, with others' cards hidden; an event is told once."""
    strategy, turns = watched(monkeypatch, "adviser")
    table = Table(setup_of(2))
    table.ready()
    match = table.match
    (turn,) = match.turns.values()
    listens: object = strategy
    assert isinstance(listens, Listener)
    for seat in range(2):
        strategy.hear(match, seat, Update(1, match.version, match.events))
    assert strategy(match, turn) == (0, False)
    strategy(match, turn)
    first, second = turns
    assert first.rules == second.rules == rules_message(match.setup.rules)
    started = next(e.round_started for e in first.events if e.HasField("round_started"))
    assert list(started.hand) == list(first.view.hand)
    assert not second.events


@pytest.mark.parametrize("name", list(HOUSE))
def test_a_house_bot_calls_uno_where_one_card_is_left(name: str) -> None:
    """UNO goes with every play that leaves one card, and with no other answer (R166)."""
    strategy = house.strategies()[name]
    table = Table(setup_of(2))
    table.ready()
    match, calls = table.match, 0
    while calls < 3:
        if not match.turns:
            table.expire()
            continue
        seat, turn = next(iter(match.turns.items()))
        choice, uno = strategy(match, turn)
        assert isinstance(choice, int)
        assert match.state is not None
        laid = isinstance(turn.actions[choice], Play)
        assert uno is (laid and len(match.state.hands[seat]) == 2)
        calls += uno
        table.answer(seat, choice, uno=uno)


def test_the_adviser_forgets_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was kept for a match that is over, or is too much for one turn, is dropped."""
    strategy, turns = watched(monkeypatch, "adviser")
    table = Table(setup_of(2))
    table.ready()
    match = table.match
    (turn,) = match.turns.values()
    strategy.hear(match, turn.seat, Update(1, match.version, match.events))
    strategy.forget(match)
    strategy(match, turn)
    strategy.hear(match, turn.seat, Update(1, match.version, match.events * 200))
    strategy(match, turn)
    assert [len(asked.events) for asked in turns] == [0, 0]


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_other_bots_see_their_turn_alone(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Rules and events are for those who want them."""
    strategy, turns = watched(monkeypatch, name)
    table = Table(setup_of(2))
    table.ready()
    (turn,) = table.match.turns.values()
    assert name in HOUSE
    assert not isinstance(strategy, Listener)
    strategy(table.match, turn)
    assert not turns[0].HasField("rules")
