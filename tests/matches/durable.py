"""Servers on stores that last, for tests that change what lies there behind their backs."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from lastcard_engine.revisions import RUNS, Revisions
from lastcard_server.journal.entry import Entry, chained
from lastcard_server.journal.port import Journal
from lastcard_server.matches.match import Match, log_of
from lastcard_server.matches.turns import OpenTurn
from tests.journal.stores import KINDS
from tests.matches.pods import Bot, Pod, served
from tests.matches.table import ManualClock

_NUMBER = "number = (SELECT number FROM logs WHERE log = 'match/{}')"


class Shelf(NamedTuple):
    """A store that lasts, of a kind, in a folder."""

    kind: str
    folder: Path

    def servers(
        self, *names: str, revisions: Revisions = RUNS
    ) -> AbstractAsyncContextManager[list[Pod[Journal]]]:
        """Run servers on it as `served` does. A file takes one."""
        opened = partial(KINDS[self.kind].open, self.folder, None)
        return served(opened, *names, revisions=revisions)

    async def change(self, table: str, match_id: str, what: str, where: str = "TRUE") -> None:
        """Change rows of a match by SQL."""
        spoil = KINDS[self.kind].spoil
        assert spoil
        number = _NUMBER.format(match_id)
        await spoil(self.folder, f"UPDATE {table} SET {what} WHERE {number} AND {where}")

    async def move_time(self, match_id: str, version: int, by_us: int) -> None:
        """Let an entry have been written at another time than it was."""
        await self.change("entries", match_id, f"time_us = time_us + {by_us}", f"version={version}")

    async def falsify(self, match_id: str, entries: list[Entry], state_hash: bytes) -> None:
        """Let the last entry of a match hold another hash, in a chain that is whole."""
        before, last = entries[-2], entries[-1]
        told = last.kind, last.time_us, last.seat, last.body, last.request_id
        forged = chained(before.head, *told, state_hash)
        where = f"version = {last.version}"
        hashes = f"state_hash = {self._octets(state_hash)}, chain = {self._octets(forged.chain)}"
        await self.change("entries", match_id, hashes, where)
        await self.change("logs", match_id, f"chain = {self._octets(forged.chain)}")

    def _octets(self, octets: bytes) -> str:
        return f"x'{octets.hex()}'" if self.kind == "sqlite" else f"'\\x{octets.hex()}'::bytea"


async def entries_of(pod: Pod[Journal], match_id: str) -> list[Entry]:
    """Return the entries of a match."""
    return await pod.journal.read(log_of(match_id))


def a_clock(pod: Pod[Journal]) -> ManualClock:
    """Return a clock that stands at the time of a store."""
    return ManualClock(pod.journal.now_us())


async def eventually(holds: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something is so that has to be asked for."""
    async with asyncio.timeout(20):
        while not await holds():  # noqa: ASYNC110 - what holds is said by no event
            await asyncio.sleep(0.02)


class _Pausing(Bot):
    """A bot that answers until a snapshot of the match is taken."""

    def turn_opened(self, match: Match, turn: OpenTurn) -> None:
        """Answer it soon, if none is."""
        if not match.snapshot_version:
            super().turn_opened(match, turn)


async def play_to_a_snapshot(pod: Pod[Journal], match_id: str) -> None:
    """Let two bots play until a snapshot of a match is kept, and go no further."""
    bots = {f"key:{seat}": _Pausing(pod, Random(seat)) for seat in range(2)}
    for owner, bot in bots.items():
        await pod.matches.subscribe(owner, bot)

    async def is_kept() -> bool:
        return await pod.journal.snapshot(log_of(match_id)) is not None

    await eventually(is_kept)
    for owner, bot in bots.items():
        pod.matches.unsubscribe(owner, bot)
