"""
What has happened, and who may see it?

An event is an immutable tuple. Fields that only some seats may see are marked *private to*; for
everyone else `views.redact` empties them and leaves the rest, so that all see the same events at
the same time. Everything not marked is public. A field named `count` hides the method of tuples,
which nobody needs here.
"""

from enum import StrEnum
from typing import NamedTuple

from lastcard_engine.cards import Card, Colour, Seat
from lastcard_engine.custom_events import (
    DareAnswered,
    Dared,
    DrawRaised,
    HandsOpened,
    Restricted,
    RestrictionsLifted,
    VoteCounted,
    VoteOpened,
)


class DrawCause(StrEnum):
    """Why cards were drawn."""

    TURN = "turn"
    DRAW_CARD = "draw_card"
    CHALLENGE_LOST = "challenge_lost"
    CHALLENGE_WON = "challenge_won"
    DRAW_FOUR_UNLAWFUL = "draw_four_unlawful"
    UNO_PENALTY = "uno_penalty"
    ROULETTE = "roulette"
    CUSTOM_RULE = "custom_rule"


class SkipCause(StrEnum):
    """Why a seat lost its turn."""

    SKIP_CARD = "skip_card"
    REVERSE_CARD = "reverse_card"
    DRAW_CARD = "draw_card"
    UNO_PENALTY = "uno_penalty"
    ROULETTE = "roulette"
    CUSTOM_RULE = "custom_rule"


class RoundEnd(StrEnum):
    """Why a round ended."""

    WENT_OUT = "went_out"
    """A hand became empty (R185)."""
    LAST_STANDING = "last_standing"
    """All other seats were knocked out (NM17)."""
    BLOCKED = "blocked"
    """A full lap passed without a play and without a card drawn (S02)."""
    ACTION_CAP = "action_cap"
    """The cap on turn actions was reached (S02)."""


class MatchEnd(StrEnum):
    """Why a match ended."""

    SINGLE_ROUND = "single_round"
    TARGET_REACHED = "target_reached"
    ROUNDS_PLAYED = "rounds_played"
    LAST_STANDING = "last_standing"


class RoundStarted(NamedTuple):
    """A round begins; nothing has been dealt yet."""

    round_number: int
    """1-based."""


class DealerDrawn(NamedTuple):
    """Seats drew for the deal, face up (R026, R027, Q19)."""

    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]
    """One card for each of `seats`, in their order."""


class DealerChosen(NamedTuple):
    """The dealer of the round is known."""

    seat: Seat


class CardsDealt(NamedTuple):
    """A seat has got its first hand."""

    seat: Seat
    cards: tuple[Card, ...]
    """Canonical order; private to `seat`."""
    count: int  # type: ignore[assignment]


class StartCardRejected(NamedTuple):
    """A card was turned that may not start the pile (R044, R048)."""

    card: Card


class StartCardTurned(NamedTuple):
    """The discard pile is opened (R033)."""

    card: Card


class CardPlayed(NamedTuple):
    """A seat laid a card."""

    seat: Seat
    card: Card
    colour: Colour | None
    """The colour in force from now on; None only for a last wild laid without naming one."""
    target: Seat | None
    jump_in: bool


class CardsDiscarded(NamedTuple):
    """Cards of a hand went beneath the top card, without effect (R247, NM18, Q39)."""

    seat: Seat
    cards: tuple[Card, ...]
    """Canonical order."""


class CardsDrawn(NamedTuple):
    """A seat took cards from the draw pile (or beneath the top card, Q53)."""

    seat: Seat
    cards: tuple[Card, ...]
    """In the order they were drawn; private to `seat`."""
    count: int  # type: ignore[assignment]
    """0 when the piles were exhausted (Q01)."""
    cause: DrawCause


class CardKept(NamedTuple):
    """A seat has drawn and lays nothing; its turn ends (S05)."""

    seat: Seat


class ColourChosen(NamedTuple):
    """The colour for a wild that was turned first is named (R043)."""

    seat: Seat
    colour: Colour


class DirectionReversed(NamedTuple):
    """The direction of play has flipped (R101)."""

    direction: int
    """1 clockwise, -1 counter-clockwise: the new direction."""


class SeatSkipped(NamedTuple):
    """A seat loses its turn."""

    seat: Seat
    cause: SkipCause


class ChallengeOpened(NamedTuple):
    """A seat faces a wild draw four and may challenge it (R111)."""

    seat: Seat
    offender: Seat
    count: int  # type: ignore[assignment]
    """Cards to draw if it is accepted."""


