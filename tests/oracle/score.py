"""What a round and a match come to: points, totals, elimination, winner (M, Q02, Q55-Q57)."""

from typing import NoReturn

from tests.oracle.cards import points
from tests.oracle.table import Result, RoundOver, State


def end_round(state: State, reason: str, winners: list[int]) -> NoReturn:
    """
    Count the round and, if that decides it, the match.

    Raises:
        RoundOver: always; the public functions end there.

    """
    if not winners and state.option("scoring") == "single_round":  # Q02
        lowest = min(hand_points(state, s) for s in state.active)
        winners = [s for s in state.active if hand_points(state, s) == lowest]
        scored = [0] * state.seats
    else:
        scored = _points(state, winners)
    winners = _with_partners(state, winners)
    for seat, gained in enumerate(scored):
        state.totals[seat] += gained
    state.running = False
    state.group = None
    state.pause = False
    state.debt = None
    state.results.append(Result(reason, sorted(winners), scored, list(state.totals)))
    _end_match(state)
    raise RoundOver


def hand_points(state: State, seat: int) -> int:
    """Count the cards in a hand."""
    worth = state.option("extra_wild_points")
    return sum(points(card, worth) for card in state.hands[seat])


def _with_partners(state: State, winners: list[int]) -> list[int]:
    if state.option("teams") == "pairs":  # R218
        return sorted({s for w in winners for s in (w, (w + 2) % 4)})
    return winners


def _points(state: State, winners: list[int]) -> list[int]:
    scoring = state.option("scoring")
    scored = [0] * state.seats
    if scoring in ("low_total", "elimination"):  # R207, R210, S12
        for seat in range(state.seats):
            scored[seat] = state.out_points.get(seat, hand_points(state, seat))
    elif scoring == "winner_takes" and winners:  # R204, R219, NM24
        (winner,) = winners
        gain = sum(hand_points(state, s) for s in state.active if state.opponents(winner, s))
        gain += state.option("mercy_bonus") * len(state.out)
        for seat in _with_partners(state, winners):
            scored[seat] = gain
    return scored


def _end_match(state: State) -> None:
    """Decide whether the match is over, and who has won it."""
    scoring = state.option("scoring")
    limit = state.option("target_points")
    left = [s for s in range(state.seats) if s not in state.gone]
    reached = [s for s in left if state.totals[s] >= limit]  # R205, Q56
    if scoring == "single_round":  # R212
        state.match_winners = state.results[-1].winners
    elif scoring == "winner_takes" and reached:
        state.match_winners = reached
    elif scoring == "low_total" and reached:  # R208
        state.match_winners = _lowest(state, left)
    elif scoring == "elimination" and reached:  # R210, R211
        _eliminate(state, left, reached)
    left = [s for s in range(state.seats) if s not in state.gone]
    if state.match_winners is None and len(left) == 1:
        state.match_winners = left
    if state.match_winners is None and state.round == state.rounds:
        state.match_winners = _leaders(state, left)


def _eliminate(state: State, left: list[int], reached: list[int]) -> None:
    state.gone += reached
    if len(reached) == len(left):  # Q55: all are out at once
        state.match_winners = _lowest(state, left)


def _lowest(state: State, seats: list[int]) -> list[int]:
    low = min(state.totals[s] for s in seats)
    return [s for s in seats if state.totals[s] == low]


def _leaders(state: State, left: list[int]) -> list[int]:
    if state.option("scoring") in ("low_total", "elimination"):
        return _lowest(state, left)
    high = max(state.totals[s] for s in left)
    return [s for s in left if state.totals[s] == high]
