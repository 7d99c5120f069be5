"""
Which stream of an owner gets which turn?

An owner (a key or a seat token) may have many streams, one an instance. Each open turn lies with
one of them: the one that had the seat before, as long as it has room. It moves when that stream
ends. Conversion is done inside the news, while the match stands at the version they are about.
"""

import asyncio
from collections.abc import Iterable, Iterator
from typing import Final

from lastcard_engine.rules import Rules
from lastcard_server.convert.events import event_bodies, opens_match
from lastcard_server.convert.play import closed_bytes
from lastcard_server.convert.turns import (
    full_view_bytes,
    lost_bytes,
    over_bytes,
    turn_bytes,
    update_bytes,
    with_story,
)
from lastcard_server.keys import Caller
from lastcard_server.matches.commands import Command
from lastcard_server.matches.match import Match
from lastcard_server.matches.news import Update
from lastcard_server.matches.registry import Matches
from lastcard_server.matches.turns import OpenTurn, TurnClose
from lastcard_server.streams import Closing, Delivery, Stream
from lastcard_server.telemetry import Telemetry

_EVENTS_KEPT: Final = 256
_ANSWERED: Final = TurnClose.ANSWERED  # looking a member up in its enum is slow


class Held:
    """A seat of an owner, and where its open turn lies."""

    __slots__ = (
        "answering",
        "based",
        "body",
        "events",
        "match_id",
        "rules",
        "seat",
        "stream",
        "turn",
    )

    def __init__(self, match_id: str, seat: int) -> None:
        self.match_id = match_id
        self.seat = seat
        self.turn = 0
        """The open turn, 0 if none."""
        self.body = b""
        """The open turn as the bytes of a Turn."""
        self.rules: Rules | None = None
        """What its body lacks for a stream that wants events; None once it has them."""
        self.stream: Stream | None = None
        """The stream that has the seat; it keeps it between turns."""
        self.answering: Stream | None = None
        """The stream whose answer to the open turn is being decided."""
        self.events: list[bytes] = []
        """What happened since the last turn, for a stream that wants it with the next."""
        self.based = False
        """Whether the stream has the version that the next update follows."""


