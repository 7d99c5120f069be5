"""How long does a client wait before it tries again? Longer each time, by chance, not for ever."""

import math
import random
import time
from collections.abc import Callable

FIRST_SECONDS = 0.1
# A clock runs on once its server is back: well below the 5 s that a move has by default.
LONGEST_SECONDS = 2.0


class Backoff:
    """
    The pauses between attempts that fail one after another.

    Pauses double from 0.1 s to 2 s; each is shortened by up to a half by chance, so that the
    clients of a server that comes back do not all call at once.

    Attributes:
        failures: Attempts that have failed since the last success.
    """

    def __init__(
        self, patience: float = math.inf, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._patience = patience
        self._now = now
        self._failing_since: float | None = None
        self._longest = FIRST_SECONDS
        self.failures = 0

    def succeeded(self) -> None:
        """Begin anew: the server has answered."""
        self._failing_since, self._longest = None, FIRST_SECONDS
        self.failures = 0

    def pause(self) -> float:
        """Count a failure and return the seconds to wait before the next attempt."""
        self.failures += 1
        pause = self._longest * random.uniform(0.5, 1.0)
        self._longest = min(2 * self._longest, LONGEST_SECONDS)
        return pause

    def failed(self) -> float | None:
        """Return the seconds to wait before the next attempt; None when patience is over."""
        now = self._now()
        if self._failing_since is None:
            self._failing_since = now
        pause = self.pause()
        return pause if now + pause - self._failing_since <= self._patience else None
