"""The oracle plays every worked example of the rules as it is told (W01-W27)."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.oracle import rounds, turns
from tests.oracle.cards import in_order
from tests.oracle.legal import legal
from tests.oracle.options import options_of
from tests.oracle.table import Refused, State
from tests.oracle.worked import SCENARIOS, position, seat_named, text_of


def _observed(state: State, scenario: dict[str, Any], key: str) -> Any:
    players = scenario["players"]
    what, _, who = key.partition(":")
    duty = state.duties[0].seat if state.duties else None
    last = state.results[-1] if state.results else None
    found: dict[str, Callable[[], Any]] = {
        "turn": lambda: players[state.turn],
        "colour": lambda: state.colour,
        "dir": lambda: state.direction,
        "pending": lambda: state.debt.total if state.debt else 0,
        "phase": lambda: {"facing": "challenge", "drawn": "play_or_keep"}[state.phase],
        "uno_duty": lambda: duty if duty is None else players[duty],
        "round_winner": lambda: players[last.winners[0]] if last else None,
        "count": lambda: len(state.hands[players.index(who)]),
        "hand": lambda: in_order(state.hands[players.index(who)]),
    }
    return found[what]()


def _check(state: State, scenario: dict[str, Any], expected: dict[str, Any]) -> None:
    for key, value in expected.items():
        wanted = in_order(value) if key.startswith("hand:") else value
        assert _observed(state, scenario, key) == wanted, key


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s["id"])
def test_worked_example(scenario: dict[str, Any]) -> None:
    """Every step of a worked example has the outcome the example gives it."""
    state = position(scenario)
    for move in scenario["steps"]:
        seat, text = seat_named(scenario, move["by"]), text_of(scenario, move)
        if "error" in move:
            before = copy.deepcopy(state)
            with pytest.raises(Refused, match=move["error"]):
                turns.step(state, seat, text)
            assert state == before
        else:
            turns.step(state, seat, text, move.get("uno", False))
        if state.pause:
            turns.close_window(state)
        _check(state, scenario, move.get("expect", {}))
    _check(state, scenario, scenario.get("expect", {}))
    for name, points in scenario.get("end", {}).get("points", {}).items():
        assert state.results[-1].points[seat_named(scenario, name)] == points


def test_lawful_cards_of_worked_examples() -> None:
    """W03 and W04 list exactly the cards that may lawfully be laid."""
    from tests.oracle.fits import lawful_cards  # noqa: PLC0415

    for scenario in SCENARIOS:
        if "legal" in scenario:
            state = position(scenario)
            assert in_order(lawful_cards(state, state.turn)) == in_order(scenario["legal"])
            assert legal(state, state.turn)


def test_deck_sizes() -> None:
    """The decks have 108, 112 and 168 cards (R001, R002, NM01)."""
    from tests.oracle.cards import deck  # noqa: PLC0415

    sizes = [len(deck(options_of(p))) for p in ("standard_no", "official_se", "no_mercy")]
    assert sizes == [108, 112, 168]


def test_dealer_pick() -> None:
    """The highest number deals, symbols count nothing (R026, R027)."""
    state = rounds.new_match(options_of(), 3, lambda _, __: ["b4", "g9", "r7"], polled=False)
    assert rounds.highest_draw(state) == 1
    state.shuffle = lambda _, __: ["W4", "r1", "gS"]
    assert rounds.highest_draw(state) == 1