class Holder:
    """The streams of one owner, and the sink for the news of its seats."""

    def __init__(self, caller: Caller, telemetry: Telemetry) -> None:
        self._caller = caller
        self._telemetry = telemetry
        self._streams: dict[str, Stream] = {}
        self._seats: dict[tuple[str, int], Held] = {}
        self._waiting: dict[Held, None] = {}
        self._wants_events = False
        self._subscribing = asyncio.Lock()
        self._subscribed = False

    async def subscribe(self, matches: Matches) -> None:
        """Hear of the owner's seats from now on; once is enough for all streams."""
        async with self._subscribing:
            if not self._subscribed:
                await matches.subscribe(self._caller.owner, self)
                self._subscribed = True

    async def tell_ends(self, stream: Stream, matches: Matches) -> None:
        """
        Tell a stream which of the matches it asks about are over by now; of a seat token its own.

        What the store does not hold is told as frozen: nobody could ever tell another end of it.
        One that ends meanwhile may be told twice, but never to the stream of a seat token.
        """
        own = self._caller.seat
        ends = await matches.ends(stream.wish.match_ids if own is None else own[:1])
        seated = (match for match in ends.over if any(True for _ in self._seats_in(match)))
        for over in (*map(over_bytes, seated), *map(lost_bytes, ends.lost)):
            if own is None or not stream.told_end:
                _put_end(stream, over)

    def __len__(self) -> int:
        return len(self._streams)

    def __iter__(self) -> Iterator[Stream]:
        return iter(tuple(self._streams.values()))

    def __contains__(self, instance: str) -> bool:
        return instance in self._streams

    @property
    def seats(self) -> int:
        """Return how many seats in matches that are not over have been told of."""
        return len(self._seats)

    @property
    def account(self) -> str:
        """Return who answers for the streams."""
        return self._caller.account

    def add(self, stream: Stream) -> None:
        """Take in a stream; one of the same instance ends, and its turns go to the new one."""
        old = self._streams.pop(stream.wish.instance, None)
        self._streams[stream.wish.instance] = stream
        self._wants_events |= stream.wish.delivery is not Delivery.NEVER
        if old is not None:
            old.close(Closing.REPLACED)
            self._release(old)
        self._deliver_waiting()

    def remove(self, stream: Stream) -> None:
        """Give up a stream that has ended; its turns go to the others."""
        if self._streams.get(stream.wish.instance) is stream:
            del self._streams[stream.wish.instance]
        self._release(stream)
        self._deliver_waiting()

    def close(self, reason: Closing) -> None:
        """End every stream."""
        for stream in self._streams.values():
            stream.close(reason)

    def hurry(self) -> None:
        """Let streams that are ending wait for no more outcomes."""
        for stream in self._streams.values():
            stream.hurry()

    def answering(self, stream: Stream, commands: Iterable[Command]) -> None:
        """Note whose answers are being decided: a stream is not told of turns it closes itself."""
        for command in commands:
            held = self._seats.get((command.match_id, command.seat))
            if held is not None:
                held.answering = stream

    def refused(self, command: Command) -> None:
        """Note that an answer was refused: its turn stays open."""
        held = self._seats.get((command.match_id, command.seat))
        if held is not None:
            held.answering = None

    def turn_opened(self, match: Match, turn: OpenTurn) -> None:
        """Hear that a seat is asked; put the turn to a stream with room, or keep it waiting."""
        if self._caller.seat is not None and self._is_outdated(match):
            return
        key = match.match_id, turn.seat
        held = self._seats.get(key) or self._held(*key)
        if held.turn == turn.turn:
            return
        if held.turn:
            self._withdraw(held)
        held.turn = turn.turn
        held.body = turn_bytes(match, turn)
        held.rules = match.setup.rules
        held.answering = None
        self._deliver(held)

    def turn_closed(self, match: Match, seat: int, turn: int, reason: TurnClose) -> None:
        """Hear that a turn is closed; tell the stream that has it, unless it has answered it."""
        held = self._seats.get((match.match_id, seat))
        if held is None or held.turn != turn:
            return
        stream = held.stream
        told = self._withdraw(held) or (reason is _ANSWERED and held.answering is stream)
        held.answering = None
        if stream is not None and not told:
            stream.outbox.put(
                stream.layout.closed(closed_bytes(match.match_id, seat, turn, reason))
            )
        if self._waiting:
            self._deliver_waiting()

    def update(self, match: Match, update: Update) -> None:
        """Hear what happened; keep it for the next turn or send it on, as the streams wish."""
        if not self._wants_events:
            return
        for seat in self._seats_in(match):
            held = self._held(match.match_id, seat)
            stream = held.stream or self._attach(held)
            if stream is None or stream.wish.delivery is Delivery.NEVER:
                continue
            if stream.wish.delivery is Delivery.AS_THEY_HAPPEN:
                self._send_update(held, stream, match, update)
            else:
                held.events += event_bodies(match, update.events, seat)
                if len(held.events) > _EVENTS_KEPT:
                    held.events.clear()

    def match_over(self, match: Match) -> None:
        """Hear that a match is over; tell each stream of its seats once and forget them."""
        seats = self._forget(match)
        streams = {id(held.stream): held.stream for held in seats if held.stream}
        element = over_bytes(match)
        for stream in streams.values() or self._streams.values():
            if self._caller.seat is None or not stream.told_end:
                _put_end(stream, element)

    def left(self, match: Match) -> None:
        """Forget the seats in a match of which another server tells the owner from now on."""
        self._forget(match)

    def _forget(self, match: Match) -> list[Held]:
        """Forget the seats in a match, and turns of theirs that nobody said were closed."""
        seats = (self._seats.pop((match.match_id, seat), None) for seat in range(len(match.seats)))
        known = [held for held in seats if held is not None]
        for held in known:
            if held.turn:
                self._withdraw(held)
        if self._waiting:
            self._deliver_waiting()
        return known

    def _is_outdated(self, match: Match) -> bool:
        """Tell whether a seat token has been superseded; end its streams then."""
        seat = self._caller.seat
        if seat is None or match.seats[seat[1]].generation == self._caller.generation:
            return False
        self.close(Closing.REVOKED)
        return True

    def _seats_in(self, match: Match) -> Iterator[int]:
        if self._caller.seat is not None:
            yield self._caller.seat[1]
            return
        owner = self._caller.owner
        yield from (seat for seat, who in enumerate(match.seats) if who.owner == owner)

    def _held(self, match_id: str, seat: int) -> Held:
        key = match_id, seat
        held = self._seats.get(key)
        if held is None:
            held = self._seats[key] = Held(match_id, seat)
        return held

    def _deliver(self, held: Held) -> None:
        stream = held.stream
        if stream is None or stream.open_turns >= stream.most_turns:
            stream = self._attach(held)
        if stream is None:
            self._waiting[held] = None
            return
        if self._waiting:
            self._waiting.pop(held, None)
        stream.open_turns += 1
        if held.rules is not None and stream.wish.delivery is Delivery.WITH_TURN:
            held.body = with_story(held.body, held.rules, held.events)
            held.rules, held.events = None, []
        stream.outbox.put_turn(held, stream.layout.turn(held.body))

    def _attach(self, held: Held) -> Stream | None:
        """Give a seat to the stream with the most room; None if there is none with any."""
        stream = max(self._streams.values(), key=_room, default=None)
        if stream is None or _room(stream) <= 0:
            return None
        held.stream, held.based = stream, False
        return stream

    def _withdraw(self, held: Held) -> bool:
        """Take the open turn of a seat away; return whether its stream never got to see it."""
        held.turn, held.body = 0, b""
        if self._waiting and held in self._waiting:
            del self._waiting[held]
            return True
        if held.stream is None:
            return True
        held.stream.open_turns -= 1
        return held.stream.outbox.withdraw(held)

    def _release(self, stream: Stream) -> None:
        for held in self._seats.values():
            if held.stream is stream:
                held.stream, held.based = None, False
                if held.turn:
                    self._telemetry.turns_moved += 1
                    self._waiting[held] = None

    def _deliver_waiting(self) -> None:
        for held in tuple(self._waiting):
            if max(map(_room, self._streams.values()), default=0) <= 0:
                return
            self._deliver(held)

    def _send_update(self, held: Held, stream: Stream, match: Match, update: Update) -> None:
        body = (
            update_bytes(match, update, held.seat)
            if held.based or opens_match(update.events)
            else full_view_bytes(match, held.seat)
        )
        held.based = stream.outbox.put_update(stream.layout.update(body))
        if not held.based:
            self._telemetry.views_replaced += 1
            self._lose(stream)

    def _lose(self, stream: Stream) -> None:
        """Note that updates of a stream were dropped: each of its seats needs a full view."""
        for held in self._seats.values():
            if held.stream is stream:
                held.based = False
                stream.lost[held] = None

    async def restore(self, stream: Stream, matches: Matches) -> None:
        """Send full views in place of the updates that were dropped."""
        lost, stream.lost = stream.lost, {}
        for held in lost:
            match = await matches.get(held.match_id)
            if held.stream is stream and not held.based and not match.over:
                body = full_view_bytes(match, held.seat)
                held.based = stream.outbox.put_update(stream.layout.update(body))


def _put_end(stream: Stream, element: bytes) -> None:
    stream.told_end = True
    stream.outbox.put(stream.layout.over(element))


def _room(stream: Stream) -> int:
    return stream.most_turns - stream.open_turns