class DrawDemanded(NamedTuple):
    """A seat faces a draw card and may answer it with one (R229, R241)."""

    seat: Seat
    count: int  # type: ignore[assignment]
    """Cards to draw if it does not."""


class HandShown(NamedTuple):
    """A challenged hand is shown to the challenger alone (R127, R128, Q16)."""

    seat: Seat
    """Whose hand."""
    viewer: Seat
    cards: tuple[Card, ...]
    """The hand right after the play, canonical order; private to `seat` and `viewer`."""
    count: int  # type: ignore[assignment]


class ChallengeResolved(NamedTuple):
    """A challenge is decided (R132-R135)."""

    challenger: Seat
    offender: Seat
    guilty: bool


class HandsShuffled(NamedTuple):
    """All hands were collected, shuffled and dealt again (R140-R145, S13)."""

    seat: Seat
    """Who laid the card."""
    counts: tuple[int, ...]
    """Cards each seat now holds, by seat."""


class HandsSwapped(NamedTuple):
    """Two seats have exchanged their hands (R148, R234)."""

    seat: Seat
    """Who chose."""
    target: Seat
    """Who was chosen."""
    counts: tuple[int, ...]
    """Cards each seat now holds, by seat."""


class HandsRotated(NamedTuple):
    """Every hand was passed on to the next seat in the direction of play (R235)."""

    seat: Seat
    """Who laid the card."""
    counts: tuple[int, ...]
    """Cards each seat now holds, by seat."""


class HandReceived(NamedTuple):
    """A seat holds another hand than before."""

    seat: Seat
    cards: tuple[Card, ...]
    """The whole new hand, canonical order; private to `seat`."""
    count: int  # type: ignore[assignment]


class UnoCalled(NamedTuple):
    """A seat with one card has called UNO."""

    seat: Seat


class UnoCaught(NamedTuple):
    """A seat was caught without a call (R168)."""

    catcher: Seat
    target: Seat


class TurnBegun(NamedTuple):
    """The seat on turn has touched the discard pile (R169)."""

    seat: Seat


class DeckReshuffled(NamedTuple):
    """The discards but the top one became the new draw pile (R191, R192)."""

    count: int  # type: ignore[assignment]
    """Cards in the new draw pile."""


class DefaultTaken(NamedTuple):
    """Time ran out on a turn; the default action follows (Q65)."""

    seat: Seat


class SeatKnockedOut(NamedTuple):
    """A seat is out of the round; its hand lies beneath the discard pile, unseen (S12, Q64)."""

    seat: Seat
    count: int  # type: ignore[assignment]
    """Cards it held."""


class SeatForfeited(NamedTuple):
    """A seat is out of this and all later rounds."""

    seat: Seat


class RoundEnded(NamedTuple):
    """A round is scored. Every tuple has one element a seat."""

    reason: RoundEnd
    winners: tuple[Seat, ...]
    """Who won the round: one seat, several in a tie, none in a void round."""
    values: tuple[int, ...]
    """The value of each hand at scoring."""
    points: tuple[int, ...]
    """What each seat's total grew by, as the scoring says."""
    value: int
    """What the winner scores under `winner_takes`, whatever the scoring is; 0 in a void round."""
    hands: tuple[tuple[Card, ...], ...]
    """The hands at scoring (Q72)."""


class MatchEnded(NamedTuple):
    """The match is over."""

    reason: MatchEnd
    places: tuple[int, ...]
    """The place of each seat, 1 is best; equal numbers share a place."""


Event = (
    RoundStarted
    | DealerDrawn
    | DealerChosen
    | CardsDealt
    | StartCardRejected
    | StartCardTurned
    | CardPlayed
    | CardsDiscarded
    | CardsDrawn
    | CardKept
    | ColourChosen
    | DirectionReversed
    | SeatSkipped
    | ChallengeOpened
    | DrawDemanded
    | HandShown
    | ChallengeResolved
    | HandsShuffled
    | HandsSwapped
    | HandsRotated
    | HandReceived
    | HandsOpened
    | DrawRaised
    | Dared
    | DareAnswered
    | VoteOpened
    | VoteCounted
    | Restricted
    | RestrictionsLifted
    | UnoCalled
    | UnoCaught
    | TurnBegun
    | DeckReshuffled
    | DefaultTaken
    | SeatKnockedOut
    | SeatForfeited
    | RoundEnded
    | MatchEnded
)
