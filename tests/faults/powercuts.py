"""
Does a journal in a file keep what it acknowledged when the power is cut at any moment?

The store itself, `open_sqlite` with its threads and its SQL, works on a simulated disk (see `disk`)
by an SQLite of APSW's. Writers append and note what was acknowledged; at a random call to the disk
the power goes, the disk loses what it may, and the store is opened again and read. Cuts fall into
opening, migrating, committing, checkpoints (made often here) and closing alike. Control
runs have to lose: one without the sync at each commit (NORMAL), which breaks no file, and one with
none at all (OFF), which does. What is counted is appends whose acknowledgement a writer received;
entries that a file of an earlier release brings along are compared, too, and counted apart.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

from lastcard_server.journal.entry import Entry, Head
from lastcard_server.journal.port import StoreCorrupt, StoreUnavailable
from lastcard_server.journal.sqlite import SqliteJournal, open_sqlite
from tests.faults.disk import Disk, in_memory
from tests.faults.outcome import Outcome, Progress, Promise, Scenario
from tests.faults.watched import Vfs, connector, failure
from tests.journal.logs import append_to

FILE: Final = "journal.db"
OLD: Final = sorted((Path(__file__).parents[1] / "golden/sqlite").glob("*/journal.sqlite"))
OLD_FILES: Final = 0.2
"""Which part of the files is one of an earlier schema at first."""
WRITTEN: Final = ("match/0", "match/1", "match/2")
CUTS_A_FILE: Final = 12
"""After so many cuts a new file is begun."""
MOST_CALLS: Final = 160
"""The power fails after at most so many calls to the disk; half of the cuts are early ones."""
EACH: Final = 2
"""An append is so many entries."""
APPENDS: Final = 8
"""A writer stops after so many appends; the store is closed if the power still holds."""


class Run:
    """A journal that lives through power cuts, and what its clients know."""

    def __init__(self, folder: Path, seed: int, synchronous: str) -> None:
        self._random = Random(seed)
        self._folder = folder
        self._disk = Disk(folder)
        self._vfs = Vfs(self._disk)
        self._synchronous = synchronous
        self._bodies = count()
        self._known: dict[str, list[Entry]] = {}
        """What has to be there: acknowledged, read at the last start, or brought by a file."""
        self._appended: dict[str, set[int]] = {}
        """Versions of entries whose append was acknowledged here."""
        self.acknowledged = self.lost = self.brought = self.gone = 0
        self.duplicated = self.forks = self.corrupt = 0
        self.note = ""

    async def begin_anew(self) -> None:
        """Begin with an empty disk, or with what an earlier server had acknowledged."""
        self._disk.clear()
        self._known = {log: [] for log in WRITTEN}
        self._appended = {}
        if self._random.random() < OLD_FILES:
            left = self._random.choice(OLD)
            self._disk.put(FILE, left.read_bytes())
            old = await entries_of(left)
            self._known |= old
            self.brought += sum(map(len, old.values()))

    async def live_until_cut(self) -> None:
        """Open the store, check it, write until the power goes, and restart the machine."""
        luck = self._random.random()
        calls = MOST_CALLS**luck if self._random.random() < 0.5 else MOST_CALLS * luck
        self._disk.cut_after(int(calls), self._cut)
        await self._try(APPENDS)
        self._disk.restart(self._random)

    async def settle(self) -> None:
        """Open the store with the power on, and check what the last cut has left."""
        await self._try(0)

    async def _try(self, appends: int) -> None:
        try:
            await self._live(appends)
        except StoreUnavailable as error:
            if not self._disk.is_cut:
                await self._give_up(error)
        except StoreCorrupt as error:
            await self._give_up(error)
        except Exception as error:
            if self._synchronous != "OFF":
                raise
            await self._give_up(error)  # a damaged file may give anything to a reader

    async def _live(self, appends: int) -> None:
        journal = await self._open()
        try:
            await self._check(journal)
            await asyncio.gather(*(self._write(journal, log, appends) for log in WRITTEN))
        finally:
            await journal.aclose()

    async def _open(self) -> SqliteJournal:
        pages = self._random.choice((4, 10, 30, 1000))
        way = connector(self._vfs, self._synchronous, pages)
        return await open_sqlite(self._folder / FILE, connecting=way)

    async def _write(self, journal: SqliteJournal, log: str, appends: int) -> None:
        """Append until the power goes, twice two entries at once."""
        head = await journal.head(log)
        for _ in range(appends):
            body = f"{next(self._bodies)} {'x' * self._random.randrange(1500)}"
            append = append_to(log, head, f"a {body}", f"b {body}")
            with suppress(StoreUnavailable):
                outcomes = await journal.append([append])
                assert outcomes == [None]
                self.note_acknowledged(log, append.entries)
                head = append.entries[-1].head
            if self._disk.is_cut:
                return

    def note_acknowledged(self, log: str, entries: Sequence[Entry]) -> None:
        """Note an append whose acknowledgement was received."""
        self._known[log] += entries
        self._appended.setdefault(log, set()).update(entry.version for entry in entries)
        self.acknowledged += 1

    async def _check(self, journal: SqliteJournal) -> None:
        """Compare what the store holds with what is known; go on from what it holds."""
        for log, known in self._known.items():
            found = await journal.read(log)
            self._compare(log, known, found, await journal.head(log))
            known[:] = found

    def _compare(self, log: str, known: list[Entry], found: list[Entry], head: Head) -> None:
        self.lose(log, known[len(found) :])
        pairs = zip(known, found, strict=False)
        self.forks += sum(entry.chain != other.chain for entry, other in pairs)
        if found and found[-1].head != head:
            self._damaged(f"{log} does not end with its head")
        if log in WRITTEN:  # there each body is written once, and two entries with each append
            bodies = [entry.body for entry in found]
            self.duplicated += len(bodies) - len({*bodies})
            if len(found) % EACH:
                self._damaged(f"{log} ends with half an append")

    def lose(self, log: str, missing: Sequence[Entry]) -> None:
        """Count what is not there any more: appends of this run, and entries that were none."""
        appended = self._appended.get(log, set())
        here = {entry.version for entry in missing} & appended
        appended -= here
        self.lost += -(-len(here) // EACH)
        self.gone += len(missing) - len(here)

    def outcome(self, cuts: int) -> Outcome:
        """Return what came of it."""
        return Outcome(
            fault=f"power cut, synchronous={self._synchronous}",
            times=cuts,
            acknowledged=self.acknowledged,
            lost=self.lost,
            duplicated=self.duplicated,
            forks=self.forks,
            broken=self.corrupt + self.gone,
            valid=self.acknowledged >= cuts,
            note="; ".join(filter(None, (self.note, self._figures()))),
        )

    def _figures(self) -> str:
        """Return what the columns do not count."""
        old = f"{self.brought:,} entries came with files of earlier releases"
        gone = f"{self.gone:,} of those, or of what was read at a start, are gone"
        return f"{old}; {gone}; {self.corrupt:,} times a file was damaged"

    async def _give_up(self, error: Exception) -> None:
        """Note that a file cannot be opened or read any more, and all that is lost with it."""
        for log, known in self._known.items():
            self.lose(log, known)
        self._damaged(str(error))
        await self.begin_anew()

    def _damaged(self, note: str) -> None:
        self.corrupt += 1
        self.note = self.note or note

    def _cut(self) -> Exception:
        name = self._random.choice(("SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_FULL"))
        return failure(name)


async def run(
    cuts: int, seed: int, synchronous: str = "FULL", progress: Progress = lambda _times, _what: None
) -> Outcome:
    """
    Cut the power so many times; return what became of what was acknowledged.

    Args:
        cuts: how often; a file lives through some of them, then a new one is begun.
        seed: of the moments, and of what the disk keeps.
        synchronous: FULL, as the journal sets it, or less for a run that must lose.
        progress: is told how many cuts were done.
    """
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        one = Run(Path(folder), seed, synchronous)
        for number in range(cuts):
            if number % CUTS_A_FILE == 0:
                await one.settle()
                await one.begin_anew()
            await one.live_until_cut()
            progress(number + 1, "power cuts")
        await one.settle()
        return one.outcome(cuts)


async def entries_of(file: Path) -> dict[str, list[Entry]]:
    """Return all entries of a journal; a copy of it is opened."""
    with tempfile.TemporaryDirectory() as folder:
        journal = await open_sqlite(Path(shutil.copy(file, folder)))
        families = [
            await journal.logs(family) for family in ("match/", "contest/", "group/", "keys")
        ]
        logs = [listed.log for family in families for listed in family]
        entries = {log: await journal.read(log) for log in logs}
        await journal.aclose()
    return entries


def _at_full(times: int, seed: int, progress: Progress) -> Outcome:
    return asyncio.run(run(times, seed, progress=progress))


def _at_normal(times: int, seed: int, progress: Progress) -> Outcome:
    outcome = asyncio.run(run(times, seed, "NORMAL", progress))
    return outcome._replace(promise=Promise.LOSES)


def _switched_off(times: int, seed: int, progress: Progress) -> Outcome:
    outcome = asyncio.run(run(times, seed, "OFF", progress))
    return outcome._replace(promise=Promise.LOSES, broken=0)


SCENARIOS: Final = (
    Scenario("power-cuts", _at_full, times=3_000, few=60),
    Scenario("power-cuts-normal", _at_normal, times=300, few=60),
    Scenario("power-cuts-unsynced", _switched_off, times=300, few=60),
)
