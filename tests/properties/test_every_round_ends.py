"""
Does every round end by every set of rules, however stubborn the seats are?

All seats of a table have one habit and follow it whenever they can. Nothing here counts on a seat
that wants to win; a cap, a blocked lap or a hand that runs out ends the round.
"""

import os
import re
from random import Random
from typing import Final

import pytest

import lastcard_engine as engine
from tests.option_sets import OptionSet, random_options
from tests.properties.ledger import Ledger

HABITS: Final = {
    "draws": r"draw|keep|accept_draw|pass",
    "swaps": r"play (.7|.0|WX|WS)|choose_target",
    "lays wilds": r"play W",
    "stacks": r"play (.D2|.D4|W4|WR4|W6|W10)",
    "refuses": r"dare_refuse|vote no|challenge|play WC",
    "agrees": r"dare_done|vote yes|choose_card|play WC",
    "reacts": r"jump_in|catch|play",
}
"""What a seat does, by the beginning of an action, if it may; else the default action."""
SILENT: Final = "never answers"
SETS: Final = 6
CHUNKS: Final = 100 if os.environ.get("LASTCARD_SEARCH") == "deep" else 3
CAP: Final = 250
REACTIONS: Final = (engine.JumpIn, engine.Catch)
"""Calls and touches of the pile change nothing that a round could run on by."""
MOST_STEPS: Final = CAP * 40
"""With reactions, pauses and choices of up to ten seats after each action that counts."""


def started(rules: OptionSet, dice: Random) -> engine.State:
    """Return a match of one round, in either way of reacting, that no forfeit can end."""
    settings = engine.Settings(
        reactions=dice.choice(tuple(engine.Reactions)), action_cap=CAP, rounds=1
    )
    made = engine.make_rules(rules.preset, rules.overrides)
    return engine.new_match(made, settings, rules.seats, dice.randbytes(32))


def follow(state: engine.State, seat: engine.Seat, habit: str) -> list[engine.Event]:
    """Let a seat that is asked do as its habit is; nobody ever calls."""
    if habit == SILENT:
        return list(engine.time_out(state, seat))
    legal = engine.legal_actions(state, seat)
    wanted = re.compile(HABITS[habit])
    found = (action for action in legal if wanted.match(engine.format_action(action)))
    action = next(found, None) or legal[engine.default_choice(state, legal)]
    return list(engine.apply(state, seat, action))


def step(state: engine.State, habit: str) -> list[engine.Event]:
    """Go on: with a reaction, an answer, or what is due without one."""
    for seat in map(engine.Seat, range(state.seat_count)) if habit == "reacts" else ():
        free = [a for a in engine.reactions(state, seat) if isinstance(a, REACTIONS)]
        if free:
            return list(engine.apply(state, seat, free[0]))
    asked = engine.to_act(state)
    if asked:
        return follow(state, asked[0], habit)
    if state.window:
        return list(engine.close_window(state))
    return list(engine.close_group(state) if state.group else engine.start_round(state))


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("habit", [*HABITS, SILENT])
def test_a_round_ends_once_by_any_rules(habit: str, chunk: int) -> None:
    """A match of one round is over after a bounded number of steps, and all holds on the way."""
    for number in range(chunk * SETS, (chunk + 1) * SETS):
        dice = Random(f"{habit} {number}")
        rules = random_options(dice)
        state = started(rules, dice)
        ledger = Ledger(state)
        for _ in range(MOST_STEPS):
            ledger.read(step(state, habit))
            ledger.compare()
            if state.over:
                break
        assert state.over, rules
        assert ledger.rounds == 1
