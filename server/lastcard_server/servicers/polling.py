"""How does a caller without a stream get its turns? By asking again, waiting a while each time."""

import asyncio
from collections.abc import Collection
from contextlib import suppress

from lastcard.v1 import play_service_pb2 as pb
from lastcard_server.convert.play import closed_bytes
from lastcard_server.convert.turns import lost_bytes, over_bytes, turn_bytes
from lastcard_server.errors import Refusal
from lastcard_server.fragments import framing
from lastcard_server.hub import Hub, Waiting
from lastcard_server.keys import Caller
from lastcard_server.matches.answered import TIMED_OUT
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Update
from lastcard_server.matches.registry import Matches
from lastcard_server.matches.turns import OpenTurn, TurnClose

_TURN = framing(pb.WaitTurnsResponse, "turns")
_CLOSED = framing(pb.WaitTurnsResponse, "closed_turns")
_OVER = framing(pb.WaitTurnsResponse, "matches_over")


class _Bell:
    """Rings when a turn of an owner opens or closes, or a match of his ends."""

    def __init__(self, news: asyncio.Event) -> None:
        self._news = news

    def turn_opened(self, _match: Match, _turn: OpenTurn) -> None:
        """Ring."""
        self._news.set()

    def turn_closed(self, _match: Match, _seat: int, _turn: int, _reason: TurnClose) -> None:
        """Ring."""
        self._news.set()

    def update(self, match: Match, update: Update) -> None:
        """Stay silent."""

    def match_over(self, match: Match) -> None:
        """Ring."""
        self._news.set()

    def left(self, match: Match) -> None:
        """Stay silent."""


class Poll:
    """One WaitTurns call."""

    def __init__(
        self,
        matches: Matches,
        hub: Hub,
        caller: Caller,
        request: pb.WaitTurnsRequest,
        match_ids: Collection[str],
        most: int,
    ) -> None:
        self._matches = matches
        self._hub = hub
        self._caller = caller
        self._known = {(ref.match_id, ref.seat, ref.turn) for ref in request.known}
        self._match_ids = match_ids
        self._most = most

    async def answer(self, seconds: float) -> bytes:
        """Return the response as soon as there is something to say, empty when time is up."""
        owner = self._caller.owner
        with self._hub.waiting(self._caller) as waiting:
            bell = _Bell(waiting.news)
            await self._matches.subscribe(owner, bell, connection=False)
            try:
                return await self._wait(waiting, seconds)
            finally:
                self._matches.unsubscribe(owner, bell)

    async def _wait(self, waiting: Waiting, seconds: float) -> bytes:
        news = waiting.news
        deadline = asyncio.get_running_loop().time() + seconds
        news.clear()
        response = await self._look()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(deadline):
                while not response and seconds and not self._hub.draining:
                    await news.wait()
                    news.clear()
                    waiting.refuse_revoked()
                    response = await self._look()
        return response

    async def _look(self) -> bytes:
        owner, generation = self._caller.owner, self._caller.generation
        open_now = {
            (match.match_id, turn.seat, turn.turn): (match, turn)
            for match, turn in await self._matches.open_turns(owner)
            if match.seat_of(owner, turn.seat, generation)  # a seat may have been given back
        }
        fresh = [found for key, found in open_now.items() if key not in self._known]
        parts = [_TURN(turn_bytes(match, turn)) for match, turn in fresh[: self._most]]
        for match_id, seat, turn in sorted(self._known - open_now.keys()):
            reason = await self._reason(match_id, seat, turn)
            parts.append(_CLOSED(closed_bytes(match_id, seat, turn, reason)))
        ends = await self._matches.ends(self._match_ids)
        parts += [_OVER(over_bytes(match)) for match in filter(self._is_seated, ends.over)]
        parts += [_OVER(lost_bytes(match_id)) for match_id in ends.lost]
        return b"".join(parts)

    def _is_seated(self, match: Match) -> bool:
        owner, generation = self._caller.owner, self._caller.generation
        return any(match.seat_of(owner, seat, generation) for seat in range(len(match.seats)))

    async def _reason(self, match_id: str, seat: int, turn: int) -> TurnClose:
        """Say why a turn is closed; of what is not the caller's only that it is."""
        try:
            match = await self._matches.get(match_id)
        except Refusal:
            return TurnClose.WITHDRAWN
        occupant = match.seat_of(self._caller.owner, seat, self._caller.generation)
        closed = occupant.answered.find(turn) if occupant else None
        if closed is not None:
            timed_out = closed.choice == TIMED_OUT
            return TurnClose.TIMED_OUT if timed_out else TurnClose.ANSWERED
        return TurnClose.MATCH_OVER if occupant and match.over else TurnClose.WITHDRAWN
