"""What are pods told by a shared journal while its database fails? Writers that note it."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from lastcard_server.journal.entry import Entry, Head, genesis
from lastcard_server.journal.port import Journal, StoreUnavailable, StoreUncertain
from lastcard_server.journal.postgres import open_postgres
from tests.faults.outcome import Outcome, Promise
from tests.journal.logs import append_to

PODS: Final = 2
LOGS: Final = 3
"""Logs at a time; every pod writes to each of them, or each pod has its own."""
LEAST: Final = 20
"""Fewer acknowledged entries a fault say nothing."""
_QUIET_SECONDS: Final = 30.0
_PAUSE_SECONDS: Final = 0.02


class Writers:
    """
    Pods that append to logs of one database, and what was acknowledged to them.

    Attributes:
        acknowledged: how many entries.
        uncertain: how many appends of which the journal could not say what became.

    """

    def __init__(self, *, race: bool) -> None:
        """`race`: whether all pods write to the same logs."""
        self._race = race
        self._stopped = False
        self._acknowledged = defaultdict[str, dict[int, list[Entry]]](dict)
        self._told: set[str] = set()
        self._count = 0
        self.acknowledged = 0
        self.uncertain = 0

    @asynccontextmanager
    async def writing(self, address: str) -> AsyncIterator[None]:
        """Write while the context lasts."""
        journals = [await open_postgres(address, unsafe=True) for _ in range(PODS)]
        tasks = [asyncio.create_task(self._follow(journal)) for journal in journals]
        tasks += [
            asyncio.create_task(self._write(journal, "" if self._race else f"{pod}-", number))
            for pod, journal in enumerate(journals)
            for number in range(LOGS)
        ]
        try:
            yield
        finally:
            self._stopped = True
            done = await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.gather(*(journal.aclose() for journal in journals))
        for error in filter(None, done):
            raise error

    async def traffic(self, seconds: float) -> None:
        """Wait for enough acknowledged entries, and so many seconds on."""
        enough = self.acknowledged + LEAST
        until = time.monotonic() + _QUIET_SECONDS
        while self.acknowledged < enough:
            if time.monotonic() > until:
                return
            await asyncio.sleep(_PAUSE_SECONDS)
        await asyncio.sleep(seconds)

    async def _write(self, journal: Journal, pod: str, number: int) -> None:
        """Write to one log after another: to the next where the last has lost what was there."""
        life = 0
        while not self._stopped:
            log = f"match/{pod}{number}-{life}"
            await self._grow(journal, log)
            life += 1

    async def _grow(self, journal: Journal, log: str) -> None:
        """Append until the end, or until the journal has less than it has acknowledged."""
        head, known = genesis(log), genesis(log)
        while not self._stopped and log not in self._told:
            self._count += 1
            append = append_to(log, head, str(self._count))
            try:
                (outcome,) = await journal.append([append])
            except StoreUncertain:
                self.uncertain += 1
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            except StoreUnavailable:
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            if outcome is None:
                (entry,) = append.entries
                head = known = entry.head
                self._note(log, entry)
                self.acknowledged += 1
            elif outcome.head.version < known.version:
                self._told.add(log)
            else:
                head = outcome.head
                await asyncio.sleep(0)

    async def _follow(self, journal: Journal) -> None:
        """Read what is new in every log, as a pod does that shows it to others."""
        seen: dict[str, Head] = {}
        while not self._stopped:
            for log in self._acknowledged.keys() - seen.keys():
                seen[log] = genesis(log)
            with suppress(StoreUnavailable):
                for log, entries in (await journal.since(seen)).items():
                    if entries is None:
                        self._told.add(log)
                    for entry in entries or ():
                        self._note(log, entry)
                        seen[log] = entry.head
            await asyncio.sleep(_PAUSE_SECONDS)

    def _note(self, log: str, entry: Entry) -> None:
        """Note an entry that somebody has been told of."""
        entries = self._acknowledged[log].setdefault(entry.version, [])
        if entry not in entries:
            entries.append(entry)

    async def outcome(
        self, address: str, fault: str, times: int, promise: Promise = Promise.KEEPS
    ) -> Outcome:
        """
        Compare what was acknowledged with what the database holds in the end.

        A run in which losses are to be told and nothing was lost says nothing.
        """
        journal = await open_postgres(address, unsafe=True)
        lost = silent = forks = duplicated = 0
        for log, versions in self._acknowledged.items():
            found = {entry.version: entry for entry in await journal.read(log)}
            missing = [
                entry
                for version, entries in versions.items()
                for entry in entries
                if entry != found.get(version)
            ]
            seen = ({*entries, *filter(None, [found.get(v)])} for v, entries in versions.items())
            forks += sum(len(contents) > 1 for contents in seen)
            bodies = [entry.body for entry in found.values()]
            duplicated += len(bodies) - len({*bodies})
            lost += len(missing)
            if missing and await journal.since({log: missing[-1].head}) != {log: None}:
                silent += len(missing)
        await journal.aclose()
        return Outcome(
            fault,
            times,
            self.acknowledged,
            lost=lost,
            duplicated=duplicated,
            forks=forks,
            silent=silent,
            valid=self.acknowledged >= times * LEAST and (lost > 0 or promise is not Promise.TELLS),
            note=f"{self.uncertain} appends of unknown outcome",
            promise=promise,
        )
