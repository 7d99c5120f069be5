"""
When is a process over, whatever holds it up? A thread of its own ends it then.

What was acknowledged is durable by then, as it is when a process is killed.
"""

import os
import threading

import structlog

_SAY_SECONDS = 0.2


class Deadline:
    """Ends the process at a time unless it has ended by itself."""

    def __init__(self) -> None:
        self._timer: threading.Timer | None = None

    def move(self, seconds: float, code: int) -> None:
        """Let the process end with a code in so many seconds, and at no earlier or later time."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(seconds, _end, (code,))
        self._timer.daemon = True  # a process that ends in time does not wait for it
        self._timer.start()


def _end(code: int) -> None:
    saying = threading.Thread(target=_say, args=(code,), daemon=True)
    saying.start()
    saying.join(_SAY_SECONDS)  # nobody may read standard error
    os._exit(code)


def _say(code: int) -> None:
    late = "all calls had ended; the store did not close in time"
    structlog.get_logger().warning(
        "ended before everything was closed" if code else late, code=code
    )
