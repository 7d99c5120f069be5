"""
How is one contest played? Do the next steps, wait for matches to end, write down how they ended.

The log decides what is to be done and every write is a compare-and-set on it, so a runner may be
killed at any moment and any number of them may run the same contest: starting a block twice gives
the same matches, and of two equal results one is written. It must never know rules or cards.
"""

import asyncio
import contextlib
from typing import NamedTuple

import structlog

from lastcard_server.contests.contest import (
    Contest,
    End,
    Ending,
    Kind,
    Result,
    StartBlock,
    decide,
    next_steps,
)
from lastcard_server.contests.ends import Ended, Ends
from lastcard_server.contests.log import ContestLog
from lastcard_server.contests.schedule import Slot
from lastcard_server.errors import Refusal
from lastcard_server.journal.port import Journal, LogCorrupt, StoreError
from lastcard_server.matches import groups
from lastcard_server.matches import match as matches
from lastcard_server.matches.loading import whole
from lastcard_server.matches.match import Match
from lastcard_server.matches.registry import Leg, Matches
from lastcard_server.secrets import ServerKeys

PLAYED = ("played", "last_standing")
"""Why a match ends that has a result."""
FIRST_PAUSE_SECONDS = 0.2
LONGEST_PAUSE_SECONDS = 30.0
QUIET_SECONDS = 30.0
"""How long no game ends before the deal groups of those that run are looked at."""


class Runner:
    """
    Plays one contest to its end.

    Attributes:
        ends: hears when its matches are over.

    """

    def __init__(
        self, log: ContestLog, journal: Journal, matches: Matches, keys: ServerKeys, ends: Ends
    ) -> None:
        self.ends = ends
        self._journal = journal
        self._log = log
        self._matches = matches
        self._keys = keys
        self._losses = log.losses
        self._started: set[StartBlock] = set()
        self._games: dict[str, _Game] = {}
        """The games that are watched, by match."""
        self._endings: list[tuple[_Game, Match | None]] = []
        """What has ended and is not written down."""

    @property
    def _contest(self) -> Contest:
        return self._log.contest

    async def run(self) -> None:
        """Play until the contest is finished; what fails in passing is tried again."""
        pause = FIRST_PAUSE_SECONDS
        while steps := next_steps(self._contest):
            try:
                await self._advance(steps)
                pause = FIRST_PAUSE_SECONDS
            except (Refusal, StoreError) as error:
                log = structlog.get_logger()
                log.warning("contest waits", contest=self._contest.contest_id, why=str(error))
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    async def _advance(self, steps: tuple[StartBlock | End, ...]) -> None:
        """Do the steps, then wait until something has ended and write it down."""
        self._started.intersection_update(steps)
        if self._log.losses != self._losses:  # results of games that are over are among them
            self._started.clear()
            self._losses = self._log.losses
        for step in steps:
            match step:
                case StartBlock():
                    await self._start(step)
                case End():
                    await self._log.append([(Kind.ENDED, {})])
                    return
        if not self._endings:
            await self._wait()
        await self._record()
        await self._drop_void_games()

    async def _start(self, step: StartBlock) -> None:
        """Have the games of a block running, and watch those without a result."""
        if step in self._started:
            return
        contest = self._contest
        slots = list(contest.plan.block(step.block))
        ids = [self._keys.game_id(contest.contest_id, *slot[1:3], step.attempt) for slot in slots]
        legs = [
            Leg(match_id, contest.spec.setup(slot.seats))
            for match_id, slot in zip(ids, slots, strict=True)
        ]
        sound = await self._is_grouped(step, legs)
        for match_id, slot in zip(ids, slots, strict=True):
            game = _Game(slot, step.attempt)
            if not sound:
                self._endings.append((game, None))
            elif match_id not in self._games and contest.wants(slot, step.attempt):
                await self.ends.watch(match_id)
            else:
                continue
            self._games[match_id] = game
        self._started.add(step)

    async def _is_grouped(self, step: StartBlock, legs: list[Leg]) -> bool:
        """Have the games of a block created; False where its deal group is damaged."""
        try:
            await self._matches.create_group(self._contest.creator, self._group(*step), legs)
        except LogCorrupt:
            if await self._is_sound(*step):
                raise
            return False
        return True

    def _group(self, block: int, attempt: int) -> str:
        """Return the name of the deal group of a block."""
        return f"{self._contest.contest_id}/{block}/{attempt}"

    async def _is_sound(self, block: int, attempt: int) -> bool:
        """Tell whether the deal group of a block can be read; one that is damaged is logged."""
        try:
            await whole(self._journal, groups.log_name(self._group(block, attempt)))
        except LogCorrupt as error:
            self._say(error)
            return False
        return True

    def _say(self, error: LogCorrupt) -> None:
        """Name the deal group that is damaged."""
        log = structlog.get_logger()
        log.error("block played anew", contest=self._contest.contest_id, why=str(error))

    async def _wait(self) -> None:
        """Wait until games are over, or none was for a while."""
        try:
            async with asyncio.timeout(QUIET_SECONDS):
                over = await self.ends.wait()
        except TimeoutError:
            await self._doubt()
        else:
            for ended in over:
                self._over(ended)

    async def _doubt(self) -> None:
        """Give up the games whose deal group is damaged: those that have not begun never will."""
        for step in self._started:
            if not await self._is_sound(*step):
                games = [g for g in self._games.values() if (g.slot.block, g.attempt) == step]
                self._endings.extend((game, None) for game in games)

    def _over(self, ended: Ended) -> None:
        """Take note of an ending; it is written with all others that are there by then."""
        game = self._games.pop(ended.match_id, None)
        if game is not None:
            self._endings.append((game, ended.match))

    async def _record(self) -> None:
        """Write down what has ended; what cannot be written now stays to be written."""
        endings = [await self._ending(*ended) for ended in self._endings]
        while news := decide(self._contest, endings):
            await self._log.append(news)
        self._endings.clear()

    async def _ending(self, game: "_Game", match: Match | None) -> Ending:
        """Return how a match ended, with the digest of its record where that counts."""
        result = None if match is None else match.result
        if match is None or result is None or result.reason not in PLAYED:
            return Ending(game.slot, game.attempt, None)
        try:
            digest = await self._matches.record_digest(match)
        except LogCorrupt:
            damaged = await self._matches.is_damaged(match.match_id)
            if not damaged and await self._is_sound(game.slot.block, game.attempt):
                raise
            return Ending(game.slot, game.attempt, None)
        return Ending(game.slot, game.attempt, counted(match, result, digest))

    async def _drop_void_games(self) -> None:
        """Cancel the games whose block is played anew."""
        for match_id, game in list(self._games.items()):
            if game.attempt != self._contest.attempt(game.slot.block):
                del self._games[match_id]
                self.ends.leave(match_id)
                with contextlib.suppress(Refusal):
                    await self._matches.cancel(match_id, self._contest.creator)


class _Game(NamedTuple):
    """A game whose match is watched."""

    slot: Slot
    attempt: int


def counted(match: Match, result: matches.Result, digest: bytes) -> Result:
    """Return what a contest counts of a match; `digest` is its record's."""
    return Result(
        match=match.match_id,
        places=result.places,
        points=result.values,
        actions=match.turn_actions,
        decisions=match.decisions,
        faults=tuple(dict(seat.faults) for seat in match.seats),
        end_us=match.last_us,
        record=digest.hex(),
    )
