"""
Where the engine and the oracle are known to part, for a reason that is not settled yet.

A compared game ends at such an act. Each entry goes once the engine or the law has moved.
"""

from tests.oracle.table import State


def in_question(state: State, seat: int, text: str) -> bool:
    """Say whether the two are known to part at this act, for a reason that is not settled yet."""
    return _lost_turn_moves(state, text) or _shuffled_past(state, seat, text)


def _lost_turn_moves(state: State, text: str) -> bool:
    """Whether a lost turn (Q11) is owed by a seat that the turn has not reached for certain."""
    waiting = state.pause or state.group is not None
    if not waiting or not state.option("uno_penalty_skip_turn"):
        return False
    first = state.turn
    while first in state.owes_turn and len(state.owes_turn) < len(state.active):
        first = state.after(first)
    jumped = text.startswith("jump_in") and first != state.turn
    return jumped or text == f"catch {first}"


def _shuffled_past(state: State, seat: int, text: str) -> bool:
    """Whether so few hands are shuffled that the player keeps his one card, given none (S06)."""
    if not text.startswith("play WS") or state.option("shuffle_pool") == "all_hands":
        return False
    pool = sum(len(state.hands[s]) for s in state.active if s != seat)
    return len(state.hands[seat]) == 2 and pool < len(state.active)


def window_of_absent(state: State, seat: int) -> bool:
    """Whether a race's next_turn_ends window may close because its next seat leaves unacted."""
    absent = seat == state.turn and not state.begun and not state.polled
    return absent and state.option("uno_window") == "next_turn_ends" and bool(state.duties)
