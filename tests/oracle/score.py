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
    value = _winner_takes(state, winners)
    values = [hand_points(state, s) for s in range(state.seats)]
    scored = _points(state, winners, value)
    if not winners and state.option("scoring") == "single_round":  # Q02
        winners = [s for s in state.active if values[s] == min(values[a] for a in state.active)]
    for seat, gained in enumerate(scored):
        state.totals[seat] += gained
    state.running = False
    state.group = None
    state.pause = False
    state.debt = None
    winners = _with_partners(state, winners)
    state.results.append(Result(reason, winners, scored, values, value))
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


def _winner_takes(state: State, winners: list[int]) -> int:
    """Count what the winner of a round takes: opponents' hands and bonuses (R204, R219, NM24)."""
    if not winners:
        return 0
    (winner,) = winners
    hands = sum(hand_points(state, s) for s in state.active if state.opponents(winner, s))
    return hands + int(state.option("mercy_bonus")) * len(state.out)


def _points(state: State, winners: list[int], value: int) -> list[int]:
    """Count what each seat adds to its total."""
    scoring = state.option("scoring")
    if scoring in ("low_total", "elimination"):  # R207, R210, S12
        losers = [s for s in state.active if s not in winners]
        own = {s: hand_points(state, s) for s in losers} | state.out_points
        return [own.get(s, 0) for s in range(state.seats)]
    takers = _with_partners(state, winners) if scoring == "winner_takes" else []
    return [value if s in takers else 0 for s in range(state.seats)]


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
    elif scoring == "low_total" and max(state.totals) >= limit:  # R208: anybody's, gone or not
        state.match_winners = _lowest(state, left)
    elif scoring == "elimination" and reached:  # R210, R211
        _eliminate(state, left, reached)
    left = [s for s in range(state.seats) if s not in state.gone]
    if state.match_winners is None and len(left) == 1:
        state.match_winners = left
    if state.match_winners is None and state.round == state.rounds:
        state.match_winners = _leaders(state, left)
    if state.match_winners is not None:
        state.places = places(state)


def _eliminate(state: State, left: list[int], reached: list[int]) -> None:
    state.gone += reached
    state.left_in_round |= dict.fromkeys(reached, state.round)
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


def places(state: State) -> list[int]:
    """Rank all seats of a match that is over: by the scoring, forfeits last, ties shared."""
    order = [_merit(state, s) for s in range(state.seats)]
    return [1 + sum(other < mine for other in order) for mine in order]


def _merit(state: State, seat: int) -> tuple[int, ...]:
    """Give a seat a value that is the smaller the better it did."""
    scoring, total = state.option("scoring"), state.totals[seat]
    last = int(seat in state.forfeited)
    if scoring == "single_round":
        return last, int(seat not in (state.match_winners or []))
    if scoring == "elimination":
        left_in = state.left_in_round.get(seat)
        return (last, 0, total) if left_in is None else (last, 1, -left_in, total)
    return last, total if scoring == "low_total" else -total
