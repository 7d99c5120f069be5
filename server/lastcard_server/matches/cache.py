"""
Which matches are in memory? Those that are live and somebody has asked for, read from the journal.

A match that is over, or whose entries could not be written, is not kept.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NamedTuple

from lastcard_engine.revisions import RUNS, Revisions
from lastcard_server.errors import Reason, Refusal
from lastcard_server.fields import no_such
from lastcard_server.journal.entry import ChainError
from lastcard_server.journal.port import Journal, LogCorrupt, StoreError
from lastcard_server.matches.creation import OtherRevision
from lastcard_server.matches.folding import Diverged
from lastcard_server.matches.history import HistorySeal
from lastcard_server.matches.loading import load, whole
from lastcard_server.matches.match import Match, log_of
from lastcard_server.matches.quarantine import Quarantine
from lastcard_server.matches.slots import Slot
from lastcard_server.secrets import ServerKeys, UnknownKeyError

_AT_ONCE = 16  # matches that are read at the same time
_log = logging.getLogger(__name__)


class Found(NamedTuple):
    """What is done with a match that was read."""

    live: Callable[[Slot], None]
    """It goes on; nobody else has seen it."""
    broken: Callable[[str], None]
    """It turns out not to be one that can be followed."""
    damaged: Callable[[Match], None]
    """Its log turns out to be damaged, and this much of it to be sound."""


class Cache:
    """
    The slots of live matches.

    Args:
        journal: where matches are read from.
        keys: for their deals.
        seal: for their histories.
        quarantine: knows the end of matches that cannot be followed.
        found: what is done with what was read.
        revisions: of the engine, that are run here.

    """

    def __init__(
        self,
        journal: Journal,
        keys: ServerKeys,
        seal: HistorySeal,
        quarantine: Quarantine,
        found: Found,
        revisions: Revisions = RUNS,
    ) -> None:
        self._journal = journal
        self._keys = keys
        self._seal = seal
        self._quarantine = quarantine
        self._found = found
        self._revisions = revisions
        self._reading: dict[str, asyncio.Task[Slot]] = {}
        self._owned: dict[str, dict[str, None]] = {}
        self.slots: dict[str, Slot] = {}
        """By match id."""
        self.broken: set[str] = set()
        """Matches that cannot be followed here."""
        self.damaged: dict[str, Match] = {}
        """Matches whose logs are damaged, over behind what is sound; the next to look at first."""
        self.foreign: set[str] = set()
        """Matches that take an engine revision which is not run here, as far as they are due."""

    def enter(self, match_id: str) -> Slot:
        """Return the slot of a match that is about to be created."""
        slot = self.slots[match_id] = Slot(Match(match_id, self._keys, self._seal))
        return slot

    def drop(self, slot: Slot) -> None:
        """Forget a slot."""
        if self.slots.get(slot.match.match_id) is slot:
            del self.slots[slot.match.match_id]
            self._own(slot, set())

    def seated(self, slot: Slot) -> None:
        """Note who holds the seats of a match."""
        self._own(slot, {seat.owner for seat in slot.match.seats if seat.taken})

    def _own(self, slot: Slot, owners: set[str]) -> None:
        match_id = slot.match.match_id
        for owner in slot.owners - owners:
            owned = self._owned[owner]
            del owned[match_id]
            if not owned:
                del self._owned[owner]
        for owner in owners - slot.owners:
            self._owned.setdefault(owner, {})[match_id] = None
        slot.owners = owners

    def owned(self, owner: str) -> list[str]:
        """Return the ids of the cached matches in which an owner has a seat."""
        return list(self._owned.get(owner, {}))

    async def load(self, match_id: str) -> Slot:
        """
        Return the slot of a match, read if need be; of one that is over a slot for this call only.

        Raises:
            Refusal: NOT_FOUND; STORE_UNAVAILABLE where it cannot be read or followed here;
                HISTORY_LOST where its log is damaged from the beginning.

        """
        slot = self.slots.get(match_id)
        if slot is not None:
            return slot
        if match_id in self.damaged:
            return self._torso(match_id)
        reading = self._reading.get(match_id)
        if reading is None:
            reading = self._reading[match_id] = asyncio.create_task(self._read(match_id))
            reading.add_done_callback(lambda task: self._have_read(match_id, task))
        return await asyncio.shield(reading)

    async def load_all(self, match_ids: Iterable[str]) -> list[Slot]:
        """Return the slots of those matches that `load` returns, read some at a time."""
        gate = asyncio.Semaphore(_AT_ONCE)

        async def found(match_id: str) -> Slot | None:
            async with gate:
                with suppress(Refusal):
                    return await self.load(match_id)
            return None

        slots = await asyncio.gather(*map(found, match_ids))
        return [slot for slot in slots if slot is not None]

    def _have_read(self, match_id: str, task: asyncio.Task[Slot]) -> None:
        del self._reading[match_id]
        if not task.cancelled():
            task.exception()  # whoever waited may be gone; nobody has to hear of it then

    def holds(self, match_id: str) -> bool:
        """Tell whether a match was read before now, and may lack what was appended since."""
        return match_id in self.slots or match_id in self._reading

    async def _read(self, match_id: str) -> Slot:
        try:
            match = await load(self._journal, match_id, self._keys, self._seal, self._revisions)
            if match is None:
                raise no_such("match")
        except LogCorrupt as error:
            self.condemn(match_id, error)
            return self._torso(match_id)
        except StoreError as error:
            _log.warning("a match could not be read: %s", error)
            raise unavailable("The match cannot be read now; try again.") from None
        except OtherRevision as other:
            self.foreign.add(match_id)
            raise unavailable(
                f"The match takes engine revision {other.revision}; this server runs "
                f"{self._revisions}. Another server goes on with it."
            ) from None
        except (ChainError, Diverged):
            match = await self._unfollowed(match_id)
        except UnknownKeyError:
            _log.exception("match %s cannot be followed", match_id)
            raise _unfollowable() from None
        if match_id in self.damaged:  # found meanwhile; it may lie before the snapshot
            return self._torso(match_id)
        self.broken.discard(match_id)
        slot = self.slots.get(match_id) or Slot(match)
        if slot.match is match and not match.over:
            self.slots[match_id] = slot
            self.seated(slot)
            self._found.live(slot)
        return slot

    # Matches whose logs are damaged

    def condemn(self, match_id: str, error: LogCorrupt) -> None:
        """End a match that is not in memory and whose log is damaged, for whoever asks here."""
        if match_id in self.damaged:
            return
        match = self._quarantine.torso(match_id, error.sound)
        self.damaged[match_id] = match
        self.broken.discard(match_id)
        _log.error("match %s is told as frozen, as its log is damaged: %s", match_id, error)
        self._found.damaged(match)

    def _torso(self, match_id: str) -> Slot:
        match = self.damaged[match_id]
        if not match.seats:
            raise lost()
        return Slot(match)

    async def damage_of(self, match_id: str) -> LogCorrupt | None:
        """Return how the log of a match is damaged, by reading it whole; raises StoreError."""
        try:
            await whole(self._journal, log_of(match_id))
        except LogCorrupt as error:
            return error
        return None

    async def condemned(self, match_id: str) -> bool:
        """
        Tell whether a match has ended as its log is damaged; raises StoreError.

        One that is not in memory is read whole for it: `load` sees no damage before a snapshot.
        """
        if match_id not in self.slots and match_id not in self.damaged:
            error = await self.damage_of(match_id)
            if error is not None and match_id not in self.slots:
                self.condemn(match_id, error)
        return match_id in self.damaged

    async def look_again(self) -> None:
        """Look whether the log of one of the damaged matches was restored; raises StoreError."""
        if self.damaged:
            match_id = next(iter(self.damaged))
            self.damaged[match_id] = self.damaged.pop(match_id)
            if await self.damage_of(match_id) is None:
                del self.damaged[match_id]
                _log.warning("the log of match %s is whole again; it is served", match_id)

    # Matches that cannot be followed

    async def _unfollowed(self, match_id: str) -> Match:
        """Return a match that was ended because it cannot be followed; refuse one that was not."""
        try:
            ended = await self._quarantine.ended(match_id)
        except StoreError:
            ended = None
        if ended is None:
            self.quarantine(match_id)
            raise _unfollowable() from None
        return ended

    def quarantine(self, match_id: str) -> None:
        """Follow a match no more."""
        if match_id not in self.broken:
            _log.error("match %s cannot be followed", match_id, exc_info=True)
            self.broken.add(match_id)
            self._found.broken(match_id)


def _unfollowable() -> Refusal:
    return unavailable("This server cannot continue the match; ask its operator.")


def lost() -> Refusal:
    """Return the refusal of a match of which nothing sound is left."""
    message = "The log of the match is damaged in the store; the match has ended as frozen."
    return Refusal(Reason.HISTORY_LOST, message)


def unavailable(message: str) -> Refusal:
    """Return the refusal that a later try may not meet."""
    return Refusal(Reason.STORE_UNAVAILABLE, message)
