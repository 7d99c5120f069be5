"""What do custom rules tell? Events of the engine as Event messages, and what views say of them."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from lastcard.v1 import custom_pb2
from lastcard.v1 import event_pb2 as pb
from lastcard.v1.custom_pb2 import CustomQuestion, CustomRestriction
from lastcard.v1.view_pb2 import OpenHand
from lastcard.v1.view_pb2 import SeatView as SeatMessage
from lastcard.v1.view_pb2 import TableView as TableMessage
from lastcard_engine import custom_events as engine
from lastcard_engine.views import CustomFacts, SeatView
from lastcard_server.convert.cards import card_message


def _counted(event: engine.VoteCounted) -> pb.Event:
    return pb.Event(
        vote_counted=custom_pb2.VoteCounted(
            seat=event.seat, yes_count=event.yes, no_count=event.no, carried=event.carried
        )
    )


_TOLD: Final[Mapping[type, Callable[[Any], pb.Event]]] = {
    engine.HandsOpened: lambda e: pb.Event(
        hands_opened=custom_pb2.HandsOpened(closing_seat=e.seat, seats=e.seats)
    ),
    engine.DrawRaised: lambda e: pb.Event(
        draw_raised=custom_pb2.DrawRaised(seat=e.seat, card_count=e.count)
    ),
    engine.Dared: lambda e: pb.Event(dare_opened=custom_pb2.DareOpened(seat=e.seat, text=e.text)),
    engine.DareAnswered: lambda e: pb.Event(
        dare_answered=custom_pb2.DareAnswered(seat=e.seat, done=e.done)
    ),
    engine.VoteOpened: lambda e: pb.Event(
        vote_opened=custom_pb2.VoteOpened(seat=e.seat, text=e.text)
    ),
    engine.VoteCounted: _counted,
    engine.Restricted: lambda e: pb.Event(
        restriction_set=custom_pb2.RestrictionSet(seat=e.seat, text=e.text)
    ),
    engine.RestrictionsLifted: lambda _: pb.Event(
        restrictions_lifted=custom_pb2.RestrictionsLifted()
    ),
}


def _of_scene(tell: Callable[[Any], pb.Event]) -> Callable[[Any], pb.Event]:
    return lambda scene: tell(scene.head)


CUSTOM_MESSAGES: Final[Mapping[type, Callable[[Any], pb.Event]]] = {
    kind: _of_scene(tell) for kind, tell in _TOLD.items()
}
"""What events of custom rules are told as, by kind; each takes a scene."""


def custom_bytes(facts: CustomFacts) -> bytes:
    """Return what everybody sees of custom rules as fields of a TableView, players apart."""
    question = facts.question
    table = TableMessage(
        custom_restrictions=(
            CustomRestriction(seat=seat, text=text) for seat, text in facts.restrictions
        )
    )
    if question is not None:
        table.custom_question.CopyFrom(
            CustomQuestion(
                rule=question.rule,
                actor_seat=question.actor,
                seat=question.seat,
                text=question.text,
                hand_size=question.size,
            )
        )
    return table.SerializeToString()


def open_hand_bytes(view: SeatView) -> bytes:
    """Return the hands that lie open to a seat as fields of its SeatView."""
    hands = (OpenHand(seat=s, cards=map(card_message, cards)) for s, cards in view.open_hands)
    return SeatMessage(open_hands=hands).SerializeToString()
