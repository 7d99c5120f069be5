"""
How does a bot's reply become an answer of the contract? By index or notation, with UNO called.

A pure function of turn and reply; knows no stream.
"""

import secrets
from collections.abc import Callable
from operator import index
from typing import NamedTuple

from lastcard.errors import BadReply
from lastcard.notation import action_name
from lastcard.turn import Turn
from lastcard.v1 import action_pb2, card_pb2, turn_pb2

NONCE_BYTES = 32


class Reply(NamedTuple):
    """
    A reply that says more than which action.

    Attributes:
        choice: 0-based index in the turn's legal actions, or one of them in notation.
        uno: Whether UNO is called should the answer leave one card.
    """

    choice: int | str
    uno: bool = True


Choice = int | str | Reply
Bot = Callable[[Turn], Choice]


def answer(turn: Turn, choice: Choice) -> turn_pb2.Answer:
    """
    Return the answer that a reply stands for; UNO is called unless the reply says otherwise.

    Raises:
        BadReply: The choice is none of the turn's legal actions.
    """
    choice, uno = choice if isinstance(choice, Reply) else (choice, True)
    number = _named(turn, choice) if isinstance(choice, str) else _counted(turn, choice)
    message = turn.message
    return turn_pb2.Answer(
        match_id=message.match_id,
        seat=message.seat,
        turn=message.turn,
        choice=number,
        uno=uno and calls_uno(message, number),
        history=message.history,
    )


def calls_uno(turn: turn_pb2.Turn, choice: int) -> bool:
    """Tell whether an answer may leave its player one card, so that UNO is due (R166, S07)."""
    action = turn.legal_actions[choice].action
    match action.WhichOneof("kind"):
        case "play_card":
            return _may_leave_one(turn, action.play_card.card)
        case "jump_in":
            return _may_leave_one(turn, action.jump_in.card)
    return False


def ready(turn: turn_pb2.Turn) -> turn_pb2.Answer:
    """Return the answer to the turn that opens a match, with a fresh nonce for the deal."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    return turn_pb2.Answer(
        match_id=turn.match_id,
        seat=turn.seat,
        turn=turn.turn,
        action=action_pb2.Action(ready=action_pb2.Ready(nonce=nonce)),
        history=turn.history,
    )


def _named(turn: Turn, choice: str) -> int:
    """Return the index of an action given in notation."""
    for number, legal in enumerate(turn.message.legal_actions):
        if action_name(legal.action) == choice:
            return number
    raise BadReply(f"{choice!r} is none of the legal actions: {', '.join(turn.legal)}")


def _counted(turn: Turn, choice: int) -> int:
    """Return an index, checked."""
    count = len(turn.message.legal_actions)
    try:
        number = index(choice)
    except TypeError:
        raise BadReply(
            f"a bot replies with an index, an action in notation or a Reply, not {choice!r}"
        ) from None
    if not 0 <= number < count:
        raise BadReply(f"{number} is no index of the {count} legal actions, counted from 0")
    return number


def _may_leave_one(turn: turn_pb2.Turn, card: card_pb2.Card) -> bool:
    """Tell whether laying a card may leave one card."""
    hand = turn.view.hand
    if card.face == card_pb2.FACE_DISCARD_ALL:  # one of its colour is kept where all would go
        return len(hand) > 1 >= sum(held.colour != card.colour for held in hand)
    return len(hand) == 2 or card.face == card_pb2.FACE_WILD_CUSTOM
