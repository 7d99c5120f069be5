"""Is a match ever frozen that the journal holds whole, however the work of servers interleaves?"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any, Final

import pytest

from lastcard_engine.record import ENDS, EntryKind
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.port import Append, Conflict
from lastcard_server.matches.commands import Answer, Outcome
from lastcard_server.matches.history import HistorySeal
from lastcard_server.matches.match import Match
from tests.matches.hall import Player, answer_to
from tests.matches.pods import Database, Pod, PodJournal, kinds, start
from tests.matches.table import KEYS, ManualClock, setup_of

OWNER: Final = "key:creator"
_SLOW: Final = ("head", "read", "since", "snapshot", "indexes", "open_for")


class SlowJournal(PodJournal):
    """A view of which every answer is on its way for a while, and old when it arrives."""

    def __init__(self, database: Database, dice: Random) -> None:
        super().__init__(database)
        self._dice = dice
        for name in _SLOW:
            setattr(self, name, self._slowly(getattr(self, name)))

    def _slowly(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def slow(*arguments: Any) -> Any:
            await self._wait()
            answer = await call(*arguments)
            await self._wait()
            return answer

        return slow

    async def append(self, appends: Sequence[Append]) -> list[Conflict | None]:
        """Append after a while, and say so after another."""
        await self._wait()
        outcomes = await super().append(appends)
        await self._wait()
        return outcomes

    async def _wait(self) -> None:
        for _ in range(self._dice.choice((0, 0, 1, 3, 10, 40))):
            await asyncio.sleep(0)


class Table:
    """One match, servers, and players who know the newest history of all."""

    def __init__(self, database: Database, running: list[Pod[PodJournal]], dice: Random) -> None:
        self.database = database
        self.pods = running
        self.dice = dice
        self.outcomes: list[Outcome] = []
        self._seal = HistorySeal(KEYS.history_key(), 0)
        self._newest = (0, b"")

    def see(self, match_id: str, history: bytes) -> bytes:
        """Take in a history; return the newest."""
        opened = self._seal.open(match_id, history) if history else None
        if opened is not None and opened[0] >= self._newest[0]:
            self._newest = opened[0], history
        return self._newest[1]

    async def step(self, match_id: str) -> None:
        """Answer what one server says is open at some servers, and disturb others meanwhile."""
        match = await self.dice.choice(self.pods).matches.get(match_id)
        self.see(match_id, match.history())
        clock = ManualClock(self.database.core.now_us())
        answers = [answer_to(match, turn, self.dice, clock) for turn in match.turns.values()]
        sent = [(pod, answer) for answer in answers for pod in self._some()]
        disturbed = [self._disturb(pod, match_id) for pod in self._some()]
        submitted = [self._submit(match_id, pod, answer) for pod, answer in sent]
        await asyncio.gather(*submitted, *disturbed)

    def _some(self) -> list[Pod[PodJournal]]:
        return self.dice.sample(self.pods, self.dice.randint(1, len(self.pods)))

    async def _submit(self, match_id: str, pod: Pod[PodJournal], answer: Answer) -> None:
        for _ in range(self.dice.choice((0, 0, 5, 50))):
            await asyncio.sleep(0)
        answer = Answer(**{name: getattr(answer, name) for name in Answer.__slots__})
        answer.history = self.see(match_id, b"")
        (outcome,) = await pod.matches.submit([answer])
        self.see(match_id, outcome.history)
        self.outcomes.append(outcome)

    async def _disturb(self, pod: Pod[PodJournal], match_id: str) -> None:
        """Let a server drop the match, or read it, or look after everything, or create it again."""
        runtime = pod.matches._runtime
        for _ in range(self.dice.randrange(30)):
            await asyncio.sleep(0)
        slot = runtime.cache.slots.get(match_id)
        match self.dice.randrange(5):
            case 0 if slot is not None and slot.flight is None and slot.lost is None:
                runtime.custody.forget(slot)
            case 1 if slot is not None and slot.flight is None and slot.lost is None:
                runtime.cache.drop(slot)
            case 2:
                await runtime.patrol.look()
            case 3:
                await pod.matches.create(OWNER, "r", setup_of(2))
            case _:
                await pod.matches.get(match_id)


@pytest.mark.parametrize("seed", range(12))
async def test_no_match_is_frozen_that_the_journal_holds_whole(seed: int) -> None:
    """Servers behind the journal, histories ahead of them, appends and reads at the same time."""
    dice, database, players = Random(seed), Database(), [Player(), Player()]
    database.deaf = bool(seed % 2)
    views = [SlowJournal(database, Random(100 * seed + number)) for number in range(3)]
    running = [await start(database, name, journal=v) for name, v in zip("abc", views, strict=True)]
    try:
        for seat, player in enumerate(players):
            await running[seat].matches.subscribe(f"key:{seat}", player)
        match: Match = await running[2].matches.create(OWNER, "r", setup_of(2))
        table = Table(database, running, dice)
        for _ in range(60):
            await table.step(match.match_id)
        found = await kinds(database, match.match_id)
    finally:
        for pod in running:
            await pod.die()
    refusals = {each.reason for each in table.outcomes if isinstance(each, Refusal)}
    assert len(found) > 20 or found[-1] in ENDS
    assert sum(not isinstance(each, Refusal) for each in table.outcomes) > 20
    assert EntryKind.FROZEN not in found
    assert Reason.HISTORY_LOST not in refusals
    assert "frozen" not in [reason for player in players for reason in player.reasons]
    assert not any(pod.matches.counts.histories_lost for pod in running)
