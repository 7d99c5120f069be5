"""
How do operators hear of a match that the store has lost? By a line in the log and a count.

Of a match that is gone they hear once. Those that only a player's history proves are named so many
a minute: whoever keeps histories, also of matches deleted for their age, could else fill the log.
"""

import logging
from typing import Final

from lastcard_server.clock import Clock
from lastcard_server.matches.counts import Counts

REMEMBERED: Final = 10_000
"""How many matches that are gone are known, so that each is told and counted once."""
LINES: Final = 100
"""How many of those that players prove are named in a minute."""
_MINUTE_US: Final = 60_000_000
_log = logging.getLogger(__name__)


class Losses:
    """Tells of what the store has lost; `counts` counts it, `clock` says when a minute is over."""

    def __init__(self, counts: Counts, clock: Clock) -> None:
        self._counts = counts
        self._clock = clock
        self._gone: dict[str, None] = {}
        self._minute = -1
        self._lines = 0

    def tell_part(self, match_id: str) -> None:
        """Tell of a match, which is frozen, that lacks what somebody was told of it."""
        self._counts.histories_lost += 1
        _log.error("the store has lost a part of match %s", match_id)

    def tell_whole(self, match_id: str) -> None:
        """Tell of a match that this server knew and the store does not hold any more."""
        if self._remember(match_id):
            _log.error("the store has lost match %s", match_id)

    def tell_proven(self, match_id: str) -> None:
        """Tell of a match that the store does not hold and a player has a history of."""
        if not self._remember(match_id):
            return
        minute = self._clock.now_us() // _MINUTE_US
        if minute != self._minute:
            self._minute, self._lines = minute, 0
        self._lines += 1
        if self._lines <= LINES:
            _log.error("the store has lost match %s, of which a player has a history", match_id)
        elif self._lines == LINES + 1:
            _log.error("the store has lost more matches of which players have histories")

    def _remember(self, match_id: str) -> bool:
        """Count a match that is gone and keep it, in place of the oldest; False if it is known."""
        if match_id in self._gone:
            return False
        self._counts.histories_lost += 1
        self._gone[match_id] = None
        if len(self._gone) > REMEMBERED:
            del self._gone[next(iter(self._gone))]
        return True
