"""MatchService: creating matches, filling their seats and showing them."""

from collections.abc import AsyncIterator
from typing import Final

from lastcard.v1 import match_service_pb2 as pb
from lastcard_server import fields
from lastcard_server.access import may_see, own_seat, visible_match
from lastcard_server.convert.matches import match_message, seat_from, settings_from
from lastcard_server.convert.rules import rules_from
from lastcard_server.errors import Reason, Refusal
from lastcard_server.hub import Hub
from lastcard_server.journal.port import Journal, Listed
from lastcard_server.key_registry import KeyRegistry
from lastcard_server.keys import Caller, KeyUnknownError, Role
from lastcard_server.matches.match import Match, Stage
from lastcard_server.matches.registry import Matches
from lastcard_server.matches.setup import MatchSetup, SeatSetup
from lastcard_server.quota import LiveMatches
from lastcard_server.secrets import ServerKeys
from lastcard_server.servicers.watching import watch

_LIVE: Final = {
    pb.MATCH_STATE_UNSPECIFIED: None,
    pb.MATCH_STATE_OPEN: True,
    pb.MATCH_STATE_READYING: True,
    pb.MATCH_STATE_RUNNING: True,
    pb.MATCH_STATE_FINISHED: False,
    pb.MATCH_STATE_CANCELLED: False,
    pb.MATCH_STATE_FROZEN: False,
}
_MOST_LOOKED_AT: Final = 500
"""So many logs one call looks at; a page may then hold less than it was asked for."""
_PAGE: Final = 50
_PREFIX: Final = "match/"


