from lastcard.v1 import card_pb2 as _card_pb2
from lastcard.v1 import custom_pb2 as _custom_pb2
from lastcard.v1 import view_pb2 as _view_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DrawCause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DRAW_CAUSE_UNSPECIFIED: _ClassVar[DrawCause]
    DRAW_CAUSE_TURN: _ClassVar[DrawCause]
    DRAW_CAUSE_DRAW_CARD: _ClassVar[DrawCause]
    DRAW_CAUSE_CHALLENGE: _ClassVar[DrawCause]
    DRAW_CAUSE_UNO_PENALTY: _ClassVar[DrawCause]
    DRAW_CAUSE_WD4_PENALTY: _ClassVar[DrawCause]
    DRAW_CAUSE_CUSTOM: _ClassVar[DrawCause]
    DRAW_CAUSE_ROULETTE: _ClassVar[DrawCause]

class HandsCause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HANDS_CAUSE_UNSPECIFIED: _ClassVar[HandsCause]
    HANDS_CAUSE_SHUFFLE: _ClassVar[HandsCause]
    HANDS_CAUSE_SWAP: _ClassVar[HandsCause]
    HANDS_CAUSE_ROTATION: _ClassVar[HandsCause]

class RoundEndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROUND_END_REASON_UNSPECIFIED: _ClassVar[RoundEndReason]
    ROUND_END_REASON_WENT_OUT: _ClassVar[RoundEndReason]
    ROUND_END_REASON_LAST_STANDING: _ClassVar[RoundEndReason]
    ROUND_END_REASON_BLOCKED: _ClassVar[RoundEndReason]
    ROUND_END_REASON_ACTION_CAP: _ClassVar[RoundEndReason]

class MatchEndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_END_REASON_UNSPECIFIED: _ClassVar[MatchEndReason]
    MATCH_END_REASON_PLAYED: _ClassVar[MatchEndReason]
    MATCH_END_REASON_LAST_STANDING: _ClassVar[MatchEndReason]
    MATCH_END_REASON_CANCELLED: _ClassVar[MatchEndReason]
    MATCH_END_REASON_FROZEN: _ClassVar[MatchEndReason]
DRAW_CAUSE_UNSPECIFIED: DrawCause
DRAW_CAUSE_TURN: DrawCause
DRAW_CAUSE_DRAW_CARD: DrawCause
DRAW_CAUSE_CHALLENGE: DrawCause
DRAW_CAUSE_UNO_PENALTY: DrawCause
DRAW_CAUSE_WD4_PENALTY: DrawCause
DRAW_CAUSE_CUSTOM: DrawCause
DRAW_CAUSE_ROULETTE: DrawCause
HANDS_CAUSE_UNSPECIFIED: HandsCause
HANDS_CAUSE_SHUFFLE: HandsCause
HANDS_CAUSE_SWAP: HandsCause
HANDS_CAUSE_ROTATION: HandsCause
ROUND_END_REASON_UNSPECIFIED: RoundEndReason
ROUND_END_REASON_WENT_OUT: RoundEndReason
ROUND_END_REASON_LAST_STANDING: RoundEndReason
ROUND_END_REASON_BLOCKED: RoundEndReason
ROUND_END_REASON_ACTION_CAP: RoundEndReason
MATCH_END_REASON_UNSPECIFIED: MatchEndReason
MATCH_END_REASON_PLAYED: MatchEndReason
MATCH_END_REASON_LAST_STANDING: MatchEndReason
MATCH_END_REASON_CANCELLED: MatchEndReason
MATCH_END_REASON_FROZEN: MatchEndReason

