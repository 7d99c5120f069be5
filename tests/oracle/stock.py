"""
How cards are taken: draw pile, reshuffle, mercy, and the end of a seat in the round.

Knows nothing of turns: whoever takes cards goes on with the turn himself.
"""

from tests.oracle import score
from tests.oracle.cards import in_order, points
from tests.oracle.table import State


def can_draw(state: State) -> bool:
    """Say whether any card can be drawn at all (Q01)."""
    return bool(state.draw_pile) or len(state.discard) > 1


def turn_over(state: State) -> str | None:
    """Take the top of the draw pile, made anew from the discards when empty (R191, R192, Q01)."""
    if not can_draw(state):
        return None
    if not state.draw_pile:
        top = state.discard.pop()
        state.draw_pile = state.shuffle("reshuffle", state.discard)
        state.discard = [top]
    return state.draw_pile.pop(0)


def take(state: State, seat: int, number: int, *, mercy: bool = True) -> list[str]:
    """
    Give a seat up to `number` cards, one by one; fewer when the piles are empty.

    Mercy is checked on each card, and knocks the seat out of the round (S12, NM12).
    """
    taken: list[str] = []
    while len(taken) < number and seat in state.active:
        card = turn_over(state)
        if card is None:
            break
        taken.append(card)
        receive(state, seat, card, mercy=mercy)
    return taken


def receive(state: State, seat: int, card: str, *, mercy: bool = True) -> None:
    """Add one drawn card to a hand."""
    state.hands[seat].append(card)
    state.idle = 0
    settle(state)
    limit = state.option("mercy_limit")
    if mercy and limit and len(state.hands[seat]) >= limit:  # R244
        remove(state, seat)


def settle(state: State) -> None:
    """Let calls and duties lapse that belong to a hand of one card which is one no more (S06)."""
    state.duties = [d for d in state.duties if len(state.hands[d.seat]) == 1]
    for flags in (state.called, state.caught):
        flags.intersection_update(s for s in range(state.seats) if len(state.hands[s]) == 1)


def remove(state: State, seat: int) -> None:
    """
    Take a seat out of the round: its hand goes beneath the discard pile (S12, NM13, Q64).

    The last seat standing wins at once (NM17).
    """
    worth = state.option("extra_wild_points")
    state.out_points[seat] = sum(points(card, worth) for card in state.hands[seat])
    state.discard[:0] = in_order(state.hands[seat])
    state.hands[seat] = []
    state.out.append(seat)
    state.owes_turn.discard(seat)
    state.idle = 0  # there are discards again
    settle(state)
    if len(state.active) == 1:
        score.end_round(state, "last_standing", state.active)
