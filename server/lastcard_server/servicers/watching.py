"""How does a spectator follow a match? A full view, then updates, to the end."""

from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Final

from lastcard.v1 import match_service_pb2 as pb
from lastcard_server.convert.turns import full_view_bytes, update_bytes
from lastcard_server.errors import Reason, Refusal
from lastcard_server.fragments import framing
from lastcard_server.hub import Hub
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Update
from lastcard_server.matches.registry import Matches
from lastcard_server.matches.turns import OpenTurn, TurnClose

_UPDATE: Final = framing(pb.WatchMatchResponse, "update")
_UPDATES_KEPT: Final = 256


class _Spectator:
    """What is pending for one spectator."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self.pending: deque[bytes] = deque()
        self.is_over = False

    def turn_opened(self, match: Match, turn: OpenTurn) -> None:
        """Spectators are not asked."""

    def turn_closed(self, match: Match, seat: int, turn: int, reason: TurnClose) -> None:
        """Spectators are not asked."""

    def update(self, match: Match, update: Update) -> None:
        """Queue what happened; where too much is pending, one full view replaces it all."""
        if len(self.pending) < _UPDATES_KEPT:
            self.pending.append(_UPDATE(update_bytes(match, update, None)))
        else:
            self.pending.clear()
            self.pending.append(_UPDATE(full_view_bytes(match, None)))
        self._ring()

    def match_over(self, _match: Match) -> None:
        """End once everything is sent."""
        self.is_over = True
        self._ring()


async def watch(matches: Matches, hub: Hub, match_id: str) -> AsyncIterator[bytes]:
    """
    Yield responses for a spectator until the match is over.

    Raises:
        Refusal: DRAINING when the server shuts down.

    """
    with hub.waiting() as news:
        spectator = _Spectator(news.set)
        match = await matches.subscribe_match(match_id, spectator)
        try:
            spectator.pending.clear()
            yield _UPDATE(full_view_bytes(match, None))
            spectator.is_over |= match.over
            while spectator.pending or not spectator.is_over:
                while spectator.pending:
                    yield spectator.pending.popleft()
                if hub.draining:
                    raise Refusal(Reason.DRAINING, "The server is shutting down; watch again.")
                if not spectator.is_over:
                    await news.wait()
                    news.clear()
        finally:
            matches.unsubscribe_match(match_id, spectator)
