"""
What may a seat answer that a custom rule asks alone?

Votes are asked of several seats at once and so belong to `groups`.
"""

from lastcard_engine.actions import ANSWERS_TO_DARE, CHOICES_OF_CARD, PASS, Action
from lastcard_engine.state import Phase, State


def custom_actions(state: State) -> list[Action]:
    """Return what the seat may answer, in canonical order; nothing where no rule asks it."""
    carried = None if state.custom is None else state.custom.rule
    if carried is None:
        return []
    if state.phase is Phase.DARE:
        return [*ANSWERS_TO_DARE]
    hand = state.hands[state.turn]
    found: list[Action] = [CHOICES_OF_CARD[card] for card in dict.fromkeys(hand)]
    _, _, may_stop = carried.sizes[0]
    if may_stop:
        found.append(PASS)
    return found
