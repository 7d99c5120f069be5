"""
What becomes of a match in memory? It goes on, is dropped and read again, is lost, or is over.

A match that was dropped is kept as it was until its listeners have heard how it stands: what is
read again has to hold what the journal is known to have held. One that is over is known a while
longer where others share the journal, for there a standby without its end may take over.
"""

import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, NamedTuple

from lastcard_engine.revisions import Revisions
from lastcard_server.clock import Clock
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.port import Journal, StoreError
from lastcard_server.matches import seating
from lastcard_server.matches.audience import Audience
from lastcard_server.matches.cache import Cache, Found, unavailable
from lastcard_server.matches.counts import Counts
from lastcard_server.matches.finished import Finished
from lastcard_server.matches.following import Followed, Follower
from lastcard_server.matches.history import HistorySeal
from lastcard_server.matches.homes import Homes
from lastcard_server.matches.losses import Losses
from lastcard_server.matches.match import Match
from lastcard_server.matches.outages import Pulse
from lastcard_server.matches.quarantine import Quarantine, freeze_unwritten
from lastcard_server.matches.saving import Snapshots
from lastcard_server.matches.slots import Lost, Slot, Writer
from lastcard_server.matches.timers import Timers
from lastcard_server.secrets import ServerKeys


class Ground(NamedTuple):
    """What the matches of a server rest on."""

    journal: Journal
    keys: ServerKeys
    clock: Clock
    revisions: Revisions


