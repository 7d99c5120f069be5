"""
What may a seat do, in bytes, and what does a request want to do?

The engine shares one instance of an action wherever it can, so that a look-up by identity finds the
bytes made at start-up; an action built anew is found by its value.
"""

from collections.abc import Sequence
from typing import Final

from lastcard.v1 import action_pb2 as pb
from lastcard.v1.turn_pb2 import Turn
from lastcard_engine import actions
from lastcard_engine.actions import (
    CATCHES,
    CHOICES_OF_CARD,
    CHOICES_OF_COLOUR,
    CHOICES_OF_TARGET,
    JUMP_INS,
    LAST_PLAYS,
    Action,
    AnswerDare,
    CastVote,
    Catch,
    ChooseCard,
    ChooseColour,
    ChooseTarget,
    JumpIn,
    Play,
)
from lastcard_engine.cards import WILD_DRAW_FOUR, Seat
from lastcard_server.convert.cards import card_from, card_message, colour_from, colour_name
from lastcard_server.errors import Reason, Refusal
from lastcard_server.fragments import framing
from lastcard_server.matches.turns import READY, Ready

_SEATS: Final = 10
_PLAIN: Final[dict[Action, pb.Action]] = {
    actions.DRAW: pb.Action(draw_card=pb.DrawCard()),
    actions.KEEP: pb.Action(keep_card=pb.KeepCard()),
    actions.ACCEPT_DRAW: pb.Action(accept_draw=pb.AcceptDraw()),
    actions.CHALLENGE: pb.Action(challenge=pb.Challenge()),
    actions.CALL_UNO: pb.Action(call_uno=pb.CallUno()),
    actions.BEGIN_TURN: pb.Action(begin_turn=pb.BeginTurn()),
    actions.PASS: pb.Action(pass_reaction=pb.PassReaction()),
}
_BY_KIND: Final = {message.WhichOneof("kind"): action for action, message in _PLAIN.items()}
_SPOKEN: Final[dict[Action, pb.Action]] = {
    **{a: pb.Action(answer_dare=pb.AnswerDare(done=a.done)) for a in actions.ANSWERS_TO_DARE},
    **{vote: pb.Action(cast_vote=pb.CastVote(yes=vote.yes)) for vote in actions.VOTES},
}


def action_message(action: Action) -> pb.Action:
    """Return an action of the engine as a message."""
    match action:
        case Play(card, colour, target):
            play = pb.PlayCard(
                card=card_message(card), colour=colour_name(colour), target_seat=target
            )
            return pb.Action(play_card=play)
        case JumpIn(card, target):
            return pb.Action(jump_in=pb.JumpIn(card=card_message(card), target_seat=target))
        case ChooseCard(card):
            return pb.Action(choose_card=pb.ChooseCard(card=card_message(card)))
        case ChooseColour(colour):
            return pb.Action(choose_colour=pb.ChooseColour(colour=colour_name(colour)))
        case ChooseTarget(target):
            return pb.Action(choose_target=pb.ChooseTarget(target_seat=target))
        case Catch(target):
            return pb.Action(catch_uno=pb.CatchUno(target_seat=target))
    return _PLAIN.get(action) or _SPOKEN[action]


def action_from(message: pb.Action) -> Action:
    """
    Return the action a request names; whether it is legal is for the rules to say.

    Raises:
        Refusal: BAD_ACTION; the kind is missing or unknown, a card, colour or seat does not exist.

    """
    match message.WhichOneof("kind"):
        case "play_card":
            return _play_from(message.play_card)
        case "jump_in":
            return JumpIn(card_from(message.jump_in.card), _target_from(message.jump_in))
        case "choose_card":
            return CHOICES_OF_CARD[card_from(message.choose_card.card)]
        case "choose_colour":
            return CHOICES_OF_COLOUR[colour_from(message.choose_colour.colour)]
        case "choose_target":
            return CHOICES_OF_TARGET[_seat_from(message.choose_target.target_seat)]
        case "catch_uno":
            return CATCHES[_seat_from(message.catch_uno.target_seat)]
        case "answer_dare":
            return AnswerDare(message.answer_dare.done)
        case "cast_vote":
            return CastVote(message.cast_vote.yes)
        case kind if kind in _BY_KIND:
            return _BY_KIND[kind]
    raise Refusal(
        Reason.BAD_ACTION, "The action must be one of the kinds a turn or a window offers."
    )


def _play_from(message: pb.PlayCard) -> Play:
    colour = colour_from(message.colour) if message.colour else None
    return Play(card_from(message.card), colour, _target_from(message))


def _target_from(message: pb.PlayCard | pb.JumpIn) -> Seat | None:
    return _seat_from(message.target_seat) if message.HasField("target_seat") else None


def _seat_from(number: int) -> Seat:
    if not 0 <= number < _SEATS:
        raise Refusal(Reason.BAD_ACTION, "The target seat must be 0 to 9.")
    return Seat(number)


_LEGAL_ACTION: Final = framing(Turn, "legal_actions")


def _legal(message: pb.Action, *, lawful: bool) -> bytes:
    return _LEGAL_ACTION(pb.LegalAction(action=message, lawful=lawful).SerializeToString())


_SHARED: Final[tuple[Action, ...]] = (
    *_PLAIN,
    *_SPOKEN,
    *CHOICES_OF_COLOUR,
    *CHOICES_OF_TARGET,
    *CHOICES_OF_CARD,
    *CATCHES,
    *JUMP_INS,
    *(play for plays in LAST_PLAYS for play in plays),
)
_READY: Final = _legal(pb.Action(ready=pb.Ready()), lawful=True)
_BY_IDENTITY: Final = {id(READY): _READY} | {
    id(action): _legal(action_message(action), lawful=True) for action in _SHARED
}
_BY_VALUE: Final[dict[Action, bytes]] = {}


def _by_value(action: Action | Ready) -> bytes:
    if isinstance(action, Ready):
        return _READY
    found = _BY_VALUE.get(action)
    if found is None:
        found = _BY_VALUE[action] = _legal(action_message(action), lawful=True)
    return found


def legal_bytes(offered: Sequence[Action | Ready]) -> list[bytes]:
    """Return actions as elements of Turn.legal_actions; bluffs still have to be marked."""
    try:
        return [_BY_IDENTITY[id(action)] for action in offered]
    except KeyError:
        return list(map(_by_value, offered))


_BLUFFS: Final = {
    play: _legal(action_message(play), lawful=False) for play in LAST_PLAYS[WILD_DRAW_FOUR]
}


def bluff_bytes(action: Play) -> bytes:
    """Return an unlawful wild draw four as an element of Turn.legal_actions."""
    return _BLUFFS[action]
