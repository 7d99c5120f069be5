"""
How many decisions a second does the engine make, and how many times RLCard's UNO environment?

A decision is an answer to a turn that offers at least two actions. Both sides play four seats at
random, cards before draws, in this process and in turn, so that noise hits both alike.
"""

import argparse
import json
import platform
import random
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import lastcard_engine as engine
from loadtest.build import build

SEATS = 4
SEED = 7


class Rate(NamedTuple):
    """What one run has measured."""

    decisions: int
    turns: int
    seconds: float
    """CPU time of this process, for the machine may be shared."""

    @property
    def per_second(self) -> float:
        """Decisions a second."""
        return self.decisions / self.seconds


def _play_round(state: engine.State, dice: Callable[[], float]) -> tuple[int, int]:
    """Play a round: cards at random, draw or keep only where none can be laid; count its turns."""
    decisions = turns = 0
    legal_actions, apply, hands = engine.legal_actions, engine.apply, state.hands
    while legal := legal_actions(state, state.turn):
        count = len(legal)
        turns += 1
        decisions += count > 1
        last = legal[-1]
        if count > 1 and (last is engine.DRAW or last is engine.KEEP):
            count -= 1
        action = legal[int(dice() * count)]
        apply(state, state.turn, action, len(hands[state.turn]) == 2)
    return decisions, turns


def run_engine(seconds: float) -> Rate:
    """Play whole matches of `standard_no` with full rules, events and legal actions."""
    rules = engine.make_rules("standard_no")
    settings = engine.Settings()
    dice = random.Random(SEED)
    decisions = turns = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        state = engine.new_match(rules, settings, SEATS, dice.randbytes(32))
        engine.start_round(state)
        made, taken = _play_round(state, dice.random)
        decisions += made
        turns += taken
    return Rate(decisions, turns, spent)


def run_rlcard(seconds: float) -> Rate:
    """Play whole games of RLCard's UNO environment."""
    # Of the bench extra, and slow to import.
    import rlcard  # noqa: PLC0415
    from rlcard.games.uno import Game  # noqa: PLC0415

    env: Any = rlcard.make("uno", config={"seed": SEED})
    env.game = Game(num_players=SEATS)  # the option that should say so is ignored
    env.num_players = SEATS
    dice = random.Random(SEED)
    decisions = turns = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(dice.random() * len(legal))])
            decisions += len(legal) > 1
            turns += 1
    return Rate(decisions, turns, spent)


def measure(rounds: int, seconds: float) -> dict[str, float]:
    """Return the medians of some rounds and their ratio; both sides run in each round."""
    sides: dict[str, Callable[[float], Rate]] = {"engine": run_engine, "rlcard": run_rlcard}
    rates: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, run in sides.items():
            rates[name].append(run(seconds).per_second)
    medians = {name: statistics.median(values) for name, values in rates.items()}
    return {**medians, "ratio": medians["engine"] / medians["rlcard"]}


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each side")
    parser.add_argument("--seconds", type=float, default=2.0, help="length of one measurement")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    found = measure(options.rounds, options.seconds)
    if options.json:
        print(json.dumps(found))
        return
    version = f"{platform.python_implementation()} {platform.python_version()}"
    print(f"{build()} build, {version}, four seats")
    print(f"engine  {found['engine']:>9,.0f} decisions/s")
    print(f"RLCard  {found['rlcard']:>9,.0f} decisions/s")
    print(f"ratio   {found['ratio']:>9.1f} x")


if __name__ == "__main__":
    main()