class Event(_message.Message):
    __slots__ = ("may_ignore", "match_started", "round_started", "start_card_turned", "card_played", "cards_drawn", "turn_passed", "direction_reversed", "seat_skipped", "colour_chosen", "challenge_resolved", "hand_shown", "hands_moved", "uno_called", "uno_caught", "pending_draw_changed", "deck_reshuffled", "seat_knocked_out", "seat_forfeited", "default_taken", "round_ended", "match_ended", "turn_begun", "cards_discarded", "hands_opened", "draw_raised", "dare_opened", "dare_answered", "vote_opened", "vote_counted", "restriction_set", "restrictions_lifted")
    MAY_IGNORE_FIELD_NUMBER: _ClassVar[int]
    MATCH_STARTED_FIELD_NUMBER: _ClassVar[int]
    ROUND_STARTED_FIELD_NUMBER: _ClassVar[int]
    START_CARD_TURNED_FIELD_NUMBER: _ClassVar[int]
    CARD_PLAYED_FIELD_NUMBER: _ClassVar[int]
    CARDS_DRAWN_FIELD_NUMBER: _ClassVar[int]
    TURN_PASSED_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_REVERSED_FIELD_NUMBER: _ClassVar[int]
    SEAT_SKIPPED_FIELD_NUMBER: _ClassVar[int]
    COLOUR_CHOSEN_FIELD_NUMBER: _ClassVar[int]
    CHALLENGE_RESOLVED_FIELD_NUMBER: _ClassVar[int]
    HAND_SHOWN_FIELD_NUMBER: _ClassVar[int]
    HANDS_MOVED_FIELD_NUMBER: _ClassVar[int]
    UNO_CALLED_FIELD_NUMBER: _ClassVar[int]
    UNO_CAUGHT_FIELD_NUMBER: _ClassVar[int]
    PENDING_DRAW_CHANGED_FIELD_NUMBER: _ClassVar[int]
    DECK_RESHUFFLED_FIELD_NUMBER: _ClassVar[int]
    SEAT_KNOCKED_OUT_FIELD_NUMBER: _ClassVar[int]
    SEAT_FORFEITED_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_TAKEN_FIELD_NUMBER: _ClassVar[int]
    ROUND_ENDED_FIELD_NUMBER: _ClassVar[int]
    MATCH_ENDED_FIELD_NUMBER: _ClassVar[int]
    TURN_BEGUN_FIELD_NUMBER: _ClassVar[int]
    CARDS_DISCARDED_FIELD_NUMBER: _ClassVar[int]
    HANDS_OPENED_FIELD_NUMBER: _ClassVar[int]
    DRAW_RAISED_FIELD_NUMBER: _ClassVar[int]
    DARE_OPENED_FIELD_NUMBER: _ClassVar[int]
    DARE_ANSWERED_FIELD_NUMBER: _ClassVar[int]
    VOTE_OPENED_FIELD_NUMBER: _ClassVar[int]
    VOTE_COUNTED_FIELD_NUMBER: _ClassVar[int]
    RESTRICTION_SET_FIELD_NUMBER: _ClassVar[int]
    RESTRICTIONS_LIFTED_FIELD_NUMBER: _ClassVar[int]
    may_ignore: bool
    match_started: MatchStarted
    round_started: RoundStarted
    start_card_turned: StartCardTurned
    card_played: CardPlayed
    cards_drawn: CardsDrawn
    turn_passed: TurnPassed
    direction_reversed: DirectionReversed
    seat_skipped: SeatSkipped
    colour_chosen: ColourChosen
    challenge_resolved: ChallengeResolved
    hand_shown: HandShown
    hands_moved: HandsMoved
    uno_called: UnoCalled
    uno_caught: UnoCaught
    pending_draw_changed: PendingDrawChanged
    deck_reshuffled: DeckReshuffled
    seat_knocked_out: SeatKnockedOut
    seat_forfeited: SeatForfeited
    default_taken: DefaultTaken
    round_ended: RoundEnded
    match_ended: MatchEnded
    turn_begun: TurnBegun
    cards_discarded: CardsDiscarded
    hands_opened: _custom_pb2.HandsOpened
    draw_raised: _custom_pb2.DrawRaised
    dare_opened: _custom_pb2.DareOpened
    dare_answered: _custom_pb2.DareAnswered
    vote_opened: _custom_pb2.VoteOpened
    vote_counted: _custom_pb2.VoteCounted
    restriction_set: _custom_pb2.RestrictionSet
    restrictions_lifted: _custom_pb2.RestrictionsLifted
    def __init__(self, may_ignore: _Optional[bool] = ..., match_started: _Optional[_Union[MatchStarted, _Mapping]] = ..., round_started: _Optional[_Union[RoundStarted, _Mapping]] = ..., start_card_turned: _Optional[_Union[StartCardTurned, _Mapping]] = ..., card_played: _Optional[_Union[CardPlayed, _Mapping]] = ..., cards_drawn: _Optional[_Union[CardsDrawn, _Mapping]] = ..., turn_passed: _Optional[_Union[TurnPassed, _Mapping]] = ..., direction_reversed: _Optional[_Union[DirectionReversed, _Mapping]] = ..., seat_skipped: _Optional[_Union[SeatSkipped, _Mapping]] = ..., colour_chosen: _Optional[_Union[ColourChosen, _Mapping]] = ..., challenge_resolved: _Optional[_Union[ChallengeResolved, _Mapping]] = ..., hand_shown: _Optional[_Union[HandShown, _Mapping]] = ..., hands_moved: _Optional[_Union[HandsMoved, _Mapping]] = ..., uno_called: _Optional[_Union[UnoCalled, _Mapping]] = ..., uno_caught: _Optional[_Union[UnoCaught, _Mapping]] = ..., pending_draw_changed: _Optional[_Union[PendingDrawChanged, _Mapping]] = ..., deck_reshuffled: _Optional[_Union[DeckReshuffled, _Mapping]] = ..., seat_knocked_out: _Optional[_Union[SeatKnockedOut, _Mapping]] = ..., seat_forfeited: _Optional[_Union[SeatForfeited, _Mapping]] = ..., default_taken: _Optional[_Union[DefaultTaken, _Mapping]] = ..., round_ended: _Optional[_Union[RoundEnded, _Mapping]] = ..., match_ended: _Optional[_Union[MatchEnded, _Mapping]] = ..., turn_begun: _Optional[_Union[TurnBegun, _Mapping]] = ..., cards_discarded: _Optional[_Union[CardsDiscarded, _Mapping]] = ..., hands_opened: _Optional[_Union[_custom_pb2.HandsOpened, _Mapping]] = ..., draw_raised: _Optional[_Union[_custom_pb2.DrawRaised, _Mapping]] = ..., dare_opened: _Optional[_Union[_custom_pb2.DareOpened, _Mapping]] = ..., dare_answered: _Optional[_Union[_custom_pb2.DareAnswered, _Mapping]] = ..., vote_opened: _Optional[_Union[_custom_pb2.VoteOpened, _Mapping]] = ..., vote_counted: _Optional[_Union[_custom_pb2.VoteCounted, _Mapping]] = ..., restriction_set: _Optional[_Union[_custom_pb2.RestrictionSet, _Mapping]] = ..., restrictions_lifted: _Optional[_Union[_custom_pb2.RestrictionsLifted, _Mapping]] = ...) -> None: ...

