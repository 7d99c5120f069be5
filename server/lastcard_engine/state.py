"""
What is true of a match at one moment?

`State` is mutable and changes only through the verbs of `transition`, which check before they
change; `clone` makes an independent copy cheaply. It holds secrets (hands, draw pile, deal key):
whatever leaves it for a seat goes through `views`.
"""

from enum import StrEnum
from typing import Final

from lastcard_engine.actions import Action
from lastcard_engine.cards import Card, Colour, Seat
from lastcard_engine.custom_state import Custom
from lastcard_engine.rules import Rules
from lastcard_engine.settings import Settings
from lastcard_engine.tables import NOTHING_FITS, Row, Tables, tables


class Phase(StrEnum):
    """What the match waits for, reactions apart."""

    NOT_STARTED = "not_started"
    PLAY = "play"
    """The seat on turn lays a card or draws."""
    PLAY_OR_KEEP = "play_or_keep"
    """The seat on turn has drawn and lays the drawn card or keeps it."""
    CHALLENGE = "challenge"
    """The seat on turn faces a wild draw four that it may challenge."""
    ANSWER_DRAW = "answer_draw"
    """The seat on turn faces a draw card that it may answer with one."""
    CHOOSE_COLOUR = "choose_colour"
    """The seat on turn names the colour of a wild that was turned first, or of a roulette."""
    CHOOSE_TARGET = "choose_target"
    """The seat on turn names whom a card is aimed at that was turned first."""
    KEEP_CARD = "keep_card"
    """The seat on turn keeps one card of a hand it would discard all of (S15)."""
    CHOOSE_CARD = "choose_card"
    """A seat lays out cards for a custom rule."""
    DARE = "dare"
    """A seat is dared by a custom rule."""
    VOTE = "vote"
    """All seats but one vote on the question of a custom rule."""
    ROUND_OVER = "round_over"
    MATCH_OVER = "match_over"


PLAYING: Final = Phase.PLAY
DECIDING: Final = Phase.PLAY_OR_KEEP
KEEPING: Final = Phase.KEEP_CARD
"""The phases of nearly all turns by names of their own: a member costs ten times a global."""


class Group:
    """
    Simultaneous questions to all seats that may react to what `actor` has just done.

    Answers are stored and come to nothing before the group closes.
    """

    __slots__ = ("actor", "answers", "asked", "serial", "unos")

    def __init__(self, actor: Seat, serial: int, asked: list[Seat], seats: int) -> None:
        self.actor = actor
        self.serial = serial
        """The turn that was just played."""
        self.asked = asked
        """Seats that are asked, in seat order after the actor."""
        self.answers: list[Action | None] = [None] * seats
        """By seat; None where nothing was answered."""
        self.unos = [False] * seats
        """By seat: whether UNO was called with the answer."""

    def clone(self) -> "Group":
        """Return an independent copy."""
        copy = Group(self.actor, self.serial, self.asked.copy(), 0)
        copy.answers = self.answers.copy()
        copy.unos = self.unos.copy()
        return copy


class Offence:
    """A wild draw four that may be challenged, judged when it was laid (Q14)."""

    __slots__ = ("hand", "lawful", "offender")

    def __init__(self, offender: Seat, hand: tuple[Card, ...], *, lawful: bool) -> None:
        self.offender = offender
        self.hand = hand
        """The hand right after the play (Q16)."""
        self.lawful = lawful


