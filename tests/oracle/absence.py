"""What happens to a seat that does not answer, or is gone: default action, knock-out, forfeit."""

from contextlib import suppress

from tests.oracle import stock, turns
from tests.oracle.legal import asked, legal
from tests.oracle.table import Refused, RoundOver, State

TAKING = ("draw", "accept_draw", "keep", "pass")


def default_action(state: State, seat: int) -> str:
    """Name what is done for a silent seat; it depends on nothing the seat cannot see (Q65)."""
    acts = legal(state, seat)
    for text in TAKING:
        if text in acts:
            return text
    colour = state.colour or "r"
    first = acts[0].split()
    if first[0] == "choose_colour":
        return f"choose_colour {colour}"
    if len(first) > 2 and first[2] in "rygb":
        first[2] = colour
    return " ".join(first)


def time_out(state: State, seat: int) -> None:
    """
    Let the default action stand for a seat's answer.

    Raises:
        Refused: the seat has no open question.

    """
    if seat not in asked(state):
        raise Refused("not_asked")
    turns.step(state, seat, default_action(state, seat))


def knock_out(state: State, seat: int) -> None:
    """Take a seat out of the round, like mercy (Q64)."""
    if not state.running or seat not in state.active:
        raise Refused("not_in_round")
    with suppress(RoundOver):
        stock.remove(state, seat)
        turns.seat_left(state, seat)


def forfeit(state: State, seat: int) -> None:
    """Take a seat out of this round and all later ones; it is ranked last."""
    if seat in state.forfeited or state.match_winners is not None:
        raise Refused("not_in_match")
    state.forfeited.append(seat)
    playing = state.running and seat in state.active
    if seat not in state.gone:
        state.gone.append(seat)
        state.left_in_round[seat] = state.round
    if playing:
        with suppress(RoundOver):
            stock.remove(state, seat)
            turns.seat_left(state, seat)
    left = [s for s in range(state.seats) if s not in state.gone]
    if not state.running and state.match_winners is None and len(left) == 1:
        state.match_winners = left
