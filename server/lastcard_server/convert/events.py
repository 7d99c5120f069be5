"""
What happened, as one viewer may be told? Events of the engine as the bytes of Event messages.

The engine tells a deal, a shuffle and a call in steps; the contract puts into one event what
belongs together. Every event goes through the engine's `redact` first.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from lastcard.v1 import event_pb2 as pb
from lastcard.v1.card_pb2 import Card as CardMessage
from lastcard.v1.view_pb2 import Direction
from lastcard_engine import events as engine
from lastcard_engine.cards import Card, Seat
from lastcard_engine.events import DrawCause, Event, MatchEnd
from lastcard_engine.views import redact
from lastcard_server.convert.cards import card_message, colour_name
from lastcard_server.convert.custom import CUSTOM_MESSAGES
from lastcard_server.matches.match import Match


class _Scene(NamedTuple):
    """An event with those told together with it, as a viewer may see them, and where it was."""

    head: Any
    rest: list[Any]
    viewer: int | None
    match: Match
    round_number: int


def event_bodies(match: Match, events: Iterable[Event], viewer: int | None) -> list[bytes]:
    """
    Return what happened as the bytes of Event messages, oldest first.

    Args:
        match: where it happened, as it stands after it.
        events: not redacted.
        viewer: the seat that is told; None = a spectator.

    """
    seat = None if viewer is None else Seat(viewer)
    bodies: list[bytes] = []
    for scene in _scenes(match, [redact(event, seat) for event in events], viewer):
        if _is_opening(scene.head):
            bodies.append(_match_started(len(match.seats)))
        bodies.append(_MESSAGES[type(scene.head)](scene).SerializeToString())
    return bodies


def opens_match(events: Iterable[Event]) -> bool:
    """Tell whether what happened begins the match: whoever hears it has missed nothing."""
    return any(map(_is_opening, events))


def _is_opening(event: Event) -> bool:
    return isinstance(event, engine.RoundStarted) and event.round_number == 1


def _match_started(seats: int) -> bytes:
    return pb.Event(match_started=pb.MatchStarted(seat_count=seats)).SerializeToString()


_FOLLOWERS: Final[Mapping[type, tuple[type, ...]]] = {
    engine.RoundStarted: (engine.DealerDrawn, engine.DealerChosen, engine.CardsDealt),
    engine.HandsShuffled: (engine.HandReceived,),
    engine.HandsSwapped: (engine.HandReceived,),
    engine.HandsRotated: (engine.HandReceived,),
}
"""Which events are told with the one before them."""


def _scenes(match: Match, events: Sequence[Event], viewer: int | None) -> list[_Scene]:
    number = _round_before(match, events)
    scenes: list[_Scene] = []
    for event in events:
        if isinstance(event, engine.RoundStarted):
            number = event.round_number
        if not _joins(scenes, event):
            scenes.append(_Scene(event, [], viewer, match, number))
    return scenes


def _round_before(match: Match, events: Sequence[Event]) -> int:
    """Return the round that ran when the first event happened."""
    for event in events:
        if isinstance(event, engine.RoundStarted):
            return event.round_number - 1
    return match.state.round_number if match.state is not None else 0


def _joins(scenes: Sequence[_Scene], event: Event) -> bool:
    """Add an event to the scene it is told with; False if it is told on its own."""
    if isinstance(event, engine.UnoCalled):
        played = [scene for scene in scenes if isinstance(scene.head, engine.CardPlayed)]
        found = played[-1] if played and played[-1].head.seat == event.seat else None
    else:
        found = scenes[-1] if scenes else None
        found = found if found and isinstance(event, _FOLLOWERS.get(type(found.head), ())) else None
    if found is None or (found.rest and isinstance(event, engine.UnoCalled)):
        return False
    found.rest.append(event)
    return True


def _cards(cards: Iterable[Card]) -> list[CardMessage]:
    return [card_message(card) for card in cards]


def _hand_brought(scene: _Scene) -> list[CardMessage]:
    """Return the hand that comes to the viewer; of other hands `redact` has left nothing."""
    hands = (engine.CardsDealt, engine.HandReceived)
    return [c for e in scene.rest if isinstance(e, hands) for c in _cards(e.cards)]


def _round_started(scene: _Scene) -> pb.Event:
    draws = [
        pb.DealerDraw(seat=seat, card=card_message(card))
        for event in scene.rest
        if isinstance(event, engine.DealerDrawn)
        for seat, card in zip(event.seats, event.cards, strict=True)
    ]
    dealers = [e.seat for e in scene.rest if isinstance(e, engine.DealerChosen)]
    sizes = [e.count for e in scene.rest if isinstance(e, engine.CardsDealt)]
    return pb.Event(
        round_started=pb.RoundStarted(
            round_number=scene.head.round_number,
            dealer_seat=dealers[0] if dealers else 0,
            dealer_draws=draws,
            hand=_hand_brought(scene),
            hand_size=sizes[0] if sizes else 0,
        )
    )


def _start_card(scene: _Scene) -> pb.Event:
    rejected = isinstance(scene.head, engine.StartCardRejected)
    card = card_message(scene.head.card)
    return pb.Event(start_card_turned=pb.StartCardTurned(card=card, rejected=rejected))


def _card_played(scene: _Scene) -> pb.Event:
    played: engine.CardPlayed = scene.head
    return pb.Event(
        card_played=pb.CardPlayed(
            seat=played.seat,
            card=card_message(played.card),
            colour=colour_name(played.colour),
            target_seat=played.target,
            called_uno=bool(scene.rest),
            jumped_in=played.jump_in,
        )
    )


_CAUSES: Final[Mapping[DrawCause, str]] = {
    DrawCause.TURN: "DRAW_CAUSE_TURN",
    DrawCause.DRAW_CARD: "DRAW_CAUSE_DRAW_CARD",
    DrawCause.CHALLENGE_LOST: "DRAW_CAUSE_CHALLENGE",
    DrawCause.CHALLENGE_WON: "DRAW_CAUSE_CHALLENGE",
    DrawCause.DRAW_FOUR_UNLAWFUL: "DRAW_CAUSE_WD4_PENALTY",
    DrawCause.UNO_PENALTY: "DRAW_CAUSE_UNO_PENALTY",
    DrawCause.ROULETTE: "DRAW_CAUSE_ROULETTE",
    DrawCause.CUSTOM_RULE: "DRAW_CAUSE_CUSTOM",
}


def _cards_drawn(scene: _Scene) -> pb.Event:
    drawn: engine.CardsDrawn = scene.head
    return pb.Event(
        cards_drawn=pb.CardsDrawn(
            seat=drawn.seat,
            card_count=drawn.count,
            cards=_cards(drawn.cards),
            cause=_CAUSES[drawn.cause],
        )
    )


def _reversed(scene: _Scene) -> pb.Event:
    clockwise = scene.head.direction > 0
    direction = (
        Direction.DIRECTION_CLOCKWISE if clockwise else Direction.DIRECTION_COUNTER_CLOCKWISE
    )
    return pb.Event(direction_reversed=pb.DirectionReversed(direction=direction))


def _challenge_resolved(scene: _Scene) -> pb.Event:
    resolved: engine.ChallengeResolved = scene.head
    return pb.Event(
        challenge_resolved=pb.ChallengeResolved(
            challenger_seat=resolved.challenger,
            offender_seat=resolved.offender,
            guilty=resolved.guilty,
        )
    )


def _hand_shown(scene: _Scene) -> pb.Event:
    shown: engine.HandShown = scene.head
    return pb.Event(
        hand_shown=pb.HandShown(
            seat=shown.seat, shown_to_seat=shown.viewer, hand=_cards(shown.cards)
        )
    )


_MOVES: Final[Mapping[type, str]] = {
    engine.HandsShuffled: "HANDS_CAUSE_SHUFFLE",
    engine.HandsSwapped: "HANDS_CAUSE_SWAP",
    engine.HandsRotated: "HANDS_CAUSE_ROTATION",
}


def _hands_moved(scene: _Scene) -> pb.Event:
    moved = scene.head
    swapped = (moved.seat, moved.target) if isinstance(moved, engine.HandsSwapped) else ()
    return pb.Event(
        hands_moved=pb.HandsMoved(
            cause=_MOVES[type(moved)],
            hand_counts=moved.counts,
            hand=_hand_brought(scene),
            swapped_seats=swapped,
        )
    )


def _round_ended(scene: _Scene) -> pb.Event:
    """Tell a round's end; the hands stay closed where other matches share the deal."""
    ended: engine.RoundEnded = scene.head
    hands = () if scene.match.grouped else ended.hands
    return pb.Event(
        round_ended=pb.RoundEnded(
            round_number=scene.round_number,
            reason=f"ROUND_END_REASON_{ended.reason.name}",
            winner_seats=ended.winners,
            hand_values=ended.values,
            points=ended.points,
            value=ended.value,
            hands=(pb.Hand(cards=_cards(hand)) for hand in hands),
        )
    )


