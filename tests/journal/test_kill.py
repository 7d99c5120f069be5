"""Does a store that is killed in mid-writing keep everything it had acknowledged?"""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from lastcard_server.journal.entry import genesis, verify_chain
from lastcard_server.journal.sqlite import open_sqlite

ROOT = Path(__file__).parents[2]
LOGS = 5
ROUNDS = 6
# Five writers in one process append to a log each without end; each line is an acknowledged entry.
WRITER = """
import asyncio, os, sys
from pathlib import Path
from lastcard_server.journal.sqlite import open_sqlite
from tests.journal.logs import append_to
async def write(journal, log):
    head = await journal.head(log)
    while True:
        append = append_to(log, head, f"{os.getpid()}", "x" * 300)
        assert await journal.append([append]) == [None]
        head = append.entries[-1].head
        os.write(1, f"{log} {head.version} {head.chain.hex()}\\n".encode())
async def main():
    journal = await open_sqlite(Path(sys.argv[1]))
    await asyncio.gather(*(write(journal, f"match/{n}") for n in range(int(sys.argv[2]))))
asyncio.run(main())
"""


def written_until_killed(path: Path, lines: int) -> list[str]:
    """Kill a writer once it has acknowledged so many entries; return all it acknowledged."""
    command = [sys.executable, "-c", WRITER, str(path), str(LOGS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as child:
        assert child.stdout is not None
        watchdog = threading.Timer(30, child.kill)
        watchdog.start()
        acknowledged = [child.stdout.readline() for _ in range(lines)]
        os.kill(child.pid, signal.SIGKILL)
        acknowledged += child.stdout.readlines()
        watchdog.cancel()
    return [line for line in acknowledged if line.endswith("\n")]


async def read_back(path: Path) -> dict[str, list[str]]:
    """Open the store again and return each log's chain, entry by entry, proved unbroken."""
    journal = await open_sqlite(path)
    chains: dict[str, list[str]] = {}
    for listed in await journal.logs("match/"):
        entries = await journal.read(listed.log)
        head = verify_chain(genesis(listed.log), entries)
        assert head == await journal.head(listed.log)
        assert head.version % 2 == 0, "half an append was written"
        chains[listed.log] = [entry.chain.hex() for entry in entries]
    await journal.aclose()
    return chains


def test_kill_9_loses_nothing_acknowledged(tmp_path: Path) -> None:
    """However often it is killed, every acknowledged entry is there, in an unbroken chain."""
    path = tmp_path / "journal.db"
    acknowledged: dict[tuple[str, int], str] = {}
    for round_number in range(ROUNDS):
        for line in written_until_killed(path, 40 + 37 * round_number):
            log, version, chain = line.split()
            acknowledged[log, int(version)] = chain
        chains = asyncio.run(read_back(path))
        found = {place: chains[place[0]][place[1] - 1] for place in acknowledged}
        assert found == acknowledged
    assert len(acknowledged) >= ROUNDS * 40
