"""
A compared game as a list of steps that can be written down, taken again and made shorter.

A step that is not possible any more, because one before it was left out, is passed over.
"""

import json
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import NamedTuple

import lastcard_engine as engine
from tests.oracle.compare import Difference, Start, Table, lay_out
from tests.oracle.legal import asked, free_acts, legal
from tests.oracle.table import State

ABSENT = ("time_out", "knock_out", "forfeit")


class Step(NamedTuple):
    """One thing that happens: `act`, `refuse`, `deal`, `close`, or one of `ABSENT`."""

    verb: str
    seat: int = 0
    text: str = ""
    uno: bool = False


def is_lawful(state: State, seat: int, text: str) -> bool:
    """Say whether a seat may do this now."""
    racing = state.running and not state.polled
    call = racing and text == "call_uno" and seat in state.active
    return call or text in legal(state, seat) or text in free_acts(state, seat)


def is_possible(state: State, step: Step) -> bool:
    """Say whether a step can be taken now."""
    over = state.match_winners is not None
    match step.verb:
        case "act":
            return is_lawful(state, step.seat, step.text)
        case "refuse":
            return not is_lawful(state, step.seat, step.text)
        case "deal":
            return not state.running and not over
        case "close":
            return state.pause or (state.group is not None and not asked(state))
        case "time_out":
            return step.seat in asked(state)
        case "knock_out":
            return state.running and step.seat in state.active
        case _:
            return step.seat not in state.forfeited and not over


@contextmanager
def breaking(what: str) -> Iterator[None]:
    """Let whatever breaks count as a difference."""
    try:
        yield
    except (Difference, engine.RulesError):
        raise
    except Exception as error:
        raise Difference(f"{what} breaks\n{traceback.format_exc(limit=-3)}") from error


def opened(start: Start) -> Table:
    """
    Lay a game out on both sides.

    Raises:
        Difference: the sides differ, or one of them breaks.

    """
    with breaking("the beginning"):
        return lay_out(start)


def take(table: Table, step: Step) -> None:
    """
    Take a step on both sides.

    Raises:
        Difference: the sides differ, or one of them breaks.

    """
    with breaking(f"{step.verb} {step.text}"):
        match step.verb:
            case "act":
                table.act(step.seat, step.text, uno=step.uno)
            case "refuse":
                table.refuse(step.seat, step.text)
            case "deal":
                table.deal()
            case "close":
                table.close()
            case _:
                table.be_absent(step.seat, step.verb)


def play_again(start: Start, steps: list[Step]) -> str:
    """Play a game once more; return the difference it comes to, none if all is the same."""
    try:
        table = opened(start)
        for step in steps:
            if is_possible(table.oracle, step):
                take(table, step)
        table.replay()
    except Difference as difference:
        return str(difference)
    except engine.RulesError:
        return ""
    return ""


def shortest(start: Start, steps: list[Step]) -> tuple[Start, list[Step]]:
    """Leave out options and steps, as long as there is still a difference."""
    for name in list(start.overrides):
        fewer = {key: value for key, value in start.overrides.items() if key != name}
        simpler = replace(start, overrides=fewer)
        if play_again(simpler, steps):
            start = simpler
    size = len(steps)
    while size:
        place = 0
        while place < len(steps):
            fewer_steps = steps[:place] + steps[place + size :]
            if play_again(start, fewer_steps):
                steps = fewer_steps
            else:
                place += size
        size //= 2
    return start, steps


def written(start: Start, steps: list[Step]) -> str:
    """Write a game on one line; `read` takes it back."""
    plain = asdict(start) | {"key": start.key.hex(), "steps": steps}
    return json.dumps(plain)


def read(line: str) -> tuple[Start, list[Step]]:
    """Read a game that `written` wrote."""
    plain = json.loads(line)
    steps = [Step(*step) for step in plain.pop("steps")]
    plain["hands"] = tuple(tuple(hand) for hand in plain["hands"])
    plain |= {name: tuple(plain[name]) for name in ("draw", "discards")}
    plain["key"] = bytes.fromhex(plain["key"])
    return Start(**plain), steps
