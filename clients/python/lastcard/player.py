"""
How does a bot play its seats? Over a stream to each server, opened anew whenever it ends.

An answer goes back where its turn came from, and elsewhere if that stream ends before it is
acknowledged. Knows no tables and no rules.
"""

import logging
import secrets
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator

from lastcard.answer import Bot, answer, ready
from lastcard.answers import Answers
from lastcard.connection import Connection
from lastcard.errors import (
    PASSING,
    Error,
    Refused,
    Replaced,
    Revoked,
    Unreachable,
    while_it_passes,
)
from lastcard.links import Link, Links
from lastcard.outbox import Outbox
from lastcard.turn import Turn
from lastcard.v1 import error_reason_pb2, event_pb2, turn_pb2
from lastcard.v1 import play_service_pb2 as play_pb2

LOG = logging.getLogger("lastcard")
# A quick bot's answers leave together, a slow bot's one by one.
TOGETHER_SECONDS = 0.005
# What refusals mean that the bot's author should look into.
BLAME = frozenset({"bad_choice", "bad_action", "bad_field", "illegal_action", "internal"})

MOST_ENDS = 1000
"""Matches of which it is remembered that they are over."""
MOST_ASKED = 1000
"""Matches of whose end a stream may be asked when it opens."""


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
        self._patience = patience
        self._answers = Answers()
        self._ends: dict[str, None] = {}
        """Matches that are over; several servers may tell it."""
        self._live: dict[str, None] = {}
        """The latest matches of which no end is known: one may come while no stream is open."""
        self._stopped = False
        self._links: Links | None = None

    def stop(self) -> None:
        """End `matches` soon; may be called from any thread and from the bot."""
        self._stopped = True
        if self._links is not None:
            self._links.wake()

    def matches(self) -> Generator[turn_pb2.MatchOver]:
        """
        Play, yielding each match as it ends, until stopped.

        Raises:
            Refused: A server does not let this caller play.
            Replaced: A newer stream of the same instance plays these seats now.
            Revoked: The key or seat token was revoked.
            Unreachable: No server answered within the patience.
            BadReply: The bot's reply was no legal action. Whatever else the bot raises passes
                through likewise.
        """
        self._links = links = Links(self._connection, self._patience)
        try:
            while not self._stopped:
                for link in links.due():
                    links.open(link, Outbox(self._greeting(), self._answers.unsent(link)))
                heard = links.wait(self._answers.due)
                self._answers.send_again(links)
                if heard is not None:
                    yield from self._take(links, *heard)
        finally:
            links.close()

    def _greeting(self) -> play_pb2.Hello:
        """Return what opens a stream: it asks for ends that have come meanwhile."""
        hello = play_pb2.Hello(match_ids=self._live)
        hello.MergeFrom(self._hello)
        return hello

    def _take(
        self, links: Links, link: Link, brought: play_pb2.PlayResponse | Error
    ) -> Iterator[turn_pb2.MatchOver]:
        """Do what a server says; when its stream has ended, go on with others or the next."""
        if isinstance(brought, Error):
            links.failed(link, brought)
            self._leave(links, link)
            return
        self._answers.see(brought)
        # In this order: a turn may stand beside the acceptance of its own answer.
        self._answer(brought.turns, link)
        self._settle(brought)
        yield from filter(self._is_news, brought.matches_over)
        yield from filter(self._is_news, map(_lost, filter(_is_lost, brought.refused)))
        if brought.HasField("closing"):
            self._closed(links, link, brought.closing.reason)
            self._leave(links, link)

    def _answer(self, turns: Iterable[turn_pb2.Turn], link: Link) -> None:
        """Ask the bot, turn by turn, and leave its answers to be sent."""
        answers: list[turn_pb2.Answer] = []
        began = time.monotonic()
        for message in turns:
            self._note(message.match_id)
            given = self._answers.answer(message, link, self._reply)
            if given is None:
                continue
            answers.append(given)
            if time.monotonic() - began > TOGETHER_SECONDS:
                link.send(answers)
                answers, began = [], time.monotonic()
        if answers:
            link.send(answers)

    def _settle(self, message: play_pb2.PlayResponse) -> None:
        """Forget what is acknowledged; what could not be stored is said again."""
        if message.accepted:
            self.answered += sum(map(self._answers.accept, message.accepted))
            self._answers.stored()
        for refused in message.refused:
            error = Refused(refused.error)
            if error.reason in PASSING:
                loud = self._answers.put_off(refused)
                LOG.log(
                    logging.WARNING if loud else logging.DEBUG,
                    "%s; trying again",
                    while_it_passes(error),
                )
            elif self._answers.refuse(refused):
                self.refused[error.reason] += 1
                LOG.log(
                    logging.WARNING if error.reason in BLAME else logging.DEBUG,
                    "turn %d of match %s: %s",
                    refused.turn,
                    refused.match_id,
                    error,
                )

    def _note(self, match_id: str) -> None:
        """Note a match that goes on, unless its end was told before."""
        if match_id not in self._ends:
            self._live[match_id] = None
            if len(self._live) > MOST_ASKED:
                del self._live[next(iter(self._live))]

    def _is_news(self, over: turn_pb2.MatchOver) -> bool:
        """Note that a match is over; return whether that was not known."""
        if over.match_id in self._ends:
            return False
        self._live.pop(over.match_id, None)
        self._ends[over.match_id] = None
        if len(self._ends) > MOST_ENDS:
            del self._ends[next(iter(self._ends))]
        return True

    def _reply(self, message: turn_pb2.Turn) -> turn_pb2.Answer:
        """Return the answer to one turn; the opening of a match is not the bot's business."""
        if message.kind == turn_pb2.TURN_KIND_READY:
            return ready(message)
        turn = Turn(message)
        return answer(turn, self._bot(turn))

    def _closed(self, links: Links, link: Link, reason: play_pb2.ClosingReason) -> None:
        """End a stream that the server closes."""
        server = link.server
        if reason == play_pb2.CLOSING_REASON_REVOKED:
            raise Revoked(f"the key or seat token was revoked; the server at {server} says so")
        if reason != play_pb2.CLOSING_REASON_REPLACED:
            links.failed(link, Unreachable(f"the server at {server} closed the stream"))
        elif not links.replaced(link):
            raise Replaced(
                f"a newer stream of instance {self._hello.instance} plays these seats at {server}"
            )

    def _leave(self, links: Links, link: Link) -> None:
        """Go on without a stream."""
        self._answers.leave(links, link)
        if not links.serve:
            self._ends.clear()


def _is_lost(refused: turn_pb2.Refused) -> bool:
    return refused.error.reason == error_reason_pb2.ERROR_REASON_HISTORY_LOST


def _lost(refused: turn_pb2.Refused) -> turn_pb2.MatchOver:
    """Return the end of a match that is lost: a server that never knew it tells none."""
    result = event_pb2.MatchEnded(reason=event_pb2.MATCH_END_REASON_FROZEN)
    return turn_pb2.MatchOver(match_id=refused.match_id, result=result)
