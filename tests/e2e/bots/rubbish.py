"""A bot that says it is ready and then answers every turn with a choice nobody offered."""

import os
import queue
from collections.abc import Iterator

import grpc

from lastcard.v1 import play_service_pb2 as pb
from lastcard.v1.play_service_pb2_grpc import PlayServiceStub
from lastcard.v1.turn_pb2 import Answer, Turn, TurnKind

METADATA = (("authorization", f"Bearer {os.environ['LASTCARD_KEY']}"),)
outbox: queue.Queue[pb.PlayRequest] = queue.Queue()


def requests() -> Iterator[pb.PlayRequest]:
    """Yield what is to be sent."""
    while True:
        yield outbox.get()


def rubbish(turn: Turn) -> Answer:
    """Return an answer to a turn that is none."""
    choice = 0 if turn.kind == TurnKind.TURN_KIND_READY else 999
    return Answer(match_id=turn.match_id, seat=turn.seat, turn=turn.turn, choice=choice)


with grpc.insecure_channel(os.environ["LASTCARD_ADDRESS"]) as channel:
    outbox.put(pb.PlayRequest(hello=pb.Hello(instance="rubbish")))
    for message in PlayServiceStub(channel).Play(requests(), metadata=METADATA):
        if message.turns:
            outbox.put(pb.PlayRequest(answers=map(rubbish, message.turns)))
