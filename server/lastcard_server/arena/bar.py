"""How does progress look on a terminal? A bar at its foot, and what happened above it."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from lastcard_server.arena.progress import Headway


@contextmanager
def bar() -> Iterator["Bar"]:
    """Show a bar on standard error until the context ends."""
    columns = (
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games, {task.fields[rate]:,.0f} decisions/s,"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=Console(stderr=True)) as live:
        yield Bar(live)


class Bar:
    """Progress as a bar."""

    def __init__(self, live: Progress) -> None:
        self._live = live
        self._task = live.add_task("playing", total=None, rate=0.0)

    def show(self, headway: Headway) -> None:
        """Move the bar."""
        rate = headway.decisions_a_second
        self._live.update(self._task, completed=headway.finished, total=headway.games, rate=rate)

    def note(self, sentence: str) -> None:
        """Print a line above the bar."""
        self._live.console.print(sentence, markup=False, highlight=False)
