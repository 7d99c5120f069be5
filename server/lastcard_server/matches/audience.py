"""
Who hears of which match? Sinks by owner and by match, and the telling of news.

An owner that has a sink is connected; one that had one and has none any more is gone.
"""

import logging
from collections.abc import Callable

from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Sink, Update
from lastcard_server.matches.slots import Slot
from lastcard_server.matches.turns import OpenTurn, TurnClose

_log = logging.getLogger(__name__)


class Audience:
    """The sinks of this server."""

    def __init__(self) -> None:
        self._by_owner: dict[str, list[Sink]] = {}
        self._by_match: dict[str, list[Sink]] = {}
        self._connected: set[str] = set()
        self._gone: set[str] = set()
        self._changes = 0

    def add(self, owner: str, sink: Sink, *, connection: bool) -> None:
        """Let a sink hear of all seats of an owner; `connection`: without it the owner is gone."""
        self._by_owner.setdefault(owner, []).append(sink)
        self._gone.discard(owner)
        if connection:
            self._connected.add(owner)
        self._changes += 1

    def remove(self, owner: str, sink: Sink) -> None:
        """Forget a sink of an owner."""
        if _drop(self._by_owner, owner, sink) and owner not in self._by_owner:
            if owner in self._connected:
                self._gone.add(owner)
            self._connected.discard(owner)
        self._changes += 1

    def add_spectator(self, match_id: str, sink: Sink) -> None:
        """Let a sink hear of a match without any of its turns."""
        self._by_match.setdefault(match_id, []).append(sink)
        self._changes += 1

    def remove_spectator(self, match_id: str, sink: Sink) -> None:
        """Forget a spectator."""
        _drop(self._by_match, match_id, sink)
        self._changes += 1

    def is_connected(self, owner: str) -> bool:
        """Tell whether an owner has a sink."""
        return owner in self._by_owner

    def is_gone(self, owner: str) -> bool:
        """Tell whether an owner had a connection and has none any more."""
        return owner in self._gone

    def tell(self, slot: Slot) -> None:
        """
        Tell the news of a match, all durable: turns closed, what happened, turns asked, the end.

        A sink that fails is logged, and the match is told anew, so that no other goes without.
        """
        match = slot.match
        opened, closed, events = match.opened, match.closed, match.events
        match.opened, match.closed, match.events = [], [], []
        after, slot.told = slot.told, match.group_version or match.version
        if slot.routed != self._changes or match.state is None:
            self._route(slot)
        if not slot.listeners:
            return
        try:
            self._tell_closed(slot, closed)
            if events or after != slot.told:
                update = Update(after, slot.told, events)
                for sink in slot.listeners:
                    sink.update(match, update)
            self._tell_opened(slot, opened)
        except Exception:  # noqa: BLE001 - whatever it is, the others have to hear
            _log.exception("a sink failed")
            self.tell_anew(slot)
            return
        if match.over:
            self._over(slot)

    @staticmethod
    def _tell_closed(slot: Slot, closed: list[tuple[int, int, TurnClose]]) -> None:
        match, routes = slot.match, slot.routes
        for seat, turn, reason in closed:
            for sink in routes[seat]:
                sink.turn_closed(match, seat, turn, reason)

    @staticmethod
    def _tell_opened(slot: Slot, opened: list[OpenTurn]) -> None:
        match, routes = slot.match, slot.routes
        for turn in opened:
            seat = turn.seat
            if match.turns.get(seat) is turn:
                for sink in routes[seat]:
                    sink.turn_opened(match, turn)

    def tell_left(self, match: Match, seat: int, turn: int, owner: str) -> None:
        """Tell who has left a seat that its turn is withdrawn; he hears nothing more of it."""
        for name in (owner, f"seat:{match.match_id}:{seat}"):
            for sink in self._by_owner.get(name, []):
                _call(sink.turn_closed, match, seat, turn, TurnClose.WITHDRAWN)

    def tell_anew(self, slot: Slot) -> None:
        """Tell a match from the start: full views, every open turn, and the end."""
        match = slot.match
        match.opened, match.closed, match.events = [], [], []
        slot.told = match.shown_version
        self._route(slot)
        update = Update(0, slot.told, [])
        for sink in slot.listeners:
            _call(sink.update, match, update)
        for turn in match.turns.values():
            for sink in slot.routes[turn.seat]:
                _call(sink.turn_opened, match, turn)
        if match.over:
            self._over(slot)

    def _over(self, slot: Slot) -> None:
        match = slot.match
        for sink in slot.listeners:
            _call(sink.match_over, match)
        for seat in range(len(match.seats)):
            self._gone.discard(f"seat:{match.match_id}:{seat}")

    def _route(self, slot: Slot) -> None:
        match, slot.routed = slot.match, self._changes
        slot.routes = [self._of_seat(match, seat) for seat in range(len(match.seats))]
        heard = [sink for sinks in slot.routes for sink in sinks]
        heard += self._by_match.get(match.match_id, [])
        slot.listeners = list({id(sink): sink for sink in heard}.values())

    def _of_seat(self, match: Match, seat: int) -> list[Sink]:
        owner, token_owner = match.seats[seat].owner, f"seat:{match.match_id}:{seat}"
        return [*self._by_owner.get(owner, []), *self._by_owner.get(token_owner, [])]


def _drop(sinks: dict[str, list[Sink]], key: str, sink: Sink) -> bool:
    """Take a sink out of a table; tell whether it was there."""
    if sink not in sinks.get(key, []):
        return False
    sinks[key].remove(sink)
    if not sinks[key]:
        del sinks[key]
    return True


def _call(hear: Callable[..., None], *news: object) -> None:
    """Call a sink; one that fails must not keep the news from the others."""
    try:
        hear(*news)
    except Exception:  # noqa: BLE001 - whatever it is, the others have to hear
        _log.exception("a sink failed")
