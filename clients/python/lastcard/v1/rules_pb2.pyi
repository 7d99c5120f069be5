from lastcard.v1 import card_pb2 as _card_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CustomKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CUSTOM_KIND_UNSPECIFIED: _ClassVar[CustomKind]
    CUSTOM_KIND_MECHANICAL: _ClassVar[CustomKind]
    CUSTOM_KIND_SOCIAL: _ClassVar[CustomKind]
    CUSTOM_KIND_INFORMATION: _ClassVar[CustomKind]

class Deck(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECK_UNSPECIFIED: _ClassVar[Deck]
    DECK_CLASSIC_108: _ClassVar[Deck]
    DECK_NO_MERCY_168: _ClassVar[Deck]
    DECK_CUSTOM: _ClassVar[Deck]

class DealerPick(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DEALER_PICK_UNSPECIFIED: _ClassVar[DealerPick]
    DEALER_PICK_DRAW_HIGH: _ClassVar[DealerPick]
    DEALER_PICK_RANDOM: _ClassVar[DealerPick]
    DEALER_PICK_HOST: _ClassVar[DealerPick]

class NextDealer(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NEXT_DEALER_UNSPECIFIED: _ClassVar[NextDealer]
    NEXT_DEALER_LEFT: _ClassVar[NextDealer]
    NEXT_DEALER_WINNER: _ClassVar[NextDealer]
    NEXT_DEALER_DRAW_HIGH: _ClassVar[NextDealer]

class FirstCard(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FIRST_CARD_UNSPECIFIED: _ClassVar[FirstCard]
    FIRST_CARD_NUMBER_ONLY: _ClassVar[FirstCard]
    FIRST_CARD_APPLY: _ClassVar[FirstCard]
    FIRST_CARD_DEALER_PLAYED: _ClassVar[FirstCard]
    FIRST_CARD_FACE_ONLY: _ClassVar[FirstCard]

class FirstCardRejects(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FIRST_CARD_REJECTS_UNSPECIFIED: _ClassVar[FirstCardRejects]
    FIRST_CARD_REJECTS_SHUFFLE_BACK: _ClassVar[FirstCardRejects]
    FIRST_CARD_REJECTS_BOTTOM: _ClassVar[FirstCardRejects]
    FIRST_CARD_REJECTS_UNDER_DISCARD: _ClassVar[FirstCardRejects]

class ActionMatch(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTION_MATCH_UNSPECIFIED: _ClassVar[ActionMatch]
    ACTION_MATCH_COLOUR_OR_SYMBOL: _ClassVar[ActionMatch]
    ACTION_MATCH_COLOUR_ONLY: _ClassVar[ActionMatch]
    ACTION_MATCH_ANY: _ClassVar[ActionMatch]

class DrawMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DRAW_MODE_UNSPECIFIED: _ClassVar[DrawMode]
    DRAW_MODE_ONE: _ClassVar[DrawMode]
    DRAW_MODE_UNTIL_PLAYABLE: _ClassVar[DrawMode]

class DrawnCard(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DRAWN_CARD_UNSPECIFIED: _ClassVar[DrawnCard]
    DRAWN_CARD_MAY_PLAY: _ClassVar[DrawnCard]
    DRAWN_CARD_MUST_PLAY: _ClassVar[DrawnCard]

class ReverseTwoPlayers(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REVERSE_TWO_PLAYERS_UNSPECIFIED: _ClassVar[ReverseTwoPlayers]
    REVERSE_TWO_PLAYERS_SKIP: _ClassVar[ReverseTwoPlayers]
    REVERSE_TWO_PLAYERS_TURN_ONLY: _ClassVar[ReverseTwoPlayers]

class Wd4Legality(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WD4_LEGALITY_UNSPECIFIED: _ClassVar[Wd4Legality]
    WD4_LEGALITY_NO_COLOUR: _ClassVar[Wd4Legality]
    WD4_LEGALITY_NO_PLAYABLE: _ClassVar[Wd4Legality]
    WD4_LEGALITY_FREE: _ClassVar[Wd4Legality]

class Wd4Enforcement(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WD4_ENFORCEMENT_UNSPECIFIED: _ClassVar[Wd4Enforcement]
    WD4_ENFORCEMENT_CHALLENGE: _ClassVar[Wd4Enforcement]
    WD4_ENFORCEMENT_AUTO_PENALTY: _ClassVar[Wd4Enforcement]
    WD4_ENFORCEMENT_BLOCK: _ClassVar[Wd4Enforcement]

class Stacking(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STACKING_UNSPECIFIED: _ClassVar[Stacking]
    STACKING_NONE: _ClassVar[Stacking]
    STACKING_PAIRS: _ClassVar[Stacking]
    STACKING_EQUAL_OR_HIGHER: _ClassVar[Stacking]

class UnoPenaltySource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UNO_PENALTY_SOURCE_UNSPECIFIED: _ClassVar[UnoPenaltySource]
    UNO_PENALTY_SOURCE_DRAW_PILE: _ClassVar[UnoPenaltySource]
    UNO_PENALTY_SOURCE_DISCARD_PILE: _ClassVar[UnoPenaltySource]

class UnoWindow(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UNO_WINDOW_UNSPECIFIED: _ClassVar[UnoWindow]
    UNO_WINDOW_NEXT_TURN_STARTS: _ClassVar[UnoWindow]
    UNO_WINDOW_NEXT_TURN_ENDS: _ClassVar[UnoWindow]
    UNO_WINDOW_OWN_NEXT_TURN: _ClassVar[UnoWindow]
    UNO_WINDOW_OPEN: _ClassVar[UnoWindow]

class FinishCard(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FINISH_CARD_UNSPECIFIED: _ClassVar[FinishCard]
    FINISH_CARD_ANY: _ClassVar[FinishCard]
    FINISH_CARD_NUMBER_ONLY: _ClassVar[FinishCard]

class ShufflePool(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SHUFFLE_POOL_UNSPECIFIED: _ClassVar[ShufflePool]
    SHUFFLE_POOL_ALL_HANDS: _ClassVar[ShufflePool]
    SHUFFLE_POOL_OTHERS_ONLY: _ClassVar[ShufflePool]

class JumpInMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    JUMP_IN_MODE_UNSPECIFIED: _ClassVar[JumpInMode]
    JUMP_IN_MODE_OFF: _ClassVar[JumpInMode]
    JUMP_IN_MODE_IDENTICAL: _ClassVar[JumpInMode]

class RouletteChooser(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROULETTE_CHOOSER_UNSPECIFIED: _ClassVar[RouletteChooser]
    ROULETTE_CHOOSER_VICTIM: _ClassVar[RouletteChooser]
    ROULETTE_CHOOSER_PLAYER: _ClassVar[RouletteChooser]

class Scoring(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCORING_UNSPECIFIED: _ClassVar[Scoring]
    SCORING_SINGLE_ROUND: _ClassVar[Scoring]
    SCORING_WINNER_TAKES: _ClassVar[Scoring]
    SCORING_LOW_TOTAL: _ClassVar[Scoring]
    SCORING_ELIMINATION: _ClassVar[Scoring]

class Teams(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TEAMS_UNSPECIFIED: _ClassVar[Teams]
    TEAMS_NONE: _ClassVar[Teams]
    TEAMS_PAIRS: _ClassVar[Teams]
CUSTOM_KIND_UNSPECIFIED: CustomKind
CUSTOM_KIND_MECHANICAL: CustomKind
CUSTOM_KIND_SOCIAL: CustomKind
CUSTOM_KIND_INFORMATION: CustomKind
DECK_UNSPECIFIED: Deck
DECK_CLASSIC_108: Deck
DECK_NO_MERCY_168: Deck
DECK_CUSTOM: Deck
DEALER_PICK_UNSPECIFIED: DealerPick
DEALER_PICK_DRAW_HIGH: DealerPick
DEALER_PICK_RANDOM: DealerPick
DEALER_PICK_HOST: DealerPick
NEXT_DEALER_UNSPECIFIED: NextDealer
NEXT_DEALER_LEFT: NextDealer
NEXT_DEALER_WINNER: NextDealer
NEXT_DEALER_DRAW_HIGH: NextDealer
FIRST_CARD_UNSPECIFIED: FirstCard
FIRST_CARD_NUMBER_ONLY: FirstCard
FIRST_CARD_APPLY: FirstCard
FIRST_CARD_DEALER_PLAYED: FirstCard
FIRST_CARD_FACE_ONLY: FirstCard
FIRST_CARD_REJECTS_UNSPECIFIED: FirstCardRejects
FIRST_CARD_REJECTS_SHUFFLE_BACK: FirstCardRejects
FIRST_CARD_REJECTS_BOTTOM: FirstCardRejects
FIRST_CARD_REJECTS_UNDER_DISCARD: FirstCardRejects
ACTION_MATCH_UNSPECIFIED: ActionMatch
ACTION_MATCH_COLOUR_OR_SYMBOL: ActionMatch
ACTION_MATCH_COLOUR_ONLY: ActionMatch
ACTION_MATCH_ANY: ActionMatch
DRAW_MODE_UNSPECIFIED: DrawMode
DRAW_MODE_ONE: DrawMode
DRAW_MODE_UNTIL_PLAYABLE: DrawMode
DRAWN_CARD_UNSPECIFIED: DrawnCard
DRAWN_CARD_MAY_PLAY: DrawnCard
DRAWN_CARD_MUST_PLAY: DrawnCard
REVERSE_TWO_PLAYERS_UNSPECIFIED: ReverseTwoPlayers
REVERSE_TWO_PLAYERS_SKIP: ReverseTwoPlayers
REVERSE_TWO_PLAYERS_TURN_ONLY: ReverseTwoPlayers
WD4_LEGALITY_UNSPECIFIED: Wd4Legality
WD4_LEGALITY_NO_COLOUR: Wd4Legality
WD4_LEGALITY_NO_PLAYABLE: Wd4Legality
WD4_LEGALITY_FREE: Wd4Legality
WD4_ENFORCEMENT_UNSPECIFIED: Wd4Enforcement
WD4_ENFORCEMENT_CHALLENGE: Wd4Enforcement
WD4_ENFORCEMENT_AUTO_PENALTY: Wd4Enforcement
WD4_ENFORCEMENT_BLOCK: Wd4Enforcement
STACKING_UNSPECIFIED: Stacking
STACKING_NONE: Stacking
STACKING_PAIRS: Stacking
STACKING_EQUAL_OR_HIGHER: Stacking
UNO_PENALTY_SOURCE_UNSPECIFIED: UnoPenaltySource
UNO_PENALTY_SOURCE_DRAW_PILE: UnoPenaltySource
UNO_PENALTY_SOURCE_DISCARD_PILE: UnoPenaltySource
UNO_WINDOW_UNSPECIFIED: UnoWindow
UNO_WINDOW_NEXT_TURN_STARTS: UnoWindow
UNO_WINDOW_NEXT_TURN_ENDS: UnoWindow
UNO_WINDOW_OWN_NEXT_TURN: UnoWindow
UNO_WINDOW_OPEN: UnoWindow
FINISH_CARD_UNSPECIFIED: FinishCard
FINISH_CARD_ANY: FinishCard
FINISH_CARD_NUMBER_ONLY: FinishCard
SHUFFLE_POOL_UNSPECIFIED: ShufflePool
SHUFFLE_POOL_ALL_HANDS: ShufflePool
SHUFFLE_POOL_OTHERS_ONLY: ShufflePool
JUMP_IN_MODE_UNSPECIFIED: JumpInMode
JUMP_IN_MODE_OFF: JumpInMode
JUMP_IN_MODE_IDENTICAL: JumpInMode
ROULETTE_CHOOSER_UNSPECIFIED: RouletteChooser
ROULETTE_CHOOSER_VICTIM: RouletteChooser
ROULETTE_CHOOSER_PLAYER: RouletteChooser
SCORING_UNSPECIFIED: Scoring
SCORING_SINGLE_ROUND: Scoring
SCORING_WINNER_TAKES: Scoring
SCORING_LOW_TOTAL: Scoring
SCORING_ELIMINATION: Scoring
TEAMS_UNSPECIFIED: Teams
TEAMS_NONE: Teams
TEAMS_PAIRS: Teams

class Rules(_message.Message):
    __slots__ = ("deck", "deck_extras", "deck_counts", "max_players", "hand_size", "dealer_pick", "next_dealer", "first_card", "first_card_rejects", "action_match", "voluntary_draw", "draw_mode", "drawn_card", "reverse_two_players", "wd4_legality", "wd4_enforcement", "stacking", "stack_pairs", "uno_penalty_cards", "uno_penalty_skip_turn", "uno_penalty_source", "uno_window", "uno_self_correct", "uno_required_to_finish", "finish_card", "finish_draw_counts", "shuffle_pool", "seven_zero", "jump_in", "mercy_limit", "roulette_chooser", "custom_rules", "scoring", "target_points", "extra_wild_points", "mercy_bonus", "teams", "partner_talk")
    DECK_FIELD_NUMBER: _ClassVar[int]
    DECK_EXTRAS_FIELD_NUMBER: _ClassVar[int]
    DECK_COUNTS_FIELD_NUMBER: _ClassVar[int]
    MAX_PLAYERS_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZE_FIELD_NUMBER: _ClassVar[int]
    DEALER_PICK_FIELD_NUMBER: _ClassVar[int]
    NEXT_DEALER_FIELD_NUMBER: _ClassVar[int]
    FIRST_CARD_FIELD_NUMBER: _ClassVar[int]
    FIRST_CARD_REJECTS_FIELD_NUMBER: _ClassVar[int]
    ACTION_MATCH_FIELD_NUMBER: _ClassVar[int]
    VOLUNTARY_DRAW_FIELD_NUMBER: _ClassVar[int]
    DRAW_MODE_FIELD_NUMBER: _ClassVar[int]
    DRAWN_CARD_FIELD_NUMBER: _ClassVar[int]
    REVERSE_TWO_PLAYERS_FIELD_NUMBER: _ClassVar[int]
    WD4_LEGALITY_FIELD_NUMBER: _ClassVar[int]
    WD4_ENFORCEMENT_FIELD_NUMBER: _ClassVar[int]
    STACKING_FIELD_NUMBER: _ClassVar[int]
    STACK_PAIRS_FIELD_NUMBER: _ClassVar[int]
    UNO_PENALTY_CARDS_FIELD_NUMBER: _ClassVar[int]
    UNO_PENALTY_SKIP_TURN_FIELD_NUMBER: _ClassVar[int]
    UNO_PENALTY_SOURCE_FIELD_NUMBER: _ClassVar[int]
    UNO_WINDOW_FIELD_NUMBER: _ClassVar[int]
    UNO_SELF_CORRECT_FIELD_NUMBER: _ClassVar[int]
    UNO_REQUIRED_TO_FINISH_FIELD_NUMBER: _ClassVar[int]
    FINISH_CARD_FIELD_NUMBER: _ClassVar[int]
    FINISH_DRAW_COUNTS_FIELD_NUMBER: _ClassVar[int]
    SHUFFLE_POOL_FIELD_NUMBER: _ClassVar[int]
    SEVEN_ZERO_FIELD_NUMBER: _ClassVar[int]
    JUMP_IN_FIELD_NUMBER: _ClassVar[int]
    MERCY_LIMIT_FIELD_NUMBER: _ClassVar[int]
    ROULETTE_CHOOSER_FIELD_NUMBER: _ClassVar[int]
    CUSTOM_RULES_FIELD_NUMBER: _ClassVar[int]
    SCORING_FIELD_NUMBER: _ClassVar[int]
    TARGET_POINTS_FIELD_NUMBER: _ClassVar[int]
    EXTRA_WILD_POINTS_FIELD_NUMBER: _ClassVar[int]
    MERCY_BONUS_FIELD_NUMBER: _ClassVar[int]
    TEAMS_FIELD_NUMBER: _ClassVar[int]
    PARTNER_TALK_FIELD_NUMBER: _ClassVar[int]
    deck: Deck
    deck_extras: DeckExtras
    deck_counts: _containers.RepeatedCompositeFieldContainer[CardCount]
    max_players: int
    hand_size: int
    dealer_pick: DealerPick
    next_dealer: NextDealer
    first_card: FirstCard
    first_card_rejects: FirstCardRejects
    action_match: ActionMatch
    voluntary_draw: bool
    draw_mode: DrawMode
    drawn_card: DrawnCard
    reverse_two_players: ReverseTwoPlayers
    wd4_legality: Wd4Legality
    wd4_enforcement: Wd4Enforcement
    stacking: Stacking
    stack_pairs: _containers.RepeatedCompositeFieldContainer[StackPair]
    uno_penalty_cards: int
    uno_penalty_skip_turn: bool
    uno_penalty_source: UnoPenaltySource
    uno_window: UnoWindow
    uno_self_correct: bool
    uno_required_to_finish: bool
    finish_card: FinishCard
    finish_draw_counts: bool
    shuffle_pool: ShufflePool
    seven_zero: bool
    jump_in: JumpInMode
    mercy_limit: int
    roulette_chooser: RouletteChooser
    custom_rules: _containers.RepeatedCompositeFieldContainer[CustomRule]
    scoring: Scoring
    target_points: int
    extra_wild_points: int
    mercy_bonus: int
    teams: Teams
    partner_talk: bool
    def __init__(self, deck: _Optional[_Union[Deck, str]] = ..., deck_extras: _Optional[_Union[DeckExtras, _Mapping]] = ..., deck_counts: _Optional[_Iterable[_Union[CardCount, _Mapping]]] = ..., max_players: _Optional[int] = ..., hand_size: _Optional[int] = ..., dealer_pick: _Optional[_Union[DealerPick, str]] = ..., next_dealer: _Optional[_Union[NextDealer, str]] = ..., first_card: _Optional[_Union[FirstCard, str]] = ..., first_card_rejects: _Optional[_Union[FirstCardRejects, str]] = ..., action_match: _Optional[_Union[ActionMatch, str]] = ..., voluntary_draw: _Optional[bool] = ..., draw_mode: _Optional[_Union[DrawMode, str]] = ..., drawn_card: _Optional[_Union[DrawnCard, str]] = ..., reverse_two_players: _Optional[_Union[ReverseTwoPlayers, str]] = ..., wd4_legality: _Optional[_Union[Wd4Legality, str]] = ..., wd4_enforcement: _Optional[_Union[Wd4Enforcement, str]] = ..., stacking: _Optional[_Union[Stacking, str]] = ..., stack_pairs: _Optional[_Iterable[_Union[StackPair, _Mapping]]] = ..., uno_penalty_cards: _Optional[int] = ..., uno_penalty_skip_turn: _Optional[bool] = ..., uno_penalty_source: _Optional[_Union[UnoPenaltySource, str]] = ..., uno_window: _Optional[_Union[UnoWindow, str]] = ..., uno_self_correct: _Optional[bool] = ..., uno_required_to_finish: _Optional[bool] = ..., finish_card: _Optional[_Union[FinishCard, str]] = ..., finish_draw_counts: _Optional[bool] = ..., shuffle_pool: _Optional[_Union[ShufflePool, str]] = ..., seven_zero: _Optional[bool] = ..., jump_in: _Optional[_Union[JumpInMode, str]] = ..., mercy_limit: _Optional[int] = ..., roulette_chooser: _Optional[_Union[RouletteChooser, str]] = ..., custom_rules: _Optional[_Iterable[_Union[CustomRule, _Mapping]]] = ..., scoring: _Optional[_Union[Scoring, str]] = ..., target_points: _Optional[int] = ..., extra_wild_points: _Optional[int] = ..., mercy_bonus: _Optional[int] = ..., teams: _Optional[_Union[Teams, str]] = ..., partner_talk: _Optional[bool] = ...) -> None: ...

class RulesChoice(_message.Message):
    __slots__ = ("preset", "overrides", "custom_rules")
    PRESET_FIELD_NUMBER: _ClassVar[int]
    OVERRIDES_FIELD_NUMBER: _ClassVar[int]
    CUSTOM_RULES_FIELD_NUMBER: _ClassVar[int]
    preset: str
    overrides: _containers.RepeatedCompositeFieldContainer[RulesOverride]
    custom_rules: _containers.RepeatedCompositeFieldContainer[CustomRule]
    def __init__(self, preset: _Optional[str] = ..., overrides: _Optional[_Iterable[_Union[RulesOverride, _Mapping]]] = ..., custom_rules: _Optional[_Iterable[_Union[CustomRule, _Mapping]]] = ...) -> None: ...

class RulesOverride(_message.Message):
    __slots__ = ("option", "value")
    OPTION_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    option: str
    value: str
    def __init__(self, option: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class DeckExtras(_message.Message):
    __slots__ = ("shuffle_hands", "swap_hands", "custom_wild")
    SHUFFLE_HANDS_FIELD_NUMBER: _ClassVar[int]
    SWAP_HANDS_FIELD_NUMBER: _ClassVar[int]
    CUSTOM_WILD_FIELD_NUMBER: _ClassVar[int]
    shuffle_hands: int
    swap_hands: int
    custom_wild: int
    def __init__(self, shuffle_hands: _Optional[int] = ..., swap_hands: _Optional[int] = ..., custom_wild: _Optional[int] = ...) -> None: ...

class CardCount(_message.Message):
    __slots__ = ("card", "card_count")
    CARD_FIELD_NUMBER: _ClassVar[int]
    CARD_COUNT_FIELD_NUMBER: _ClassVar[int]
    card: _card_pb2.Card
    card_count: int
    def __init__(self, card: _Optional[_Union[_card_pb2.Card, _Mapping]] = ..., card_count: _Optional[int] = ...) -> None: ...

class StackPair(_message.Message):
    __slots__ = ("answered", "answer")
    ANSWERED_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    answered: _card_pb2.Face
    answer: _card_pb2.Face
    def __init__(self, answered: _Optional[_Union[_card_pb2.Face, str]] = ..., answer: _Optional[_Union[_card_pb2.Face, str]] = ...) -> None: ...

class CustomRule(_message.Message):
    __slots__ = ("rule_id", "text", "operations", "lose_turn", "kind")
    RULE_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    LOSE_TURN_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    rule_id: str
    text: str
    operations: _containers.RepeatedScalarFieldContainer[str]
    lose_turn: bool
    kind: CustomKind
    def __init__(self, rule_id: _Optional[str] = ..., text: _Optional[str] = ..., operations: _Optional[_Iterable[str]] = ..., lose_turn: _Optional[bool] = ..., kind: _Optional[_Union[CustomKind, str]] = ...) -> None: ...
