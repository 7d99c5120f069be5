"""
What can be done with the matches of a server? Creating, joining, playing and hearing of them.

Whatever is returned is durable. A `Match` that is handed out changes as it goes on: read it at
once, or get it again.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from lastcard_engine.revisions import RUNS, Revisions
from lastcard_server.clock import Clock
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.port import Journal, LogCorrupt, StoreError
from lastcard_server.matches import deals, groups, seating
from lastcard_server.matches.cache import lost, unavailable
from lastcard_server.matches.commands import Command, Outcome
from lastcard_server.matches.counts import Counts, Sizes
from lastcard_server.matches.creation import Creation, require_runnable
from lastcard_server.matches.house import House, Strategy
from lastcard_server.matches.known_ends import KnownEnds, known_ends
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Sink
from lastcard_server.matches.record import open_record, written_record
from lastcard_server.matches.runtime import ATTEMPTS, Runtime
from lastcard_server.matches.setup import HOUSE, MatchSetup
from lastcard_server.matches.slots import Lost, Slot
from lastcard_server.matches.turns import OpenTurn
from lastcard_server.secrets import ServerKeys


class Leg(NamedTuple):
    """One match of a deal group to create."""

    match_id: str
    setup: MatchSetup
    """Its seats name the entrants: the same ones in every leg."""


class Taken(NamedTuple):
    """A seat that was taken by `join`."""

    match: Match
    seat: int
    seat_token: str


class Matches:
    """
    The matches of this server.

    Args:
        journal: the store.
        keys: the server's keys.
        clock: stamps commands and fires deadlines.
        strategies: the house bots, by name.
        pod: the name of this server among those on one journal.
        revisions: of the engine, that are run here, and which of them new matches take.

    """

    def __init__(
        self,
        journal: Journal,
        keys: ServerKeys,
        clock: Clock,
        strategies: Mapping[str, Strategy],
        pod: str = "server",
        revisions: Revisions = RUNS,
    ) -> None:
        self._journal = journal
        self._keys = keys
        self._clock = clock
        self._revisions = revisions
        self._runtime = Runtime(journal, keys, clock, pod, revisions)
        self._house = House(strategies, self.submit, clock)

    def __len__(self) -> int:
        """Return how many matches are in memory."""
        return len(self._runtime.cache.slots)

    @property
    def sizes(self) -> Sizes:
        """Return what is in memory besides the matches that `len` counts; any thread may ask."""
        kept = self._runtime.custody
        remembered = len(kept.finished) + len(kept.dropped) + len(kept.cache.damaged)
        return Sizes(len(kept.audience), len(kept.timers.alarms), remembered)

    async def start(self) -> None:
        """
        Begin to write, to fire what falls due and to play the house's seats.

        Raises:
            LeftBehind: the store holds live matches that are too old for this release.
            StoreError: the store does not answer.

        """
        await require_runnable(self._journal, self._revisions)
        await self._runtime.start()
        self._runtime.tasks.begin(self._house.run(), vital=True)
        if self._journal.shared:  # the patrol takes up what is this server's part
            self._runtime.audience.add(HOUSE, self._house, connection=True)
        else:
            await self.subscribe(HOUSE, self._house)

    @property
    def broken(self) -> asyncio.Event:
        """Return what is set once matches cannot go on: a task they need has ended by a fault."""
        return self._runtime.tasks.broken

    @property
    def counts(self) -> Counts:
        """Return what has happened because of other servers, or of the store."""
        return self._runtime.custody.counts

    def is_home(self, name: str) -> bool:
        """Tell whether this server, of all that live on the journal, is the first for a name."""
        return self._runtime.homes.is_home(name)

    async def retire(self) -> None:
        """Let other servers on the journal take over; what is asked here is still served."""
        await self._runtime.leave()

    async def aclose(self) -> None:
        """Write what is pending and stop; commands are refused as DRAINING from now on."""
        await self._runtime.aclose()

    # Making matches

    async def create(self, creator: str, request_id: str, setup: MatchSetup) -> Match:
        """
        Create a match; the same creator, request_id and setup get the same match.

        Raises:
            Refusal: REQUEST_ID_REUSED where the setup differs; BAD_FIELD for a strategy that the
                house does not have; STORE_UNAVAILABLE.

        """
        match_id = self._keys.match_id(creator, request_id)
        pool = deals.new_pool(self._keys, match_id)
        slot = self._begin(match_id, creator, request_id, setup, pool)
        return await self._created(slot, creator, setup)

    async def create_group(self, creator: str, group_id: str, legs: Sequence[Leg]) -> list[Match]:
        """
        Create the legs of a deal group: several matches that share one deal; repeatable.

        A leg that exists is returned as it is, a missing one is created with the group's deal. A
        leg of which nothing sound is left is left out of what is returned.

        Raises:
            Refusal: REQUEST_ID_REUSED where the group has other legs or a leg another setup;
                BAD_FIELD for an unknown strategy; STORE_UNAVAILABLE.

        """
        names = tuple(leg.match_id for leg in legs)
        group = await groups.read(self._journal, group_id)
        if group is None:
            pool, now_us = deals.new_pool(self._keys, group_id), self._clock.now_us()
            group = await groups.create(self._journal, creator, pool, names, now_us)
        if group.legs != names or group.creator != creator:
            raise _reused()
        slots = [self._begin(leg.match_id, creator, "", leg.setup, group.pool) for leg in legs]
        created = []
        for slot, leg in zip(slots, legs, strict=True):
            try:
                created.append(await self._created(slot, creator, leg.setup))
            except Refusal as refusal:
                if refusal.reason is not Reason.HISTORY_LOST:
                    raise
        return created

    def _begin(
        self, match_id: str, creator: str, request_id: str, setup: MatchSetup, pool: deals.Pool
    ) -> Slot:
        """Create a match in memory unless it is there; the journal says whether it is new."""
        self._runtime.refuse_closed()
        for seat in setup.seats:
            if seat.owner == HOUSE and seat.strategy not in self._house.strategies:
                known = ", ".join(sorted(self._house.strategies))
                raise Refusal(Reason.BAD_FIELD, f"strategy must be one of: {known}.")
        slot = self._runtime.cache.slots.get(match_id)
        if slot is None:
            slot = self._runtime.cache.enter(match_id)
            deal = deals.new_deal(self._keys, pool)
            now_us = self._clock.now_us()
            creation = Creation(creator, setup, deal, self._revisions.new)
            seating.create(slot.match, creation, request_id, now_us)
            self._runtime.writer.touch(slot)
        return slot

    async def _created(self, slot: Slot, creator: str, setup: MatchSetup) -> Match:
        """Return the match when it is durable, the one that was there before if there was one."""
        await self._runtime.writer.settled(slot)
        if slot.lost is Lost.UNAVAILABLE:
            raise unavailable("The store cannot be written now; nothing was created, try again.")
        if slot.lost is Lost.UNCERTAIN:
            raise unavailable("The store broke off, and it may be created or not: try again.")
        match = slot.match if slot.lost is None else await self.get(slot.match.match_id)
        if match.creator != creator or match.setup != setup:
            raise _reused()
        return match

    # Seats

    async def join(
        self, match_id: str, owner: str, name: str, request_id: str, seat: int | None = None
    ) -> Taken:
        """
        Take an open seat, or a reserved one of the owner; a repeat gets the same seat and token.

        Raises:
            Refusal: NOT_FOUND; BAD_NAME; BAD_FIELD for a seat that does not exist; TABLE_FULL,
                also for a seat that is taken; ALREADY_STARTED; MATCH_OVER; REQUEST_ID_REUSED.

        """
        now_us = self._clock.now_us()
        decision = partial(
            seating.join, owner=owner, name=name, request_id=request_id, seat=seat, now_us=now_us
        )
        match, taken = await self._runtime.change(match_id, decision)
        generation = match.seats[taken].generation
        return Taken(match, taken, self._keys.seat_token(match_id, taken, generation))

    async def leave(self, match_id: str, owner: str, seat: int, generation: int = 0) -> Match:
        """
        Give a seat back before the start; its token dies. Leaving a seat twice is refused.

        Raises:
            Refusal: NOT_FOUND, FORBIDDEN, ALREADY_STARTED, MATCH_OVER.

        """
        now_us = self._clock.now_us()
        decision = partial(
            seating.leave, owner=owner, generation=generation, seat=seat, now_us=now_us
        )
        match, (holder, turn) = await self._runtime.change(match_id, decision)
        self._runtime.audience.tell_left(match, seat, turn, holder)
        return match

    async def cancel(self, match_id: str, by: str) -> Match:
        """
        End a match without result; a cancelled one stays as it is.

        Who may is for the caller to say; `by` is the owner who called it off, the log keeps it. A
        match that cannot be followed is frozen instead.

        Raises:
            Refusal: NOT_FOUND, MATCH_OVER where it ended otherwise.

        """
        decision = partial(seating.cancel, by=by, now_us=self._clock.now_us())
        try:
            return (await self._runtime.change(match_id, decision))[0]
        except Refusal:
            if match_id not in self._runtime.cache.broken:
                raise
        return await self._runtime.custody.end_unfollowed(match_id)

    # Playing and what is left of it

    async def submit(self, commands: Sequence[Command]) -> list[Outcome]:
        """Decide the commands of one message; return their outcomes, in order, when durable."""
        return await self._runtime.submit(commands)

    async def ends(self, match_ids: Collection[str]) -> KnownEnds:
        """Return which of some matches are over or lost; Refusal: STORE_UNAVAILABLE."""
        try:
            return await known_ends(match_ids, self._journal, self._runtime.cache, self.get)
        except StoreError:
            raise unavailable("Matches cannot be read now; try again.") from None

    async def is_damaged(self, match_id: str) -> bool:
        """Tell whether the log of a match that is not in memory is damaged; raises StoreError."""
        cache = self._runtime.cache
        if not await cache.condemned(match_id):
            with suppress(Refusal):  # a second word may end one that cannot be followed
                await cache.load(match_id)
        return match_id in cache.damaged

    async def get(self, match_id: str) -> Match:
        """
        Return a match, live or over; everything in it is durable at the return.

        Raises:
            Refusal: NOT_FOUND, STORE_UNAVAILABLE.

        """
        await self._runtime.fresh(match_id)
        return (await self._runtime.change(match_id, _look))[0]

    async def record(self, match_id: str) -> bytes:
        """
        Return the record of a match as JSON lines, the deal secret and every hand included.

        Raises:
            Refusal: RECORD_CLOSED as long as a match that shares the deal is not over; NOT_FOUND;
                HISTORY_LOST where its log is damaged; STORE_UNAVAILABLE.

        """
        match = await self.get(match_id)
        try:
            return await open_record(self._journal, match)
        except StoreError as error:
            with suppress(StoreError):
                if isinstance(error, LogCorrupt) and await self._runtime.cache.condemned(match_id):
                    raise lost() from None
            raise unavailable("The record cannot be read now; try again.") from None

    async def record_digest(self, match: Match) -> bytes:
        """
        Return the SHA-256 of the record of a match that is over, before the record is open.

        Raises:
            StoreError: the store cannot be read now.
            Refusal: NOT_FOUND.

        """
        return sha256(await written_record(self._journal, match)).digest()

    async def open_turns(self, owner: str) -> list[tuple[Match, OpenTurn]]:
        """Return the open turns of an owner's seats; everything in their matches is durable."""
        slots: list[Slot] = []
        match_ids = await self._match_ids(owner)
        await self._runtime.fresh(*match_ids)
        for match_id in match_ids:
            with suppress(Refusal):
                slots.append(await self._runtime.cache.load(match_id))
        for _ in range(ATTEMPTS):
            moving = [slot for slot in slots if slot.flight is not None]
            await self._runtime.writer.durable(moving)
            if not moving:
                break
        return [
            (slot.match, turn)
            for slot in slots
            if slot.flight is None and slot.lost is None
            for turn in slot.match.turns_of(owner)
        ]

    async def _match_ids(self, owner: str) -> list[str]:
        """Return live matches in which an owner is to act, and those in memory with its seats."""
        if owner.startswith("seat:"):
            return [owner.split(":")[1]]
        logs = await self._journal.open_for((owner,))
        asked = [log.removeprefix("match/") for log in logs if log.startswith("match/")]
        return list(dict.fromkeys([*asked, *self._runtime.cache.owned(owner)]))

    # Hearing

    async def subscribe(self, owner: str, sink: Sink, *, connection: bool = True) -> None:
        """
        Call `sink` for all seats of an owner: first with every turn that is open, then as it goes.

        Every sink of an owner hears everything, a turn perhaps twice; which of several streams
        sends it is theirs to agree on. `connection`: whether its end means that the owner is gone.
        """
        self._runtime.audience.add(owner, sink, connection=connection)
        match_ids = await self._match_ids(owner)
        await self._runtime.fresh(*match_ids)
        for match_id in match_ids:
            with suppress(Refusal):
                match, _ = await self._runtime.change(match_id, _look)
                for turn in match.turns_of(owner):
                    sink.turn_opened(match, turn)

    def unsubscribe(self, owner: str, sink: Sink) -> None:
        """Stop calling `sink`."""
        self._runtime.unsubscribe(owner, sink)

    async def subscribe_match(self, match_id: str, sink: Sink) -> Match:
        """Call `sink` with updates and the end of one match; return the match as it stands then."""
        self._runtime.audience.add_spectator(match_id, sink)
        try:
            return await self.get(match_id)
        except BaseException:
            self._runtime.audience.remove_spectator(match_id, sink)
            raise

    def unsubscribe_match(self, match_id: str, sink: Sink) -> None:
        """Stop calling `sink`."""
        self._runtime.audience.remove_spectator(match_id, sink)


def _look(match: Match) -> None:
    """Decide nothing."""


def _reused() -> Refusal:
    message = "The request_id was used for a different request; choose a new one."
    return Refusal(Reason.REQUEST_ID_REUSED, message)
