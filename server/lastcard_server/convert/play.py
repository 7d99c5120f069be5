"""
Answers and acts of a request as commands, and their outcomes as bytes.

The bytes of an outcome are those of an Accepted or Refused; framing them in a response is left to
the stream. A reply that cannot be read becomes a refusal inside its command, so that whether the
turn is open at all is told first.
"""

from typing import Final, NamedTuple

from lastcard.v1.turn_pb2 import Accepted as AcceptedMessage
from lastcard.v1.turn_pb2 import Answer as AnswerMessage
from lastcard.v1.turn_pb2 import ClosedTurn, Refused
from lastcard.v1.turn_pb2 import OutOfTurnAct as ActMessage
from lastcard_engine.actions import Action
from lastcard_server import fields
from lastcard_server.convert.actions import action_from
from lastcard_server.errors import Reason, Refusal
from lastcard_server.fragments import framing, heads, numbers
from lastcard_server.matches.commands import Accepted, Answer, Command, OutOfTurnAct
from lastcard_server.matches.turns import Ready, TurnClose
from lastcard_server.status import error_detail

_LONGEST_NONCE: Final = 32


class Sender(NamedTuple):
    """Who sent a message, and when it came in."""

    owner: str
    generation: int
    received_us: int


def answer_from(message: AnswerMessage, sender: Sender) -> Answer:
    """Return an answer as a command."""
    return Answer(
        message.match_id,
        message.seat,
        message.turn,
        message.choice if message.HasField("choice") else _reply_from(message),
        message.uno,
        sender.owner,
        sender.received_us,
        message.history,
        sender.generation,
    )


def _reply_from(message: AnswerMessage) -> Action | Ready | Refusal:
    if not message.HasField("action"):
        return Refusal(Reason.BAD_CHOICE, "The answer must hold a choice or an action.")
    try:
        if message.action.WhichOneof("kind") == "ready":
            return _ready_from(message.action.ready.nonce)
        return action_from(message.action)
    except Refusal as refusal:
        return refusal


def _ready_from(nonce: bytes) -> Ready:
    if len(nonce) > _LONGEST_NONCE:
        raise Refusal(Reason.BAD_ACTION, f"The nonce must be 0 to {_LONGEST_NONCE} bytes.")
    return Ready(nonce)


def act_from(message: ActMessage, sender: Sender) -> OutOfTurnAct:
    """Return an act outside a turn as a command."""
    return OutOfTurnAct(
        message.match_id,
        message.seat,
        message.window,
        _act_from(message),
        message.uno,
        message.request_id,
        sender.owner,
        sender.received_us,
        message.history,
        sender.generation,
    )


def _act_from(message: ActMessage) -> Action | Refusal:
    try:
        fields.token(message.request_id)
        return action_from(message.action)
    except Refusal as refusal:
        return refusal


_MATCH_HEAD: Final = heads(AcceptedMessage, "match_id")
_SEAT: Final = numbers(AcceptedMessage, "seat")
_TURN: Final = numbers(AcceptedMessage, "turn")
_VERSION: Final = numbers(AcceptedMessage, "version")
_HISTORY_HEAD: Final = heads(AcceptedMessage, "history")
_REQUEST: Final = framing(AcceptedMessage, "request_id")


def accepted_bytes(outcome: Accepted) -> bytes:
    """Return an acceptance as the bytes of an Accepted."""
    match_id, history = outcome.match_id.encode(), outcome.history
    parts = (
        _MATCH_HEAD[len(match_id)],
        match_id,
        _SEAT[outcome.seat],
        _TURN[outcome.turn],
        _VERSION[outcome.version],
        _HISTORY_HEAD[len(history)],
        history,
        _REQUEST(outcome.request_id.encode()) if outcome.request_id else b"",
    )
    return b"".join(parts)


def refused_bytes(command: Command, refusal: Refusal) -> bytes:
    """Return a refusal as the bytes of a Refused."""
    return Refused(
        match_id=command.match_id,
        seat=command.seat,
        turn=command.turn if isinstance(command, Answer) else 0,
        error=error_detail(refusal),
        open_turn=refusal.open_turn,
        history=refusal.history,
        request_id="" if isinstance(command, Answer) else command.request_id,
    ).SerializeToString()


def closed_bytes(match_id: str, seat: int, turn: int, reason: TurnClose) -> bytes:
    """Return the end of a turn as the bytes of a ClosedTurn."""
    return ClosedTurn(
        match_id=match_id, seat=seat, turn=turn, reason=f"TURN_CLOSE_REASON_{reason.name}"
    ).SerializeToString()
