"""
How does a client behave towards a server that does exactly this? A server that follows a script.

Every stream of PlayService.Play is one function of the script, in order; what a real server does
only by accident (losing an acknowledgement, a full disk) is a line here.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NoReturn

import grpc

from lastcard.connection import Connection
from lastcard.v1 import action_pb2, error_reason_pb2, event_pb2, turn_pb2
from lastcard.v1 import match_service_pb2_grpc as match_grpc
from lastcard.v1 import play_service_pb2 as play_pb2
from lastcard.v1 import play_service_pb2_grpc as play_grpc

Stream = Callable[[Iterator[play_pb2.PlayRequest], Any], Iterator[play_pb2.PlayResponse]]


class FakePlay(play_grpc.PlayServiceServicer):
    """PlayService by script; a stream beyond the script is an error of the test."""

    def __init__(self, *streams: Stream) -> None:
        self._streams = iter(streams)
        self.keys: list[str] = []

    def Play(self, request_iterator: Any, context: Any) -> Iterator[play_pb2.PlayResponse]:  # noqa: N802 - the contract's name
        """Follow the next function of the script."""
        self.keys.append(dict(context.invocation_metadata()).get("authorization", ""))
        yield from next(self._streams)(request_iterator, context)

    GetView = WaitTurns = Act = WatchSeats = NotImplemented


@contextmanager
def serving(
    play: FakePlay,
    credentials: grpc.ServerCredentials | None = None,
    matches: match_grpc.MatchServiceServicer | None = None,
) -> Iterator[Connection]:
    """Serve on a free port of this machine, with TLS if wanted, and tell how to reach it."""
    server = grpc.server(ThreadPoolExecutor(max_workers=8))
    play_grpc.add_PlayServiceServicer_to_server(play, server)
    if matches is not None:
        match_grpc.add_MatchServiceServicer_to_server(matches, server)
    if credentials is None:
        port = server.add_insecure_port("127.0.0.1:0")
    else:
        port = server.add_secure_port("127.0.0.1:0", credentials)
    server.start()
    try:
        yield Connection(f"127.0.0.1:{port}", tls=credentials is not None, key="lck_test")
    finally:
        server.stop(grace=None).wait()


def turn(number: int, *, match_id: str = "m", choices: int = 2) -> turn_pb2.Turn:
    """Return a turn that offers to draw or to keep, as often as wanted."""
    offered = [
        action_pb2.LegalAction(
            action=action_pb2.Action(draw_card=action_pb2.DrawCard()), lawful=True
        )
        for _ in range(choices)
    ]
    return turn_pb2.Turn(
        match_id=match_id, turn=number, kind=turn_pb2.TURN_KIND_PLAY, legal_actions=offered
    )


def accepted(answer: turn_pb2.Answer) -> turn_pb2.Accepted:
    """Return the acceptance of an answer."""
    return turn_pb2.Accepted(match_id=answer.match_id, seat=answer.seat, turn=answer.turn)


def refused(
    answer: turn_pb2.Answer, reason: error_reason_pb2.ErrorReason, message: str = "No."
) -> turn_pb2.Refused:
    """Return the refusal of an answer."""
    detail = error_reason_pb2.ErrorDetail(reason=reason, message=message)
    return turn_pb2.Refused(
        match_id=answer.match_id, seat=answer.seat, turn=answer.turn, error=detail
    )


def over(match_id: str = "m") -> turn_pb2.MatchOver:
    """Return the end of a match that seat 0 has won."""
    result = event_pb2.MatchEnded(
        reason=event_pb2.MATCH_END_REASON_PLAYED, places=[1, 2], total_points=[0, 0]
    )
    return turn_pb2.MatchOver(match_id=match_id, result=result)


def abort(context: Any, reason: error_reason_pb2.ErrorReason, status: grpc.StatusCode) -> NoReturn:
    """Fail a call as the contract says."""
    detail = error_reason_pb2.ErrorDetail(reason=reason, message="This is why.")
    context.set_trailing_metadata((("lastcard-error-bin", detail.SerializeToString()),))
    context.abort(status, detail.message)
    raise AssertionError
