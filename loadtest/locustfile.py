"""
Does a server stay quick and right while many bots play? Users over unary calls and over streams.

`make load` runs this against a server of its own; `locust -f loadtest/locustfile.py` runs it by
hand against LASTCARD_ADDRESS with the organiser key in LASTCARD_KEY. When it ends, the bounds below
decide about the exit code.
"""

import itertools
import os
import queue
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

import gevent  # type: ignore[import-untyped]
import grpc
import grpc.experimental.gevent
from locust import User, constant, events, task
from locust.env import Environment

from lastcard.v1 import key_service_pb2 as key_pb2
from lastcard.v1 import match_service_pb2 as match_pb2
from lastcard.v1 import play_service_pb2 as play_pb2
from lastcard.v1 import rules_pb2, turn_pb2
from lastcard.v1.key_service_pb2_grpc import KeyServiceStub
from lastcard.v1.match_service_pb2_grpc import MatchServiceStub
from lastcard.v1.play_service_pb2_grpc import PlayServiceStub

grpc.experimental.gevent.init_gevent()
# Every call that waits takes a thread of this pool; ten of them would be all there are.
gevent.get_hub().threadpool.maxsize = 1_000

MATCHES_AT_ONCE = 8
WAIT_SECONDS = 1
TIMEOUT_SECONDS = 30.0
# The bounds: names of measurements, their p95 in ms, and how many there have to be.
BOUNDS = {
    "CreateMatch": (500, 20),
    "WaitTurns": (1_000 * WAIT_SECONDS, 100),
    "Act": (500, 100),
    "Play answer": (1_000, 1_000),
    "Play match": (20_000, MATCHES_AT_ONCE),
}

Response = TypeVar("Response")
_numbers = itertools.count(1)


class Player(User):
    """A caller with a key of its own."""

    abstract = True
    wait_time = constant(0)

    def on_start(self) -> None:
        """Get a key and open a channel."""
        self.channel = grpc.insecure_channel(os.environ["LASTCARD_ADDRESS"])
        organiser = bearer(os.environ["LASTCARD_KEY"])
        request = key_pb2.CreateKeyRequest(name="load", role=key_pb2.KEY_ROLE_BOT)
        made = KeyServiceStub(self.channel).CreateKey(request, metadata=organiser)
        self.key_id, self.credential = made.key.key_id, bearer(made.secret)
        self.matches = MatchServiceStub(self.channel)
        self.plays = PlayServiceStub(self.channel)

    def on_stop(self) -> None:
        """Close the channel."""
        self.channel.close()

    def create(self) -> str:
        """Create a match against a bot of the house and return its identifier."""
        seats = [
            match_pb2.SeatSpec(reserved=match_pb2.ReservedSeat(key_id=self.key_id)),
            match_pb2.SeatSpec(house_bot=match_pb2.HouseBot(strategy="random")),
        ]
        request = match_pb2.CreateMatchRequest(
            rules=rules_pb2.RulesChoice(preset="standard_no"),
            seats=seats,
            request_id=f"load-{next(_numbers)}",
        )
        return self.measured("CreateMatch", self.matches.CreateMatch, request).match.match_id

    def measured(self, name: str, method: Callable[..., Response], request: object) -> Response:
        """Make a call and tell how long it took; a failure is told and raised."""
        began = time.perf_counter()
        try:
            response = method(request, metadata=self.credential, timeout=TIMEOUT_SECONDS)
        except grpc.RpcError as error:
            self.tell(name, began, error)
            raise
        self.tell(name, began)
        return response

    def tell(self, name: str, began: float, error: Exception | None = None) -> None:
        """Tell how long something took, in milliseconds, and how it ended."""
        self.environment.events.request.fire(
            request_type="gRPC",
            name=name,
            response_time=1000 * (time.perf_counter() - began),
            response_length=0,
            exception=error,
        )


