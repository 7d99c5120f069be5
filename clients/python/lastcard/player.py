"""
How does a bot play its seats? Over one stream that is opened anew whenever it ends.

Answers that were not acknowledged are sent again on the next stream: the server binds a turn to
the first answer it accepted, so that a repetition changes nothing. Knows no tables and no rules.
"""

import logging
import secrets
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue

from lastcard.answer import Bot, answer, ready
from lastcard.apart import Stream, apart, release
from lastcard.backoff import Backoff
from lastcard.connection import Connection
from lastcard.errors import (
    PASSING,
    Error,
    Refused,
    Replaced,
    Revoked,
    Unreachable,
    is_passing,
)
from lastcard.outbox import Outbox
from lastcard.turn import Turn
from lastcard.v1 import play_service_pb2 as play_pb2
from lastcard.v1 import turn_pb2
from lastcard.v1.play_service_pb2_grpc import PlayServiceStub

LOG = logging.getLogger("lastcard")
# A quick bot's answers leave together, a slow bot's one by one.
TOGETHER_SECONDS = 0.005
# What refusals mean that the bot's author should look into.
BLAME = frozenset({"bad_choice", "bad_action", "bad_field", "illegal_action", "internal"})

TurnKey = tuple[str, int, int]


class _Interrupted(Exception):
    """The stream has ended, and a new one may go on."""

    def __init__(self, reason: Error) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Player:
    """
    One bot on all seats of one credential.

    Attributes:
        answered: How many answers were accepted.
        refused: How many were refused, by reason, for example `turn_timed_out`.
    """

    def __init__(
        self,
        bot: Bot,
        connection: Connection,
        *,
        instance: str = "",
        events: bool = False,
        patience: float = 60.0,
    ) -> None:
        self.answered = 0
        self.refused: Counter[str] = Counter()
        self._bot = bot
        self._connection = connection
        told = play_pb2.EVENT_DELIVERY_WITH_TURN if events else play_pb2.EVENT_DELIVERY_NEVER
        self._hello = play_pb2.Hello(instance=instance or secrets.token_hex(8), event_delivery=told)
        self._backoff = Backoff(patience)
        self._unacknowledged: dict[TurnKey, turn_pb2.Answer] = {}
        self._stopped = False
        self._woken: SimpleQueue[None] = SimpleQueue()
        self._stream: Stream[play_pb2.PlayResponse] | None = None

    def stop(self) -> None:
        """End `matches` soon; may be called from any thread and from the bot."""
        self._stopped = True
        self._woken.put(None)
        if self._stream is not None:
            self._stream.cancel()

    def matches(self) -> Generator[turn_pb2.MatchOver]:
        """
        Play, yielding each match as it ends, until stopped.

        Raises:
            Refused: The server does not let this caller play.
            Replaced: A newer stream of the same instance plays these seats now.
            Revoked: The key or seat token was revoked.
            Unreachable: No server answered within the patience.
            BadReply: The bot's reply was no legal action. Whatever else the bot raises passes
                through likewise.
        """
        channel = apart(self._connection.channel)
        try:
            stub = PlayServiceStub(channel)
            while not self._stopped:
                try:
                    yield from self._play(stub)
                except _Interrupted as interrupted:
                    self._pause(interrupted.reason)
        finally:
            release(channel.close)

    def _play(self, stub: PlayServiceStub) -> Iterator[turn_pb2.MatchOver]:
        """Play over one stream until it is interrupted."""
        outbox = Outbox(self._hello, self._unacknowledged.values())
        begin = partial(stub.Play, outbox, metadata=self._connection.metadata())
        self._stream = stream = Stream(self._connection, begin)
        if self._stopped:
            stream.cancel()
        try:
            for message in self._received(stream):
                self._backoff.succeeded()
                # In this order: a turn may stand beside the acceptance of its own answer.
                self._answer(message.turns, outbox)
                self._settle(message)
                yield from message.matches_over
                if message.HasField("closing"):
                    self._leave(message.closing.reason)
        finally:
            outbox.close()
            stream.cancel()

    def _received(self, stream: Iterable[play_pb2.PlayResponse]) -> Iterator[play_pb2.PlayResponse]:
        """Yield what the server sends; its end is an interruption, however it comes."""
        try:
            yield from stream
        except Error as error:
            raise _Interrupted(error) from None
        raise _Interrupted(Unreachable(f"the server at {self._connection.target} ended the stream"))

    def _settle(self, message: play_pb2.PlayResponse) -> None:
        """Forget what the server has acknowledged; what it could not store is said again."""
        for accepted in message.accepted:
            self._forget(accepted)
        self.answered += len(message.accepted)
        for refused in message.refused:
            error = Refused(refused.error)
            if error.reason in PASSING:
                raise _Interrupted(error)
            self._forget(refused)
            self.refused[error.reason] += 1
            LOG.log(
                logging.WARNING if error.reason in BLAME else logging.DEBUG,
                "turn %d of match %s: %s",
                refused.turn,
                refused.match_id,
                error,
            )

    def _forget(self, named: turn_pb2.Accepted | turn_pb2.Refused) -> None:
        """Drop the answer to a turn."""
        self._unacknowledged.pop((named.match_id, named.seat, named.turn), None)

    def _answer(self, turns: Iterable[turn_pb2.Turn], outbox: Outbox) -> None:
        """Ask the bot, turn by turn, and leave its answers to be sent."""
        answers: list[turn_pb2.Answer] = []
        began = time.monotonic()
        for message in turns:
            key = (message.match_id, message.seat, message.turn)
            if key in self._unacknowledged:
                continue
            given = self._reply(message)
            self._unacknowledged[key] = given
            answers.append(given)
            if time.monotonic() - began > TOGETHER_SECONDS:
                outbox.put(answers)
                answers, began = [], time.monotonic()
        if answers:
            outbox.put(answers)

    def _reply(self, message: turn_pb2.Turn) -> turn_pb2.Answer:
        """Return the answer to one turn; the opening of a match is not the bot's business."""
        if message.kind == turn_pb2.TURN_KIND_READY:
            return ready(message)
        turn = Turn(message)
        return answer(turn, self._bot(turn))

    def _leave(self, reason: play_pb2.ClosingReason) -> None:
        """End a stream that the server closes."""
        server = self._connection.target
        if reason == play_pb2.CLOSING_REASON_REPLACED:
            raise Replaced(
                f"a newer stream of instance {self._hello.instance} plays these seats at {server}"
            )
        if reason == play_pb2.CLOSING_REASON_REVOKED:
            raise Revoked(f"the key or seat token was revoked at {server}")
        raise _Interrupted(Unreachable(f"the server at {server} closed the stream"))

    def _pause(self, reason: Error) -> None:
        """Wait before the next stream, or raise what makes one useless."""
        if self._stopped:
            return
        pause = self._backoff.failed() if is_passing(reason) else None
        if pause is None:
            raise reason
        first = self._backoff.failures == 1
        LOG.log(logging.WARNING if first else logging.DEBUG, "%s; trying again", reason)
        with suppress(Empty):
            self._woken.get(timeout=pause)
