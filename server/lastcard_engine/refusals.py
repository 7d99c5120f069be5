"""
What is said of a card that may not be laid so, on the own turn or out of it?

The sentences name no card but the asker's own.
"""

from collections.abc import Mapping
from typing import Final, NoReturn

from lastcard_engine.actions import JumpIn, Play
from lastcard_engine.cards import Seat, format_card
from lastcard_engine.errors import Reason, RuleViolation
from lastcard_engine.legal import targets_of
from lastcard_engine.notation import format_action
from lastcard_engine.roulette import spinning
from lastcard_engine.rounds import require_running
from lastcard_engine.state import Phase, State

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
    targets = targets_of(state, seat)
    others = " or ".join(map(str, targets))
    if action.target is None:
        return RuleViolation(
            Reason.TARGET_NEEDED,
            f"{name} needs a seat it is aimed at: {others}; "
            f"write '{format_action(_aimed(action, targets[0]))}'",
        )
    return RuleViolation(Reason.BAD_TARGET, f"{name} can be aimed at seat {others} only")


def _aimed(action: Play | JumpIn, target: Seat) -> Play | JumpIn:
    if isinstance(action, JumpIn):
        return JumpIn(action.card, target)
    return Play(action.card, action.colour, target)


_ABOUT_NOTHING: Final = (Reason.NO_COLOUR_TO_CHOOSE, Reason.NOTHING_TO_CHALLENGE)
"""What is refused because there is nothing of the kind, whatever else is waited for."""


def refuse_phase(state: State, reason: Reason, sentence: str) -> NoReturn:
    """Refuse an act that the phase has no place for: by what it waits for, if it waits."""
    require_running(state)
    if state.phase is Phase.CHOOSE_COLOUR:
        card = "roulette" if spinning(state) else "first card"
        raise RuleViolation(Reason.COLOUR_NEEDED, f"name the colour of the {card} before all else")
    if state.phase is Phase.CHOOSE_TARGET:
        raise RuleViolation(
            Reason.TARGET_NEEDED, "name the seat the first card is aimed at before all else"
        )
    if rule_asks(state):
        raise RuleViolation(Reason.NOT_OFFERED, "the custom rule asks you for something else")
    if state.pending and reason not in _ABOUT_NOTHING:
        challenged = ", or challenge it" if state.offence is not None else ""
        raise RuleViolation(
            Reason.MUST_ANSWER,
            f"you face a draw card: accept the draw, answer it where you may{challenged}",
        )
    raise RuleViolation(reason, sentence)


def rule_asks(state: State) -> bool:
    """Tell whether a custom rule waits for an answer."""
    return state.custom is not None and state.custom.rule is not None
