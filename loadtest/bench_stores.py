"""
What does it cost that nothing is lost? Processor time a decision on each store, in one run.

A decision is as in `bench_server`. All servers are up at once and play in turn, so that noise hits
them alike; only the time of the servers' own processes counts, not that of a database. Groups are
as they form: whatever was decided while the last one was written.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
from collections.abc import Sequence

from loadtest.bench_server import lastcard_server, play
from loadtest.server import Server
from loadtest.server_bots import Bots, Table

STORES = {"memory": "memory", "sqlite": "sqlite:{folder}/journal.sqlite"}


async def spent(server: Server, bots: Bots, seconds: float) -> float:
    """Return the microseconds of server time that a decision takes."""
    tally, used = await play(server, bots, seconds)
    if tally.refused:
        raise SystemExit(f"{tally.refused} answers were refused")
    return used * 1e6 / tally.decisions


async def measure(options: argparse.Namespace) -> dict[str, float]:
    """Return the medians of each store and of its ratios to memory, round by round."""
    found: dict[str, list[float]] = {name: [] for name in STORES}
    async with contextlib.AsyncExitStack() as stack:
        sides = {}
        for name, store in STORES.items():
            server = stack.enter_context(lastcard_server(store))
            bots = Bots(server.address, server.key, Table(options.preset))
            stack.push_async_callback(bots.stop)
            await bots.start(options.matches)
            await play(server, bots, options.seconds)
            sides[name] = server, bots
        for _ in range(options.rounds):
            for name, side in sides.items():
                found[name].append(await spent(*side, options.seconds))
    return {f"{name}_us": statistics.median(values) for name, values in found.items()} | {
        f"{name}_ratio": _ratio(values, found["memory"]) for name, values in found.items()
    }


def _ratio(values: Sequence[float], yardstick: Sequence[float]) -> float:
    return statistics.median(a / b for a, b in zip(values, yardstick, strict=True))


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default="official_se", help="rules of the matches")
    parser.add_argument("--matches", type=int, default=256, help="matches that are live")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each store")
    parser.add_argument("--seconds", type=float, default=4.0, help="length of one measurement")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    found = asyncio.run(measure(options))
    if options.json:
        print(json.dumps(found))
        return
    for name in STORES:
        print(f"{name:10}{found[f'{name}_us']:>8.1f} us a decision{found[f'{name}_ratio']:>8.2f} x")


if __name__ == "__main__":
    main()