class MatchStarted(_message.Message):
    __slots__ = ("seat_count",)
    SEAT_COUNT_FIELD_NUMBER: _ClassVar[int]
    seat_count: int
    def __init__(self, seat_count: _Optional[int] = ...) -> None: ...

class RoundStarted(_message.Message):
    __slots__ = ("round_number", "dealer_seat", "dealer_draws", "hand", "hand_size")
    ROUND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    DEALER_SEAT_FIELD_NUMBER: _ClassVar[int]
    DEALER_DRAWS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZE_FIELD_NUMBER: _ClassVar[int]
    round_number: int
    dealer_seat: int
    dealer_draws: _containers.RepeatedCompositeFieldContainer[DealerDraw]
    hand: _containers.RepeatedCompositeFieldContainer[_card_pb2.Card]
    hand_size: int
    def __init__(self, round_number: _Optional[int] = ..., dealer_seat: _Optional[int] = ..., dealer_draws: _Optional[_Iterable[_Union[DealerDraw, _Mapping]]] = ..., hand: _Optional[_Iterable[_Union[_card_pb2.Card, _Mapping]]] = ..., hand_size: _Optional[int] = ...) -> None: ...

class DealerDraw(_message.Message):
    __slots__ = ("seat", "card")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card: _card_pb2.Card
    def __init__(self, seat: _Optional[int] = ..., card: _Optional[_Union[_card_pb2.Card, _Mapping]] = ...) -> None: ...

