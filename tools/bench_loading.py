"""
How long does it take to read a match from the journal? 500 entries, in memory and on SQLite.

One is a single long round, so that every entry has to be folded; one has many rounds, so that a
snapshot spares most of them. Times are those of the processor, so that a busy machine counts less;
the ratio is to folding the long round from memory, in the same run.
"""

import argparse
import asyncio
import gc
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from lastcard_engine.presets import make_rules
from lastcard_engine.revisions import RUNS
from lastcard_engine.settings import Settings
from lastcard_server.clock import StoreClock
from lastcard_server.journal.memory import MemoryJournal
from lastcard_server.journal.open_store import open_store
from lastcard_server.journal.port import Journal
from lastcard_server.matches.commands import Answer
from lastcard_server.matches.folding import replay
from lastcard_server.matches.history import HistorySeal
from lastcard_server.matches.loading import load
from lastcard_server.matches.match import Match, log_of
from lastcard_server.matches.registry import Matches
from lastcard_server.matches.saving import EVERY_SECONDS
from lastcard_server.matches.setup import Clocks, MatchSetup, SeatSetup
from lastcard_server.matches.turns import OpenTurn, TurnKind
from lastcard_server.secrets import ServerKeys

OWNER = "key:bench"
KEYS = ServerKeys({"k": bytes(range(32))})
SEAL = HistorySeal(KEYS.history_key(), 1)
ENTRIES = 500
SEATS = 4


class Kind(NamedTuple):
    """How a match is played."""

    name: str
    setup: MatchSetup
    last: float
    """How often a seat takes the last of its actions, which seldom is a card."""


def kinds() -> tuple[Kind, ...]:
    """Return the matches that are measured."""
    seats = tuple(SeatSetup(OWNER, f"bot {number}") for number in range(SEATS))
    clocks = Clocks(move_limit_ms=600_000)
    cap = Settings(action_cap=100 * ENTRIES)
    one = MatchSetup(make_rules("standard_no", {}), "standard_no", seats, cap, clocks)
    points = {"scoring": "winner_takes", "target_points": 5_000}
    rules = make_rules("official_se", points)
    many = MatchSetup(rules, "official_se", seats, Settings(), clocks)
    return Kind("one round", one, 0.7), Kind("many rounds", many, 0.0)


def choice(turn: OpenTurn, last: float, dice: Random) -> int:
    """Choose an action at random."""
    most = len(turn.actions) - 1
    return most if dice.random() < last else dice.randrange(max(1, most))


async def play(journal: Journal, kind: Kind) -> str:
    """Play a match until it has its entries and its snapshot is saved; return its id."""
    clock = StoreClock(journal.now_us)
    matches = Matches(journal, KEYS, clock, {})
    await matches.start()
    dice = Random(1)  # noqa: S311 - a bench is no secret
    match = await matches.create(OWNER, kind.name, kind.setup)
    while match.version < ENTRIES:
        turn = next(iter(match.turns.values()))
        ready = turn.kind is TurnKind.READY
        reply = turn.actions[0] if ready else choice(turn, kind.last, dice)
        answer = Answer(match.match_id, turn.seat, turn.turn, reply, True, OWNER, clock.now_us())  # noqa: FBT003 - calls UNO
        await matches.submit([answer])
    await asyncio.sleep(2 * EVERY_SECONDS)
    await matches.aclose()
    return match.match_id


async def whole(journal: Journal, match_id: str) -> Match:
    """Read a match without its snapshot."""
    return replay(match_id, await journal.read(log_of(match_id)), KEYS, SEAL, verified=True)


async def loaded(journal: Journal, match_id: str) -> Match:
    """Read a match as a server does."""
    match = await load(journal, match_id, KEYS, SEAL, RUNS)
    if match is None:
        raise SystemExit("the match is gone")
    return match


async def timed(read: Callable[[], Awaitable[Match]], times: int) -> list[float]:
    """Return how many milliseconds of the processor each of several reads took, in rising order."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        await read()
        taken.append((time.process_time() - start) * 1000)
    return sorted(taken)


async def measure(store: str, journal: Journal, times: int, yardstick: float) -> float:
    """Print a line for each way of reading; return the median of the first unless given one."""
    for kind in kinds():
        match_id = await play(journal, kind)
        for way, read in (("whole", whole), ("as a server", loaded)):
            match = await read(journal, match_id)
            spent = await timed(partial(read, journal, match_id), times)
            middle = statistics.median(spent)
            yardstick = yardstick or middle
            folded = match.version - match.snapshot_version
            print(
                f"{store:7}{kind.name:12}{way:12}{match.version:4} entries,{folded:4} folded: ms "
                f"least {spent[0]:6.2f}  median {middle:6.2f}  95 % {spent[int(times * 0.95)]:6.2f}"
                f"  x {middle / yardstick:.2f}"
            )
    return yardstick


async def run(times: int) -> None:
    """Measure memory and SQLite."""
    yardstick = await measure("memory", MemoryJournal(), times, 0.0)
    with tempfile.TemporaryDirectory() as folder:
        journal = await open_store(f"sqlite:{Path(folder) / 'journal.sqlite'}")
        await measure("sqlite", journal, times, yardstick)
        await journal.aclose()


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    options.add_argument("--times", type=int, default=100, help="reads of each kind")
    chosen = options.parse_args()
    print(f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores")
    gc.set_threshold(50_000, 20, 100)  # as a server does
    asyncio.run(run(chosen.times))


if __name__ == "__main__":
    main()
