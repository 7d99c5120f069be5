"""
What becomes of a match that cannot be followed? It ends, once two servers or an organiser say so.

One server alone may be wrong: its memory, its disk or its build. So it refuses the match and says
so in the log `quarantine/<match>`; the second that finds the same appends `frozen` to the match,
unfolded, so that everybody hears of an end.

One whose log is damaged ends in memory alone: what the store holds of it is evidence.
"""

from collections.abc import Sequence
from typing import Final

from lastcard_engine.record import ENDS, EntryKind
from lastcard_server.clock import Clock
from lastcard_server.journal.entry import ChainError, Entry, chained, genesis
from lastcard_server.journal.port import Append, Index, Journal
from lastcard_server.matches.folding import Diverged, fold, follow
from lastcard_server.matches.history import HistorySeal
from lastcard_server.matches.match import Match, log_of
from lastcard_server.matches.writing import result_body
from lastcard_server.secrets import ServerKeys, UnknownKeyError

BROKEN = "broken"
DAMAGED = "damaged"
PREFIX: Final = "quarantine/"
_INDEX = Index(None, (), live=False, label="")


class Quarantine:
    """
    Ends matches that cannot be followed.

    Args:
        journal: holds them.
        keys: for their deals.
        seal: for their histories.
        clock: stamps their end.
        pod: the name of this server.

    """

    def __init__(
        self, journal: Journal, keys: ServerKeys, seal: HistorySeal, clock: Clock, pod: str
    ) -> None:
        self._journal = journal
        self._keys = keys
        self._seal = seal
        self._clock = clock
        self._pod = pod

    async def report(self, match_id: str) -> bool:
        """Say that this server cannot follow a match; end it, True, if another has said so."""
        if len(await self._say(BROKEN, match_id)) == 1:
            return False
        await self.end(match_id)
        return True

    async def report_damage(self, match_id: str) -> None:
        """Have the other servers look whether the log of a match is damaged."""
        await self._say(DAMAGED, match_id)

    async def _say(self, kind: str, match_id: str) -> set[str]:
        """Write down what this server says of a match; return which servers say so."""
        log = quarantine_of(log_of(match_id))
        while True:
            entries = await self._journal.read(log)
            pods = {entry.body for entry in entries if entry.kind == kind}
            if self._pod in pods:
                return pods
            head = entries[-1].head if entries else genesis(log)
            entry = chained(head, kind, self._clock.now_us(), body=self._pod)
            (conflict,) = await self._journal.append([Append(log, head, (entry,), _INDEX)])
            if conflict is None:
                return pods | {self._pod}

    async def end(self, match_id: str) -> None:
        """Freeze a match behind whatever its log holds; one that is over stays as it is."""
        log = log_of(match_id)
        while True:
            entries = await self._journal.read(log)
            if not entries or entries[-1].kind in ENDS:
                return
            last = entries[-1]
            body = result_body(self._remains(match_id, entries), "frozen")
            time_us = max(self._clock.now_us(), last.time_us)
            entry = chained(last.head, EntryKind.FROZEN, time_us, body=body)
            (conflict,) = await self._journal.append([Append(log, last.head, (entry,), _INDEX)])
            if conflict is None:
                return

    async def ended(self, match_id: str) -> Match | None:
        """Return a match that was frozen unfollowed: as far as it goes, and its end."""
        entries = await self._journal.read(log_of(match_id))
        if not entries or entries[-1].kind != EntryKind.FROZEN:
            return None
        match = self._remains(match_id, entries)
        if not match.seats:
            return None
        fold(match, entries[-1])
        match.chains = bytearray(b"".join(entry.chain[:8] for entry in entries))
        match.events, match.opened, match.closed = [], [], []
        return match

    def torso(self, match_id: str, sound: Sequence[Entry]) -> Match:
        """
        Return a match of which only the beginning is sound, as over; without seats where none is.

        Its head is the last that is sound: who hands that back once the log is restored is right.
        """
        try:
            match = self._remains(match_id, sound)
        except UnknownKeyError:
            return Match(match_id, self._keys, self._seal)
        if match.seats:
            freeze_unwritten(match)
            match.events, match.opened, match.closed = [], [], []
        return match

    def _remains(self, match_id: str, entries: Sequence[Entry]) -> Match:
        """Return what can be followed of a match."""
        match = Match(match_id, self._keys, self._seal)
        for entry in entries:
            try:
                follow(match, (entry,))
            except (ChainError, Diverged):
                break
        return match


def freeze_unwritten(match: Match) -> None:
    """End a live match in memory alone, at the head that it has."""
    if match.over:
        return
    head, chains = match.head, bytearray(match.chains)
    body = result_body(match, "frozen")
    fold(match, chained(head, EntryKind.FROZEN, match.last_us, body=body))
    match.head, match.version, match.chains = head, head.version, chains


def quarantine_of(log: str) -> str:
    """Return the name of the log that says which servers cannot follow the match of a log."""
    return f"{PREFIX}{log.partition('/')[2]}"
