"""
Which answers are not acknowledged, and where were they sent?

Several servers may tell one turn. It is answered once; the same answer is sent again where it may
not have arrived, which changes nothing: the servers bind a turn to the first answer accepted.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator

from lastcard.backoff import Backoff
from lastcard.links import Link, Links
from lastcard.v1 import play_service_pb2 as play_pb2
from lastcard.v1 import turn_pb2

MOST = 10_000
"""Seats whose last answer, and matches whose newest history is remembered."""

Seat = tuple[str, int]
TurnKey = tuple[str, int, int]


_Sent = tuple[turn_pb2.Answer, Link | None]
"""An answer and where it was sent; None = nowhere yet."""
_Telling = turn_pb2.Turn | turn_pb2.Accepted | turn_pb2.Refused | turn_pb2.Update


class Answers:
    """The answers of one player."""

    def __init__(self) -> None:
        self._sent: dict[TurnKey, _Sent] = {}
        """What is not acknowledged."""
        self._accepted: dict[Seat, int] = {}
        """By seat the last turn whose answer was accepted."""
        self._newest: dict[str, tuple[int, bool, bytes]] = {}
        """By match the newest history, after its least version and whether it is a later one."""
        self._put_off: dict[TurnKey, _Sent] = {}
        self._backoff = Backoff()
        self.due = math.inf
        """When `send_again` has something to do (monotonic seconds)."""

    def see(self, brought: play_pb2.PlayResponse) -> None:
        """Note the histories that a server tells, before anything else is done with them."""
        for turn in brought.turns:
            self._see(turn, turn.turn)
        for update in brought.updates:
            self._see(update, update.version)
        for accepted in brought.accepted:
            self._see(accepted, accepted.version, more=True)
        for refused in brought.refused:
            self._see(refused, refused.turn, more=True)

    def _see(self, telling: _Telling, version: int, *, more: bool = False) -> None:
        """Note a history, of this version or a later one, unless a newer one is known."""
        seen = version, more, telling.history
        known = self._newest.pop(telling.match_id, seen)
        if not telling.history or seen[:2] < known[:2]:
            seen = known
        self._newest[telling.match_id] = seen
        if len(self._newest) > MOST:
            del self._newest[next(iter(self._newest))]

    def _handing_back(self, answer: turn_pb2.Answer) -> turn_pb2.Answer:
        """Return an answer with the newest history of its match."""
        *_, history = self._newest.get(answer.match_id, (b"",))
        given = turn_pb2.Answer()
        given.CopyFrom(answer)  # the other may be on its way just now
        given.history = history or answer.history
        return given

    def answer(
        self, turn: turn_pb2.Turn, link: Link, reply: Callable[[turn_pb2.Turn], turn_pb2.Answer]
    ) -> turn_pb2.Answer | None:
        """Return what to send to where a turn came from; `reply` is asked once for each turn."""
        key = turn.match_id, turn.seat, turn.turn
        sent = self._sent.get(key)
        if sent is None:
            if turn.turn <= self._accepted.get(key[:2], -1):
                return None  # it comes late
            given = reply(turn)
        elif sent[1] is not link:
            given = sent[0]  # where it was sent before, it may be stuck
        else:
            return None
        self._sent[key] = given, link
        return self._handing_back(given)

    def accept(self, accepted: turn_pb2.Accepted) -> bool:
        """Forget an answer; return whether this was its first acknowledgement."""
        key = accepted.match_id, accepted.seat, accepted.turn
        self._accepted[key[:2]] = accepted.turn
        if len(self._accepted) > MOST:
            del self._accepted[next(iter(self._accepted))]
        return self._sent.pop(key, None) is not None

    def refuse(self, refused: turn_pb2.Refused) -> bool:
        """Forget an answer that was refused for good; return whether it was not acknowledged."""
        return self._sent.pop(_key(refused), None) is not None

    def put_off(self, refused: turn_pb2.Refused) -> bool:
        """Have an answer sent again after a pause; return whether such refusals are news."""
        key = _key(refused)
        sent = self._sent.get(key)
        if sent is None:
            return False
        self._put_off[key] = sent
        if self.due < math.inf:
            return False
        self.due = time.monotonic() + self._backoff.pause()
        return self._backoff.failures == 1

    def stored(self) -> None:
        """Note that a server can store answers."""
        self._backoff.succeeded()

    def send_again(self, links: Links) -> None:
        """Send what was put off, elsewhere where that is possible, once it is due."""
        if time.monotonic() < self.due:
            return
        put_off, self._put_off, self.due = self._put_off, {}, math.inf
        self._pass_on(links, [key for key, sent in put_off.items() if self._sent.get(key) is sent])

    def leave(self, links: Links, link: Link) -> None:
        """Send what went over a stream that has ended over another, or over the next."""
        self._pass_on(links, [key for key, sent in self._sent.items() if sent[1] is link])
        if not links.serve:
            self._accepted.clear()  # nobody is there who could tell what is past

    def unsent(self, link: Link) -> Iterator[turn_pb2.Answer]:
        """Yield what has yet to be sent, for a stream that opens."""
        for key in [key for key, sent in self._sent.items() if sent[1] is None]:
            answer, _ = self._sent[key]
            self._sent[key] = answer, link
            yield self._handing_back(answer)

    def _pass_on(self, links: Links, keys: Iterable[TurnKey]) -> None:
        """Send answers elsewhere."""
        for key in keys:
            answer, link = self._sent[key]
            other = links.other(link)
            self._sent[key] = answer, other
            if other is not None:
                other.send([self._handing_back(answer)])


def _key(named: turn_pb2.Refused) -> TurnKey:
    return named.match_id, named.seat, named.turn
