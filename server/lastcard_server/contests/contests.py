"""
Which contests does this server know and play? All that are in the journal; those at home here.

Creating, starting and reading contests, and one task for each that runs. After a restart `start`
takes up every contest that was running; of several servers on one journal each plays those whose
home it is, as far as it knows. Who may do what is for the caller to say.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

import structlog

from lastcard_server.clock import Clock
from lastcard_server.contests.contest import Contest, Kind, Stage, log_name
from lastcard_server.contests.ends import LOOK_SECONDS, FoundEnds, HeardEnds
from lastcard_server.contests.log import ContestLog
from lastcard_server.contests.runner import Runner
from lastcard_server.contests.spec import Spec, plain
from lastcard_server.contests.standings import Standing, standings
from lastcard_server.errors import Reason, Refusal
from lastcard_server.fields import no_such
from lastcard_server.journal.entry import ChainError
from lastcard_server.journal.port import Hint, Journal, LogCorrupt, StoreCorrupt, StoreError
from lastcard_server.matches.cache import unavailable
from lastcard_server.matches.registry import Matches
from lastcard_server.secrets import ServerKeys
from lastcard_server.tasks import Tasks

AT_REST_MAX = 8
"""Contests kept in memory beyond those that run."""
PAGE = 1000


GATHER_SECONDS: Final = 0.05
"""How long hints gather before they are looked into."""
_PREFIX: Final = "contest/"
_log = logging.getLogger(__name__)


def _anywhere(_contest: str) -> bool:
    """Tell that everything is at home here: there is no other server."""
    return True


class _Play(NamedTuple):
    """A contest that is played here."""

    runner: Runner
    task: asyncio.Task[None]


class Contests:
    """
    The contests of this server.

    Args:
        journal: holds them.
        matches: play their games.
        keys: the server's keys.
        clock: stamps entries.
        is_home: whether this server is the one to play a contest, by the name of its log; the
            answer may change, and may be wrong for a moment.

    """

    def __init__(
        self,
        journal: Journal,
        matches: Matches,
        keys: ServerKeys,
        clock: Clock,
        is_home: Callable[[str], bool] = _anywhere,
    ) -> None:
        self._journal = journal
        self._matches = matches
        self._keys = keys
        self._clock = clock
        self._is_home = is_home
        self._logs: dict[str, ContestLog] = {}
        """Most recently used last."""
        self._past_losses = 0
        self._running: dict[str, _Play] = {}
        self._unread: set[str] = set()
        """Logs that hold what cannot be read here, as far as is known."""
        self._news = asyncio.Event()
        self._tasks = Tasks(matches.broken)

    def __len__(self) -> int:
        """Return how many contests are in memory."""
        return len(self._logs)

    @property
    def losses(self) -> int:
        """Return how often the store had lost a part of a contest that was in memory."""
        return self._past_losses + sum(log.losses for log in self._logs.values())

    async def start(self) -> None:
        """Take up every contest that runs and is at home here, now and from now on."""
        await self._take_up()
        if self._journal.shared:
            self._tasks.begin(self._tend(), vital=True)
            self._tasks.begin(self._listen())

    async def aclose(self) -> None:
        """Stop playing; contests go on when the server is started again, or on other servers."""
        await self._tasks.aclose()
        tasks = [play.task for play in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # What other servers do

    async def _tend(self) -> None:
        """Look after all contests every second, and soon after a hint, until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._news.wait()
                    await asyncio.sleep(GATHER_SECONDS)
            self._news.clear()
            try:
                await self._catch_up()
                await self._take_up()
            except (StoreError, ChainError) as error:
                _log.warning("contests cannot be looked after: %s", error)

    async def _listen(self) -> None:
        """Take hints: on contests that are known or at home here, and on games that are over."""
        async for hint in self._journal.hints():
            if hint.log.startswith(_PREFIX):
                known = hint.log.removeprefix(_PREFIX) in self._logs
                if known or self._is_home(hint.log):
                    self._news.set()
            elif not hint.live:
                self._pass_on(hint)

    def _pass_on(self, hint: Hint) -> None:
        for runner, _ in self._running.values():
            if isinstance(runner.ends, FoundEnds):
                runner.ends.hear(hint)

    async def _catch_up(self) -> None:
        """Fold what others have appended to the contests in memory."""
        logs = {log.name: log for log in self._logs.values()}
        heads = {name: log.contest.head for name, log in logs.items()}
        grown = await self._journal.since(heads)
        for name, log in logs.items():
            with self._passing_over(name):
                await log.grow(grown.get(name, []))
                self._unread.discard(name)

    async def _take_up(self) -> None:
        """Play what runs and is at home here; leave what is at home elsewhere."""
        for contest_id, play in self._running.items():
            if not self._is_home(log_name(contest_id)):
                play.task.cancel()
        before = None
        while True:
            page = await self._journal.logs(_PREFIX, live=True, before=before, limit=PAGE)
            for listed in page:
                contest_id = listed.log.removeprefix(_PREFIX)
                if contest_id in self._running or listed.log in self._unread:
                    continue
                if self._is_home(listed.log):
                    with self._passing_over(listed.log):
                        self._play(self._logs.get(contest_id) or await self._log(contest_id))
            if len(page) < PAGE:
                return
            before = page[-1].number

    @contextmanager
    def _passing_over(self, name: str) -> Iterator[None]:
        """Let the other contests go on where one cannot be read here."""
        try:
            yield
        except (StoreCorrupt, ChainError) as error:
            self._pass_over(name, error)

    @contextmanager
    def _refusing(self, name: str) -> Iterator[None]:
        """Refuse a call for a contest that cannot be read here."""
        try:
            yield
        except (StoreCorrupt, ChainError) as error:
            self._pass_over(name, error)
            if isinstance(error, LogCorrupt):
                raise _lost() from None
            raise unavailable("This server cannot read the contest; ask its operator.") from None

    def _pass_over(self, name: str, error: Exception) -> None:
        """Note that a contest cannot be read here, which is logged once."""
        if name not in self._unread:
            self._unread.add(name)
            if not isinstance(error, LogCorrupt):  # its log has named it
                _log.error("a contest cannot be played here: %s", error)

    async def create(self, creator: str, request_id: str, spec: Spec) -> Contest:
        """
        Create a contest; the same creator, request_id and spec get the same contest.

        Raises:
            Refusal: BAD_FIELD for entrants that fill no table or a schedule that is too long;
                REQUEST_ID_REUSED where the spec differs; HISTORY_LOST where its log is damaged;
                STORE_UNAVAILABLE where this release cannot read it.
            StoreUnavailable: nothing was created.

        """
        try:
            spec.plan()
        except ValueError as error:
            raise Refusal(Reason.BAD_FIELD, f"{error}.") from None
        contest_id = self._keys.contest_id(creator, request_id)
        with self._refusing(log_name(contest_id)):
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
            Refusal: NOT_FOUND; HISTORY_LOST, STORE_UNAVAILABLE as `create`.

        """
        log = await self._known(contest_id)
        with self._refusing(log.name):
            while log.contest.stage is Stage.CREATED:
                await log.append([(Kind.STARTED, {})])
        self._play(log)
        return log.contest

    async def get(self, contest_id: str) -> Contest:
        """
        Return a contest; it changes as it is played.

        Raises:
            Refusal: NOT_FOUND; HISTORY_LOST, STORE_UNAVAILABLE as `create`.

        """
        return (await self._known(contest_id)).contest

    async def standings(self, contest_id: str) -> tuple[Contest, int, list[Standing]]:
        """
        Return a contest, how many of its units count, and the standings over them.

        Raises:
            Refusal: NOT_FOUND; HISTORY_LOST, STORE_UNAVAILABLE as `create`.

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
            Refusal: NOT_FOUND; HISTORY_LOST, STORE_UNAVAILABLE as `create`.

        """
        log = await self._known(contest_id)
        while True:
            head = log.contest.head
            yield log.contest
            if log.contest.stage is Stage.FINISHED:
                return
            await log.grown(head)
            if log.damaged:
                raise _lost()

    async def _known(self, contest_id: str) -> ContestLog:
        """Return the log of a contest that exists; one that is over may have been deleted."""
        with self._refusing(log_name(contest_id)):
            log = await self._log(contest_id)
        over = log.contest.stage is Stage.FINISHED
        if not log.exists or (over and not (await self._journal.head(log.name)).version):
            self._drop(contest_id)
            raise no_such("contest")
        return log

    async def _log(self, contest_id: str) -> ContestLog:
        """Return a contest's log, read as far as it goes; of a contest that is not there, empty."""
        log = self._logs.pop(contest_id, None) or ContestLog(
            Contest(contest_id), self._journal, self._clock
        )
        self._logs[contest_id] = log
        if self._journal.shared or not log.exists or log.damaged or log.name in self._unread:
            await log.refresh()
            self._unread.discard(log.name)
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
            self._drop(contest_id)

    def _drop(self, contest_id: str) -> None:
        """Drop a contest from memory."""
        if log := self._logs.pop(contest_id, None):
            self._past_losses += log.losses

    def _play(self, log: ContestLog) -> None:
        """Have one task play a contest that runs and is at home here."""
        contest = log.contest
        if contest.stage is not Stage.RUNNING or contest.contest_id in self._running:
            return
        if not self._is_home(log.name):
            return  # its home will take it up
        matches = self._matches
        shared = self._journal.shared
        ends = FoundEnds(matches, self._journal) if shared else HeardEnds(matches)
        runner = Runner(log, self._journal, matches, self._keys, ends)
        task = asyncio.create_task(runner.run(), name=f"contest {contest.contest_id}")
        self._running[contest.contest_id] = _Play(runner, task)
        task.add_done_callback(lambda done: self._over(contest.contest_id, done))

    def _over(self, contest_id: str, task: asyncio.Task[None]) -> None:
        """Forget a task that ended; one that failed is logged, its contest waits for a restart."""
        del self._running[contest_id]
        if not task.cancelled() and (error := task.exception()):
            structlog.get_logger().error("contest stopped", contest=contest_id, exc_info=error)


def _lost() -> Refusal:
    """Return the refusal of a contest whose log is damaged."""
    message = (
        "The log of the contest is damaged in the store; it is held up until its operator "
        "restores it from a copy."
    )
    return Refusal(Reason.HISTORY_LOST, message)