class StartCardTurned(_message.Message):
    __slots__ = ("card", "rejected")
    CARD_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    card: _card_pb2.Card
    rejected: bool
    def __init__(self, card: _Optional[_Union[_card_pb2.Card, _Mapping]] = ..., rejected: _Optional[bool] = ...) -> None: ...

class CardPlayed(_message.Message):
    __slots__ = ("seat", "card", "colour", "target_seat", "called_uno", "jumped_in")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    TARGET_SEAT_FIELD_NUMBER: _ClassVar[int]
    CALLED_UNO_FIELD_NUMBER: _ClassVar[int]
    JUMPED_IN_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card: _card_pb2.Card
    colour: _card_pb2.Colour
    target_seat: int
    called_uno: bool
    jumped_in: bool
    def __init__(self, seat: _Optional[int] = ..., card: _Optional[_Union[_card_pb2.Card, _Mapping]] = ..., colour: _Optional[_Union[_card_pb2.Colour, str]] = ..., target_seat: _Optional[int] = ..., called_uno: _Optional[bool] = ..., jumped_in: _Optional[bool] = ...) -> None: ...

class CardsDrawn(_message.Message):
    __slots__ = ("seat", "card_count", "cards", "cause")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_COUNT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card_count: int
    cards: _containers.RepeatedCompositeFieldContainer[_card_pb2.Card]
    cause: DrawCause
    def __init__(self, seat: _Optional[int] = ..., card_count: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[_card_pb2.Card, _Mapping]]] = ..., cause: _Optional[_Union[DrawCause, str]] = ...) -> None: ...

class CardsDiscarded(_message.Message):
    __slots__ = ("seat", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    cards: _containers.RepeatedCompositeFieldContainer[_card_pb2.Card]
    def __init__(self, seat: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[_card_pb2.Card, _Mapping]]] = ...) -> None: ...

