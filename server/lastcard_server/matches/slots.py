"""
How do decided entries become durable? Slots of the cache, and the one task that appends.

Whatever is decided while an append is under way gathers in the next flight; a flight is one call of
the journal. Flights follow one another, so a match's entries arrive in order, and who waits for the
latest flight of a match waits for all that is decided in it.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from enum import Enum

from lastcard_server.journal.port import Append, Index, Journal, StoreError, StoreUncertain
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Sink

_log = logging.getLogger(__name__)
_new = tuple.__new__  # of the named tuple that is made for every move


class Lost(Enum):
    """Why the journal does not hold what was decided."""

    CONFLICT = "conflict"
    """Somebody else appended first: read again and decide anew."""
    UNAVAILABLE = "unavailable"
    """The store cannot be written."""
    UNCERTAIN = "uncertain"
    """Whether the store has written it is not known."""


class Flight:
    """What one call of the journal appends."""

    __slots__ = ("lookers", "number", "slots", "waiters")

    def __init__(self, number: int) -> None:
        self.number = number
        self.slots: list[Slot] = []
        self.waiters: list[asyncio.Future[None]] = []
        self.lookers: list[asyncio.Future[None]] = []
        """Who is woken before anybody can decide on what this flight brings."""


class Slot:
    """A match in the cache."""

    __slots__ = (
        "alarm_us",
        "flight",
        "head",
        "idle",
        "index",
        "listeners",
        "lost",
        "match",
        "owners",
        "routed",
        "routes",
        "told",
    )

    def __init__(self, match: Match) -> None:
        self.match = match
        self.head = match.head
        """
        What the journal holds once every flight that took off has landed.

        Of a lost slot, what the journal is known to have held.
        """
        self.flight: Flight | None = None
        """The latest flight with entries of the match; None = all of it is durable."""
        self.lost: Lost | None = None
        """Set when an append failed: the slot must not be used any more."""
        self.index = index_of(match)
        """What the journal can find it by."""
        self.alarm_us = 0
        """The alarm that is set for it; 0 = none."""
        self.owners: set[str] = set()
        """Under whom the cache finds it."""
        self.idle = 0
        """For how many looks of the patrol nobody has wanted it."""
        self.told = match.shown_version
        """The version its listeners know."""
        self.routed = -1
        """Of which state of the audience `routes` and `listeners` are; -1 = none."""
        self.routes: list[list[Sink]] = []
        """Who hears of the turns of each seat."""
        self.listeners: list[Sink] = []
        """Who hears of the match at all."""


class Writer:
    """
    Appends what has been decided.

    Args:
        journal: where to.
        landed: called for each slot of which everything is durable.
        lost: called for each slot whose entries were not written; it must be forgotten.

    """

    def __init__(
        self, journal: Journal, landed: Callable[[Slot], None], lost: Callable[[Slot], None]
    ) -> None:
        self._journal = journal
        self._landed = landed
        self._lost = lost
        self._flying = Flight(0)
        self._gathering = Flight(1)
        self._wake = asyncio.Event()

    def touch(self, slot: Slot) -> None:
        """
        Have the unsaved entries of a slot appended with the next flight.

        Of one that is lost, which who had it read may see too late, nothing is: it never lands.
        """
        flight = self._gathering
        if slot.flight is not flight and slot.match.unsaved and slot.lost is None:
            slot.flight = flight
            if not flight.slots:
                self._wake.set()
            flight.slots.append(slot)

    async def durable(self, slots: Iterable[Slot]) -> None:
        """Wait until everything decided so far in these slots is durable, or lost."""
        latest: Flight | None = None
        for slot in slots:
            flight = slot.flight
            if flight is not None and (latest is None or flight.number > latest.number):
                latest = flight
        if latest is not None:
            waiter = asyncio.get_running_loop().create_future()
            latest.waiters.append(waiter)
            await waiter

    async def settled(self, slot: Slot) -> None:
        """
        Wait until all that is in a slot is durable, or lost; it is so when the caller goes on.

        Whoever decides on what has just become durable comes after those who wait here: they would
        see it otherwise before it is written, or wait as long as a match is played quickly.
        """
        while slot.flight is not None:
            looker = asyncio.get_running_loop().create_future()
            slot.flight.lookers.append(looker)
            await looker

    async def drain(self) -> None:
        """Wait until everything decided so far in any slot is durable, or lost."""
        await self.durable([*self._flying.slots, *self._gathering.slots])

    async def run(self) -> None:
        """Append flight after flight until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            flight = self._flying = self._gathering
            self._gathering = Flight(flight.number + 1)
            await self._fly(flight)
            flight.slots.clear()  # the next may be long in coming, and some of these are over

    async def _fly(self, flight: Flight) -> None:
        slots = [slot for slot in flight.slots if slot.lost is None]
        appends = [_append_of(slot) for slot in slots]
        outcomes = await self._append(appends)
        _wake(flight.lookers)
        landed = self._landed
        for slot, append, outcome in zip(slots, appends, outcomes, strict=True):
            if outcome is not None:
                slot.head = append.expected
                self._lose(slot, outcome)
            elif slot.flight is flight:
                slot.flight = None
                landed(slot)
        _wake(flight.waiters)

    async def _append(self, appends: list[Append]) -> list[Lost | None]:
        """Append; whatever goes wrong is told match by match, and the task goes on."""
        try:
            conflicts = await self._journal.append(appends) if appends else []
        except StoreUncertain as error:
            _log.warning("what was being written may be there or not: %s", error)
            return [Lost.UNCERTAIN] * len(appends)
        except StoreError as error:
            _log.warning("nothing could be written: %s", error)
            return [Lost.UNAVAILABLE] * len(appends)
        except Exception:  # noqa: BLE001 - the task must outlive any fault of a store
            _log.exception("the journal failed")
            return [Lost.UNAVAILABLE] * len(appends)
        return [conflict and Lost.CONFLICT for conflict in conflicts]

    def _lose(self, slot: Slot, reason: Lost) -> None:
        slot.lost, slot.flight = reason, None
        self._lost(slot)


def _wake(waiters: Iterable[asyncio.Future[None]]) -> None:
    for waiter in waiters:
        if not waiter.done():
            waiter.set_result(None)


def _append_of(slot: Slot) -> Append:
    """Take the unsaved entries of a slot."""
    match, expected, index = slot.match, slot.head, slot.index
    entries, match.unsaved = (*match.unsaved,), []
    slot.head = match.head
    due_us, known_us = match.due_us(), index.due_us
    if match.state is None or due_us is None or not match.last_us < (known_us or 0) <= due_us:
        index = slot.index = index_of(match)
    return _new(Append, (match.log, expected, entries, index))


def index_of(match: Match) -> Index:
    """
    Return what a match can be found by: the time it is due, or an earlier one; who has seats in it.

    Both are kept coarse on purpose, so that the index need not change with every answer.
    """
    if match.over or not match.version:
        return Index(None, (), live=not match.over, label="")
    return Index(
        match.due_us(), match.owners(), live=True, label=match.creator, revision=match.revision
    )
