"""
How does `lastcard` start? So that Ctrl-C ends it from the first moment on, with 130.

Nothing is imported before that is seen to. Commands that have something to end, or to say, when
they are interrupted set a handler of their own.
"""

import os
import signal


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # as in a shell's background jobs
        signal.signal(signal.SIGINT, _end)
    from lastcard_server.cli import main as run  # noqa: PLC0415 - takes time, as all it imports

    run()


def _end(_number: int, _frame: object) -> None:
    """End at once: an exception could be lost in a callback of what is being imported."""
    os._exit(130)


if __name__ == "__main__":
    main()