class TurnPassed(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class DirectionReversed(_message.Message):
    __slots__ = ("direction",)
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    direction: _view_pb2.Direction
    def __init__(self, direction: _Optional[_Union[_view_pb2.Direction, str]] = ...) -> None: ...

class SeatSkipped(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class ColourChosen(_message.Message):
    __slots__ = ("seat", "colour")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    seat: int
    colour: _card_pb2.Colour
    def __init__(self, seat: _Optional[int] = ..., colour: _Optional[_Union[_card_pb2.Colour, str]] = ...) -> None: ...

class ChallengeResolved(_message.Message):
    __slots__ = ("challenger_seat", "offender_seat", "guilty")
    CHALLENGER_SEAT_FIELD_NUMBER: _ClassVar[int]
    OFFENDER_SEAT_FIELD_NUMBER: _ClassVar[int]
    GUILTY_FIELD_NUMBER: _ClassVar[int]
    challenger_seat: int
    offender_seat: int
    guilty: bool
    def __init__(self, challenger_seat: _Optional[int] = ..., offender_seat: _Optional[int] = ..., guilty: _Optional[bool] = ...) -> None: ...

class HandShown(_message.Message):
    __slots__ = ("seat", "shown_to_seat", "hand")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SHOWN_TO_SEAT_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    seat: int
    shown_to_seat: int
    hand: _containers.RepeatedCompositeFieldContainer[_card_pb2.Card]
    def __init__(self, seat: _Optional[int] = ..., shown_to_seat: _Optional[int] = ..., hand: _Optional[_Iterable[_Union[_card_pb2.Card, _Mapping]]] = ...) -> None: ...

class HandsMoved(_message.Message):
    __slots__ = ("cause", "hand_counts", "hand", "swapped_seats")
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    HAND_COUNTS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    SWAPPED_SEATS_FIELD_NUMBER: _ClassVar[int]
    cause: HandsCause
    hand_counts: _containers.RepeatedScalarFieldContainer[int]
    hand: _containers.RepeatedCompositeFieldContainer[_card_pb2.Card]
    swapped_seats: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, cause: _Optional[_Union[HandsCause, str]] = ..., hand_counts: _Optional[_Iterable[int]] = ..., hand: _Optional[_Iterable[_Union[_card_pb2.Card, _Mapping]]] = ..., swapped_seats: _Optional[_Iterable[int]] = ...) -> None: ...

class UnoCalled(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class UnoCaught(_message.Message):
    __slots__ = ("catcher_seat", "target_seat")
    CATCHER_SEAT_FIELD_NUMBER: _ClassVar[int]
    TARGET_SEAT_FIELD_NUMBER: _ClassVar[int]
    catcher_seat: int
    target_seat: int
    def __init__(self, catcher_seat: _Optional[int] = ..., target_seat: _Optional[int] = ...) -> None: ...

class PendingDrawChanged(_message.Message):
    __slots__ = ("pending_draw_count",)
    PENDING_DRAW_COUNT_FIELD_NUMBER: _ClassVar[int]
    pending_draw_count: int
    def __init__(self, pending_draw_count: _Optional[int] = ...) -> None: ...

class DeckReshuffled(_message.Message):
    __slots__ = ("draw_pile_count",)
    DRAW_PILE_COUNT_FIELD_NUMBER: _ClassVar[int]
    draw_pile_count: int
    def __init__(self, draw_pile_count: _Optional[int] = ...) -> None: ...

class SeatKnockedOut(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class SeatForfeited(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class DefaultTaken(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class TurnBegun(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class RoundEnded(_message.Message):
    __slots__ = ("round_number", "reason", "winner_seats", "hand_values", "points", "value", "hands")
    ROUND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    WINNER_SEATS_FIELD_NUMBER: _ClassVar[int]
    HAND_VALUES_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    round_number: int
    reason: RoundEndReason
    winner_seats: _containers.RepeatedScalarFieldContainer[int]
    hand_values: _containers.RepeatedScalarFieldContainer[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    value: int
    hands: _containers.RepeatedCompositeFieldContainer[Hand]
    def __init__(self, round_number: _Optional[int] = ..., reason: _Optional[_Union[RoundEndReason, str]] = ..., winner_seats: _Optional[_Iterable[int]] = ..., hand_values: _Optional[_Iterable[int]] = ..., points: _Optional[_Iterable[int]] = ..., value: _Optional[int] = ..., hands: _Optional[_Iterable[_Union[Hand, _Mapping]]] = ...) -> None: ...

class Hand(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedCompositeFieldContainer[_card_pb2.Card]
    def __init__(self, cards: _Optional[_Iterable[_Union[_card_pb2.Card, _Mapping]]] = ...) -> None: ...

class MatchEnded(_message.Message):
    __slots__ = ("reason", "places", "total_points")
    REASON_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    TOTAL_POINTS_FIELD_NUMBER: _ClassVar[int]
    reason: MatchEndReason
    places: _containers.RepeatedScalarFieldContainer[int]
    total_points: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, reason: _Optional[_Union[MatchEndReason, str]] = ..., places: _Optional[_Iterable[int]] = ..., total_points: _Optional[_Iterable[int]] = ...) -> None: ...
