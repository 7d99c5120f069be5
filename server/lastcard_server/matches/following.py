"""
How does a server keep up with what others append? By hints at once, and once a second without.

Matches that somebody hears of here are followed entry by entry in memory; those that it is this
server's turn to tell somebody of are taken up; the others are let go after a while. What is on its
way to the journal is left alone, for its compare-and-set finds out by itself.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from lastcard_engine.record import EntryKind
from lastcard_server.errors import Refusal
from lastcard_server.gathering import Gathered
from lastcard_server.journal.entry import ChainError, Entry
from lastcard_server.journal.hints import joined
from lastcard_server.journal.port import Hint, Index, Journal, StoreError
from lastcard_server.matches.audience import Audience
from lastcard_server.matches.cache import Cache
from lastcard_server.matches.counts import Counts
from lastcard_server.matches.finished import Finished
from lastcard_server.matches.folding import Diverged, follow
from lastcard_server.matches.homes import Homes
from lastcard_server.matches.match import log_of
from lastcard_server.matches.quarantine import PREFIX as QUARANTINE
from lastcard_server.matches.slots import Slot, index_of

PREFIX: Final = "match/"
IDLE_LOOKS: Final = 10
"""For how many looks of the patrol a match is kept that nobody hears of here."""
_PAUSE_SECONDS: Final = 0.2


class Followed(NamedTuple):
    """What is done with a slot that was brought up to date."""

    news: Callable[[Slot], None]
    """It holds more now."""
    lost: Callable[[Slot], None]
    """The journal does not hold what it holds."""
    broken: Callable[[Slot], None]
    """What the journal holds cannot be followed here."""
    doubted: Callable[[Slot], None]
    """Another server has said that its log is damaged, or cannot be followed."""


class Follower:
    """
    Keeps the matches of this server in line with a shared journal.

    Args:
        journal: what others append to.
        cache: the matches in memory.
        audience: who hears of which match.
        homes: whose turn it is to tell somebody.
        finished: matches that were over lately.
        counts: what is counted.
        followed: what is done with what was found.

    """

    def __init__(
        self,
        journal: Journal,
        cache: Cache,
        audience: Audience,
        homes: Homes,
        finished: Finished,
        counts: Counts,
        followed: Followed,
    ) -> None:
        self._journal = journal
        self._cache = cache
        self._audience = audience
        self._homes = homes
        self._finished = finished
        self._counts = counts
        self._followed = followed
        self._grown: dict[str, Hint] = {}
        self._wake = asyncio.Event()
        self._fresh = Gathered(self.catch_up)
        self._others: set[str] = set()
        """Logs known to be other servers' to tell of, as long as nothing changes."""
        self._others_of = -1
        self._looks = 0
        self._later: set[str] = set()
        """Matches that have grown while something of them was on its way to the journal."""

    # Hints

    async def listen(self) -> None:
        """Gather what the journal says has grown and concerns anybody here, until it is closed."""
        async for hint in self._journal.hints():
            log, live, moved = hint
            if moved or not live or self._cache.holds(log.removeprefix(PREFIX)):
                self._grown[log] = joined(self._grown.get(log), hint)
                self._wake.set()

    async def run(self) -> None:
        """Follow what has gathered, again and again until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            grown, self._grown = self._grown, {}
            try:
                await self._look_at(grown)
            except StoreError:  # the patrol looks after it
                await asyncio.sleep(_PAUSE_SECONDS)

    async def _look_at(self, grown: Mapping[str, Hint]) -> None:
        slots, moved, over = [], [], []
        for log, hint in grown.items():
            slot = self._cache.slots.get(log.partition("/")[2])
            if slot is not None and log.startswith(QUARANTINE):
                self._followed.doubted(slot)
            if not log.startswith(PREFIX):
                continue
            if slot is not None:
                slots.append(slot)
            elif not hint.live:
                over.append(log)
            elif hint.moved:
                moved.append(log)
        moving = {slot.match.match_id for slot in slots if slot.flight is not None}
        self._later |= moving & self._cache.slots.keys()
        await self.catch_up([slot for slot in slots if slot.listeners])
        self._others.difference_update(moved)
        await self._take_up(moved)
        for log in over:
            await self._tell_over(log.removeprefix(PREFIX))

    def landed(self, match_id: str) -> None:
        """Look at a match of which everything is durable if it has grown meanwhile."""
        if match_id in self._later:
            self._later.discard(match_id)
            log = log_of(match_id)
            self._grown[log] = Hint(log, moved=False)
            self._wake.set()

    # Matches in memory

    async def refresh(self, slots: Iterable[Slot]) -> None:
        """Bring slots up to what the journal holds by now; calls gather. Raises StoreError."""
        await self._fresh.ask(*slots)

    async def catch_up(self, slots: Iterable[Slot]) -> None:
        """Fold into slots what others have appended; raises StoreError."""
        resting = {slot.match.log: slot for slot in slots if self._rests(slot)}
        heads = {log: slot.head for log, slot in resting.items()}
        grown = await self._journal.since(heads) if heads else {}
        for log, entries in grown.items():
            slot = resting[log]
            if not self._rests(slot) or slot.head != heads[log]:
                continue
            if entries is None:
                self._followed.lost(slot)
            else:
                self._follow(slot, entries)

    def _rests(self, slot: Slot) -> bool:
        """Tell whether a slot is in use and nothing of it is on its way to the journal."""
        known = self._cache.slots.get(slot.match.match_id) is slot
        return known and slot.flight is None and slot.lost is None

    def _follow(self, slot: Slot, entries: Iterable[Entry]) -> None:
        """Fold entries and tell them; who leaves a seat hears of it as the last thing."""
        match, leaving = slot.match, []
        try:
            for entry in entries:
                if entry.kind == EntryKind.LEFT and entry.seat is not None:
                    turn = match.turns.get(entry.seat)
                    holder = match.seats[entry.seat].owner
                    leaving.append((entry.seat, turn.turn if turn else 0, holder))
                follow(match, (entry,))
        except (ChainError, Diverged):
            self._followed.broken(slot)
            return
        slot.head, slot.index = match.head, index_of(match)
        self._cache.seated(slot)
        self._counts.catch_ups += 1
        self._followed.news(slot)
        for seat, number, holder in leaving:
            self._audience.tell_left(match, seat, number, holder)

    # Matches that are not

    async def _take_up(self, logs: Collection[str]) -> None:
        """Read those of these logs that it is this server's turn to tell somebody of."""
        if self._others_of != self._homes.version:
            self._others.clear()
            self._others_of = self._homes.version
        unknown = [log for log in logs if log not in self._others and not self._holds(log)]
        found = await self._journal.indexes(unknown) if unknown else {}
        ours = []
        for log, index in found.items():
            match_id = log.removeprefix(PREFIX)
            if index.live and self.is_ours(match_id, index):
                ours.append(match_id)
            else:
                self._others.add(log)
        slots = await self._cache.load_all(m for m in ours if m not in self._cache.broken)
        read = {slot.match.log for slot in slots}  # whoever reads a match tells it
        self._others.update(log_of(match_id) for match_id in ours if log_of(match_id) not in read)

    def _holds(self, log: str) -> bool:
        return log.removeprefix(PREFIX) in self._cache.slots

    def is_ours(self, match_id: str, index: Index) -> bool:
        """Tell whether this server tells anybody of a match, by who has seats in it."""
        if self._audience.is_watched(match_id):
            return True
        seats = (f"seat:{match_id}:{seat}" for seat in range(10))
        return any(self._audience.tells(owner, match_id) for owner in (*index.owners, *seats))

    async def _tell_over(self, match_id: str) -> None:
        """Tell who has a token of a match that is over, and only that."""
        if match_id in self._audience.ended or match_id not in self._by_token():
            return
        with suppress(Refusal):
            match = (await self._cache.load(match_id)).match
            if match.over:
                self._audience.tell_over(match)

    def _by_token(self) -> set[str]:
        """Return the matches of which somebody with the token of a seat is connected here."""
        owners = self._audience.owners()
        return {owner.split(":")[1] for owner in owners if owner.startswith("seat:")}

    # Every second

    async def look(self) -> None:
        """Do without hints whatever they might have brought about; raises StoreError."""
        self._looks += 1
        if not self._looks % IDLE_LOOKS:
            self._others.clear()
            await self._forget_gone()
        for slot in tuple(self._cache.slots.values()):
            if self._rests(slot) and not self._audience.is_current(slot):
                self._followed.news(slot)
        await self.catch_up(tuple(self._cache.slots.values()))
        await self._look_back()
        tokens = self._by_token()
        self._audience.ended &= tokens
        owners = [owner for owner in self._audience.owners() if not owner.startswith("seat:")]
        logs = await self._journal.open_for(owners) if owners else []
        await self._take_up([log for log in logs if log.startswith(PREFIX)])
        await self._look_after(tokens - self._audience.ended - self._cache.slots.keys())
        self._later &= self._cache.slots.keys()
        self._let_go()

    async def _look_back(self) -> None:
        """Look whether the journal still holds the ends of those that were over lately."""
        heads = self._finished.heads()
        found = await self._journal.since(heads) if heads else {}
        for log, entries in found.items():
            slot = self._finished.take(log.removeprefix(PREFIX)) if entries is None else None
            if slot is not None:
                self._followed.lost(slot)
        self._finished.age()

    async def _forget_gone(self) -> None:
        """Forget who is gone from a match that is over; it may be over at another server."""
        gone = self._audience.gone_from()
        found = await self._journal.indexes([log_of(match_id) for match_id in gone]) if gone else {}
        for match_id, owners in gone.items():
            index = found.get(log_of(match_id))
            if index is None or not index.live:
                for owner in owners:
                    self._audience.forget(owner)

    async def _look_after(self, matches: Collection[str]) -> None:
        """Take up matches with a token's stream that are live, and tell the end of the others."""
        logs = [log_of(match_id) for match_id in matches]
        found = await self._journal.indexes(logs) if logs else {}
        await self._take_up([log for log, index in found.items() if index.live])
        for log, index in found.items():
            if not index.live:
                await self._tell_over(log.removeprefix(PREFIX))

    def _let_go(self) -> None:
        """Forget matches that nobody has wanted for a while."""
        for slot in tuple(self._cache.slots.values()):
            slot.idle = 0 if slot.listeners else slot.idle + 1
            if slot.idle > IDLE_LOOKS and self._rests(slot):
                self._cache.drop(slot)