class UnaryPlayer(Player):
    """Plays one match after another with WaitTurns and Act, as a program with curl would."""

    @task
    def play(self) -> None:
        """Play one match to its end."""
        match_id = self.create()
        known: list[play_pb2.TurnRef] = []
        while True:
            waiting = play_pb2.WaitTurnsRequest(known=known)
            waiting.wait_duration.FromSeconds(WAIT_SECONDS)
            turns = self.measured("WaitTurns", self.plays.WaitTurns, waiting).turns
            for turn in turns:
                answer = answer_to(turn)
                self.measured("Act", self.plays.Act, play_pb2.ActRequest(answer=answer))
            if not turns and self.is_over(match_id):
                return

    def is_over(self, match_id: str) -> bool:
        """Ask whether a match has ended."""
        request = match_pb2.GetMatchRequest(match_id=match_id)
        found = self.measured("GetMatch", self.matches.GetMatch, request)
        return found.match.state == match_pb2.MATCH_STATE_FINISHED


class StreamPlayer(Player):
    """Plays several matches at once over one stream, all turns of a message in one message."""

    @task
    def play(self) -> None:
        """Play some matches to their end over a stream of their own."""
        outbox: queue.Queue[play_pb2.PlayRequest | None] = queue.Queue()
        outbox.put(play_pb2.PlayRequest(hello=play_pb2.Hello(instance="load")))
        stream = self.plays.Play(iter(outbox.get, None), metadata=self.credential)
        running = {self.create(): time.perf_counter() for _ in range(MATCHES_AT_ONCE)}
        sent: dict[tuple[str, int], float] = {}
        try:
            for message in stream:
                self.read(message, running, sent)
                answers = [answer_to(turn) for turn in message.turns]
                sent |= {(a.match_id, a.turn): time.perf_counter() for a in answers}
                if answers:
                    outbox.put(play_pb2.PlayRequest(answers=answers))
                if not running:
                    break
        except grpc.RpcError as error:
            self.tell("Play answer", time.perf_counter(), error)
        finally:
            outbox.put(None)
            stream.cancel()

    def read(
        self,
        message: play_pb2.PlayResponse,
        running: dict[str, float],
        sent: dict[tuple[str, int], float],
    ) -> None:
        """Tell how long the answers took that are acknowledged, and the matches that ended."""
        for accepted in message.accepted:
            self.tell("Play answer", sent.pop((accepted.match_id, accepted.turn)))
        for refused in message.refused:
            error = RuntimeError(refused.error.message)
            self.tell("Play answer", sent.pop((refused.match_id, refused.turn)), error)
        for over in message.matches_over:
            self.tell("Play match", running.pop(over.match_id))


def bearer(credential: str) -> tuple[tuple[str, str]]:
    """Return the metadata that carries a credential."""
    return (("authorization", f"Bearer {credential}"),)


def answer_to(turn: turn_pb2.Turn) -> turn_pb2.Answer:
    """Return the first action that is no bluff: a play where there is one."""
    lawful = (number for number, legal in enumerate(turn.legal_actions) if legal.lawful)
    return turn_pb2.Answer(
        match_id=turn.match_id,
        seat=turn.seat,
        turn=turn.turn,
        choice=next(lawful),
        uno=True,
        history=turn.history,
    )


def judge(environment: Environment, **_: object) -> None:
    """Print which bound was missed and say so with the exit code."""
    findings = list(missed(environment))
    for finding in findings:
        print(f"load: {finding}")
    environment.process_exit_code = 1 if findings else 0


def missed(environment: Environment) -> Iterator[str]:
    """Yield one sentence for each bound that was missed."""
    total = environment.stats.total
    if total.num_failures:
        yield f"{total.num_failures} of {total.num_requests} calls failed"
    for name, (p95_ms, least) in BOUNDS.items():
        seen = environment.stats.get(name, "gRPC")
        if seen.num_requests < least:
            yield f"{name}: {seen.num_requests} measurements, at least {least} expected"
        p95 = seen.get_response_time_percentile(0.95) or 0
        if p95 > p95_ms:
            yield f"{name}: p95 {p95:.0f} ms, bound {p95_ms:.0f} ms"


events.quitting.add_listener(judge)  # type: ignore[no-untyped-call]
