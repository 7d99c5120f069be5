"""
What becomes of a match that cannot be followed? It ends, once two servers or an organiser say so.

One server alone may be wrong: its memory, its disk or its build. So it refuses the match and says
so in the log `quarantine/<match>`; the second that finds the same appends `frozen` to the match,
unfolded, so that everybody hears of an end.
"""

from collections.abc import Sequence

from lastcard_engine.record import ENDS, EntryKind
from lastcard_server.clock import Clock
from lastcard_server.journal.entry import ChainError, Entry, chained, genesis
from lastcard_server.journal.port import Append, Index, Journal
from lastcard_server.matches.folding import Diverged, fold, follow
from lastcard_server.matches.history import HistorySeal
from lastcard_server.matches.match import Match, log_of
from lastcard_server.matches.writing import result_body
from lastcard_server.secrets import ServerKeys

KIND = "broken"
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
        log = quarantine_of(log_of(match_id))
        while True:
            entries = await self._journal.read(log)
            pods = {entry.body for entry in entries} | {self._pod}
            if len(pods) == len(entries):
                break
            head = entries[-1].head if entries else genesis(log)
            entry = chained(head, KIND, self._clock.now_us(), body=self._pod)
            (conflict,) = await self._journal.append([Append(log, head, (entry,), _INDEX)])
            if conflict is None:
                break
        if len(pods) == 1:
            return False
        await self.end(match_id)
        return True

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

    def _remains(self, match_id: str, entries: Sequence[Entry]) -> Match:
        """Return what can be followed of a match."""
        match = Match(match_id, self._keys, self._seal)
        for entry in entries:
            try:
                follow(match, (entry,))
            except (ChainError, Diverged):
                break
        return match


def quarantine_of(log: str) -> str:
    """Return the name of the log that says which servers cannot follow the match of a log."""
    return f"quarantine/{log.partition('/')[2]}"
