"""
What is said of a card that may not be laid so, on the own turn or out of it?

The sentences name no card but the asker's own.
"""

from collections.abc import Mapping
from typing import Final

from lastcard_engine.actions import JumpIn, Play
from lastcard_engine.cards import Seat, format_card
from lastcard_engine.errors import Reason, RuleViolation
from lastcard_engine.legal import targets_of
from lastcard_engine.state import State

_LAST: Final[Mapping[Reason, str]] = {
    Reason.FINISH_NUMBER_ONLY: "the last card must be a number; {} is none",
    Reason.UNO_NOT_CALLED: "the last card needs a call of UNO before it; you have not called",
}


def not_last(reason: Reason, action: Play | JumpIn) -> RuleViolation:
    """Say why a card may not be the last one; `reason` is that of `legal.why_not_last`."""
    return RuleViolation(reason, _LAST[reason].format(format_card(action.card)))


def bad_target(state: State, seat: Seat, action: Play | JumpIn) -> RuleViolation:
    """Say what is wrong with the target of a card, or that it lacks one (Q31, Q32, S14)."""
    name = format_card(action.card)
    if not state.tables.aimed[action.card] or len(state.hands[seat]) == 1:
        return RuleViolation(Reason.BAD_TARGET, f"{name} is aimed at nobody; leave the target out")
    others = " or ".join(map(str, targets_of(state, seat)))
    if action.target is None:
        return RuleViolation(
            Reason.TARGET_NEEDED, f"{name} needs a seat to swap hands with: {others}"
        )
    return RuleViolation(Reason.BAD_TARGET, f"{name} can be aimed at seat {others} only")
