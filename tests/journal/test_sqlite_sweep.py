"""
Is there any call to the disk whose failure makes a journal lose, invent or stop?

The same few steps are done again and again; in each run another call fails, from the first one of
opening to the last one of closing: a call that changes a file, or one that reads.
"""

import shutil
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import pytest

from lastcard_server.journal.entry import genesis, verify_chain
from lastcard_server.journal.port import Index, Snapshot, StoreUnavailable
from lastcard_server.journal.sqlite import SqliteJournal, open_sqlite
from tests.faults.disk import in_memory
from tests.faults.watched import Vfs, connector, failure
from tests.journal.logs import LIVE, OVER, append_to

T = TypeVar("T")
LOGS = ("match/a", "match/b")
OVER_AT_ONCE = "contest/c"
MOST_CALLS = 400
PATIENCE = 9  # attempts to open or to read: the fault passes by itself


class Failing:
    """A watch that lets calls fail from the n-th on, as many as are wanted."""

    def __init__(self, first: int, calls: int, fault: str) -> None:
        self._failing = range(first, first + calls)
        self._fault = fault
        self._numbers = count(1)
        self.calls = 0

    def opening(self, path: str) -> None:
        """Cannot be opened."""
        self._change("SQLITE_CANTOPEN" if path.endswith("-wal") else "SQLITE_CANTOPEN_FULLPATH")

    def reading(self, _path: str) -> None:
        """Cannot be read."""
        if self._fault == "read":
            self._count("SQLITE_IOERR_READ")

    def writing(
        self, _path: str, data: bytes, _offset: int, write: Callable[[bytes], None]
    ) -> None:
        """No room, or an error; where half of it finds room that half is there."""
        try:
            self._change("SQLITE_IOERR_WRITE" if self._fault == "io" else "SQLITE_FULL")
        except Exception:
            if self._fault == "short":
                write(data[: len(data) // 2])
            raise
        write(data)

    def truncating(self, _path: str, _size: int) -> None:
        """Cannot be cut."""
        self._change("SQLITE_IOERR_TRUNCATE")

    def syncing(self, _path: str, *, folder: bool) -> None:
        """Cannot be synced, which is how a disk tells that it has lost writes."""
        self._change("SQLITE_IOERR_FSYNC")

    def deleting(self, _path: str, *, folder: bool) -> None:
        """Cannot be deleted."""
        self._change("SQLITE_IOERR_DELETE")

    def _change(self, name: str) -> None:
        if self._fault != "read":
            self._count(name)

    def _count(self, name: str) -> None:
        self.calls = next(self._numbers)
        if self.calls in self._failing:
            raise failure(name)


class Steps:
    """What is done in each run, and what was acknowledged."""

    def __init__(self, folder: Path, watch: Failing) -> None:
        self._path = folder / "journal.db"
        self._way = connector(Vfs(watch), checkpoint_pages=12)
        self._acknowledged: dict[str, list[str]] = {log: [] for log in (*LOGS, OVER_AT_ONCE)}
        self.refused = 0

    async def run(self) -> None:
        """
        Do them, each once whatever became of the one before, and read everything back.

        The last one is repeated until it is done, as a server's sign of life is: until then what
        was refused may be in the file, as after a crash.
        """
        for part in range(2):
            journal = await self._opened()
            for log in (*LOGS, LOGS[part]):
                await self._append(journal, log, f"{part}", LIVE)
            await self._append(journal, OVER_AT_ONCE, f"{part}", OVER)
            await self._try(journal.save_snapshot(LOGS[0], Snapshot(1, 1, b"x" * 500)))
            if await self._try(journal.forget([OVER_AT_ONCE])):
                self._acknowledged[OVER_AT_ONCE] = []
            await self._agree(journal)
            await self._patiently(partial(journal.heartbeat, "pod", ["key:a"]))
            await journal.aclose()
        journal = await open_sqlite(self._path)
        await self._agree(journal)
        await journal.aclose()

    async def _opened(self) -> SqliteJournal:
        return await self._patiently(lambda: open_sqlite(self._path, connecting=self._way))

    async def _patiently(self, call: Callable[[], Awaitable[T]]) -> T:
        for _ in range(PATIENCE):
            with suppress(StoreUnavailable):
                return await call()
            self.refused += 1
        raise AssertionError("it is refused again and again")

    async def _append(self, journal: SqliteJournal, log: str, body: str, index: Index) -> None:
        head = await self._patiently(lambda: journal.head(log))
        append = append_to(log, head, body, "x" * 300, index=index)
        if await self._try(journal.append([append])):
            self._acknowledged[log].append(body)

    async def _try(self, step: Awaitable[object]) -> bool:
        """Do a step; where it is refused, look what a crash at this moment would leave."""
        try:
            assert await step in (None, [None])
        except StoreUnavailable:
            self.refused += 1
            await self._crash()
            return False
        return True

    async def _crash(self) -> None:
        """
        Open a copy of the files as they are: what was acknowledged is there.

        So may be the step that was refused: what could not be synced may nevertheless be there.
        """
        with TemporaryDirectory(dir=self._path.parent) as folder:
            for end in ("", "-wal"):
                if (file := self._path.with_name(f"{self._path.name}{end}")).exists():
                    shutil.copy(file, folder)
            journal = await open_sqlite(Path(folder) / self._path.name)
            for log in LOGS:
                bodies = [entry.body for entry in (await journal.read(log))[::2]]
                acknowledged = self._acknowledged[log]
                assert bodies[: len(acknowledged)] == acknowledged
                assert len(bodies) <= len(acknowledged) + 1
            await journal.aclose()

    async def _agree(self, journal: SqliteJournal) -> None:
        """Find what was acknowledged, no more and no less."""
        for log, bodies in self._acknowledged.items():
            entries = await self._patiently(partial(journal.read, log))
            assert [entry.body for entry in entries[::2]] == bodies
            assert verify_chain(genesis(log), entries) == await journal.head(log)
        live = {log for log in LOGS if self._acknowledged[log]}
        assert {listed.log for listed in await journal.logs("match/", live=True)} == live


# The stride saves time where the other faults are but variants of the first.
@pytest.mark.parametrize(
    ("fault", "calls", "stride"), [("full", 1, 1), ("short", 1, 4), ("io", 6, 4), ("read", 1, 1)]
)
async def test_any_call_may_fail(fault: str, calls: int, stride: int) -> None:
    """Refused is what could not be written, acknowledged what was; then the journal goes on."""
    hit = 0
    for first in range(1, MOST_CALLS, stride):
        watch = Failing(first, calls, fault)
        with TemporaryDirectory(dir=in_memory()) as folder:
            steps = Steps(Path(folder), watch)
            await steps.run()
        if watch.calls < first:
            break
        hit += steps.refused > 0
    assert watch.calls < first, "the steps have no end"
    assert hit > first / stride / 3
