"""
By which rules is a match played?

`Rules` holds every option of the rules, each an enum, a number or a flag; behaviour reads these
values and nothing else. Which values are legal and built stands in `options`, named sets in
`presets`.
"""

from dataclasses import dataclass
from enum import StrEnum

from lastcard_engine.cards import Card


class Deck(StrEnum):
    """Which cards make up the deck."""

    CLASSIC_108 = "classic_108"
    """108 cards, plus the extras."""
    NO_MERCY_168 = "no_mercy_168"
    """168 cards of No Mercy."""
    CUSTOM = "custom"
    """The cards of deck_counts."""


class DealerPick(StrEnum):
    """How the first dealer is found."""

    DRAW_HIGH = "draw_high"
    """Every seat draws a card; the highest number deals, symbols are zero."""
    RANDOM = "random"
    """By lot."""
    HOST = "host"
    """The last seat."""


class NextDealer(StrEnum):
    """Who deals the next round (Q20)."""

    LEFT = "left"
    """The seat on the dealer's left."""
    WINNER = "winner"
    """The winner of the round."""
    DRAW_HIGH = "draw_high"
    """A new draw."""


class FirstCard(StrEnum):
    """What a special card does that is turned first (R039-R059)."""

    NUMBER_ONLY = "number_only"
    """Cards are turned until a number lies there."""
    APPLY = "apply"
    """It takes effect on the seat left of the dealer."""
    DEALER_PLAYED = "dealer_played"
    """It counts as laid by the dealer."""
    FACE_ONLY = "face_only"
    """It has no effect; its colour, number or symbol is followed."""


class FirstCardRejects(StrEnum):
    """Where cards go that were turned but may not start the pile (Q67)."""

    SHUFFLE_BACK = "shuffle_back"
    """Shuffled back into the draw pile."""
    BOTTOM = "bottom"
    """To the bottom of the draw pile."""
    UNDER_DISCARD = "under_discard"
    """Under the start card."""


class ActionMatch(StrEnum):
    """When a coloured symbol card may be laid (C24)."""

    COLOUR_OR_SYMBOL = "colour_or_symbol"
    """Colour or symbol."""
    COLOUR_ONLY = "colour_only"
    """Colour only."""
    ANY = "any"
    """Anything."""


class DrawMode(StrEnum):
    """How many cards are drawn on a turn."""

    ONE = "one"
    """One."""
    UNTIL_PLAYABLE = "until_playable"
    """Until one fits."""


class DrawnCard(StrEnum):
    """Whether a drawn card that fits must be laid (C12)."""

    MAY_PLAY = "may_play"
    """It may be laid or kept."""
    MUST_PLAY = "must_play"
    """It must be laid."""


class ReverseTwoPlayers(StrEnum):
    """What a reverse does between two players (C22)."""

    SKIP = "skip"
    """It skips the other player."""
    TURN_ONLY = "turn_only"
    """The turn passes to the other player."""


class DrawFourLegality(StrEnum):
    """When a wild draw four may lawfully be laid (C07)."""

    NO_COLOUR = "no_colour"
    """With no card of the colour in force in hand."""
    NO_PLAYABLE = "no_playable"
    """With no other playable card in hand."""
    FREE = "free"
    """Always."""


class DrawFourEnforcement(StrEnum):
    """What an unlawful wild draw four costs (C09)."""

    CHALLENGE = "challenge"
    """The seat hit may challenge."""
    AUTO_PENALTY = "auto_penalty"
    """The offender draws four as well."""
    BLOCK = "block"
    """It cannot be laid."""


class Stacking(StrEnum):
    """Whether a draw card may answer a draw card (C34)."""

    NONE = "none"
    """No."""
    PAIRS = "pairs"
    """As stack_pairs lists."""
    EQUAL_OR_HIGHER = "equal_or_higher"
    """With the same or a higher value."""


class StackPair(StrEnum):
    """Which draw card may be answered with which: answered > answer (C35)."""

    D2_D2 = "d2>d2"
    """A draw two with a draw two."""
    D2_WD4 = "d2>wd4"
    """A draw two with a wild draw four."""
    WD4_D2 = "wd4>d2"
    """A wild draw four with a draw two."""
    WD4_WD4 = "wd4>wd4"
    """A wild draw four with a wild draw four."""


class UnoPenaltySource(StrEnum):
    """Where the cards of the UNO penalty come from (C18)."""

    DRAW_PILE = "draw_pile"
    """The draw pile."""
    DISCARD_PILE = "discard_pile"
    """The discard pile, beneath the top card."""


class UnoWindow(StrEnum):
    """How long a forgotten call can be caught (C13)."""

    NEXT_TURN_STARTS = "next_turn_starts"
    """Until the next player's turn begins."""
    NEXT_TURN_ENDS = "next_turn_ends"
    """Until the next player's turn is complete."""
    OWN_NEXT_TURN = "own_next_turn"
    """Until the seat's own next turn."""
    OPEN = "open"
    """As long as the seat holds one card."""


class FinishCard(StrEnum):
    """Which card may be laid last (C33)."""

    ANY = "any"
    """Any card."""
    NUMBER_ONLY = "number_only"
    """A number."""


class ShufflePool(StrEnum):
    """Whose cards a shuffle-hands card collects (C29)."""

    ALL_HANDS = "all_hands"
    """Everybody's."""
    OTHERS_ONLY = "others_only"
    """Everybody's but the player's."""


class JumpInMode(StrEnum):
    """Whether an identical card may be laid out of turn (R232)."""

    OFF = "off"
    """No."""
    IDENTICAL = "identical"
    """A coloured card of the same colour and face as the top card."""


