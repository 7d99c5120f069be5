"""How the worked examples of the rules become states and acts of the oracle."""

import json
from typing import Any

from tests.oracle import rounds
from tests.oracle.options import LAW, options_of
from tests.oracle.table import State

SCENARIOS: list[dict[str, Any]] = json.loads((LAW / "scenarios.json").read_text(encoding="utf-8"))


def position(scenario: dict[str, Any]) -> State:
    """Put a worked example on the table, in race mode."""
    overrides = {k: scenario[k] for k in ("scoring",) if k in scenario}
    players = scenario["players"]
    options = options_of(scenario["preset"], **overrides)
    state = rounds.new_match(options, len(players), _unshuffled, polled=False)
    state.round = 1
    state.hands = [list(scenario["hands"][name]) for name in players]
    state.draw_pile = list(scenario["draw"])
    state.running = True
    setup = scenario.get("setup")
    if setup is None:
        state.discard = [scenario["top"]]
        state.colour = scenario["top"][0]
        state.turn = seat_named(scenario, scenario["turn"])
        return state
    state.dealer = seat_named(scenario, setup["dealer"])
    state.draw_pile = setup["turned"] + state.draw_pile
    rounds.turn_first_card(state)
    return state


def seat_named(scenario: dict[str, Any], name: str) -> int:
    """Find the seat of a player."""
    return int(scenario["players"].index(name))


def text_of(scenario: dict[str, Any], move: dict[str, Any]) -> str:
    """Write a step of a worked example as the text of an act."""
    words = [move["do"], move.get("card", ""), move.get("colour", "")]
    if "target" in move:
        target = seat_named(scenario, move["target"])
        words.append(str(target) if move["do"] == "catch" else f">{target}")
    return " ".join(word for word in words if word)


def _unshuffled(occasion: str, cards: list[Any]) -> list[Any]:
    return [*cards[0], *cards[1]] if occasion == "first" else list(cards)
