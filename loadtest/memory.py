"""
Does a server keep anything of matches that are over? Its memory after many of them, and after few.

A real `lastcard serve` on SQLite, or one or more of them on PostgreSQL, which is started here, and
bots with a stream each to every server. When the first matches have been played to their end, and
when all have, nothing is live for some seconds; then the resident memory of each is read from
/proc. Exits with 1 where a second reading is more than 5 % above the first.
"""

import argparse
import asyncio
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from loadtest.server import Server, serving
from loadtest.server_bots import Bots, Table
from tests.postgres import programs, started_server

MOST_GROWTH = 1.05
SETTLE_SECONDS = 15.0
"""How long nothing is live before memory is read: ten looks of the patrol, and some more."""
MOST_SERVERS = 9
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


async def measure(
    servers: Sequence[Server], preset: str, live: int, marks: list[int]
) -> list[list[float]]:
    """Return the resident memory of each server, in MiB, after each of these numbers of matches."""
    addresses = [server.address for server in servers]
    bots, found = Bots(addresses, servers[0].key, Table(preset, SEATS)), []
    await bots.start(0)
    bots.resume()
    try:
        for mark in marks:
            await play(bots, mark, live)
            found.append([resident_mib(server.child.pid) for server in servers])
            told = "".join(f"{mib:>8.1f} MiB" for mib in found[-1])
            print(f"{mark:>8,} matches over  {told}", flush=True)
    finally:
        await bots.stop()
    if bots.tally.refused:
        sys.exit(f"loadtest: {bots.tally.refused} answers were refused")
    return found


@contextmanager
def store_of(kind: str, folder: Path) -> Iterator[str]:
    """Give the address of a new store."""
    if kind == "sqlite":
        yield f"sqlite:{folder}/journal.sqlite"
        return
    found = programs()
    if found is None:
        sys.exit("loadtest: needs a PostgreSQL server's programs: apt-get install postgresql")
    with started_server(found) as database:
        yield database.address()


def asked() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m loadtest.memory", description=__doc__)
    parser.add_argument(
        "--store", choices=("sqlite", "postgres"), default="sqlite", help="[sqlite]"
    )
    parser.add_argument("--servers", type=int, default=1, help="servers on one PostgreSQL [1]")
    parser.add_argument("--preset", default="duel_no", help="rules of the matches [duel_no]")
    parser.add_argument("--first", type=int, default=1_000, help="matches at first [1000]")
    parser.add_argument("--all", type=int, default=10_000, help="matches in all [10000]")
    parser.add_argument("--live", type=int, default=256, help="matches that are live at once [256]")
    wish = parser.parse_args()
    if not 1 <= wish.live <= wish.first < wish.all <= MOST_MATCHES:
        parser.error(f"1 <= live <= first < all <= {MOST_MATCHES:,} is allowed")
    if not 1 <= wish.servers <= (1 if wish.store == "sqlite" else MOST_SERVERS):
        parser.error(f"one server on sqlite and up to {MOST_SERVERS} on postgres are allowed")
    return wish


def main() -> int:
    """Measure, print, and return how the program exits."""
    wish = asked()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = stack.enter_context(store_of(wish.store, folder))
        servers = [stack.enter_context(serving(folder, store)) for _ in range(wish.servers)]
        work = measure(servers, wish.preset, wish.live, [wish.first, wish.all])
        first, last = asyncio.run(work)
    most = max(after / before for before, after in zip(first, last, strict=True))
    print(f"{most:.3f} times as much; {MOST_GROWTH:g} is allowed")
    return int(most > MOST_GROWTH)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
