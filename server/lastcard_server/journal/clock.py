"""What time is it for a store on one machine? A clock that never runs backwards."""

import time
from collections.abc import Callable


def local_clock(not_before_us: int = 0) -> Callable[[], int]:
    """
    Return a clock in microseconds since 1970: the wall clock now, the monotonic clock from then on.

    Args:
        not_before_us: the last time known; a wall clock that was set back starts there.
    """
    offset = max(time.time_ns() // 1000, not_before_us) - time.monotonic_ns() // 1000
    return lambda: time.monotonic_ns() // 1000 + offset
