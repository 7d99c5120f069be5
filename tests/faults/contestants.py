"""
Who plays a contest while its pods die? Bots of the SDK that note what they send, see and are told.

They answer alike whenever they are asked alike, so that two runs of a contest can be compared.
"""

import hashlib
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Final

from lastcard import Error, Reply, Turn
from lastcard.connection import connection
from lastcard.links import Link, Links
from lastcard.player import Player
from lastcard.v1 import action_pb2, play_service_pb2, turn_pb2
from tests.faults.clients import Notes
from tests.faults.records import Question, Sent

_IDLE: Final = frozenset({"draw", "keep", "pass"})
_PATIENCE_SECONDS: Final = 900.0
_EXIT_SECONDS: Final = 60.0


class Contestant(Player):
    """
    A player that answers alike whenever it is asked alike.

    Args:
        name: what its nonce comes from.
        address: of one server or several.
        key: its API key.
        notes: where it writes; all may share them, though each plays in a thread of its own.

    """

    def __init__(self, name: str, address: str, key: str, notes: Notes) -> None:
        super().__init__(choose, connection(address, key), patience=_PATIENCE_SECONDS)
        self.key = key
        self.notes = notes
        self._nonce = hashlib.sha256(name.encode()).digest()
        self._knew: dict[str, tuple[int, bytes]] = {}
        """By match the newest head that a history named."""

    @property
    def live(self) -> list[str]:
        """Return matches of which no end is known."""
        return list(self._live)

    def _take(
        self, links: Links, link: Link, brought: play_service_pb2.PlayResponse | Error
    ) -> Iterator[turn_pb2.MatchOver]:
        if not isinstance(brought, Error):
            self._see(brought, time.monotonic_ns())
        yield from super()._take(links, link, brought)

    def _see(self, brought: play_service_pb2.PlayResponse, now_ns: int) -> None:
        """Note what a message says, before anything in it is answered."""
        told: Iterable[turn_pb2.Turn | turn_pb2.Accepted | turn_pb2.Update]
        told = chain(brought.turns, brought.accepted, brought.updates)
        for telling in told:
            self._hold(telling.match_id, telling.history)
        for accepted in brought.accepted:
            self.notes.accepted(accepted, now_ns)
        for refused in brought.refused:
            self.notes.refused(refused)
        for over in brought.matches_over:
            self.notes.over(over)

    def _hold(self, match_id: str, history: bytes) -> None:
        version, seen = self.notes.opened(match_id, history)
        if version:
            self.notes.records.see(match_id, version, seen)
        if version >= self._knew.get(match_id, (0, b""))[0]:
            self._knew[match_id] = version, seen

    def _reply(self, message: turn_pb2.Turn) -> turn_pb2.Answer:
        given = super()._reply(message)
        if message.kind == turn_pb2.TURN_KIND_READY:
            given.action.CopyFrom(action_pb2.Action(ready=action_pb2.Ready(nonce=self._nonce)))
        question = Question(given.match_id, given.seat, given.turn)
        knew = self._knew[given.match_id]
        sent = Sent(given.choice, given.uno, time.monotonic_ns(), knew)
        self.notes.records.sent.setdefault(question, sent)
        return given


def choose(turn: Turn) -> Reply:
    """Choose by what the seat sees and by nothing else; lay cards, forget UNO often."""
    seen = (turn.match_id, turn.seat, turn.hand, turn.legal, turn.top, turn.colour, turn.counts)
    wanted = [n for n, name in enumerate(turn.legal) if name not in _IDLE] or [0]
    drawn, called, *_ = hashlib.sha256(repr(seen).encode()).digest()
    return Reply(wanted[drawn % len(wanted)], uno=called % 2 == 0)


@contextmanager
def playing(bots: Sequence[Contestant]) -> Iterator[None]:
    """Let bots play while the context lasts."""
    failed: list[Error] = []
    threads = [threading.Thread(target=_play, args=(bot, failed), daemon=True) for bot in bots]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for bot in bots:
            bot.stop()
        for thread in threads:
            thread.join(_EXIT_SECONDS)
    assert not failed, failed


def _play(bot: Contestant, failed: list[Error]) -> None:
    """Play until stopped."""
    try:
        for _ in bot.matches():
            pass
    except Error as error:
        failed.append(error)
