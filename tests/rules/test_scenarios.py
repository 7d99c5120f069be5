"""Do the worked examples of the law play out as they are written (W01-W27)?"""

import json
from pathlib import Path
from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import SEARCH, Table, at, cards, deal_key, make_rules, make_settings

SCENARIOS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "scenarios.json").read_text(encoding="utf-8")
)


def turned_cards(events: list[engine.Event]) -> list[str]:
    """Return the cards that were turned at the start, the one that stayed last."""
    kinds = (engine.StartCardRejected, engine.StartCardTurned)
    return [engine.format_card(event.card) for event in events if isinstance(event, kinds)]


class Script:
    """A scenario and the table it is played at; people are named as in the scenario."""

    def __init__(self, scenario: dict[str, Any]) -> None:
        self.scenario = scenario
        self.people: list[str] = scenario["players"]
        self.seats = {name: seat for seat, name in enumerate(self.people)}
        self.table = self._opened() if "setup" in scenario else self._placed()

    def _options(self) -> dict[str, Any]:
        return {"scoring": self.scenario["scoring"]} if "scoring" in self.scenario else {}

    def _placed(self) -> Table:
        return at(
            " | ".join(" ".join(self.scenario["hands"][name]) for name in self.people),
            self.scenario["top"],
            preset=self.scenario["preset"],
            turn=self.seats[self.scenario["turn"]],
            draw=" ".join(self.scenario["draw"]),
            options=self._options(),
        )

    def _opened(self) -> Table:
        """Turn the cards the scenario names; where rejects are shuffled back, seek such a deal."""
        setup = self.scenario["setup"]
        *rejected, first = setup["turned"]
        for number in range(SEARCH):
            state, events = engine.opening_position(
                make_rules(self.scenario["preset"], **self._options()),
                [cards(" ".join(self.scenario["hands"][name])) for name in self.people],
                cards(" ".join([*setup["turned"], *self.scenario["draw"]])),
                dealer=engine.Seat(self.seats[setup["dealer"]]),
                settings=make_settings(),
                deal_key=deal_key(number),
            )
            if turned_cards(events) == [*rejected, first]:
                return Table(state)
        raise AssertionError(setup)

    def play(self, step: dict[str, Any]) -> None:
        """Take one step; one with an error has to be refused and to change nothing."""
        words = [step["do"], *(step[key] for key in ("card", "colour") if key in step)]
        if "target" in step:
            mark = "" if step["do"] == "catch" else ">"
            words.append(f"{mark}{self.seats[step['target']]}")
        words += ["uno"] if step.get("uno") else []
        seat, action = self.seats[step["by"]], " ".join(words)
        if "error" in step:
            self.table.refuse(seat, action, step["error"])
        elif step["do"] == "call_uno" and not self.table.accepts(seat, action):
            self.ignored(seat, action)
        else:
            self.table.act(seat, action)

    def ignored(self, seat: int, action: str) -> None:
        """Assert that a call that means nothing leaves everything as it was (Q08)."""
        before = engine.state_hash(self.table.state)
        with pytest.raises(engine.RuleViolation):
            self.table.act(seat, action)
        assert engine.state_hash(self.table.state) == before

    def expect(self, expected: dict[str, Any]) -> None:
        """Assert what the scenario says about the table now."""
        for key, value in expected.items():
            assert self.observe(key) == value, key

    def observe(self, key: str) -> Any:
        """Return what an expectation is compared with."""
        table, (name, _, person) = self.table, key.partition(":")
        names = {seat: name for name, seat in self.seats.items()}
        duty = table.owes_call() if name == "uno_duty" else None
        readers: dict[str, Any] = {
            "count": lambda: table.count(self.seats[person]),
            "hand": lambda: table.hand(self.seats[person]).split(),
            "turn": lambda: names[table.turn],
            "colour": lambda: table.colour,
            "dir": lambda: table.direction,
            "pending": lambda: table.state.pending,
            "phase": lambda: table.phase,
            "uno_duty": lambda: None if duty is None else names[duty],
            "round_winner": lambda: names[table.event("RoundEnded").winners[0]],
        }
        return readers[name]()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["id"])
def test_scenario(scenario: dict[str, Any]) -> None:
    """Every step, refusal, expectation, legal set and end of the scenario holds."""
    script = Script(scenario)
    if "legal" in scenario:
        assert script.table.lawful_cards() == set(scenario["legal"])
    for step in scenario["steps"]:
        script.play(step)
        script.expect(step.get("expect", {}))
    script.expect(scenario.get("expect", {}))
    for person, points in scenario.get("end", {}).get("points", {}).items():
        assert script.table.event("RoundEnded").points[script.seats[person]] == points


def test_every_scenario_is_played() -> None:
    """No scenario is left aside."""
    assert len(SCENARIOS) == 27
    assert {scenario["state"] for scenario in SCENARIOS} == {"tested"}
