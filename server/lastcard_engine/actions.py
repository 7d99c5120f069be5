"""
What can a seat do?

Actions are frozen and shared: build them with the tables and functions here or with their
classes, they compare equal either way. The call of UNO is no action of its own when it goes with
a play: it travels beside it as a flag.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from lastcard_engine.cards import ALL_CARDS, COLOURS, FIRST_WILD, Card, Colour, Seat


@dataclass(frozen=True)
class Play:
    """Lay a card, on the own turn or after drawing it (R060, R088; S01)."""

    card: Card
    colour: Colour | None = None
    """The colour a wild names; None for coloured cards, may be None on the last card (Q42)."""
    target: Seat | None = None
    """Whom the card is aimed at, where its effect lets the player choose."""


@dataclass(frozen=True)
class Draw:
    """Draw instead of laying a card (R087, R091)."""


@dataclass(frozen=True)
class Keep:
    """Keep the drawn card and end the turn (R090)."""


@dataclass(frozen=True)
class AcceptDraw:
    """Take the cards a draw card demands and lose the turn (R137)."""


@dataclass(frozen=True)
class Challenge:
    """Doubt that a wild draw four was lawful (R126)."""


@dataclass(frozen=True)
class ChooseColour:
    """Name the colour for a wild turned as first card (R043)."""

    colour: Colour


@dataclass(frozen=True)
class ChooseTarget:
    """Name the seat to swap hands with for a card turned as first card."""

    target: Seat


@dataclass(frozen=True)
class CallUno:
    """Call UNO outside a play, for instance late but before being caught (R177)."""


@dataclass(frozen=True)
class Catch:
    """Point out that a seat with one card has not called UNO (R168)."""

    target: Seat


@dataclass(frozen=True)
class BeginTurn:
    """Touch the discard pile: the turn has begun and the catch is over (R169)."""


@dataclass(frozen=True)
class JumpIn:
    """Lay a card identical to the top one out of turn (R232)."""

    card: Card
    target: Seat | None = None
    """Whom the card is aimed at, where its effect lets the player choose."""


@dataclass(frozen=True)
class ChooseCard:
    """Choose one card of the own hand, where an effect asks for one (S15)."""

    card: Card


@dataclass(frozen=True)
class AnswerDare:
    """Say that a dare is done, or pay for it instead (R155)."""

    done: bool


@dataclass(frozen=True)
class CastVote:
    """Vote on the question of a custom rule (R163, Q40)."""

    yes: bool


@dataclass(frozen=True)
class Pass:
    """Let an opportunity go by: to react, or to lay out more cards."""


Action = (
    Play
    | Draw
    | Keep
    | AcceptDraw
    | Challenge
    | ChooseColour
    | ChooseTarget
    | CallUno
    | Catch
    | BeginTurn
    | JumpIn
    | ChooseCard
    | AnswerDare
    | CastVote
    | Pass
)

DRAW: Final = Draw()
KEEP: Final = Keep()
ACCEPT_DRAW: Final = AcceptDraw()
CHALLENGE: Final = Challenge()
CALL_UNO: Final = CallUno()
BEGIN_TURN: Final = BeginTurn()
PASS: Final = Pass()

ANSWERS_TO_DARE: Final = (AnswerDare(done=True), AnswerDare(done=False))
VOTES: Final = (CastVote(yes=True), CastVote(yes=False))
CHOICES_OF_CARD: Final = tuple(ChooseCard(card) for card in ALL_CARDS)
"""Indexed by card."""
CHOICES_OF_COLOUR: Final = tuple(ChooseColour(colour) for colour in COLOURS)
CHOICES_OF_TARGET: Final = tuple(ChooseTarget(Seat(seat)) for seat in range(10))
CATCHES: Final = tuple(Catch(Seat(seat)) for seat in range(10))
JUMP_INS: Final = tuple(JumpIn(card) for card in ALL_CARDS)
"""Jump-ins without a target, indexed by card."""

BARE_PLAYS: Final = tuple(Play(card) for card in ALL_CARDS)
"""Plays without colour and target, indexed by card."""

WILD_PLAYS: Final = tuple(tuple(Play(card, c) for c in COLOURS) for card in ALL_CARDS)
"""Plays of a wild, indexed by card, then by colour; the rows of coloured cards are never used."""

PLAYS: Final = tuple(
    (BARE_PLAYS[card],) if card < FIRST_WILD else WILD_PLAYS[card] for card in ALL_CARDS
)
"""The plays a card offers in the middle of a hand, canonical order, indexed by card."""

LAST_PLAYS: Final = tuple(
    (BARE_PLAYS[card],) if card < FIRST_WILD else (BARE_PLAYS[card], *WILD_PLAYS[card])
    for card in ALL_CARDS
)
"""The plays a last card offers: naming a colour is optional then (Q42)."""


@lru_cache(maxsize=4096)
def aimed_plays(card: Card, targets: tuple[Seat, ...]) -> tuple[Play, ...]:
    """Return the plays of a card that is aimed at one of these seats, canonical order."""
    return tuple(Play(card, play.colour, target) for play in PLAYS[card] for target in targets)


@lru_cache(maxsize=4096)
def aimed_jump_ins(card: Card, targets: tuple[Seat, ...]) -> tuple[JumpIn, ...]:
    """Return the jump-ins with a card that is aimed at one of these seats, in seat order."""
    return tuple(JumpIn(card, target) for target in targets)