class MatchServicer:
    """Serves MatchService."""

    def __init__(
        self,
        matches: Matches,
        journal: Journal,
        keys: KeyRegistry,
        server_keys: ServerKeys,
        hub: Hub,
        quota: LiveMatches,
    ) -> None:
        self._matches = matches
        self._journal = journal
        self._keys = keys
        self._server_keys = server_keys
        self._hub = hub
        self._quota = quota

    async def CreateMatch(
        self, request: pb.CreateMatchRequest, caller: Caller
    ) -> pb.CreateMatchResponse:
        """Create a match, or return the one that this request has created."""
        fields.require_role(caller, Role.ORGANISER, Role.BOT)
        request_id = fields.token(request.request_id)
        await self._keys.look_for(seat.reserved.key_id for seat in request.seats)
        setup = self._setup_from(request)
        match_id = self._server_keys.match_id(caller.owner, request_id)
        async with self._quota.place(caller.owner, match_id):
            match = await self._matches.create(caller.owner, request_id, setup)
        return pb.CreateMatchResponse(match=match_message(match))

    async def GetMatch(self, request: pb.GetMatchRequest, caller: Caller) -> pb.GetMatchResponse:
        """Return a match."""
        match = await visible_match(self._matches, request.match_id, caller)
        return pb.GetMatchResponse(match=match_message(match))

    async def ListMatches(
        self, request: pb.ListMatchesRequest, caller: Caller
    ) -> pb.ListMatchesResponse:
        """List matches the caller may see, newest first."""
        if request.state not in _LIVE:
            raise Refusal(Reason.BAD_FIELD, "state must be one that proto/ lists.")
        size = fields.between(request.page_size, 1, 100, "page_size", default=50)
        before = fields.page_number(request.page_token)
        found: list[Match] = []
        looked_at = 0
        async for listed in self._newest(request.state, before):
            looked_at, before = looked_at + 1, listed.number
            match = await self._listed(listed.log.removeprefix(_PREFIX), caller, request.state)
            if match is not None:
                found.append(match)
            if len(found) == size or looked_at == _MOST_LOOKED_AT:
                break
        else:
            before = None
        return pb.ListMatchesResponse(
            matches=(match_message(match, brief=True) for match in found),
            next_page_token="" if before is None else str(before),
        )

    async def _newest(self, state: pb.MatchState, before: int | None) -> AsyncIterator[Listed]:
        """Yield the logs of matches, newest first, that may be in a state."""
        while True:
            page = await self._journal.logs(_PREFIX, live=_LIVE[state], before=before, limit=_PAGE)
            for listed in page:
                yield listed
            if not page:
                return
            before = page[-1].number

    async def _listed(self, match_id: str, caller: Caller, state: pb.MatchState) -> Match | None:
        """Return a match that belongs into a listing; None for others, and for unreadable ones."""
        try:
            match = await self._matches.get(match_id)
        except Refusal as refusal:
            if refusal.reason is Reason.STORE_UNAVAILABLE:
                raise
            return None
        return match if may_see(match, caller) and _is_in(match, state) else None

    async def JoinMatch(self, request: pb.JoinMatchRequest, caller: Caller) -> pb.JoinMatchResponse:
        """Take an open or reserved seat."""
        fields.require_role(caller, Role.ORGANISER, Role.BOT)
        name = fields.name(request.name)
        request_id = fields.token(request.request_id)
        await visible_match(self._matches, request.match_id, caller)
        seat = request.seat if request.HasField("seat") else None
        taken = await self._matches.join(request.match_id, caller.owner, name, request_id, seat)
        return pb.JoinMatchResponse(
            match=match_message(taken.match), seat=taken.seat, seat_token=taken.seat_token
        )

    async def LeaveMatch(
        self, request: pb.LeaveMatchRequest, caller: Caller
    ) -> pb.LeaveMatchResponse:
        """Give a seat back before the match has started."""
        match = await visible_match(self._matches, request.match_id, caller)
        seat = own_seat(match, caller, request.seat)
        await self._matches.leave(match.match_id, caller.owner, seat, caller.generation)
        return pb.LeaveMatchResponse()

    async def CancelMatch(
        self, request: pb.CancelMatchRequest, caller: Caller
    ) -> pb.CancelMatchResponse:
        """End a match without result."""
        match_id = fields.match_id(request.match_id)
        if caller.role is not Role.ORGANISER:
            match = await visible_match(self._matches, match_id, caller)
            if match.creator != caller.owner:
                raise Refusal(Reason.FORBIDDEN, "Only its creator or an organiser ends a match.")
        cancelled = await self._matches.cancel(match_id, caller.owner)
        return pb.CancelMatchResponse(match=match_message(cancelled))

    async def WatchMatch(
        self, request: pb.WatchMatchRequest, caller: Caller
    ) -> AsyncIterator[bytes]:
        """Stream what spectators see, to the end."""
        match = await visible_match(self._matches, request.match_id, caller)
        async for message in watch(self._matches, self._hub, match.match_id, caller):
            yield message

    def _setup_from(self, request: pb.CreateMatchRequest) -> MatchSetup:
        preset, rules = rules_from(request.rules)
        settings, clocks = settings_from(request.settings)
        fields.between(len(request.seats), 2, 10, "The number of seats")
        seats = tuple(map(self._seat_from, request.seats))
        return MatchSetup(rules, preset, seats, settings, clocks)

    def _seat_from(self, spec: pb.SeatSpec) -> SeatSetup:
        """Return who is to sit on a seat; a reserved one needs a valid key and gets its name."""
        seat = seat_from(spec)
        if not spec.HasField("reserved"):
            return seat
        try:
            key = self._keys.key(spec.reserved.key_id)
        except KeyUnknownError:
            raise fields.no_such("key") from None
        if key.revoked_us is not None:
            raise fields.no_such("key")
        return seat if seat.name else SeatSetup(owner=seat.owner, name=key.name)


def _is_in(match: Match, state: pb.MatchState) -> bool:
    """Tell whether a match stands where a listing asks for."""
    if state == pb.MATCH_STATE_UNSPECIFIED:
        return True
    return match.stage is Stage[pb.MatchState.Name(state).removeprefix("MATCH_STATE_")]
