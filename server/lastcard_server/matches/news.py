"""
Who is told what when a match moves on? Sinks, called at once and only with what is durable.

While a sink is called the match stands exactly at the version the call is about, and everything in
it is durable: a sink builds its bytes inside the call, or reads later through `Matches.get`.
Sinks never block and never raise. Events are not redacted: `lastcard_engine.redact` is the door.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from lastcard_engine.events import Event
from lastcard_server.matches.turns import OpenTurn, TurnClose

if TYPE_CHECKING:
    from lastcard_server.matches.match import Match


@dataclass(slots=True)
class Update:
    """What happened in a match between two versions that are shown."""

    after: int
    version: int
    events: list[Event]


class Sink(Protocol):
    """Hears the news of all seats of an owner, or of one match as a spectator (no turns then)."""

    def turn_opened(self, match: Match, turn: OpenTurn) -> None:
        """Hear that a seat of the owner is asked."""

    def turn_closed(self, match: Match, seat: int, turn: int, reason: TurnClose) -> None:
        """Hear that a turn waits no longer; also of those the owner has answered."""

    def update(self, match: Match, update: Update) -> None:
        """Hear what happened, once a match however many of its seats the owner holds."""

    def match_over(self, match: Match) -> None:
        """Hear that the match is over, however it ended; `match.result` says how."""

    def left(self, match: Match) -> None:
        """Hear that another server tells of a match from now on; nobody is to be told of that."""
