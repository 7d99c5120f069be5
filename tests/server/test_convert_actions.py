"""Cards and actions are the same on both sides of the edge."""

from typing import Any

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

import lastcard_engine as engine
from lastcard.v1 import action_pb2, card_pb2
from lastcard.v1.turn_pb2 import Turn
from lastcard_engine.actions import (
    ANSWERS_TO_DARE,
    CATCHES,
    CHOICES_OF_CARD,
    CHOICES_OF_COLOUR,
    CHOICES_OF_TARGET,
    JUMP_INS,
    LAST_PLAYS,
    VOTES,
    aimed_plays,
)
from lastcard_engine.cards import ALL_CARDS, WILD_DRAW_FOUR, Seat
from lastcard_server.convert.actions import action_from, action_message, bluff_bytes, legal_bytes
from lastcard_server.convert.cards import CARD_BYTES, card_from, card_message
from lastcard_server.errors import Reason, Refusal
from tests.server import plain

EVERY_ACTION: tuple[engine.Action, ...] = (
    engine.DRAW,
    engine.KEEP,
    engine.ACCEPT_DRAW,
    engine.CHALLENGE,
    engine.CALL_UNO,
    engine.BEGIN_TURN,
    engine.PASS,
    *CHOICES_OF_COLOUR,
    *CHOICES_OF_TARGET,
    *CHOICES_OF_CARD,
    *ANSWERS_TO_DARE,
    *VOTES,
    *CATCHES,
    *JUMP_INS,
    *(play for plays in LAST_PLAYS for play in plays),
    engine.Play(engine.parse_card("r7"), None, Seat(0)),
    *aimed_plays(engine.parse_card("WX"), (Seat(1), Seat(9))),
    engine.JumpIn(engine.parse_card("g0"), Seat(3)),
)
"""One of each kind, each card, colour and target."""


@pytest.mark.parametrize("card", ALL_CARDS, ids=engine.format_card)
def test_every_card_goes_over_and_comes_back(card: engine.Card) -> None:
    """A card's message is the one its notation names, its bytes are that message's."""
    expected = plain.card_of(card)
    assert card_message(card) == expected == card_pb2.Card.FromString(CARD_BYTES[card])
    assert card_from(expected) == card


@pytest.mark.parametrize("action", EVERY_ACTION, ids=lambda a: engine.format_action(a, uno=False))
def test_every_action_goes_over_and_comes_back(action: engine.Action) -> None:
    """An action's message is the one its notation names, and means the same action."""
    expected = plain.action(action)
    assert action_message(action) == expected
    assert action_from(expected) == action


def test_legal_actions_are_joined_as_if_built_one_by_one() -> None:
    """Shared and newly built actions alike are elements of a turn, flagged lawful."""
    offered = [*EVERY_ACTION, engine.Play(engine.parse_card("y3"))]
    turn = Turn.FromString(b"".join(legal_bytes(offered)))
    assert [legal.action for legal in turn.legal_actions] == [plain.action(a) for a in offered]
    assert all(legal.lawful for legal in turn.legal_actions)


@pytest.mark.parametrize("play", LAST_PLAYS[WILD_DRAW_FOUR])
def test_bluffs_carry_their_flag(play: engine.Play) -> None:
    """An unlawful wild draw four is the same action without the flag (R109)."""
    (legal,) = Turn.FromString(bluff_bytes(play)).legal_actions
    assert legal.action == plain.action(play)
    assert not legal.lawful


def _card(colour: Any, face: Any, rule: int = 0) -> card_pb2.Card:
    return card_pb2.Card(colour=colour, face=face, rule=rule)


BAD_ACTIONS = {
    "no kind": action_pb2.Action(),
    "no card": action_pb2.Action(play_card=action_pb2.PlayCard()),
    "no face": action_pb2.Action(play_card=action_pb2.PlayCard(card=_card(1, 0))),
    "wild of a colour": action_pb2.Action(play_card=action_pb2.PlayCard(card=_card(1, 17))),
    "number without a colour": action_pb2.Action(jump_in=action_pb2.JumpIn(card=_card(5, 1))),
    "card of enum 99": action_pb2.Action(play_card=action_pb2.PlayCard(card=_card(99, 99))),
    "colour 5": action_pb2.Action(choose_colour=action_pb2.ChooseColour(colour="COLOUR_WILD")),
    "colour 0": action_pb2.Action(choose_colour=action_pb2.ChooseColour()),
    "seat 10": action_pb2.Action(catch_uno=action_pb2.CatchUno(target_seat=10)),
    "target 10": action_pb2.Action(choose_target=action_pb2.ChooseTarget(target_seat=10)),
    "seat -1": action_pb2.Action(catch_uno=action_pb2.CatchUno(target_seat=-1)),
    "no card chosen": action_pb2.Action(choose_card=action_pb2.ChooseCard()),
    "rule 9": action_pb2.Action(jump_in=action_pb2.JumpIn(card=_card(5, 21, 9))),
    "rule on a wild": action_pb2.Action(jump_in=action_pb2.JumpIn(card=_card(5, 17, 1))),
    "ready": action_pb2.Action(ready=action_pb2.Ready()),
}


@pytest.mark.parametrize("message", BAD_ACTIONS.values(), ids=BAD_ACTIONS)
def test_actions_that_cannot_be_are_refused(message: action_pb2.Action) -> None:
    """No kind, a card, colour or seat that does not exist: BAD_ACTION, and nothing is guessed."""
    with pytest.raises(Refusal) as refused:
        action_from(message)
    assert refused.value.reason is Reason.BAD_ACTION


@given(st.binary(max_size=40))
def test_any_bytes_that_parse_become_an_action_or_a_refusal(body: bytes) -> None:
    """Whatever parses as an action ends in an action or BAD_ACTION."""
    try:
        message = action_pb2.Action.FromString(body)
    except DecodeError:
        return
    reasons = []
    try:
        action_from(message)
    except Refusal as refused:
        reasons.append(refused.reason)
    assert reasons in ([], [Reason.BAD_ACTION])
