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
    ROUND_OVER = "round_over"
    MATCH_OVER = "match_over"
    ROUND_RUNNING = "round_running"
    NO_SUCH_SEAT = "no_such_seat"
    SEAT_OUT = "seat_out"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_TARGET = "not_target"
    NOT_OFFERED = "not_offered"
    WINDOW_OPEN = "window_open"
    NO_WINDOW = "no_window"
    GROUP_OPEN = "group_open"
    NO_GROUP = "no_group"
    ALREADY_ANSWERED = "already_answered"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    CARD_DOES_NOT_MATCH = "card_does_not_match"
    ONLY_DRAWN_CARD = "only_drawn_card"
    FINISH_NUMBER_ONLY = "finish_number_only"
    DRAW_FOUR_UNLAWFUL = "draw_four_unlawful"
    MUST_PLAY = "must_play"
    MUST_ANSWER = "must_answer"
    ALREADY_DRAWN = "already_drawn"
    CANNOT_KEEP = "cannot_keep"
    NOTHING_TO_ACCEPT = "nothing_to_accept"
    NOTHING_TO_CHALLENGE = "nothing_to_challenge"
    NOTHING_TO_CATCH = "nothing_to_catch"
    ALREADY_BEGUN = "already_begun"
    NO_COLOUR_TO_CHOOSE = "no_colour_to_choose"
    COLOUR_NEEDED = "colour_needed"
    BAD_COLOUR = "bad_colour"
    BAD_TARGET = "bad_target"
    NOT_IDENTICAL = "not_identical"
    JUMP_IN_CLOSED = "jump_in_closed"


class RuleViolation(ValueError):
    """An action the rules do not allow now; nothing has changed."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class OptionReason(StrEnum):
    """Why a set of rules was refused."""

    UNKNOWN_PRESET = "unknown_preset"
    UNKNOWN_OPTION = "unknown_option"
    BAD_VALUE = "bad_value"
    OPTION_NOT_AVAILABLE = "option_not_available"
    CONTRADICTION = "contradiction"


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
