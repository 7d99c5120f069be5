"""How does somebody who waits see that a contest moves on? A bar on a terminal, lines elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import NamedTuple, Protocol

import click

LINE_SECONDS = 2.0
"""The least time between two lines of progress."""


class Headway(NamedTuple):
    """How far a contest is, and how fast it goes."""

    finished: int
    games: int
    decisions_a_second: float
    """0 before anything was played."""


class Progress(Protocol):
    """Shows how far a contest is. Both methods may be called from any thread."""

    def show(self, headway: Headway) -> None:
        """Show how far it is."""

    def note(self, sentence: str) -> None:
        """Show something that happened."""


class Lines:
    """Progress as plain lines on standard error, not more often than every few seconds."""

    def __init__(self) -> None:
        self._next = 0.0

    def show(self, headway: Headway) -> None:
        """Print a line if the last one is long enough ago, or the contest is at its end."""
        now = time.monotonic()
        if now < self._next and headway.finished < headway.games:
            return
        self._next = now + LINE_SECONDS
        rate = (
            f", {headway.decisions_a_second:,.0f} decisions/s" if headway.decisions_a_second else ""
        )
        click.echo(f"{headway.finished:,} of {headway.games:,} games{rate}", err=True)

    def note(self, sentence: str) -> None:
        """Print a line."""
        click.echo(sentence, err=True)


def at_once(note: Callable[[str], None]) -> Callable[[str], None]:
    """Return a note that says what time it is, for what is told when it happens."""
    return lambda sentence: note(f"{time.strftime('%H:%M:%S')} {sentence}")


@contextmanager
def progress() -> Iterator[Progress]:
    """Show progress on standard error until the context ends."""
    if not (sys.stderr.isatty() and find_spec("rich")):
        yield Lines()
        return
    from lastcard_server.arena.bar import bar  # noqa: PLC0415 - rich is one of the server's packages

    with bar() as shown:
        yield shown
