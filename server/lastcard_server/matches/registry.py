"""
Where do matches live? In the journal; here is the cache that serves them.

Memory never runs ahead of the store for anybody outside: commands fold at once, but outcomes, news
and reads wait until the entries are durable, and a match whose append failed is dropped and read
again. One writer task appends whatever has gathered in one call; no lock, no task a match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from lastcard_server.clock import Clock
from lastcard_server.journal.port import Journal
from lastcard_server.matches.commands import Command, Outcome
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Sink
from lastcard_server.matches.setup import MatchSetup
from lastcard_server.matches.turns import OpenTurn, Ready
from lastcard_engine.actions import Action
from lastcard_server.secrets import ServerKeys

Strategy = Callable[[Match, OpenTurn], tuple[int | Action | Ready, bool]]
"""A house bot: from its match and open turn (settled) to a reply and whether it calls UNO."""


class Leg(NamedTuple):
    """One match of a deal group to create."""

    match_id: str
    setup: MatchSetup
    """Its seats name the entrants: the same ones in every leg."""


class Taken(NamedTuple):
    """A seat that was taken by `join`."""

    match: Match
    seat: int
    seat_token: str


class Matches:
    """The matches of this server."""

    def __init__(
        self,
        journal: Journal,
        keys: ServerKeys,
        clock: Clock,
        strategies: Mapping[str, Strategy],
        pod: str = "server",
    ) -> None:
        raise NotImplementedError

    async def start(self) -> None:
        """Begin to write, to fire what falls due and to play the house's seats."""
        raise NotImplementedError

    async def aclose(self) -> None:
        """Write what is pending and stop; later commands are refused as DRAINING."""
        raise NotImplementedError

    async def create(self, creator: str, request_id: str, setup: MatchSetup) -> Match:
        """
        Create a match; the same creator, request_id and setup get the same match.

        Raises:
            Refusal: REQUEST_ID_REUSED where the setup differs; BAD_FIELD for an unknown strategy;
                STORE_UNAVAILABLE.
        """
        raise NotImplementedError

    async def create_group(self, creator: str, group_id: str, legs: Sequence[Leg]) -> list[Match]:
        """
        Create the legs of a deal group: several matches that share one deal; repeatable.

        A leg that exists is returned as it is, one that is missing is created with the group's deal.

        Raises:
            Refusal: REQUEST_ID_REUSED where a leg exists with another setup; STORE_UNAVAILABLE.
        """
        raise NotImplementedError

    async def get(self, match_id: str) -> Match:
        """
        Return a settled match, live or over: everything in it is durable at the return.

        Raises:
            Refusal: NOT_FOUND, STORE_UNAVAILABLE, HISTORY_LOST.
        """
        raise NotImplementedError

    async def settled(self, match: Match) -> Match:
        """Wait until everything in the match is durable; return it, read again if it was dropped."""
        raise NotImplementedError

    async def join(
        self, match_id: str, owner: str, name: str, request_id: str, seat: int | None = None
    ) -> Taken:
        """
        Take an open seat, or a reserved one of the owner; a repeat gets the same seat and token.

        Raises:
            Refusal: NOT_FOUND, TABLE_FULL, ALREADY_STARTED, MATCH_OVER, FORBIDDEN for a seat
                reserved for another, BAD_FIELD for a seat that does not exist,
                REQUEST_ID_REUSED.
        """
        raise NotImplementedError

    async def leave(self, match_id: str, owner: str, seat: int) -> Match:
        """
        Give a seat back before the start; its token dies. Leaving a seat twice is refused.

        Raises:
            Refusal: NOT_FOUND, FORBIDDEN, ALREADY_STARTED, MATCH_OVER.
        """
        raise NotImplementedError

    async def cancel(self, match_id: str, by: str) -> Match:
        """
        End a match without result; a cancelled one stays as it is. Who may is for the caller to say.

        Raises:
            Refusal: NOT_FOUND, MATCH_OVER where it was played to its end.
        """
        raise NotImplementedError

    async def submit(self, commands: Sequence[Command]) -> list[Outcome]:
        """Decide the commands of one message; return their outcomes, in order, when durable."""
        raise NotImplementedError

    async def subscribe(self, owner: str, sink: Sink) -> None:
        """
        Call `sink` for all seats of an owner: first with every turn that is open, then as it goes.

        Every sink of an owner hears everything; which of several streams sends a turn is theirs to
        agree on. An owner with a sink counts as present.
        """
        raise NotImplementedError

    def unsubscribe(self, owner: str, sink: Sink) -> None:
        """Stop calling `sink`; an owner without sinks counts as gone."""
        raise NotImplementedError

    async def subscribe_match(self, match_id: str, sink: Sink) -> Match:
        """Call `sink` with updates and the end of one match; return the match as it stands then."""
        raise NotImplementedError

    def unsubscribe_match(self, match_id: str, sink: Sink) -> None:
        """Stop calling `sink`."""
        raise NotImplementedError

    async def open_turns(self, owner: str) -> list[tuple[Match, OpenTurn]]:
        """Return all open turns of an owner's seats, settled."""
        raise NotImplementedError
