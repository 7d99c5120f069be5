"""A registry for tests: a journal that fails or stalls, a clock set by hand, recording players."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from random import Random

from lastcard_engine.events import Event
from lastcard_engine.revisions import RUNS, Revisions
from lastcard_server.journal.memory import MemoryJournal
from lastcard_server.journal.port import Append, Conflict, Journal, StoreUnavailable
from lastcard_server.matches.commands import Answer, Outcome
from lastcard_server.matches.house import Strategy
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Update
from lastcard_server.matches.registry import Matches
from lastcard_server.matches.turns import OpenTurn, Ready, TurnClose, TurnKind
from tests.matches.table import KEYS, ManualClock, quick_choice


class FrailJournal(MemoryJournal):
    """A journal in memory that fails, stalls and counts as told."""

    def __init__(self, clock: ManualClock, *, shared: bool = False) -> None:
        super().__init__(clock.now_us)
        self.shared = shared
        self.broken = False
        self.broken_logs = ""
        """Logs whose names begin like this cannot be written; "" = none."""
        self.calls = 0
        self.open_gate = asyncio.Event()
        self.open_gate.set()
        self.one_at_a_time = False
        """Whether the gate closes again behind every append."""

    async def append(self, appends: Sequence[Append]) -> list[Conflict | None]:
        """Append, unless broken, when the gate is open."""
        await self.open_gate.wait()
        if self.one_at_a_time:
            self.open_gate.clear()
        closed = self.broken_logs and any(a.log.startswith(self.broken_logs) for a in appends)
        if self.broken or closed:
            raise StoreUnavailable("no space is left")
        self.calls += 1
        return await super().append(appends)


class Player:
    """A sink that keeps what it hears."""

    def __init__(self) -> None:
        self.opened: list[tuple[str, OpenTurn]] = []
        self.closed: list[tuple[str, int, int, TurnClose]] = []
        self.updates: list[tuple[str, Update]] = []
        self.over: list[str] = []
        self.reasons: list[str] = []
        """Why they are over."""
        self.away: list[str] = []
        self.ended = asyncio.Event()

    def turn_opened(self, match: Match, turn: OpenTurn) -> None:
        """Keep it."""
        self.opened.append((match.match_id, turn))

    def turn_closed(self, match: Match, seat: int, turn: int, reason: TurnClose) -> None:
        """Keep it."""
        self.closed.append((match.match_id, seat, turn, reason))

    def update(self, match: Match, update: Update) -> None:
        """Keep it."""
        self.updates.append((match.match_id, update))

    def match_over(self, match: Match) -> None:
        """Keep it."""
        self.over.append(match.match_id)
        self.reasons.append(match.result.reason if match.result else "")
        self.ended.set()

    def left(self, match: Match) -> None:
        """Keep it."""
        self.away.append(match.match_id)

    async def until_over(self) -> None:
        """Wait for the end of a match."""
        async with asyncio.timeout(10):
            await self.ended.wait()

    def events(self) -> list[Event]:
        """Return all events heard."""
        return [event for _, update in self.updates for event in update.events]


@asynccontextmanager
async def hall(
    journal: Journal,
    clock: ManualClock,
    strategies: dict[str, Strategy] | None = None,
    pod: str = "server",
    revisions: Revisions = RUNS,
) -> AsyncIterator[Matches]:
    """Run a registry over a journal; on leaving nothing more is written, as after a crash."""
    matches = Matches(journal, KEYS, clock, strategies or {}, pod, revisions)
    await matches.start()
    try:
        yield matches
    finally:
        await matches._runtime.tasks.aclose()
        matches._runtime.custody.timers.alarms.close()


async def pass_time(matches: Matches, clock: ManualClock, until_us: int) -> None:
    """Let time pass by half seconds, with signs of life and alarms, and what they bring about."""
    while True:
        clock.us = min(clock.us + 500_000, max(until_us, clock.us))
        await matches._runtime._pulse.beat()
        matches._runtime.custody.timers.alarms.fire()
        await until_durable(matches)
        if clock.us >= until_us:
            return


async def until_durable(matches: Matches) -> None:
    """Wait until nothing is on its way to the journal and every task has had its turn."""
    for _ in range(5):
        await matches._runtime.writer.drain()
        await asyncio.sleep(0)


def answer_to(match: Match, turn: OpenTurn, dice: Random, clock: ManualClock) -> Answer:
    """Return an answer at random to an open turn, from the key that holds the seat."""
    reply = Ready(dice.randbytes(4)) if turn.kind is TurnKind.READY else quick_choice(turn, dice)
    return Answer(
        match_id=match.match_id,
        seat=turn.seat,
        turn=turn.turn,
        reply=reply,
        uno=dice.random() < 0.5,
        owner=match.seats[turn.seat].owner,
        received_us=clock.us,
        history=match.history(),
    )


async def play_on(
    matches: Matches, ids: Iterable[str], clock: ManualClock, dice: Random, rounds: int = 10**6
) -> list[Outcome]:
    """Answer every open turn of these matches, again and again; return the last outcomes."""
    outcomes: list[Outcome] = []
    for _ in range(rounds):
        clock.advance(dice.randrange(30))
        found = [await matches.get(match_id) for match_id in ids]
        asked = [(match, turn) for match in found for turn in match.turns.values()]
        if not asked and all(match.over for match in found):
            return outcomes
        commands = [answer_to(match, turn, dice, clock) for match, turn in asked]
        outcomes = await matches.submit(commands)
        if not commands:
            await pass_time(matches, clock, clock.us + 1_500_000)
    return outcomes