def _match_ended(scene: _Scene) -> pb.Event:
    ended: engine.MatchEnded = scene.head
    alone = ended.reason is MatchEnd.LAST_STANDING
    state = scene.match.state
    return pb.Event(
        match_ended=pb.MatchEnded(
            reason="MATCH_END_REASON_LAST_STANDING" if alone else "MATCH_END_REASON_PLAYED",
            places=ended.places,
            total_points=state.totals if state is not None else (),
        )
    )


_MESSAGES: Final[Mapping[type, Callable[[_Scene], pb.Event]]] = {
    engine.RoundStarted: _round_started,
    engine.StartCardRejected: _start_card,
    engine.StartCardTurned: _start_card,
    engine.CardPlayed: _card_played,
    engine.CardsDiscarded: lambda s: pb.Event(
        cards_discarded=pb.CardsDiscarded(seat=s.head.seat, cards=_cards(s.head.cards))
    ),
    engine.CardsDrawn: _cards_drawn,
    engine.CardKept: lambda s: pb.Event(turn_passed=pb.TurnPassed(seat=s.head.seat)),
    engine.ColourChosen: lambda s: pb.Event(
        colour_chosen=pb.ColourChosen(seat=s.head.seat, colour=colour_name(s.head.colour))
    ),
    engine.DirectionReversed: _reversed,
    engine.SeatSkipped: lambda s: pb.Event(seat_skipped=pb.SeatSkipped(seat=s.head.seat)),
    engine.ChallengeOpened: lambda s: pb.Event(
        pending_draw_changed=pb.PendingDrawChanged(pending_draw_count=s.head.count)
    ),
    engine.DrawDemanded: lambda s: pb.Event(
        pending_draw_changed=pb.PendingDrawChanged(pending_draw_count=s.head.count)
    ),
    engine.ChallengeResolved: _challenge_resolved,
    engine.HandShown: _hand_shown,
    **dict.fromkeys(_MOVES, _hands_moved),
    **CUSTOM_MESSAGES,
    engine.UnoCalled: lambda s: pb.Event(uno_called=pb.UnoCalled(seat=s.head.seat)),
    engine.UnoCaught: lambda s: pb.Event(
        uno_caught=pb.UnoCaught(catcher_seat=s.head.catcher, target_seat=s.head.target)
    ),
    engine.TurnBegun: lambda s: pb.Event(turn_begun=pb.TurnBegun(seat=s.head.seat)),
    engine.DeckReshuffled: lambda s: pb.Event(
        deck_reshuffled=pb.DeckReshuffled(draw_pile_count=s.head.count)
    ),
    engine.DefaultTaken: lambda s: pb.Event(default_taken=pb.DefaultTaken(seat=s.head.seat)),
    engine.SeatKnockedOut: lambda s: pb.Event(seat_knocked_out=pb.SeatKnockedOut(seat=s.head.seat)),
    engine.SeatForfeited: lambda s: pb.Event(seat_forfeited=pb.SeatForfeited(seat=s.head.seat)),
    engine.RoundEnded: _round_ended,
    engine.MatchEnded: _match_ended,
}