class RouletteChooser(StrEnum):
    """Who names the colour of a colour roulette (C40)."""

    VICTIM = "victim"
    """The seat hit."""
    PLAYER = "player"
    """The seat that laid it."""


class Scoring(StrEnum):
    """How rounds add up to a match (C27)."""

    SINGLE_ROUND = "single_round"
    """One round decides; there are no points."""
    WINNER_TAKES = "winner_takes"
    """The winner of a round scores what the others hold."""
    LOW_TOTAL = "low_total"
    """Every seat adds what it holds; the lowest total wins."""
    ELIMINATION = "elimination"
    """Every seat adds what it holds; reaching the target puts it out."""


class Teams(StrEnum):
    """Whether seats play together (R217)."""

    NONE = "none"
    """Everybody for himself."""
    PAIRS = "pairs"
    """Four seats, partners opposite."""


@dataclass(frozen=True)
class DeckExtras:
    """How many extra wilds join the deck (C01)."""

    shuffle_hands: int = 0
    """0 to 4."""
    swap_hands: int = 0
    """0 to 4."""
    custom_wild: int = 0
    """0 to 8."""


class CustomKind(StrEnum):
    """What sort of home-made rule is written on a custom wild (R154)."""

    MECHANICAL = "mechanical"
    """It moves cards or turns; its operations say how."""
    SOCIAL = "social"
    """It asks something of people at the table, which no server can watch."""
    INFORMATION = "information"
    """It shows or tells something about hands."""


@dataclass(frozen=True)
class CustomRule:
    """
    A home-made rule on a custom wild (R150): its operations run in order after the colour.

    `custom_text` reads one from plain values and refuses what cannot be played.
    """

    id: str
    """1 to 32 letters, digits and `_`."""
    text: str
    """For people, at most 200 characters."""
    kind: CustomKind = CustomKind.MECHANICAL
    """Follows from the operations (R154)."""
    ops: tuple[str, ...] = ()
    """1 to 8 operations in the notation of the rules, for instance `draw(next,3)`."""
    lose_turn: bool = False
    """Whether the next seat loses its turn when the rule is done (Q36)."""


@dataclass(frozen=True)
class Rules:
    """
    Every option of the rules, with its default. What an enum decides, the enum says.

    Construct it with `presets.make_rules`; a value built by hand has to pass `presets.validate`.
    """

    deck: Deck = Deck.CLASSIC_108
    deck_extras: DeckExtras = DeckExtras()
    """Joins the deck, whichever it is."""
    deck_counts: tuple[tuple[Card, int], ...] | None = None
    """Cards of a custom deck with their copies, canonical order; None for the other decks."""
    max_players: int = 10
    """2 to 10."""
    hand_size: int = 7
    """Cards dealt to each seat, 1 to 15."""
    dealer_pick: DealerPick = DealerPick.DRAW_HIGH
    next_dealer: NextDealer = NextDealer.LEFT
    first_card: FirstCard = FirstCard.NUMBER_ONLY
    first_card_rejects: FirstCardRejects = FirstCardRejects.SHUFFLE_BACK
    action_match: ActionMatch = ActionMatch.COLOUR_OR_SYMBOL
    voluntary_draw: bool = True
    """Whether a seat that could lay a card may draw instead (R091)."""
    draw_mode: DrawMode = DrawMode.ONE
    drawn_card: DrawnCard = DrawnCard.MAY_PLAY
    reverse_two_players: ReverseTwoPlayers = ReverseTwoPlayers.SKIP
    wd4_legality: DrawFourLegality = DrawFourLegality.NO_COLOUR
    wd4_enforcement: DrawFourEnforcement = DrawFourEnforcement.CHALLENGE
    stacking: Stacking = Stacking.NONE
    stack_pairs: tuple[StackPair, ...] = (StackPair.D2_D2,)
    """What may answer what under `Stacking.PAIRS`."""
    uno_penalty_cards: int = 2
    """Cards drawn for a forgotten call, 0 to 10."""
    uno_penalty_skip_turn: bool = False
    """Whether a forgotten call also costs the next turn."""
    uno_penalty_source: UnoPenaltySource = UnoPenaltySource.DRAW_PILE
    uno_window: UnoWindow = UnoWindow.NEXT_TURN_STARTS
    uno_self_correct: bool = True
    """Whether a late call ends the duty (R177)."""
    uno_required_to_finish: bool = False
    """Whether the last card may be laid only after a call."""
    finish_card: FinishCard = FinishCard.ANY
    finish_draw_counts: bool = True
    """Whether a draw card laid last is still drawn, and counted (R187)."""
    shuffle_pool: ShufflePool = ShufflePool.ALL_HANDS
    seven_zero: bool = False
    """Whether a seven swaps hands and a zero passes them on."""
    jump_in: JumpInMode = JumpInMode.OFF
    mercy_limit: int = 0
    """Cards in hand that knock a seat out, 2 to 167; 0 = off."""
    roulette_chooser: RouletteChooser = RouletteChooser.VICTIM
    custom_rules: tuple[CustomRule, ...] = ()
    """What is written on the custom wilds, at most one rule a card: `WC1` carries the first."""
    scoring: Scoring = Scoring.WINNER_TAKES
    target_points: int = 500
    """Points that end a match, 50 to 5,000."""
    extra_wild_points: int = 50
    """Points of shuffle, swap and custom wilds: 40 or 50."""
    mercy_bonus: int = 0
    """Points for each seat that was knocked out in a round, 0 to 1,000."""
    teams: Teams = Teams.NONE
    partner_talk: bool = False
    """Whether partners may talk."""
