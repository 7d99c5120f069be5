"""Can every log be played again, however several servers get in each other's way?"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import TypeVar

import pytest

from lastcard_engine.record import ENDS, EntryKind
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.entry import Entry, Head
from lastcard_server.journal.port import Append, Conflict, StoreUnavailable, StoreUncertain
from lastcard_server.matches import groups
from lastcard_server.matches.commands import Answer
from lastcard_server.matches.folding import replay
from lastcard_server.matches.match import Stage, log_of
from lastcard_server.matches.registry import Leg
from tests.matches.pods import Bot, Database, Pod, PodJournal, start
from tests.matches.table import KEYS, seal, setup_of

OWNER = "key:creator"
SECONDS = 60.0
"""How long a run may take on a busy machine."""
_GROUPS = 8
_ENTRANTS = 3
_T = TypeVar("_T")


class Unruly(PodJournal):
    """A journal that takes its time, as the dice fall, and sometimes fails or leaves it open."""

    def __init__(self, database: Database, dice: Random) -> None:
        super().__init__(database)
        self.dice = dice
        self.failures = 0.04
        """How often an append fails, and how often it is written without an answer."""

    async def append(self, appends: Sequence[Append]) -> list[Conflict | None]:
        """Append after a while, and answer after another one."""
        await self._dawdle()
        if self.dice.random() < self.failures:
            raise StoreUnavailable("no space is left")
        outcomes = await super().append(appends)
        await self._dawdle()
        if self.dice.random() < self.failures:
            raise StoreUncertain("the connection broke")
        return outcomes

    async def read(self, log: str, after: int = 0) -> list[Entry]:
        """Read, and answer after a while."""
        entries = await super().read(log, after)
        await self._dawdle()
        return entries

    async def since(self, heads: Mapping[str, Head]) -> dict[str, list[Entry] | None]:
        """Read, and answer after a while."""
        grown = await super().since(heads)
        await self._dawdle()
        return grown

    async def _dawdle(self) -> None:
        for _ in range(self.dice.choice((0, 0, 1, 3, 10, 40))):
            await asyncio.sleep(0)


class Stubborn(Bot):
    """A bot that sends an answer again until the store takes it or says no."""

    async def _answer(self, answer: Answer) -> None:
        while True:
            (outcome,) = await self.pod.matches.submit([answer])
            if not isinstance(outcome, Refusal) or outcome.reason is not Reason.STORE_UNAVAILABLE:
                break
            await asyncio.sleep(0)
        self.outcomes.append(outcome)


async def repeated(call: Callable[[], Awaitable[_T]]) -> _T:
    """Call until the store can be written."""
    while True:
        try:
            return await call()
        except Refusal as refusal:
            if refusal.reason is not Reason.STORE_UNAVAILABLE:
                raise
        except StoreUnavailable:
            pass
        await asyncio.sleep(0)


async def cancelled(pod: Pod[PodJournal], match_id: str, dice: Random) -> None:
    """Call a match off some time."""
    for _ in range(dice.randrange(300)):
        await asyncio.sleep(0)
    try:
        await repeated(lambda: pod.matches.cancel(match_id, OWNER))
    except Refusal as refusal:
        if refusal.reason not in {Reason.NOT_FOUND, Reason.MATCH_OVER}:
            raise


def legs_of(group: int) -> list[Leg]:
    """Return two legs in which the entrants have changed seats."""
    rows = ([0, 1, 2], [1, 2, 0])
    return [
        Leg(
            KEYS.game_id("unruly", group, leg, 0),
            setup_of(_ENTRANTS, entrants=row, action_cap=8, rounds=1, start_limit_ms=60_000),
        )
        for leg, row in enumerate(rows)
    ]


async def played(seed: int, names: Sequence[str]) -> dict[str, list[Entry]]:
    """Let servers create the same legs at once and play them to their end; return the logs."""
    dice, database = Random(seed), Database()
    running: list[Pod[PodJournal]] = []
    for name in names:
        journal = Unruly(database, Random(dice.random()))
        running.append(await start(database, name, journal=journal))
    made = [legs_of(group) for group in range(_GROUPS)]
    ids = [leg.match_id for legs in made for leg in legs]
    try:
        for entrant in range(_ENTRANTS):
            for pod in dice.sample(running, 2):
                bot = Stubborn(pod, Random(dice.random()))
                await pod.matches.subscribe(f"key:{entrant}", bot)
        await asyncio.gather(
            *(
                repeated(partial(pod.matches.create_group, OWNER, f"g{group}", legs))
                for group, legs in enumerate(made)
                for pod in running
            ),
            *(cancelled(dice.choice(running), m, Random(dice.random())) for m in ids[::5]),
        )
        async with asyncio.timeout(SECONDS):
            return await ended(database, ids)
    finally:
        for pod in running:
            await pod.die()


async def ended(database: Database, ids: Sequence[str]) -> dict[str, list[Entry]]:
    """Return the logs of matches when all of them are over."""
    while True:
        logs = {match_id: await database.core.read(log_of(match_id)) for match_id in ids}
        if all(entries and entries[-1].kind in ENDS for entries in logs.values()):
            for group in range(_GROUPS):
                assert await groups.read(database.core, f"g{group}")
            return logs
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("seed", range(3))
async def test_servers_in_each_others_way_write_logs_that_can_be_played_again(seed: int) -> None:
    """Chains and hashes of states hold, nothing is frozen, and legs have one deal."""
    logs = await played(seed, ("a", "b", "c")[: 2 + seed % 2])
    deals: dict[str, set[str]] = {}
    for match_id, entries in logs.items():
        match = replay(match_id, entries, KEYS, seal())
        assert match.stage in {Stage.FINISHED, Stage.CANCELLED}, match.stage
        assert not any(seat.faults for seat in match.seats)
        for entry in entries:
            if entry.kind == EntryKind.STARTED:
                deals.setdefault(match.deal.pool.group, set()).add(entry.body)
    assert deals
    assert all(len(nonces) == 1 for nonces in deals.values())
