"""
Why was something refused?

Every refusal carries a reason for programs and one sentence for people. Neither ever names a card
that the one who is refused cannot see.
"""

from collections.abc import Sequence
from enum import StrEnum


class Reason(StrEnum):
    """Why an action was refused; the state is then unchanged."""

    NOT_STARTED = "not_started"
    """No round has been dealt yet."""
    ROUND_OVER = "round_over"
    """The round is over and the next one not dealt."""
    MATCH_OVER = "match_over"
    """The match is over."""
    ROUND_RUNNING = "round_running"
    """A round is running, so that none can be started."""
    NO_SUCH_SEAT = "no_such_seat"
    """The table has no seat of that number."""
    SEAT_OUT = "seat_out"
    """The seat is out of the round, or has left the match."""
    NOT_YOUR_TURN = "not_your_turn"
    """The seat is not asked."""
    NOT_TARGET = "not_target"
    """The draw card is aimed at another seat."""
    NOT_OFFERED = "not_offered"
    """It is not among what the seat may do now."""
    WINDOW_OPEN = "window_open"
    """The pause for reactions is not over."""
    NO_WINDOW = "no_window"
    """No pause for reactions is open."""
    GROUP_OPEN = "group_open"
    """Not every seat of the group has answered."""
    NO_GROUP = "no_group"
    """No group is open."""
    ALREADY_ANSWERED = "already_answered"
    """The seat has answered in this group."""
    CARD_NOT_IN_HAND = "card_not_in_hand"
    """The seat does not hold the card."""
    CARD_DOES_NOT_MATCH = "card_does_not_match"
    """The card has neither the colour nor the face that is needed."""
    ONLY_DRAWN_CARD = "only_drawn_card"
    """After drawing, the drawn card alone may be laid."""
    FINISH_NUMBER_ONLY = "finish_number_only"
    """The last card must be a number."""
    UNO_NOT_CALLED = "uno_not_called"
    """The last card may be laid only after a call of UNO."""
    DRAW_FOUR_UNLAWFUL = "draw_four_unlawful"
    """The wild draw four is blocked, since the hand could do otherwise."""
    STACK_TOO_LOW = "stack_too_low"
    """The draw card may not be laid on the one that is faced."""
    MUST_PLAY = "must_play"
    """A card that fits must be laid."""
    MUST_ANSWER = "must_answer"
    """The draw card that is faced must be taken, answered or challenged first."""
    ALREADY_DRAWN = "already_drawn"
    """The seat has drawn on this turn."""
    CANNOT_KEEP = "cannot_keep"
    """There is no drawn card to keep."""
    NOTHING_TO_ACCEPT = "nothing_to_accept"
    """No draw card waits to be taken."""
    NOTHING_TO_CHALLENGE = "nothing_to_challenge"
    """No wild draw four waits to be challenged."""
    NOTHING_TO_CATCH = "nothing_to_catch"
    """The seat named has not forgotten a call, or the time to catch it is over."""
    ALREADY_BEGUN = "already_begun"
    """The turn has begun already."""
    NO_COLOUR_TO_CHOOSE = "no_colour_to_choose"
    """No colour waits to be named."""
    NO_TARGET_TO_CHOOSE = "no_target_to_choose"
    """No seat waits to be chosen."""
    COLOUR_NEEDED = "colour_needed"
    """A wild that is laid or was turned first needs its colour named."""
    BAD_COLOUR = "bad_colour"
    """A colour is named where none belongs, or none of the four."""
    BAD_TARGET = "bad_target"
    """A seat is named where none belongs, or one that cannot be chosen."""
    TARGET_NEEDED = "target_needed"
    """A card that swaps hands and is laid or was turned first needs the seat to swap with."""
    NOT_IDENTICAL = "not_identical"
    """The card is not the same as the top card."""
    JUMP_IN_CLOSED = "jump_in_closed"
    """Nobody may jump in now."""


class RuleViolation(ValueError):
    """An action the rules do not allow now; nothing has changed."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class OptionReason(StrEnum):
    """Why a set of rules was refused."""

    UNKNOWN_PRESET = "unknown_preset"
    """No preset has this name."""
    UNKNOWN_OPTION = "unknown_option"
    """No option has this name."""
    BAD_VALUE = "bad_value"
    """The option cannot have this value."""
    NO_NUMBER_CARDS = "no_number_cards"
    """The deck has no card that could start the discard pile."""
    CONTRADICTION = "contradiction"
    """The options exclude each other."""


class RulesError(ValueError):
    """A preset, option or value that cannot be played by."""

    def __init__(
        self, reason: OptionReason, option: str, value: object, allowed: Sequence[str], message: str
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.option = option
        self.value = value
        self.allowed = tuple(allowed)
        self.message = message


class RecordError(ValueError):
    """
    A match record that does not follow from its rules, its deal and its entries.

    `version` is that of the first wrong entry, 0 when the head of the record is wrong.
    """

    def __init__(self, version: int, message: str) -> None:
        super().__init__(message)
        self.version = version
        self.message = message
