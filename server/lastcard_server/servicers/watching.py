"""How does a spectator follow a match? A full view, then updates, to the end."""

from collections.abc import AsyncIterator
from typing import Final

from lastcard.v1 import match_service_pb2 as pb
from lastcard_server.access import may_see
from lastcard_server.convert.turns import full_view_bytes, over_bytes, update_bytes
from lastcard_server.errors import Reason, Refusal
from lastcard_server.fields import no_such
from lastcard_server.fragments import framing
from lastcard_server.hub import Hub, Waiting
from lastcard_server.keys import Caller
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Update
from lastcard_server.matches.registry import Matches
from lastcard_server.matches.turns import OpenTurn, TurnClose

_UPDATE: Final = framing(pb.WatchMatchResponse, "update")
_OVER: Final = framing(pb.WatchMatchResponse, "over")
_UPDATES_KEPT: Final = 256


class _Spectator:
    """What one spectator is told of a match."""

    def __init__(self, waiting: Waiting, caller: Caller) -> None:
        self._ring = waiting.news.set
        self._caller = caller
        self.pending = waiting.pending
        self.is_over = False
        self.is_shut_out = False

    def turn_opened(self, match: Match, turn: OpenTurn) -> None:
        """Spectators are not asked."""

    def turn_closed(self, match: Match, seat: int, turn: int, reason: TurnClose) -> None:
        """Spectators are not asked."""

    def update(self, match: Match, update: Update) -> None:
        """Queue what happened; where too much is pending, one full view replaces it."""
        if not may_see(match, self._caller):
            self.is_shut_out = True
        elif len(self.pending) < _UPDATES_KEPT:
            self.pending.append(_UPDATE(update_bytes(match, update, None)))
        else:
            self.pending.clear()
            self.pending.append(_UPDATE(full_view_bytes(match, None)))
        self._ring()

    def left(self, match: Match) -> None:
        """Spectators hear everything from the server they have asked."""

    def match_over(self, match: Match) -> None:
        """Say with the last update how it ended, and end once everything is sent."""
        last = self.pending.pop() if self.pending else _UPDATE(full_view_bytes(match, None))
        self.pending.append(last + _OVER(over_bytes(match)))
        self.is_over = True
        self._ring()


async def watch(matches: Matches, hub: Hub, match_id: str, caller: Caller) -> AsyncIterator[bytes]:
    """
    Yield responses for a spectator until the match is over.

    Raises:
        Refusal: DRAINING when the server shuts down; UNAUTHENTICATED once the key is revoked;
            NOT_FOUND once the caller may not see the match any more; QUOTA at the start where it
            has too many streams.

    """
    with hub.watching(caller) as waiting:
        news = waiting.news
        spectator = _Spectator(waiting, caller)
        match = await matches.subscribe_match(match_id, spectator)
        try:
            spectator.pending.clear()
            spectator.is_shut_out |= not may_see(match, caller)
            _refuse_shut_out(spectator, waiting)
            if match.over:
                spectator.match_over(match)
            else:
                yield _UPDATE(full_view_bytes(match, None))
            while spectator.pending or not spectator.is_over:
                _refuse_shut_out(spectator, waiting)
                if spectator.pending:
                    yield spectator.pending.popleft()
                    continue
                if hub.draining:
                    raise Refusal(Reason.DRAINING, "The server is shutting down; watch again.")
                if not spectator.is_over:
                    await news.wait()
                    news.clear()
        finally:
            matches.unsubscribe_match(match_id, spectator)


def _refuse_shut_out(spectator: _Spectator, waiting: Waiting) -> None:
    waiting.refuse_revoked()
    if spectator.is_shut_out:
        raise no_such("match")