class Custody:
    """
    Keeps the matches in memory, and what follows from theirs being written, read or dropped.

    Args:
        ground: what all of it rests on.
        homes: what is known of all servers.
        pulse: says which time was lost.
        begin: runs a task.
        start_leg: starts a leg in which everybody is ready.

    Attributes:
        losses: tells operators what the store has lost.
        snapshots: those that wait to be saved.
        dropped: matches whose listeners have to hear them anew, as they were when dropped.

    """

    def __init__(
        self,
        ground: Ground,
        homes: Homes,
        pulse: Pulse,
        begin: Callable[[Coroutine[Any, Any, None]], None],
        start_leg: Callable[[str], Coroutine[Any, Any, None]],
    ) -> None:
        journal, keys, clock, revisions = ground
        self._clock = clock
        self._shared = journal.shared
        self._begin = begin
        self._start_leg = start_leg
        self.counts = Counts()
        self.losses = Losses(self.counts, clock)
        self.seal = HistorySeal(keys.history_key(), secrets.randbits(62))
        self.audience = Audience(homes)
        self._quarantine = Quarantine(journal, keys, self.seal, clock, homes.pod)
        found = Found(self._entered, self._quarantined, self._damaged)
        self.cache = Cache(journal, keys, self.seal, self._quarantine, found, revisions)
        self.snapshots = Snapshots(journal)
        self.writer = Writer(journal, self._landed, self.forget)
        self.timers = Timers(clock, pulse, homes, self.cache, self.writer, self.audience)
        followed = Followed(self._go_on, self.forget, self._cannot_follow, self._doubt)
        self.finished = Finished()
        self.follower = Follower(
            journal, self.cache, self.audience, homes, self.finished, self.counts, followed
        )
        self.dropped: dict[str, Slot] = {}

    async def load(self, match_id: str) -> Slot | Refusal:
        """Return the slot of a match as `Cache.load` does, or why there is none."""
        try:
            return await self.cache.load(match_id)
        except Refusal as refusal:
            return refusal

    # A match that goes on

    def _entered(self, slot: Slot) -> None:
        """Take up a match that was read; one that lacks what it once held is frozen."""
        match_id = slot.match.match_id
        if ended := self.finished.take(match_id):
            self.dropped[match_id] = ended
        if self._lacks(slot):
            seating.freeze(slot.match, self._clock.now_us())
            self.writer.touch(slot)
        self.timers.prepare(slot)
        if slot.flight is None:
            self._landed(slot)

    def _lacks(self, slot: Slot) -> bool:
        """Tell whether a match that was dropped lacks what it held then, now that it is read."""
        before = self.dropped.get(slot.match.match_id)
        if before is None:
            return False
        slot.listeners = before.listeners
        return not _holds(slot.match, before)

    def _landed(self, slot: Slot) -> None:
        """Go on with a match of which everything is durable."""
        match = slot.match
        if match.snapshot is not None:
            self.snapshots.landed(match)
        if match.state is None and not match.over:
            self.cache.seated(slot)
            if match.awaits_deal:
                self.start_leg(match.match_id)
        self._go_on(slot)
        if self._shared:
            slot.idle = 0
            self.follower.landed(match.match_id)

    def start_leg(self, match_id: str) -> None:
        """Start a leg in which everybody is ready."""
        self._begin(self._start_leg(match_id))

    def _go_on(self, slot: Slot) -> None:
        """Tell what is new in a match, and see to it that it goes on or leaves memory."""
        match = slot.match
        before = self.dropped.pop(match.match_id, None) if self.dropped else None
        if before is not None:
            if not _holds(match, before):
                self.losses.tell_part(match.match_id)
            self.audience.tell_anew(slot)
        else:
            self.audience.tell(slot)
        if match.over:
            self.cache.drop(slot)
            if self._shared:
                self.finished.add(slot)
        elif not match.awaits_deal:
            self.timers.alarms.set(slot, slot.index.due_us)

    # A match that does not

    def forget(self, slot: Slot) -> None:
        """Drop a match that is not as the journal has it, and read it again for its listeners."""
        self.counts.append_conflicts += slot.lost is Lost.CONFLICT
        self.counts.matches_reread += 1
        self._drop(slot)
        if slot.lost is Lost.CONFLICT or self.dropped[slot.match.match_id] is slot:
            self._begin(self.read_again(slot.match.match_id))  # else the patrol does

    def _drop(self, slot: Slot) -> None:
        """Drop a match; what it was known to hold before is kept until it holds that again."""
        slot.lost = slot.lost or Lost.CONFLICT
        self.cache.drop(slot)
        before = self.dropped.get(slot.match.match_id)
        if before is None or _holds(slot.match, before):
            self.dropped[slot.match.match_id] = slot

    async def read_again(self, match_id: str) -> None:
        """Read a match that was dropped; its listeners hear how it stands, or that it is gone."""
        slot = await self.load(match_id)
        if match_id in self.cache.damaged:
            self.dropped.pop(match_id, None)  # it was told when that was found
        elif isinstance(slot, Slot):
            is_durable = slot.flight is None and slot.lost is None
            if slot.match.over and is_durable and slot.routed < 0:
                self._landed(slot)  # it was read; one that was frozen here tells it by itself
        elif slot.reason is Reason.NOT_FOUND:
            self._vanished(match_id)
        elif match_id in self.cache.foreign:
            self.dropped.pop(match_id, None)

    def _vanished(self, match_id: str) -> None:
        """End a match that the journal held and does not hold any more, for its listeners."""
        slot = self.dropped.pop(match_id, None)
        if slot is not None and slot.head.version:
            self.losses.tell_whole(match_id)
            seating.freeze(slot.match, self._clock.now_us(), even_over=True)
            self.audience.tell_anew(slot)

    def _cannot_follow(self, slot: Slot) -> None:
        """Drop a match that cannot be followed; its listeners hear when it is ended."""
        self._drop(slot)
        self.cache.quarantine(slot.match.match_id)

    def _quarantined(self, match_id: str) -> None:
        """Tell the other servers that a match cannot be followed here."""
        self.counts.matches_quarantined += 1
        self._begin(self._report(match_id))

    async def _report(self, match_id: str) -> None:
        with suppress(StoreError):
            if await self._quarantine.report(match_id):
                await self.read_again(match_id)

    def _damaged(self, match: Match) -> None:
        """Tell everybody, and the other servers, of a match whose log is damaged."""
        before = self.dropped.pop(match.match_id, None)
        self.counts.matches_quarantined += 1
        self._begin(self._report_damage(match.match_id))
        if before is not None and before.head.version:
            freeze_unwritten(before.match)
            self.audience.tell_anew(before)
        elif match.seats:
            self.audience.tell_anew(Slot(match))

    async def _report_damage(self, match_id: str) -> None:
        with suppress(StoreError):
            await self._quarantine.report_damage(match_id)

    def _doubt(self, slot: Slot) -> None:
        """Look at a match in memory of whose log another server has said something."""
        self._begin(self._examine(slot))

    async def _examine(self, slot: Slot) -> None:
        match_id = slot.match.match_id
        with suppress(StoreError):
            error = await self.cache.damage_of(match_id)
            if error is not None:
                await self.writer.settled(slot)
                if self.cache.slots.get(match_id) is slot:
                    self._drop(slot)
                    self.cache.condemn(match_id, error)

    async def end_unfollowed(self, match_id: str) -> Match:
        """
        Freeze a match that cannot be followed, and return it as far as it can be.

        Raises:
            Refusal: STORE_UNAVAILABLE.

        """
        try:
            await self._quarantine.end(match_id)
        except StoreError:
            raise unavailable("The match cannot be ended now; try again.") from None
        await self.read_again(match_id)
        return (await self.cache.load(match_id)).match


def _holds(match: Match, before: Slot) -> bool:
    """Tell whether a match that was read holds what the journal is known to have held before."""
    version = before.head.version
    if match.version < version:
        return False
    return not version or match.chains[8 * (version - 1) : 8 * version] == before.head.chain[:8]
