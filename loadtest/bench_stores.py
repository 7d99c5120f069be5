"""
What does it cost that nothing is lost? Processor time a decision on each store, in one run.

A decision is as in `bench_server`. All servers are up at once and play in turn, so that noise hits
them alike; only the time of the servers' own processes counts, not that of a database. Groups are
as they form: whatever was decided while the last one was written. PostgreSQL is Debian's, started
here; where its programs are missing its rows are left out.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
from collections.abc import Sequence
from typing import Final, NamedTuple

from loadtest.bench_server import cpu_seconds, lastcard_servers, play
from loadtest.server import Server
from loadtest.server_bots import Bots, Table
from tests.postgres import programs, started_server


class Kind(NamedTuple):
    """A store, and how many servers play on it."""

    store: str
    servers: int = 1


ALONE: Final = {"memory": Kind("memory"), "sqlite": Kind("sqlite:{folder}/journal.sqlite")}


class Side(NamedTuple):
    """The servers on one store and the bots that play on them."""

    servers: Sequence[Server]
    bots: Bots

    async def spent(self, seconds: float) -> float:
        """Return the microseconds of the servers' time, all together, that a decision takes."""
        before = self._cpu_seconds()
        tally, _ = await play(self.servers[0], self.bots, seconds)
        if tally.refused:
            raise SystemExit(f"{tally.refused} answers were refused")
        return (self._cpu_seconds() - before) * 1e6 / tally.decisions

    def _cpu_seconds(self) -> float:
        return sum(cpu_seconds(server.child) for server in self.servers)


async def kinds(stack: contextlib.AsyncExitStack) -> dict[str, Kind]:
    """Return what is compared; PostgreSQL is started for it where its programs are there."""
    folder = programs()
    if folder is None:
        return ALONE
    database = stack.enter_context(started_server(folder))
    one, two = [await database.database(name) for name in ("one", "two")]
    return {**ALONE, "postgres": Kind(one), "two_pods": Kind(two, 2)}


async def started(
    stack: contextlib.AsyncExitStack, kind: Kind, options: argparse.Namespace
) -> Side:
    """Return servers on which bots play already."""
    servers = stack.enter_context(lastcard_servers(*kind))
    addresses = [server.address for server in servers]
    bots = Bots(addresses, servers[0].key, Table(options.preset))
    stack.push_async_callback(bots.stop)
    await bots.start(options.matches)
    side = Side(servers, bots)
    await side.spent(options.seconds)
    return side


async def measure(options: argparse.Namespace) -> dict[str, float]:
    """Return the medians of each store and of its ratios to memory, round by round."""
    async with contextlib.AsyncExitStack() as stack:
        compared = await kinds(stack)
        sides = {name: await started(stack, kind, options) for name, kind in compared.items()}
        found: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(options.rounds):
            for name, side in sides.items():
                found[name].append(await side.spent(options.seconds))
    figures = {f"{name}_us": statistics.median(values) for name, values in found.items()}
    figures |= {f"{name}_ratio": _ratio(v, found["memory"]) for name, v in found.items()}
    if "two_pods" in found:
        figures["pods_gain"] = 2 * _ratio(found["postgres"], found["two_pods"])
    return figures


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
    for name in (key.removesuffix("_us") for key in found if key.endswith("_us")):
        us, ratio = found[f"{name}_us"], found[f"{name}_ratio"]
        print(f"{name:10}{us:>8.1f} us a decision{ratio:>8.2f} x memory")
    if "pods_gain" in found:
        print(f"two pods serve {found['pods_gain']:.2f} x the decisions of one, each on a core")


if __name__ == "__main__":
    main()
