"""
Which contests does this server know and play? All that are in the journal; those that run, at once.

Creating, starting and reading contests, and one task for each that runs. After a restart `start`
takes up every contest that was running. Who may do what is for the caller to say.
"""

import asyncio
from collections.abc import AsyncIterator

import structlog

from lastcard_server.clock import Clock
from lastcard_server.contests.contest import Contest, Kind, Stage
from lastcard_server.contests.log import ContestLog
from lastcard_server.contests.runner import Runner
from lastcard_server.contests.spec import Spec, plain
from lastcard_server.contests.standings import Standing, standings
from lastcard_server.errors import Reason, Refusal
from lastcard_server.fields import no_such
from lastcard_server.journal.port import Journal
from lastcard_server.matches.registry import Matches
from lastcard_server.secrets import ServerKeys

AT_REST_MAX = 8
"""Contests kept in memory beyond those that run."""
PAGE = 1000


class Contests:
    """The contests of this server."""

    def __init__(self, journal: Journal, matches: Matches, keys: ServerKeys, clock: Clock) -> None:
        self._journal = journal
        self._matches = matches
        self._keys = keys
        self._clock = clock
        self._logs: dict[str, ContestLog] = {}
        """Most recently used last."""
        self._running: dict[str, asyncio.Task[None]] = {}

    def __len__(self) -> int:
        """Return how many contests are in memory."""
        return len(self._logs)

    async def start(self) -> None:
        """Take up every contest that runs."""
        before = None
        while True:
            page = await self._journal.logs("contest/", live=True, before=before, limit=PAGE)
            for listed in page:
                log = await self._log(listed.log.removeprefix("contest/"))
                self._play(log)
            if len(page) < PAGE:
                return
            before = page[-1].number

    async def aclose(self) -> None:
        """Stop playing; contests go on when the server is started again."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def create(self, creator: str, request_id: str, spec: Spec) -> Contest:
        """
        Create a contest; the same creator, request_id and spec get the same contest.

        Raises:
            Refusal: BAD_FIELD for entrants that fill no table or a schedule that is too long;
                REQUEST_ID_REUSED where the spec differs.
            StoreUnavailable: nothing was created.

        """
        try:
            spec.plan()
        except ValueError as error:
            raise Refusal(Reason.BAD_FIELD, f"{error}.") from None
        contest_id = self._keys.contest_id(creator, request_id)
        log = await self._log(contest_id)
        if not log.exists:
            await log.append([(Kind.CREATED, {"creator": creator, "spec": plain(spec)})])
        if log.contest.spec != spec:
            raise Refusal(
                Reason.REQUEST_ID_REUSED, "This request_id was used for a different contest."
            )
        return log.contest

    async def begin(self, contest_id: str) -> Contest:
        """
        Start a contest; one that runs or is finished stays as it is.

        Raises:
            Refusal: NOT_FOUND.

        """
        log = await self._known(contest_id)
        while log.contest.stage is Stage.CREATED:
            await log.append([(Kind.STARTED, {})])
        self._play(log)
        return log.contest

    async def get(self, contest_id: str) -> Contest:
        """
        Return a contest; it changes as it is played.

        Raises:
            Refusal: NOT_FOUND.

        """
        return (await self._known(contest_id)).contest

    async def standings(self, contest_id: str) -> tuple[Contest, int, list[Standing]]:
        """
        Return a contest, how many of its units count, and the standings over them.

        Raises:
            Refusal: NOT_FOUND.

        """
        contest = await self.get(contest_id)
        names = [entrant.name for entrant in contest.spec.entrants]
        games = [row.game for row in contest.ledger]
        unit = contest.plan.unit
        ends = range(unit, len(games) + 1, unit)
        units = [games[end - unit : end] for end in ends]
        table = await asyncio.to_thread(standings, contest_id, names, units)
        return contest, len(units), table

    async def watch(self, contest_id: str) -> AsyncIterator[Contest]:
        """
        Yield a contest now and after each change, to its end; changes may be taken together.

        Raises:
            Refusal: NOT_FOUND.

        """
        log = await self._known(contest_id)
        while True:
            version = log.contest.head.version
            yield log.contest
            if log.contest.stage is Stage.FINISHED:
                return
            await log.grown(version)

    async def _known(self, contest_id: str) -> ContestLog:
        """Return the log of a contest that exists; one that is over may have been deleted."""
        log = await self._log(contest_id)
        over = log.contest.stage is Stage.FINISHED
        if not log.exists or (over and not (await self._journal.head(log.name)).version):
            self._logs.pop(contest_id, None)
            raise no_such("contest")
        return log

    async def _log(self, contest_id: str) -> ContestLog:
        """Return a contest's log, read as far as it goes; of a contest that is not there, empty."""
        log = self._logs.pop(contest_id, None) or ContestLog(
            Contest(contest_id), self._journal, self._clock
        )
        self._logs[contest_id] = log
        if self._journal.shared or not log.exists:
            await log.refresh()
        self._forget()
        return log

    def _forget(self) -> None:
        """Drop the finished contests that were not asked for lately."""
        finished = [
            contest_id
            for contest_id, log in self._logs.items()
            if log.contest.stage is Stage.FINISHED
        ]
        for contest_id in finished[:-AT_REST_MAX]:
            del self._logs[contest_id]

    def _play(self, log: ContestLog) -> None:
        """Have one task play a contest that runs."""
        contest = log.contest
        if contest.stage is not Stage.RUNNING or contest.contest_id in self._running:
            return
        runner = Runner(log, self._matches, self._keys)
        task = asyncio.create_task(runner.run(), name=f"contest {contest.contest_id}")
        self._running[contest.contest_id] = task
        task.add_done_callback(lambda done: self._over(contest.contest_id, done))

    def _over(self, contest_id: str, task: asyncio.Task[None]) -> None:
        """Forget a task that ended; one that failed is logged, its contest waits for a restart."""
        del self._running[contest_id]
        if not task.cancelled() and (error := task.exception()):
            structlog.get_logger().error("contest stopped", contest=contest_id, exc_info=error)
