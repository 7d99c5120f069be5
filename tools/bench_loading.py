"""
How long does it take to read a match from the journal? 500 entries, on every kind of store.

One is a single long round, so that every entry has to be folded; one has many rounds, so that a
snapshot spares most of them. What `make bench` holds to a bound is the median of this process's own
processor time in which a server reads the long one, so that a busy machine counts less. The time on
the clock, with what the store does and what else the machine does, is told beside it. The ratio is
to folding the long round from memory in the same run.

PostgreSQL is Debian's, started here; where its programs are missing its rows are left out.
"""

import argparse
import asyncio
import gc
import json
import os
import platform
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from lastcard_engine.presets import make_rules
from lastcard_engine.revisions import RUNS
from lastcard_engine.settings import Settings
from lastcard_server.clock import StoreClock
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
from tests.postgres import programs, started_server

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


class Times(NamedTuple):
    """How many milliseconds several reads took, each in rising order."""

    clock: list[float]
    processor: list[float]


class Row(NamedTuple):
    """What was measured of one way to read a match."""

    store: str
    kind: str
    way: str
    entries: int
    folded: int
    times: Times


async def timed(read: Callable[[], Awaitable[Match]], times: int) -> Times:
    """Measure several reads."""
    clock, processor = [], []
    for _ in range(times):
        began, worked = time.perf_counter(), time.process_time()
        await read()
        processor.append((time.process_time() - worked) * 1000)
        clock.append((time.perf_counter() - began) * 1000)
    return Times(sorted(clock), sorted(processor))


async def measure(store: str, journal: Journal, times: int) -> list[Row]:
    """Measure each way of reading each kind of match."""
    rows = []
    for kind in kinds():
        match_id = await play(journal, kind)
        for way, read in WAYS.items():
            match = await read(journal, match_id)
            found = await timed(partial(read, journal, match_id), times)
            folded = match.version - match.snapshot_version
            rows.append(Row(store, kind.name, way, match.version, folded, found))
    return rows


WAYS = {"whole": whole, "as a server": loaded}


@asynccontextmanager
async def stores() -> AsyncIterator[dict[str, str]]:
    """Give the address of a new store of each kind."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        found = {"memory": "memory", "sqlite": f"sqlite:{Path(folder) / 'journal.sqlite'}"}
        if binaries := programs():
            database = stack.enter_context(started_server(binaries))
            found["postgres"] = await database.database("loading")
        yield found


async def run(times: int) -> list[Row]:
    """Measure every store."""
    rows = []
    async with stores() as addresses:
        for store, address in addresses.items():
            journal = await open_store(address)
            rows += await measure(store, journal, times)
            await journal.aclose()
    return rows


def figures(rows: Sequence[Row]) -> dict[str, float]:
    """Return what a server takes on each store where no snapshot spares it anything."""
    found = {
        row.store: row.times
        for row in rows
        if (row.kind, row.way) == (kinds()[0].name, "as a server")
    }
    middles = {f"{store}_ms": statistics.median(t.processor) for store, t in found.items()}
    return middles | {f"{store}_clock_ms": statistics.median(t.clock) for store, t in found.items()}


def show(rows: Sequence[Row]) -> None:
    """Print a line for each row."""
    print(f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores")
    yardstick = statistics.median(rows[0].times.processor)
    for row in rows:
        clock, spent = row.times
        print(
            f"{row.store:9}{row.kind:12}{row.way:12}{row.entries:4} entries,{row.folded:4} folded: "
            f"ms least {spent[0]:6.2f}  median {(middle := statistics.median(spent)):6.2f}  "
            f"95 % {spent[int(len(spent) * 0.95)]:6.2f}  x {middle / yardstick:.2f}  "
            f"clock {statistics.median(clock):6.2f}"
        )


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    options.add_argument("--times", type=int, default=100, help="reads of each kind")
    options.add_argument("--json", action="store_true", help="print one JSON object")
    chosen = options.parse_args()
    gc.set_threshold(50_000, 20, 100)  # as a server does
    rows = asyncio.run(run(chosen.times))
    if chosen.json:
        print(json.dumps(figures(rows)))
    else:
        show(rows)


if __name__ == "__main__":
    main()
