"""
Does a server keep anything of matches that are over? Its memory after many of them, and after few.

A real `lastcard serve` on SQLite, and bots with a stream each. When the first matches have been
played to their end, and when all have, nothing is live for some seconds; then the resident memory
is read from /proc. Exits with 1 where the second reading is more than 5 % above the first.
"""

import argparse
import asyncio
import re
import sys
import tempfile
from pathlib import Path

from loadtest.server import Server, serving
from loadtest.server_bots import Bots, Table

MOST_GROWTH = 1.05
SETTLE_SECONDS = 5.0
"""How long nothing is live before memory is read: patrols and heartbeats come every second."""
MOST_MATCHES = 100_000
STALLED_SECONDS = 120.0
"""How long no match may end before the run is given up."""
SEATS = 2


def resident_mib(pid: int) -> float:
    """Return the resident memory of a process."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    if found is None:
        sys.exit("loadtest: the server has gone")
    return int(found[1]) / 1024


async def play(bots: Bots, matches: int, live: int) -> None:
    """Play until so many matches are over in all, then wait until the server has settled."""
    loop = asyncio.get_running_loop()
    bots.most = matches
    over, seen = bots.tally.matches // SEATS, loop.time()
    await bots.create(min(live, matches - over))
    while over < matches:
        await asyncio.sleep(0.1)
        if bots.tally.matches // SEATS > over:
            over, seen = bots.tally.matches // SEATS, loop.time()
        elif loop.time() - seen > STALLED_SECONDS:
            sys.exit(f"loadtest: no match has ended for {STALLED_SECONDS:g} s, after {over:,}")
    await asyncio.sleep(SETTLE_SECONDS)


async def measure(server: Server, preset: str, live: int, marks: list[int]) -> list[float]:
    """Return the resident memory, in MiB, after each of these numbers of matches."""
    bots, found = Bots([server.address], server.key, Table(preset, SEATS)), []
    await bots.start(0)
    bots.resume()
    try:
        for mark in marks:
            await play(bots, mark, live)
            found.append(resident_mib(server.child.pid))
            print(f"{mark:>8,} matches over  {found[-1]:>8.1f} MiB", flush=True)
    finally:
        await bots.stop()
    if bots.tally.refused:
        sys.exit(f"loadtest: {bots.tally.refused} answers were refused")
    return found


def main() -> int:
    """Measure, print, and return how the program exits."""
    parser = argparse.ArgumentParser(prog="python -m loadtest.memory", description=__doc__)
    parser.add_argument("--preset", default="duel_no", help="rules of the matches [duel_no]")
    parser.add_argument("--first", type=int, default=1_000, help="matches at first [1000]")
    parser.add_argument("--all", type=int, default=10_000, help="matches in all [10000]")
    parser.add_argument("--live", type=int, default=256, help="matches that are live at once [256]")
    asked = parser.parse_args()
    if not 1 <= asked.live <= asked.first < asked.all <= MOST_MATCHES:
        parser.error(f"1 <= live <= first < all <= {MOST_MATCHES:,} is allowed")
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:{folder}/journal.sqlite"
        with serving(Path(folder), store) as server:
            work = measure(server, asked.preset, asked.live, [asked.first, asked.all])
            first, last = asyncio.run(work)
    print(f"{last / first:.3f} times as much; {MOST_GROWTH:g} is allowed")
    return int(last > MOST_GROWTH * first)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
