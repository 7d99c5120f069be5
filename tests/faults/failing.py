"""
A server that fails where it is told to: `--point NAME --pass K serve ...` dies at the Kth pass.

It is the real program; only functions are wrapped before it runs. `--eager` acknowledges answers
before they are written: a control, for the suite must see it lose. `--relative-sleep` lets
time.sleep wait for a span instead of an instant: libfaketime takes instants of the true monotonic
clock for faked ones and fails or hangs.
"""

import asyncio
import functools
import importlib
import inspect
import os
import select
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, SupportsIndex

from lastcard_server import __main__ as program
from lastcard_server.journal.port import Append, Conflict
from lastcard_server.journal.postgres_connection import Link
from lastcard_server.journal.sqlite import SqliteJournal
from lastcard_server.journal.sqlite_writer import Writer
from tests.faults.points import POINTS, Moment, Point

DIED: Final = 137
"""The exit code of a server that died at its point, as of one killed by signal 9 in a shell."""
_LATE_SECONDS: Final = 0.05


def main() -> None:
    """Wrap what the first arguments say and run the program with the others."""
    at = sys.argv.index("serve")
    own, sys.argv[1:] = sys.argv[1:at], sys.argv[at:]
    if "--eager" in own:
        _acknowledge_early()
    if "--relative-sleep" in own:
        time.sleep = _wait
    if "--point" in own:
        passes = int(own[own.index("--pass") + 1])
        die_at(POINTS[own[own.index("--point") + 1]], passes)
    program.main()


def _wait(seconds: float | SupportsIndex) -> None:
    select.select((), (), (), float(seconds))


def die_at(point: Point, passes: int) -> None:
    """Let the process die when it passes a point for that many times."""
    left = passes

    def trip() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os._exit(DIED)

    if point.target.startswith("sql:"):
        trace = _trace_statements if point.store == "sqlite" else _trace_questions
        trace(point.target.removeprefix("sql:"), point.moment, trip)
    else:
        owner, name = owner_of(point.target)
        plain = inspect.getattr_static(owner, name)
        wrapped = _wrapped(getattr(plain, "__func__", plain), point.moment, trip)
        setattr(owner, name, classmethod(wrapped) if isinstance(plain, classmethod) else wrapped)


def owner_of(target: str) -> tuple[Any, str]:
    """Return the module or class that has a function, and the function's name there."""
    module, _, path = target.partition(":")
    owner: Any = importlib.import_module(module)
    *classes, name = path.split(".")
    for inner in classes:
        owner = getattr(owner, inner)
    return owner, name


def _wrapped(function: Any, moment: Moment, trip: Callable[[], None]) -> Any:
    """Return a function that calls `trip` before or after another, or once that waits."""

    @functools.wraps(function)
    async def wait(*args: Any, **kwargs: Any) -> Any:
        if moment == "before":
            trip()
        running = function(*args, **kwargs)
        if moment == "within":
            running = asyncio.ensure_future(running)
            await asyncio.sleep(0)
            trip()
        result = await running
        if moment == "after":
            trip()
        return result

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if moment == "before":
            trip()
        result = function(*args, **kwargs)
        if moment == "after":
            trip()
        return result

    return wait if inspect.iscoroutinefunction(function) else call


class _Traced:
    """A connection that trips at statements which begin in a certain way."""

    def __init__(self, real: Any, start: str, moment: Moment, trip: Callable[[], None]) -> None:
        self._real = real
        self._start = start
        self._moment = moment
        self._trip = trip

    def execute(self, sql: str, *values: Any) -> Any:
        """Execute a statement."""
        is_meant = sql.startswith(self._start)
        if is_meant and self._moment == "before":
            self._trip()
        result = self._real.execute(sql, *values)
        if is_meant and self._moment == "after":
            self._trip()
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def _trace_statements(start: str, moment: Moment, trip: Callable[[], None]) -> None:
    """Let the connection that writes entries trip."""
    real: Any = Writer.__init__

    def opened(self: Any, *args: Any) -> None:
        real(self, *args)
        self._connection = _Traced(self._connection, start, moment, trip)

    Writer.__init__ = opened  # type: ignore[method-assign,assignment]


def _trace_questions(start: str, moment: Moment, trip: Callable[[], None]) -> None:
    """Let every connection to a database trip."""
    plain: Any = Link._ask
    tripping = _wrapped(plain, moment, trip)

    async def ask(self: Link, connection: Any, sql: str, arguments: Any) -> Any:
        is_meant = sql.lstrip().startswith(start)
        return await (tripping if is_meant else plain)(self, connection, sql, arguments)

    Link._ask = ask  # type: ignore[method-assign]


def _acknowledge_early() -> None:
    """Let what is appended to matches that are there be acknowledged at once and written later."""
    real = SqliteJournal.append
    tasks: set[asyncio.Task[None]] = set()

    def is_late(one: Append) -> bool:
        return one.log.startswith("match/") and one.expected.version > 0

    async def write(self: SqliteJournal, appends: Sequence[Append]) -> None:
        await asyncio.sleep(_LATE_SECONDS)
        await real(self, appends)

    async def append(self: SqliteJournal, appends: Sequence[Append]) -> list[Conflict | None]:
        prompt = [one for one in appends if not is_late(one)]
        task = asyncio.create_task(write(self, list(filter(is_late, appends))))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        written = iter(await real(self, prompt) if prompt else ())
        return [None if is_late(one) else next(written) for one in appends]

    SqliteJournal.append = append  # type: ignore[method-assign]


if __name__ == "__main__":
    main()
