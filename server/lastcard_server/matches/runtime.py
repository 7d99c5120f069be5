"""
What keeps the matches of a server going? Cache, writer, alarms and audience, wired together.

Memory never runs ahead of the store for anybody outside: commands fold at once, but outcomes, news
and reads wait until the entries are durable, and a match whose append failed is dropped and read
again. No lock, no task a match.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial
from typing import TypeVar

from lastcard_engine.revisions import RUNS, Revisions
from lastcard_server.clock import Clock
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.port import Journal, StoreError
from lastcard_server.matches import seating
from lastcard_server.matches.alarms import Alarms
from lastcard_server.matches.audience import Audience
from lastcard_server.matches.cache import Cache, unavailable
from lastcard_server.matches.commands import Answer, Command, Outcome
from lastcard_server.matches.deciding import HistoryLost, decide
from lastcard_server.matches.history import HistorySeal
from lastcard_server.matches.legs import Legs
from lastcard_server.matches.match import Match
from lastcard_server.matches.outages import BEAT_SECONDS, Pulse
from lastcard_server.matches.saving import Snapshots
from lastcard_server.matches.slots import Lost, Slot, Writer
from lastcard_server.matches.timing import Fault, expire, give_back
from lastcard_server.secrets import ServerKeys

ATTEMPTS = 8
"""How often a decision is made anew because somebody else appended first."""

DUE_AT_ONCE = 1000
"""How many matches a patrol looks at that are due."""

_PREFIX = "match/"
_T = TypeVar("_T")
_log = logging.getLogger(__name__)


class Runtime:
    """
    The moving parts of `Matches`; see there for the arguments.

    Attributes:
        broken: set once a task has ended by a fault without which nothing goes on.

    """

    def __init__(
        self,
        journal: Journal,
        keys: ServerKeys,
        clock: Clock,
        pod: str,
        revisions: Revisions = RUNS,
    ) -> None:
        self.journal = journal
        self._shared = journal.shared
        self.keys = keys
        self.clock = clock
        seal = HistorySeal(keys.history_key(), secrets.randbits(62))
        self.cache = Cache(journal, keys, seal, self._entered, revisions)
        self.writer = Writer(journal, self._landed, self._forget)
        self.audience = Audience()
        self.legs = Legs(journal, clock, self.cache.load, self.change)
        self._snapshots = Snapshots(journal)
        self._alarms = Alarms(clock, self.cache.slots, self._ring)
        self._pulse = Pulse(journal, clock, pod)
        self._dropped: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self.broken = asyncio.Event()

    async def start(self) -> None:
        """Begin to write and to fire what falls due."""
        await self._pulse.start()
        self.begin(self._pulse.run(), vital=True)
        self.begin(self.writer.run(), vital=True)
        self.begin(self._patrol(), vital=True)
        self.begin(self._snapshots.run(), vital=True)

    async def aclose(self) -> None:
        """Write what is pending and stop; commands are refused as DRAINING from now on."""
        self._closed = True
        self._alarms.close()
        if not self.broken.is_set():
            await self.writer.drain()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def refuse_closed(self) -> None:
        """Refuse everything as DRAINING once the runtime is closed."""
        if self._closed:
            raise Refusal(Reason.DRAINING, "The server shuts down; connect again.")

    def begin(self, work: Coroutine[None, None, None], *, vital: bool = False) -> None:
        """Run a task until it ends or the runtime is closed; a vital one sets `broken`."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if vital:
            task.add_done_callback(self._break)

    def _break(self, task: asyncio.Task[None]) -> None:
        """Note that a task has ended without which nothing goes on."""
        if self._closed:
            return
        self.broken.set()
        if not task.cancelled():
            message = "a task has ended that the server cannot do without"
            _log.error(message, exc_info=task.exception())

    # Decisions

    async def change(self, match_id: str, decision: Callable[[Match], _T]) -> tuple[Match, _T]:
        """
        Decide on a match; return it with the decision's result when both are durable.

        Raises:
            Refusal: the decision's own, or that of `Cache.load`, or STORE_UNAVAILABLE.

        """
        self.refuse_closed()
        for _ in range(ATTEMPTS):
            slot = await self.cache.load(match_id)
            self._prepare(slot)
            refusal, result = None, None
            try:
                result = decision(slot.match)
            except Refusal as refused:
                refusal = refused
            self.writer.touch(slot)
            await self.writer.durable((slot,))
            if slot.lost is None and refusal is None:
                return slot.match, result  # type: ignore[return-value]  # set where nothing was refused
            if slot.lost is None and refusal is not None:
                raise refusal
            if slot.lost is Lost.UNAVAILABLE:
                break
        raise _unwritten()

    async def submit(self, commands: Sequence[Command]) -> list[Outcome]:
        """Decide commands in order; return their outcomes when all of them are durable."""
        try:
            self.refuse_closed()
        except Refusal as draining:
            return [draining] * len(commands)
        self._pulse.notice(self.clock.now_us())
        outcomes: list[Outcome] = [_unwritten()] * len(commands)
        todo: Sequence[int] = range(len(commands))
        for _ in range(ATTEMPTS):
            todo = await self._attempt(commands, todo, outcomes)
            if not todo:
                break
        return outcomes

    async def _attempt(
        self, commands: Sequence[Command], todo: Iterable[int], outcomes: list[Outcome]
    ) -> list[int]:
        """Decide the commands of these numbers; return those that have to be decided anew."""
        decided: list[tuple[int, Slot, Outcome | None]] = []
        read: dict[str, Slot | Refusal] = {}
        slots, decide_in = self.cache.slots, self._decide
        for number in todo:
            command = commands[number]
            match_id = command.match_id
            slot = slots.get(match_id) or read.get(match_id)
            if slot is None:
                slot = read[match_id] = await self._load(match_id)
            if isinstance(slot, Refusal):
                outcomes[number] = slot
            else:
                decided.append((number, slot, decide_in(slot, command)))
        await self.writer.durable([slot for _, slot, _ in decided])
        undone = []
        for number, slot, outcome in decided:
            if slot.lost is not None:
                if slot.lost is Lost.CONFLICT:
                    undone.append(number)
            elif outcome is None:
                outcomes[number] = await self._examine(commands[number])
            else:
                outcomes[number] = outcome
        return undone

    async def _load(self, match_id: str) -> Slot | Refusal:
        try:
            return await self.cache.load(match_id)
        except Refusal as refusal:
            return refusal

    def _decide(self, slot: Slot, command: Command) -> Outcome | None:
        """Return the outcome; None where the command knows more than the cache."""
        match = slot.match
        if self._pulse.outage is not None:
            self._prepare(slot)
        if self._shared and _named_version(command) > match.version:
            return None
        try:
            outcome = decide(match, command)
        except HistoryLost:
            outcome = None
        if match.unsaved:
            self.writer.touch(slot)
        return outcome

    async def _examine(self, command: Command) -> Outcome:
        """Decide on the match as the journal has it now; a history lost there is lost for good."""

        def decision(match: Match) -> Outcome:
            try:
                return decide(match, command)
            except HistoryLost:
                seating.freeze(match, self.clock.now_us())
                message = "The history handed in is not the one the store holds; it was lost."
                return Refusal(Reason.HISTORY_LOST, message, history=match.history())

        try:
            await self._reread(command.match_id)
            return (await self.change(command.match_id, decision))[1]
        except Refusal as refusal:
            return refusal
        except StoreError:
            return _unwritten()

    async def _reread(self, match_id: str) -> None:
        """Drop a match from the cache if the journal holds more of it."""
        slot = self.cache.slots.get(match_id)
        if slot is None:
            return
        await self.writer.durable((slot,))
        head = await self.journal.head(slot.match.log)
        if slot.lost is None and slot.flight is None and head != slot.head:
            slot.lost = Lost.CONFLICT
            self._forget(slot)

    # What happens to slots

    def _prepare(self, slot: Slot) -> None:
        """Give a match back the time of an outage before anything is decided in it."""
        outage = self._pulse.outage
        if outage is not None and slot.match.last_us < outage.until_us:
            give_back(slot.match, self._pulse.outages, self.clock.now_us())
            self.writer.touch(slot)

    def _entered(self, slot: Slot) -> None:
        """Take up a match that was read."""
        self._prepare(slot)
        if slot.flight is None:
            self._landed(slot)

    def _landed(self, slot: Slot) -> None:
        """Go on with a match of which everything is durable."""
        match = slot.match
        if match.snapshot is not None:
            self._snapshots.landed(match)
        seating = match.state is None and not match.over
        if seating:
            self.cache.seated(slot)
        if self._dropped and match.match_id in self._dropped:
            self._dropped.discard(match.match_id)
            self.audience.tell_anew(slot)
        else:
            self.audience.tell(slot)
        if match.over:
            self.cache.drop(slot)
        elif seating and match.awaits_deal:
            self.begin(self.legs.start(match.match_id))
        else:
            self._alarms.set(slot, slot.index.due_us)

    def _forget(self, slot: Slot) -> None:
        """Drop a match whose entries were not written, and read it again for its listeners."""
        self.cache.drop(slot)
        self._dropped.add(slot.match.match_id)
        self.begin(self._read_again(slot.match.match_id))

    async def _read_again(self, match_id: str) -> None:
        slot = await self._load(match_id)
        if isinstance(slot, Slot) and slot.match.over:
            self._landed(slot)
        elif isinstance(slot, Refusal) and slot.reason is Reason.NOT_FOUND:
            self._dropped.discard(match_id)
        self._dropped -= self.cache.broken | self.cache.foreign

    def _ring(self, slot: Slot) -> None:
        """Let what is due happen."""
        now_us = self.clock.now_us()
        self._pulse.notice(now_us)
        self._prepare(slot)
        due_us = slot.match.due_us()
        if slot.match.awaits_deal:
            return
        if due_us is not None and due_us <= now_us:
            expire(slot.match, now_us, partial(self._silence, slot.match))
        self.writer.touch(slot)
        if slot.flight is None:
            self._alarms.set(slot, due_us)

    def _silence(self, match: Match, seat: int) -> Fault:
        """Say what it means that a seat did not answer."""
        occupant = match.seats[seat]
        owners = (occupant.owner, f"seat:{match.match_id}:{seat}")
        if any(map(self.audience.is_connected, owners)):
            return Fault.LATE
        if any(map(self.audience.is_gone, owners)):
            return Fault.CRASHED
        return Fault.ABSENT if occupant.last_answer_ms is None else Fault.LATE

    # Patrol

    async def _patrol(self) -> None:
        """Look after everything that no call and no alarm looks after, every second."""
        while True:
            try:
                await self._pulse.beat()
                await self._take_up_due()
                if self._shared:
                    for match_id in tuple(self.cache.slots):
                        await self._reread(match_id)
            except StoreError as error:
                _log.warning("the store does not answer: %s", error)
            await asyncio.sleep(BEAT_SECONDS)

    async def _take_up_due(self) -> None:
        """Read matches that are due or were dropped; start legs whose start has failed."""
        now_us = self.clock.now_us()
        due = await self.journal.due(now_us, DUE_AT_ONCE)
        self.cache.foreign &= {log.removeprefix(_PREFIX) for log, _ in due}
        passed_over = self.cache.broken | self.cache.foreign
        for log, _ in due:
            match_id = log.removeprefix(_PREFIX)
            if log.startswith(_PREFIX) and match_id not in passed_over:
                slot = await self._load(match_id)
                if isinstance(slot, Slot) and slot.flight is None and slot.match.awaits_deal:
                    self.begin(self.legs.start(match_id))
        for match_id in tuple(self._dropped):
            await self._read_again(match_id)


def _named_version(command: Command) -> int:
    return command.turn if isinstance(command, Answer) else command.window


def _unwritten() -> Refusal:
    return unavailable("The store cannot be written now; nothing was changed, try again.")
