"""Why an act is refused, in the words of the rules where they have one."""

from tests.oracle.cards import DRAWS, face_of, is_wild
from tests.oracle.fits import answerable, fits, stackable, why_not_last
from tests.oracle.legal import asked, jump_open, may_draw
from tests.oracle.table import State


def reason(state: State, seat: int, text: str) -> str:
    """Name the refusal of an act that is not lawful."""
    verb, *words = text.split()
    if not state.running:
        return "round_over"
    if seat not in state.active:
        return "seat_out"
    if verb == "catch" and not state.polled:  # S04
        return "nothing_to_catch"
    if verb == "jump_in" and not state.polled:
        return _jump(state, seat, words)
    if state.pause:
        return "window_open"
    if state.group is not None or state.phase == "vote":
        return "not_asked"  # a vote asks several at once, like a group
    if seat not in asked(state):
        facing = state.phase == "facing" and verb in ("challenge", "accept_draw")
        return "not_target" if facing else "not_your_turn"
    if verb == "play":
        return _play(state, seat, words)
    if verb == "draw" and state.phase == "play" and not may_draw(state, seat):
        return "must_play"  # R094
    return "not_legal"


def _jump(state: State, seat: int, words: list[str]) -> str:
    if state.option("jump_in") != "identical":
        return "not_your_turn"  # R233
    closed = not jump_open(state) or seat == state.last_player
    if not closed and words[0] in state.hands[seat] and words[0] != state.top:
        return "not_identical"
    return "not_legal"


def _play(state: State, seat: int, words: list[str]) -> str:
    card = words[0] if words else ""
    if card not in state.hands[seat]:
        return "not_in_hand"
    if state.phase == "drawn" and card != state.drawn:
        return "only_drawn_card"  # R093
    if state.debt is not None and not stackable(state, state.debt.card, card):
        higher = face_of(card) in DRAWS and answerable(state, state.debt.card)
        return "stack_too_low" if higher else "must_answer"  # R241
    last = why_not_last(state, seat, card)
    if state.debt is None and not fits(state, card):
        return "does_not_match"
    if last is not None:
        return last
    if is_wild(card) and not any(w in "rygb" for w in words[1:]):
        return "bad_colour"
    return "not_legal"
