"""ContestService: organisers create, start and read contests; anybody with a key may watch."""

import asyncio
from collections.abc import AsyncIterator, Collection
from typing import Final

from lastcard.v1 import contest_service_pb2 as pb
from lastcard_server import fields
from lastcard_server.contests.contest import Stage
from lastcard_server.contests.contests import Contests
from lastcard_server.contests.spec import Entrant
from lastcard_server.convert.contests import (
    contest_message,
    game_message,
    spec_from,
    standing_message,
)
from lastcard_server.errors import Reason, Refusal
from lastcard_server.key_registry import KeyRegistry
from lastcard_server.keys import Caller, KeyUnknownError, Role
from lastcard_server.matches.setup import HOUSE

PAGE_MAX: Final = 1_000
PAGE_DEFAULT: Final = 200
WATCH_SECONDS: Final = 0.2
"""The least time between two messages to one watcher."""


class ContestServicer:
    """Serves ContestService."""

    def __init__(self, contests: Contests, keys: KeyRegistry, strategies: Collection[str]) -> None:
        self._contests = contests
        self._keys = keys
        self._strategies = strategies

    async def CreateContest(
        self, request: pb.CreateContestRequest, caller: Caller
    ) -> pb.CreateContestResponse:
        """Create a contest; nothing is played yet."""
        fields.require_role(caller, Role.ORGANISER)
        request_id = fields.token(request.request_id)
        await self._keys.look_for(entrant.key_id for entrant in request.spec.entrants)
        spec = spec_from(request.spec, self._check)
        contest = await self._contests.create(caller.owner, request_id, spec)
        return pb.CreateContestResponse(contest=contest_message(contest))

    async def StartContest(
        self, request: pb.StartContestRequest, caller: Caller
    ) -> pb.StartContestResponse:
        """Start a contest."""
        fields.require_role(caller, Role.ORGANISER)
        contest = await self._contests.begin(fields.contest_id(request.contest_id))
        return pb.StartContestResponse(contest=contest_message(contest))

    async def GetContest(
        self, request: pb.GetContestRequest, caller: Caller
    ) -> pb.GetContestResponse:
        """Return a contest."""
        fields.require_role(caller, Role.ORGANISER)
        contest = await self._contests.get(fields.contest_id(request.contest_id))
        return pb.GetContestResponse(contest=contest_message(contest))

    async def GetStandings(
        self, request: pb.GetStandingsRequest, caller: Caller
    ) -> pb.GetStandingsResponse:
        """Return the standings over complete blocks."""
        fields.require_role(caller, Role.ORGANISER)
        contest_id = fields.contest_id(request.contest_id)
        contest, blocks, table = await self._contests.standings(contest_id)
        return pb.GetStandingsResponse(
            contest=contest_message(contest),
            complete_block_count=blocks,
            standings=map(standing_message, table),
        )

    async def ListGames(self, request: pb.ListGamesRequest, caller: Caller) -> pb.ListGamesResponse:
        """Return a page of the ledger."""
        fields.require_role(caller, Role.ORGANISER)
        size = fields.between(request.page_size, 1, PAGE_MAX, "page_size", default=PAGE_DEFAULT)
        first = fields.page_number(request.page_token) or 0
        contest = await self._contests.get(fields.contest_id(request.contest_id))
        end = first + size
        return pb.ListGamesResponse(
            games=map(game_message, contest.ledger[first:end]),
            next_page_token=str(end) if end < len(contest.ledger) else "",
        )

    async def WatchContest(
        self, request: pb.WatchContestRequest, caller: Caller
    ) -> AsyncIterator[pb.WatchContestResponse]:
        """Stream progress until the contest is finished."""
        fields.require_role(caller, Role.ORGANISER, Role.BOT, Role.SPECTATOR)
        async for contest in self._contests.watch(fields.contest_id(request.contest_id)):
            yield pb.WatchContestResponse(
                contest=contest_message(contest), decision_count=contest.decisions
            )
            if contest.stage is not Stage.FINISHED:
                await asyncio.sleep(WATCH_SECONDS)

    def _check(self, entrant: Entrant) -> None:
        """Refuse an entrant that cannot play here."""
        if entrant.owner == HOUSE:
            if entrant.strategy not in self._strategies:
                names = ", ".join(sorted(self._strategies))
                raise Refusal(
                    Reason.BAD_FIELD, f"There is no such house_strategy; there are {names}."
                )
        elif not self._may_play(entrant.owner.removeprefix("key:")):
            raise Refusal(
                Reason.BAD_FIELD, "Every key_id must name a valid key whose role may play seats."
            )

    def _may_play(self, key_id: str) -> bool:
        """Tell whether a key exists, is valid and may play."""
        try:
            key = self._keys.key(key_id)
        except KeyUnknownError:
            return False
        return key.revoked_us is None and key.role is not Role.SPECTATOR
