"""
Which card may lie on which: matching, lawful wild draw fours, stacking, the last card.

Looks at the table and changes nothing.
"""

from tests.oracle.cards import DRAWS, SYMBOLS, colour_of, face_of, is_number, is_wild
from tests.oracle.table import State

STACK_KIND = {"D2": "d2", "W4": "wd4"}  # stack_pairs speaks of these two only


def fits(state: State, card: str) -> bool:
    """Say whether a card matches the top card or the colour in force (R060-R086)."""
    if is_wild(card) or colour_of(card) == state.colour:
        return True
    if face_of(card) in SYMBOLS and state.option("action_match") == "any":  # R076
        return True
    if face_of(card) in SYMBOLS and state.option("action_match") == "colour_only":  # R077
        return False
    return face_of(card) == face_of(state.top)


def stackable(state: State, under: str, card: str) -> bool:
    """Say whether `card` may answer the draw card `under`, whatever their colours (Q43, NM05)."""
    below, above = face_of(under), face_of(card)
    if above not in DRAWS:  # Q44
        return False
    if state.option("stacking") == "equal_or_higher":
        return DRAWS[above] >= DRAWS[below]
    pair = f"{STACK_KIND.get(below)}>{STACK_KIND.get(above)}"
    return state.option("stacking") == "pairs" and pair in state.option("stack_pairs")


def answerable(state: State, card: str) -> bool:
    """Say whether any card at all may be stacked on a draw card."""
    if state.option("stacking") == "pairs":
        kind = STACK_KIND.get(face_of(card))
        return any(pair.split(">")[0] == kind for pair in state.option("stack_pairs"))
    return bool(state.option("stacking") == "equal_or_higher")


def is_lawful(state: State, seat: int, card: str) -> bool:
    """Say whether laying `card` breaks no rule but that of the wild draw four (R119-R125, S10)."""
    if card != "W4" or state.option("wd4_legality") == "free":
        return True
    rest = list(state.hands[seat])
    rest.remove(card)
    others = [c for c in rest if c != "W4"]  # S17
    if state.debt is not None:
        return not any(stackable(state, state.debt.card, c) for c in others)
    if state.option("wd4_legality") == "no_playable":
        return not any(fits(state, c) for c in others)
    return not any(colour_of(c) == state.colour for c in others)


def may_bluff(state: State) -> bool:
    """Say whether an unlawful wild draw four may be laid at one's risk (Q18)."""
    return bool(state.option("wd4_enforcement") != "block")


def why_not_last(state: State, seat: int, card: str) -> str | None:
    """Name what forbids `card` as the last one of a hand: finish_card, or a missing call."""
    if len(state.hands[seat]) > 1:
        return None
    if state.option("finish_card") == "number_only" and not is_number(card):  # R189, Q52
        return "finish_number_only"
    if state.option("uno_required_to_finish") and seat not in state.called:  # R180
        return "uno_not_called"
    return None


def layable(state: State, seat: int, card: str) -> bool:
    """Say whether the seat on turn may lay a card, be it as a bluff."""
    matches = fits(state, card) if state.debt is None else stackable(state, state.debt.card, card)
    if not matches or why_not_last(state, seat, card) is not None:
        return False
    return is_lawful(state, seat, card) or may_bluff(state)


def lawful_cards(state: State, seat: int) -> list[str]:
    """List the cards of a hand that may be laid without cheating."""
    hand = state.hands[seat]
    return [c for c in hand if layable(state, seat, c) and is_lawful(state, seat, c)]
