"""
What keeps the matches of a server going? Cache, writer, alarms and audience, wired together.

Memory never runs ahead of the store for anybody outside: commands fold at once, but outcomes, news
and reads wait until the entries are durable, and a match whose append failed is dropped and read
again. No lock, no task a match.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import TypeVar

from lastcard_engine.revisions import RUNS, Revisions
from lastcard_server.clock import Clock
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.port import Journal, StoreError
from lastcard_server.matches import seating
from lastcard_server.matches.cache import unavailable
from lastcard_server.matches.commands import Accepted, Command, Outcome
from lastcard_server.matches.custody import Custody, Ground
from lastcard_server.matches.deciding import HistoryLost, decide
from lastcard_server.matches.downtime import CommonPulse
from lastcard_server.matches.homes import Homes
from lastcard_server.matches.legs import Legs
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Sink
from lastcard_server.matches.outages import Pulse
from lastcard_server.matches.patrol import Patrol
from lastcard_server.matches.slots import Lost, Slot
from lastcard_server.secrets import ServerKeys
from lastcard_server.tasks import Tasks

ATTEMPTS = 8
"""How often a decision is made anew because somebody else appended first."""

_T = TypeVar("_T")
_log = logging.getLogger(__name__)


class Runtime:
    """
    The moving parts of `Matches`; see there for the arguments.

    Attributes:
        tasks: what runs beside the calls.

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
        self.clock = clock
        self.homes = Homes(journal, clock, pod)
        self._shared = journal.shared
        self._pulse = (
            CommonPulse(journal, clock, self.homes) if self._shared else Pulse(journal, clock, pod)
        )
        ground = Ground(journal, keys, clock, revisions)
        self.tasks = Tasks()
        self.custody = Custody(ground, self.homes, self._pulse, self.tasks.begin, self._start_leg)
        self.cache, self.writer = self.custody.cache, self.custody.writer
        self.audience = self.custody.audience
        self._legs = Legs(journal, clock, self.cache.load, self.change)
        self.patrol = Patrol(journal, clock, self._pulse, self.homes, self.custody)
        self._closed = False

    async def start(self) -> None:
        """Begin to write and to fire what falls due."""
        await self._pulse.start()
        works = [self._pulse.run(), self.writer.run(), self.patrol.run()]
        works.append(self.custody.snapshots.run())
        if self._shared:
            works += [self.patrol.beat(), self.custody.follower.run()]
            self.tasks.begin(self.custody.follower.listen())
        for work in works:
            self.tasks.begin(work, vital=True)

    async def aclose(self) -> None:
        """Write what is pending and stop; commands are refused as DRAINING from now on."""
        self._closed = True
        self.custody.timers.alarms.close()
        if not self.tasks.broken.is_set():
            await self.writer.drain()
        await self.tasks.aclose()
        await self.leave()

    async def leave(self) -> None:
        """Let the other servers on the journal take over."""
        if self._shared:
            with suppress(StoreError):
                await self.homes.leave()

    def unsubscribe(self, owner: str, sink: Sink) -> None:
        """Forget a sink, and all of the owner where that was a seat of a match that is over."""
        self.audience.remove(owner, sink)
        if owner.startswith("seat:") and owner.split(":")[1] not in self.cache.slots:
            self.audience.forget(owner)

    def refuse_closed(self) -> None:
        """Refuse everything as DRAINING once the runtime is closed."""
        if self._closed:
            raise Refusal(Reason.DRAINING, "The server shuts down; connect again.")

    async def _start_leg(self, match_id: str) -> None:
        await self._legs.start(match_id)

    # Decisions

    async def change(self, match_id: str, decision: Callable[[Match], _T]) -> tuple[Match, _T]:
        """
        Decide on a match; return it with the decision's result when both are durable.

        Raises:
            Refusal: the decision's own, or that of `Cache.load`, or STORE_UNAVAILABLE.

        """
        self.refuse_closed()
        await self._be_sure()
        for _ in range(ATTEMPTS):
            slot = await self.cache.load(match_id)
            self.custody.timers.prepare(slot)
            refusal, result = None, None
            try:
                result = decision(slot.match)
            except Refusal as refused:
                refusal = refused
            self.writer.touch(slot)
            await self.writer.settled(slot)
            if slot.lost is None and refusal is None:
                return slot.match, result  # type: ignore[return-value]  # set where nothing was refused
            if slot.lost is None and refusal is not None:
                raise refusal
            if slot.lost is not Lost.CONFLICT:
                raise _unwritten(slot.lost)
        raise _unwritten()

    async def fresh(self, *match_ids: str) -> None:
        """
        Have matches in memory as the journal holds them by now, those that exist.

        Raises:
            Refusal: STORE_UNAVAILABLE.

        """
        if not self._shared:
            return
        old = {match_id for match_id in match_ids if self.cache.holds(match_id)}
        slots = await self.cache.load_all(match_ids)
        try:
            await self._catch_up([slot for slot in slots if slot.match.match_id in old])
        except StoreError:
            raise unavailable("The match cannot be read now; try again.") from None

    async def submit(self, commands: Sequence[Command]) -> list[Outcome]:
        """Decide commands in order; return their outcomes when all of them are durable."""
        try:
            self.refuse_closed()
            self._pulse.notice(self.clock.now_us())
            await self._be_sure()
        except Refusal as refusal:
            return [refusal] * len(commands)
        outcomes: list[Outcome] = [_unwritten()] * len(commands)
        todo: Sequence[int] = range(len(commands))
        for _ in range(ATTEMPTS):
            todo = await self._attempt(commands, todo, outcomes)
            if not todo:
                break
        return outcomes

    async def _be_sure(self) -> None:
        """Wait until it is known what has been an outage; or refuse."""
        if not self._pulse.sure:
            try:
                await self._pulse.settle()
            except StoreError:
                raise _unwritten() from None

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
                slot = read[match_id] = await self.custody.load(match_id)
            if isinstance(slot, Refusal):
                outcomes[number] = self._of_none(command, slot)
            else:
                decided.append((number, slot, decide_in(slot, command)))
        await self.writer.durable([slot for _, slot, _ in decided])
        grown = await self._grown(decided) if self._shared else ()
        undone = []
        for number, slot, outcome in decided:
            if slot.lost is not None:
                if slot.lost is Lost.CONFLICT:
                    undone.append(number)
                else:
                    outcomes[number] = _unwritten(slot.lost)
            elif slot in grown and not isinstance(outcome, Accepted):
                outcomes[number] = outcome or _unwritten()
                undone.append(number)
            elif outcome is None:
                outcomes[number] = await self._examine(commands[number])
            else:
                outcomes[number] = outcome
        return undone

    async def _grown(self, decided: Iterable[tuple[int, Slot, Outcome | None]]) -> Collection[Slot]:
        """
        Return the slots in which something was refused that the journal may know better.

        What is accepted was written on the journal's head, or stands in it for good.
        """
        refusing = {s for _, s, o in decided if s.lost is None and not isinstance(o, Accepted)}
        before = {slot: slot.match.version for slot in refusing}
        if before:
            try:
                await self._catch_up(before)
            except StoreError as error:
                _log.warning("refused by what is in memory: %s", error)
        return {s for s, version in before.items() if s.match.version != version or s.lost}

    async def _catch_up(self, slots: Collection[Slot]) -> None:
        """
        Bring slots up to what the journal holds by now; raises StoreError.

        What is on its way is waited for: it may stand there before that is known here, and what
        others have appended behind it is looked for in slots at rest alone.
        """
        await self.writer.durable([slot for slot in slots if slot.flight is not None])
        await self.custody.follower.refresh(slots)

    def _of_none(self, command: Command, refusal: Refusal) -> Refusal:
        """Return the refusal for a match that is not there; one of which somebody knows is lost."""
        known = command.history and self.custody.seal.open(command.match_id, command.history)
        if refusal.reason is not Reason.NOT_FOUND or not known:
            return refusal
        self.custody.losses.tell_proven(command.match_id)
        message = "The store does not hold the match of this history any more; it was lost."
        return Refusal(Reason.HISTORY_LOST, message)

    def _decide(self, slot: Slot, command: Command) -> Outcome | None:
        """Return the outcome; None where the command knows more than the cache."""
        match = slot.match
        if match.last_us < self._pulse.until_us:
            self.custody.timers.prepare(slot)
        try:
            outcome = decide(match, command)
        except HistoryLost:
            outcome = None
        if match.unsaved:
            self.writer.touch(slot)
        return outcome

    async def _examine(self, command: Command) -> Outcome:
        """Decide on the match as the journal has it now; a history lost there is lost for good."""
        freezes = False

        def decision(match: Match) -> Outcome:
            nonlocal freezes
            freezes = False
            try:
                return decide(match, command)
            except HistoryLost:
                freezes = not match.over
                seating.freeze(match, self.clock.now_us())
                message = "The history handed in is not the one the store holds; it was lost."
                return Refusal(Reason.HISTORY_LOST, message, history=match.history())

        try:
            await self._reread(command.match_id)
            _, outcome = await self.change(command.match_id, decision)
            if freezes:
                self.custody.losses.tell_part(command.match_id)
            return outcome
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
            self.custody.forget(slot)


def _unwritten(lost: Lost | None = None) -> Refusal:
    if lost is Lost.UNCERTAIN:
        return unavailable(
            "The store broke off, and this may have been stored or not: send the same again."
        )
    return unavailable("The store cannot be written now; nothing was changed, try again.")
