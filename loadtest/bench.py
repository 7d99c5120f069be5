"""
What does the whole project measure of itself? Runs each benchmark against its yardstick.

Every measurement holds its yardstick in the same run, so that a noisy machine hits both alike;
what counts are the ratios.
"""

import argparse
import json
import math
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from loadtest.build import build

BENCHMARKS = {
    "engine": "loadtest.bench_engine",
    "server": "loadtest.bench_server",
    "stores": "loadtest.bench_stores",
    "loading": "tools.bench_loading",  # looks into the server, as nothing here may
}


class Bound(NamedTuple):
    """What a figure is held to, ends included."""

    benchmark: str
    figure: str
    low: float
    high: float
    words: str


BOUNDS = (
    Bound("engine", "ratio", 3.0, math.inf, "at least 3 times RLCard's UNO environment"),
    Bound("server", "ratio", 3.0, math.inf, "at least 3 times the unary echo"),
    Bound("server", "kib_per_match", 0.0, 32.0, "at most 32 KiB a live match"),
    Bound("server", "start_seconds", 0.0, 1.5, "health within 1.5 s"),
    Bound("stores", "sqlite_ratio", 0.0, 1.5, "at most 1.5 times the memory store"),
    Bound("stores", "postgres_ratio", 0.0, 2.0, "at most 2 times the memory store"),
    Bound("stores", "pods_gain", 1.5, math.inf, "two servers at least 1.5 times one"),
    Bound("loading", "memory_ms", 0.0, 20.0, "at most 20 ms of processor time a match"),
    Bound("loading", "sqlite_ms", 0.0, 20.0, "at most 20 ms of processor time a match"),
    Bound("loading", "postgres_ms", 0.0, 20.0, "at most 20 ms of processor time a match"),
)


def run(benchmark: str) -> dict[str, float]:
    """Run one benchmark in a process of its own and return its figures."""
    print(f"bench: measuring the {benchmark} ...", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", BENCHMARKS[benchmark], "--json"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def processor() -> str:
    """Return what the machine calls its processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def machine() -> dict[str, str]:
    """Return what the figures hold for."""
    return {
        "build": build(),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "processor": f"{os.cpu_count()} cores of {processor()}",
    }


def missed(figures: dict[str, dict[str, float]]) -> list[str]:
    """Return the bounds that the figures miss, one sentence each; what was not measured is nan."""
    return [
        f"{bound.benchmark} {bound.figure} is {figure:.2f}: it should be {bound.words}"
        for bound in BOUNDS
        if not bound.low <= (figure := _figure(figures, bound)) <= bound.high
    ]


def _figure(figures: dict[str, dict[str, float]], bound: Bound) -> float:
    return figures[bound.benchmark].get(bound.figure, math.nan)


def main(arguments: list[str] | None = None) -> None:
    """Measure everything and print it; exit with 1 where a bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    figures = {name: run(name) for name in BENCHMARKS}
    told: dict[str, Any] = {**machine(), **figures}
    if options.json:
        print(json.dumps(told))
    else:
        print(", ".join(machine().values()))
        for name, found in figures.items():
            for key, value in found.items():
                print(f"{name:8}{key:18}{value:>14,.2f}")
    if failures := missed(figures):
        raise SystemExit("\n".join(failures))


if __name__ == "__main__":
    main()
