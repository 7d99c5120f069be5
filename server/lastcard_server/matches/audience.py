"""
Who hears of which match? Sinks by owner and by match, and the telling of news.

An owner that has a sink is connected; one that had one and has none any more is gone. Of several
servers to which an owner is connected one tells him of a match (`homes`).
"""

import logging
from collections.abc import Callable, Iterable

from lastcard_server.matches.homes import Homes
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Sink, Update
from lastcard_server.matches.slots import Slot
from lastcard_server.matches.turns import OpenTurn, TurnClose

_log = logging.getLogger(__name__)


class Audience:
    """
    The sinks of this server.

    Args:
        homes: say whose turn it is to tell somebody.

    Attributes:
        ended: matches that are over, as streams with a token of theirs have heard.

    """

    def __init__(self, homes: Homes) -> None:
        self._homes = homes
        self._streams: dict[str, list[Sink]] = {}
        self._polls: dict[str, list[Sink]] = {}
        self._by_match: dict[str, list[Sink]] = {}
        self._connected: set[str] = set()
        self._gone: set[str] = set()
        self._changes = 0
        self.ended: set[str] = set()

    def __len__(self) -> int:
        """Return how many sinks there are, once for each owner and match; any thread may ask."""
        tables = self._streams, self._polls, self._by_match
        return sum(len(sinks) for table in tables for sinks in tuple(table.values()))

    def add(self, owner: str, sink: Sink, *, connection: bool) -> None:
        """Let a sink hear of all seats of an owner; `connection`: without it the owner is gone."""
        sinks = self._streams if connection else self._polls
        sinks.setdefault(owner, []).append(sink)
        self._gone.discard(owner)
        if connection:
            self._connected.add(owner)
            self._homes.connect(owner)
        self._changes += 1

    def remove(self, owner: str, sink: Sink) -> None:
        """Forget a sink of an owner."""
        if _drop(self._streams, owner, sink) and owner not in self._streams:
            self._homes.disconnect(owner)
        _drop(self._polls, owner, sink)
        if not self._is_here(owner) and owner in self._connected:
            self._gone.add(owner)
            self._connected.discard(owner)
        self._changes += 1

    def forget(self, owner: str) -> None:
        """Forget that an owner is gone: there is nothing more in which it could be missed."""
        self._gone.discard(owner)
        self._homes.forget(owner)

    def gone_from(self) -> dict[str, list[str]]:
        """Return who had the token of a seat and is gone, here or elsewhere, by match."""
        found: dict[str, list[str]] = {}
        for owner in {*self._gone, *self._homes.gone()}:
            if owner.startswith("seat:"):
                found.setdefault(owner.split(":")[1], []).append(owner)
        return found

    def owners(self) -> set[str]:
        """Return who has a sink."""
        return {*self._streams, *self._polls}

    def tells(self, owner: str, match_id: str) -> bool:
        """Tell whether this server tells an owner of a match."""
        if owner in self._polls:
            return True
        return owner in self._streams and self._homes.delivers(owner, match_id)

    def add_spectator(self, match_id: str, sink: Sink) -> None:
        """Let a sink hear of a match without any of its turns."""
        self._by_match.setdefault(match_id, []).append(sink)
        self._changes += 1

    def remove_spectator(self, match_id: str, sink: Sink) -> None:
        """Forget a spectator."""
        _drop(self._by_match, match_id, sink)
        self._changes += 1

    def is_connected(self, owner: str) -> bool:
        """Tell whether an owner has a sink, here or at another server."""
        return self._is_here(owner) or self._homes.is_connected(owner)

    def _is_here(self, owner: str) -> bool:
        return owner in self._streams or owner in self._polls

    def is_gone(self, owner: str) -> bool:
        """Tell whether an owner had a connection and has none any more."""
        return owner in self._gone or self._homes.is_gone(owner)

    def is_watched(self, match_id: str) -> bool:
        """Tell whether a match has a spectator."""
        return match_id in self._by_match

    def is_current(self, slot: Slot) -> bool:
        """Tell whether it is known who hears of a match."""
        return slot.routed == self._changes + self._homes.version

    def tell(self, slot: Slot) -> None:
        """
        Tell the news of a match, all durable: turns closed, what happened, turns asked, the end.

        A sink that fails is logged, and the match is told anew, so that no other goes without.
        """
        match = slot.match
        opened, closed, events = match.opened, match.closed, match.events
        match.opened, match.closed, match.events = [], [], []
        after, slot.told = slot.told, match.group_version or match.version
        fresh: Iterable[Sink] = ()
        if slot.routed != self._changes + self._homes.version or match.state is None:
            fresh = self._route(slot)
        if not slot.listeners:
            return
        try:
            self._tell_closed(slot, closed)
            if events or after != slot.told:
                update = Update(after, slot.told, events)
                for sink in slot.listeners:
                    sink.update(match, update)
            self._tell_opened(slot, opened)
            if fresh:
                self._tell_fresh(slot, fresh)
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
            for sink in (*self._streams.get(name, ()), *self._polls.get(name, ())):
                _call(sink.turn_closed, match, seat, turn, TurnClose.WITHDRAWN)

    def tell_anew(self, slot: Slot) -> None:
        """Tell a match from the start: full views, every open turn, and the end."""
        match = slot.match
        match.opened, match.closed, match.events = [], [], []
        slot.told = match.shown_version
        self._route(slot)
        self._tell_fresh(slot, slot.listeners)
        if match.over:
            self._over(slot)

    def tell_over(self, match: Match) -> None:
        """Tell the streams of its seats' tokens that a match is over which is not in memory."""
        for seat in range(len(match.seats)):
            for sink in self._streams.get(f"seat:{match.match_id}:{seat}", ()):
                _call(sink.match_over, match)
                self.ended.add(match.match_id)

    @staticmethod
    def _tell_fresh(slot: Slot, sinks: Iterable[Sink]) -> None:
        """Tell sinks that know nothing of a match how it stands."""
        match, known = slot.match, {id(sink) for sink in sinks}
        update = Update(0, slot.told, [])
        for sink in sinks:
            _call(sink.update, match, update)
        for turn in match.turns.values():
            for sink in slot.routes[turn.seat]:
                if id(sink) in known:
                    _call(sink.turn_opened, match, turn)

    def _over(self, slot: Slot) -> None:
        match = slot.match
        for sink in slot.listeners:
            _call(sink.match_over, match)
        for seat in range(len(match.seats)):
            owner = f"seat:{match.match_id}:{seat}"
            self._gone.discard(owner)
            if owner in self._streams and self._homes.shared:
                self.ended.add(match.match_id)

    def _route(self, slot: Slot) -> list[Sink]:
        """
        Find out who hears of a match; return who has to be told from now on because of others.

        Whom another server tells of it from now on hears that.
        """
        match, before = slot.match, {id(sink) for sink in slot.listeners}
        away: list[Sink] = []
        slot.routed = self._changes + self._homes.version
        slot.routes = [self._of_seat(match, seat, away) for seat in range(len(match.seats))]
        seated = {id(sink): sink for sinks in slot.routes for sink in sinks}
        watching = {id(sink): sink for sink in self._by_match.get(match.match_id, ())}
        slot.listeners = list((seated | watching).values())
        if not self._homes.shared:
            return []
        for sink in away:
            _call(sink.left, match)
        return [sink for key, sink in seated.items() if key not in before]

    def _of_seat(self, match: Match, seat: int, away: list[Sink]) -> list[Sink]:
        """Return who hears of the turns of a seat; add to `away` who does at another server."""
        found: list[Sink] = []
        for name in (match.seats[seat].owner, f"seat:{match.match_id}:{seat}"):
            if name in self._streams:
                is_ours = self._homes.delivers(name, match.match_id)
                (found if is_ours else away).extend(self._streams[name])
            found += self._polls.get(name, ())
        return found


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
