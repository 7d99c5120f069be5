"""
How do appends become one statement, and what became of it when the connection broke meanwhile?

Whatever is pending when the connection is free goes out together. A statement without an answer is
sent again: it compares heads, so it cannot be done twice, and a log that holds our entry already
tells that the first time was enough.
"""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

import asyncpg

from lastcard_server.journal.entry import Head, genesis
from lastcard_server.journal.hints import Hints
from lastcard_server.journal.port import (
    Append,
    Conflict,
    Hint,
    StoreUnavailable,
    StoreUncertain,
)
from lastcard_server.journal.postgres_connection import ConnectionLostError, Link, refusal
from lastcard_server.journal.postgres_rows import Run, columns_of, runs_of
from lastcard_server.journal.postgres_sql import APPEND, APPEND_AND_TELL, CHANNEL, HEADS

SETTLE_SECONDS = 10.0
"""How long it is tried to find out what became of a statement without an answer."""
_PAUSE_SECONDS = 0.1  # between attempts at that
_MOST_RETRIES = 5  # of a statement that met others on its way


class _Waiting(NamedTuple):
    """Appends of one caller, and who waits for their outcomes."""

    appends: Sequence[Append]
    outcomes: asyncio.Future[list[Conflict | None]]


class _Settled(NamedTuple):
    """What a statement has done."""

    won: list[Run]
    heads: dict[str, Head]
    """Of the logs of which no run found the head it expects."""


class Writer:
    """The writing side of a database: one group of appends after another."""

    def __init__(self, link: Link, hints: Hints, tag: str | None) -> None:
        """`tag`: of this pod's notifications; None = nobody is notified."""
        self._link = link
        self._hints = hints
        self._sql = APPEND if tag is None else APPEND_AND_TELL
        self._told = () if tag is None else (CHANNEL, tag)
        self._pending: list[_Waiting] = []
        self._writing: asyncio.Task[None] | None = None

    async def append(self, appends: Sequence[Append]) -> list[Conflict | None]:
        """Append together with everything else that is pending."""
        waiting = _Waiting(appends, asyncio.get_running_loop().create_future())
        self._pending.append(waiting)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_groups())
        return await waiting.outcomes

    async def finish(self) -> None:
        """Wait until everything that is pending is written, or has failed."""
        if self._writing is not None:
            await asyncio.wait({self._writing})

    async def _write_groups(self) -> None:
        """Write until nothing is pending; not cancelled, as `Link` demands."""
        while self._pending:
            group, self._pending = self._pending, []
            try:
                outcomes = iter(await self._write([a for w in group for a in w.appends]))
            except Exception as error:  # noqa: BLE001 - raised by those who wait
                _refuse(group, error)
                continue
            for waiting in group:
                mine = [next(outcomes) for _ in waiting.appends]
                if not waiting.outcomes.done():  # done = its caller was cancelled
                    waiting.outcomes.set_result(mine)
        self._writing = None

    async def _write(self, appends: Sequence[Append]) -> list[Conflict | None]:
        """Append until each has its outcome: one statement, unless heads are not as expected."""
        outcomes: dict[int, Conflict | None] = {}
        waiting = dict(enumerate(appends))
        while waiting:
            won, heads = await self._settle(runs_of(waiting.items()))
            for run in won:
                outcomes |= run.outcomes
            for place, append in waiting.items():
                if append.log in heads and append.expected == heads[append.log]:
                    del heads[append.log]  # it and what comes after it may yet succeed
                elif append.log in heads:
                    outcomes[place] = Conflict(heads[append.log])
            waiting = {place: a for place, a in waiting.items() if place not in outcomes}
        return [outcomes[place] for place in range(len(appends))]

    async def _settle(self, runs: Sequence[Run]) -> _Settled:
        """Append runs, whatever breaks meanwhile."""
        retries = 0
        while True:
            try:
                return await self._attempt(runs)
            except ConnectionLostError:
                return await self._find_out(runs)
            except asyncpg.TransactionRollbackError as error:  # a deadlock, of which we are free
                retries += 1
                if retries > _MOST_RETRIES:
                    raise refusal(error) from error
            except asyncpg.PostgresError as error:
                raise refusal(error) from error

    async def _find_out(self, runs: Sequence[Run]) -> _Settled:
        """Append runs of which it is unknown whether they were appended."""
        loop = asyncio.get_running_loop()
        until = loop.time() + SETTLE_SECONDS
        while True:
            try:
                return await self._attempt(runs, doubtful=True)
            except (ConnectionLostError, asyncpg.PostgresError, StoreUnavailable) as error:
                if loop.time() > until:
                    raise StoreUncertain(
                        "the connection to the database broke, and whether it has written cannot "
                        "be found out now"
                    ) from error
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _attempt(self, runs: Sequence[Run], *, doubtful: bool = False) -> _Settled:
        """Append once; `doubtful`: an entry of ours that is there already is a success."""
        sent = [run for run in runs if run.possible]
        rows = await self._link.ask(self._sql, *columns_of(sent), *self._told) if sent else []
        won = [sent[place - 1] for place, _ in rows]
        hints = [
            Hint(run.log, run.index.live, moved)
            for run, (_, moved) in zip(won, rows, strict=True)
            if moved or not run.index.live  # that a log has grown is no news to its writer
        ]
        logs = {run.log for run in won}
        lost = [run for run in runs if run.log not in logs]
        heads: dict[str, Head] = {}
        if lost:
            found, heads = await self._look(lost)
            for run in found if doubtful else ():
                won.append(run)
                hints.append(Hint(run.log, run.index.live))
                del heads[run.log]
        self._hints.tell(hints)
        return _Settled(won, heads)

    async def _look(self, runs: Sequence[Run]) -> tuple[list[Run], dict[str, Head]]:
        """Return which runs are there already, and the heads of all their logs."""
        heads = {run.log: genesis(run.log) for run in runs}
        names = [run.log for run in runs]
        rows = await self._link.ask(HEADS, names, *zip(*(run.head for run in runs), strict=True))
        heads |= {names[place - 1]: Head(version, chain) for place, version, chain, _ in rows}
        ours = {names[place - 1]: runs[place - 1] for place, *_, ours in rows if ours}
        return list(ours.values()), heads


def _refuse(group: Sequence[_Waiting], error: Exception) -> None:
    """Tell everyone in a group what has gone wrong."""
    for waiting in group:
        if not waiting.outcomes.done():
            waiting.outcomes.set_exception(error)
