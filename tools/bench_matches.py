"""
What does the match runtime cost a decision, beside the engine? No network and no protobuf.

Plays matches to their end through `Matches.submit` over the memory journal, as one stream that
answers in batches would, then lets the engine alone do the same actions and prints the difference.
"""

import argparse
import asyncio
import os
import platform
import time
from random import Random
from typing import NamedTuple

from lastcard_engine.actions import Catch
from lastcard_engine.cards import Seat
from lastcard_engine.presets import make_rules
from lastcard_engine.settings import Settings
from lastcard_engine.transition import (
    apply,
    close_group,
    legal_actions,
    needs_round,
    new_match,
    start_round,
    to_act,
)
from lastcard_server.clock import StoreClock
from lastcard_server.journal.memory import MemoryJournal
from lastcard_server.matches.commands import Accepted, Answer, Command
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Update
from lastcard_server.matches.registry import Matches
from lastcard_server.matches.setup import Clocks, MatchSetup, SeatSetup
from lastcard_server.matches.turns import OpenTurn, TurnClose
from lastcard_server.secrets import ServerKeys

OWNER = "key:bench"
RULES = make_rules("standard_no", {})
SEATS = 4


class Measured(NamedTuple):
    """What one run took."""

    matches: int
    answers: int
    decisions: int
    entries: int
    seconds: float


def choice(actions: tuple[object, ...], dice: Random) -> int:
    """Lay a card if one fits; catch nobody."""
    usable = sum(not isinstance(action, Catch) for action in actions)
    return dice.randrange(max(1, usable - 1))


class Stream:
    """The sink of all seats: turns wait until they are answered in batches."""

    def __init__(self) -> None:
        self.turns: list[tuple[str, OpenTurn, bytes]] = []
        self.over = 0
        self.entries = 0

    def turn_opened(self, match: Match, turn: OpenTurn) -> None:
        """Queue a turn with the history it carries."""
        self.turns.append((match.match_id, turn, match.history()))

    def turn_closed(self, match: Match, seat: int, turn: int, reason: TurnClose) -> None:
        """Pass over it."""

    def update(self, match: Match, update: Update) -> None:
        """Pass over it."""

    def left(self, match: Match) -> None:
        """Pass over it."""

    def match_over(self, match: Match) -> None:
        """Count it."""
        self.over += 1
        self.entries += match.version


async def through_runtime(matches: int, batch: int, seed: int) -> Measured:
    """Play that many matches at once to their end."""
    journal = MemoryJournal()
    clock = StoreClock(journal.now_us)
    registry = Matches(journal, ServerKeys({"k": bytes(32)}), clock, {})
    await registry.start()
    stream, dice = Stream(), Random(seed)  # noqa: S311 - a bench is no secret
    await registry.subscribe(OWNER, stream)
    seats = tuple(SeatSetup(OWNER, f"bot {number}") for number in range(SEATS))
    setup = MatchSetup(RULES, "standard_no", seats, clocks=Clocks(move_limit_ms=600_000))
    await asyncio.gather(*[registry.create(OWNER, f"m{n}", setup) for n in range(matches)])
    answers = decisions = 0
    start = time.process_time()
    while stream.over < matches:
        turns, stream.turns = stream.turns[:batch], stream.turns[batch:]
        now_us = clock.now_us()
        commands: list[Command] = [
            Answer(
                match_id=match_id,
                seat=turn.seat,
                turn=turn.turn,
                reply=choice(turn.actions, dice) if turn.kind != "ready" else turn.actions[0],
                uno=True,
                owner=OWNER,
                received_us=now_us,
                history=history,
            )
            for match_id, turn, history in turns
        ]
        outcomes = await registry.submit(commands)
        if not all(isinstance(outcome, Accepted) for outcome in outcomes):
            raise SystemExit(f"refused: {outcomes}")
        answers += len(outcomes)
        decisions += sum(len(turn.actions) > 1 for _, turn, _ in turns)
    seconds = time.process_time() - start
    await registry.aclose()
    return Measured(matches, answers, decisions, stream.entries, seconds)


def engine_alone(matches: int, seed: int) -> Measured:
    """Play that many matches with the engine alone, legal actions and events included."""
    dice, answers, decisions = Random(seed), 0, 0  # noqa: S311 - a bench is no secret
    start = time.process_time()
    for number in range(matches):
        state = new_match(RULES, Settings(), SEATS, number.to_bytes(32))
        while not state.over:
            if needs_round(state):
                start_round(state)
                continue
            asked = to_act(state)
            if not asked:
                close_group(state)
                continue
            for seat in asked:
                actions = tuple(legal_actions(state, Seat(seat)))
                apply(state, seat, actions[choice(actions, dice)], True)  # noqa: FBT003
                answers += 1
                decisions += len(actions) > 1
    return Measured(matches, answers, decisions, 0, time.process_time() - start)


def report(name: str, run: Measured) -> None:
    """Print one line."""
    each = run.seconds / run.answers * 1e6
    print(
        f"{name:<16} {run.answers:>8} answers {run.decisions:>8} decisions {run.seconds:6.2f} s "
        f"{each:6.2f} us an answer {run.seconds / run.decisions * 1e6:6.2f} us a decision"
    )


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    options.add_argument("--matches", type=int, default=256, help="played at once")
    options.add_argument("--batch", type=int, default=64, help="answers to a message")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    print(f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores")
    runtime = asyncio.run(through_runtime(chosen.matches, chosen.batch, chosen.seed))
    engine = engine_alone(chosen.matches, chosen.seed)
    report("through runtime", runtime)
    report("engine alone", engine)
    beside = runtime.seconds / runtime.answers - engine.seconds / engine.answers
    print(f"the runtime beside the engine: {beside * 1e6:.2f} us an answer")


if __name__ == "__main__":
    main()
