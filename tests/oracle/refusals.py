"""Why an act is refused, in the words of the rules where they have one."""

from tests.oracle.cards import is_wild
from tests.oracle.fits import fits, stackable, why_not_last
from tests.oracle.legal import asked, may_draw
from tests.oracle.table import State


def reason(state: State, seat: int, text: str) -> str:
    """Name the refusal of an act that is not lawful."""
    verb, *words = text.split()
    if not state.running:
        return "round_over"
    if verb == "catch":  # S04
        return "nothing_to_catch"
    if verb == "jump_in":
        return _jump(state, seat, words)
    if seat not in asked(state):
        facing = state.phase == "facing" and verb in ("challenge", "accept_draw")
        return "not_target" if facing else "not_your_turn"
    if verb == "play" and state.group is None:
        return _play(state, seat, words)
    if verb == "draw" and state.phase == "play" and not may_draw(state, seat):
        return "must_play"  # R094
    return "not_legal"


def _jump(state: State, seat: int, words: list[str]) -> str:
    if state.option("jump_in") != "identical":
        return "not_your_turn"  # R233
    if words and words[0] in state.hands[seat] and words[0] != state.top:
        return "not_identical"
    return "not_legal"


def _play(state: State, seat: int, words: list[str]) -> str:
    card = words[0] if words else ""
    if card not in state.hands[seat]:
        return "not_in_hand"
    if state.phase == "drawn" and card != state.drawn:
        return "only_drawn_card"  # R093
    if state.debt is not None and not stackable(state, state.debt.card, card):
        return "stack_too_low"  # R241
    last = why_not_last(state, seat, card)
    if state.debt is None and not fits(state, card):
        return "does_not_match"
    if last is not None:
        return last
    if is_wild(card) and not any(w in "rygb" for w in words[1:]):
        return "bad_colour"
    return "not_legal"