class State:
    """A match. Read its attributes freely, change them only through `transition`."""

    __slots__ = (
        "actions",
        "active",
        "begun",
        "called",
        "caught",
        "colour",
        "credit",
        "custom",
        "deal_key",
        "dealer",
        "direction",
        "discards",
        "draw_pile",
        "drawn",
        "duties",
        "duty",
        "forfeited",
        "group",
        "hands",
        "laid_by",
        "lap",
        "lawful",
        "left",
        "live",
        "lost",
        "offence",
        "owed_skip",
        "pending",
        "phase",
        "round_number",
        "row",
        "rules",
        "seat_count",
        "serial",
        "settings",
        "shuffles",
        "tables",
        "totals",
        "turn",
        "window",
        "winners",
    )

    rules: Rules
    settings: Settings
    seat_count: int
    deal_key: bytes
    """32 bytes that deal every card; secret."""
    tables: Tables
    phase: Phase
    round_number: int
    """1-based; 0 before the first round."""
    shuffles: int
    """Shuffles made in this round."""
    turn: Seat
    """Who is on turn; meaningful while a round runs."""
    serial: int
    """Counts the turns of a round, those of jump-ins included."""
    begun: bool
    """Whether the seat on turn has acted in it (R169)."""
    direction: int
    """1 clockwise, -1 counter-clockwise."""
    dealer: Seat
    colour: Colour | None
    """The colour in force; None before there is one."""
    row: Row
    """What each card offers now, by card; empty where it does not fit."""
    draw_pile: list[Card]
    """The top card is the last; secret."""
    discards: list[Card]
    """The top card is the last."""
    hands: list[list[Card]]
    """By seat, in canonical order; secret."""
    drawn: Card | None
    """The card drawn in this turn, while it may be laid; known to its owner alone."""
    offence: Offence | None
    """The wild draw four the seat on turn faces and may challenge."""
    pending: int
    """How many cards the seat on turn has to draw unless it answers or challenges; 0 for none."""
    active: list[bool]
    """By seat: whether it takes part in the round."""
    live: int
    """How many seats are active."""
    left: list[int]
    """By seat: the round in which it left the match for good, 0 while it is in."""
    forfeited: list[bool]
    lost: list[int]
    """By seat: the value of its hand when it was knocked out of the round (S12)."""
    totals: list[int]
    duty: list[int]
    """By seat: the turn in which it laid its next-to-last card without a call; 0 for none."""
    duties: int
    """How many seats can be caught."""
    called: list[bool]
    """By seat: whether it has called UNO on the one card it holds."""
    caught: list[bool]
    """By seat: whether it was caught on the one card it holds and may not call any more (Q69)."""
    credit: Seat | None
    """Who has called UNO ahead of the play that is to leave one card (Q07)."""
    custom: Custom | None
    """What custom wilds have left on the table; None where the rules have no custom rule."""
    owed_skip: list[bool]
    """By seat: whether it sits out its next turn (Q11)."""
    laid_by: Seat | None
    """Who laid the top card, while others may jump in on it; else None."""
    lawful: bool
    """Whether the latest wild draw four was lawful (S17); secret until a challenge."""
    lap: int
    """Turns in a row in which no card was laid or drawn (S02)."""
    actions: int
    """Turn actions in this round."""
    group: Group | None
    """The simultaneous questions that are open."""
    window: bool
    """Whether the pause for reactions is open (race)."""
    winners: tuple[Seat, ...]
    """Who won the latest round."""

    def __init__(self, rules: Rules, settings: Settings, seat_count: int, deal_key: bytes) -> None:
        self.rules = rules
        self.settings = settings
        self.seat_count = seat_count
        self.deal_key = deal_key
        self.tables = tables(rules)
        self.phase = Phase.NOT_STARTED
        self.round_number = 0
        self.shuffles = 0
        self.turn = Seat(0)
        self.serial = 0
        self.begun = False
        self.direction = 1
        self.dealer = Seat(0)
        self.colour = None
        self.row = NOTHING_FITS
        self.draw_pile = []
        self.discards = []
        self.hands = [[] for _ in range(seat_count)]
        self.drawn = None
        self.offence = None
        self.pending = 0
        self.active = [False] * seat_count
        self.live = 0
        self.left = [0] * seat_count
        self.forfeited = [False] * seat_count
        self.lost = [0] * seat_count
        self.totals = [0] * seat_count
        self.duty = [0] * seat_count
        self.duties = 0
        self.called = [False] * seat_count
        self.caught = [False] * seat_count
        self.credit = None
        self.custom = Custom(seat_count) if rules.custom_rules else None
        self.owed_skip = [False] * seat_count
        self.laid_by = None
        self.lawful = True
        self.lap = 0
        self.actions = 0
        self.group = None
        self.window = False
        self.winners = ()

    @property
    def top(self) -> Card | None:
        """The top of the discard pile; None before a round is dealt."""
        return self.discards[-1] if self.discards else None

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.phase is Phase.MATCH_OVER

    @property
    def running(self) -> bool:
        """Whether a round is being played."""
        return self.phase in RUNNING

    def clone(self) -> "State":
        """Return an independent copy."""
        copy = State(self.rules, self.settings, self.seat_count, self.deal_key)
        copy.actions = self.actions
        copy.active = self.active.copy()
        copy.begun = self.begun
        copy.called = self.called.copy()
        copy.caught = self.caught.copy()
        copy.colour = self.colour
        copy.credit = self.credit
        copy.custom = None if self.custom is None else self.custom.clone()
        copy.dealer = self.dealer
        copy.direction = self.direction
        copy.discards = self.discards.copy()
        copy.draw_pile = self.draw_pile.copy()
        copy.drawn = self.drawn
        copy.duties = self.duties
        copy.duty = self.duty.copy()
        copy.forfeited = self.forfeited.copy()
        copy.group = None if self.group is None else self.group.clone()
        copy.hands = [hand.copy() for hand in self.hands]
        copy.laid_by = self.laid_by
        copy.lap = self.lap
        copy.lawful = self.lawful
        copy.left = self.left.copy()
        copy.live = self.live
        copy.lost = self.lost.copy()
        copy.offence = self.offence
        copy.owed_skip = self.owed_skip.copy()
        copy.pending = self.pending
        copy.phase = self.phase
        copy.round_number = self.round_number
        copy.row = self.row
        copy.serial = self.serial
        copy.shuffles = self.shuffles
        copy.totals = self.totals.copy()
        copy.turn = self.turn
        copy.window = self.window
        copy.winners = self.winners
        return copy


RUNNING = (
    Phase.PLAY,
    Phase.PLAY_OR_KEEP,
    Phase.CHALLENGE,
    Phase.ANSWER_DRAW,
    Phase.CHOOSE_COLOUR,
    Phase.CHOOSE_TARGET,
    Phase.KEEP_CARD,
    Phase.CHOOSE_CARD,
    Phase.DARE,
    Phase.VOTE,
)
"""Phases in which a round is being played."""
