"""
What is a round worth, and who stands where in the match?

Pure functions of numbers; every sequence has one element a seat. The file knows nothing of cards
or of how a round ended beyond whether it was void.
"""

from collections.abc import Sequence
from typing import NamedTuple

from lastcard_engine.cards import Seat
from lastcard_engine.events import MatchEnd
from lastcard_engine.rules import Rules, Scoring
from lastcard_engine.teams import with_partners


class RoundScore(NamedTuple):
    """What a round yields."""

    winners: tuple[Seat, ...]
    points: tuple[int, ...]
    value: int


def winner_takes_value(values: Sequence[int], winners: Sequence[Seat]) -> int:
    """Return the sum of the hands of all but the winners (R204)."""
    return sum(value for seat, value in enumerate(values) if seat not in winners)


def _lowest(values: Sequence[int], active: Sequence[bool]) -> tuple[Seat, ...]:
    held = [value for value, plays in zip(values, active, strict=True) if plays]
    return tuple(
        Seat(seat) for seat, value in enumerate(values) if active[seat] and value == min(held)
    )


def score_void(
    scoring: Scoring,
    values: Sequence[int],
    lost: Sequence[int],
    active: Sequence[bool],
    *,
    pairs: bool = False,
) -> RoundScore:
    """
    Score a blocked round (Q02): nobody has gone out.

    Under `winner_takes` it counts 0, `low_total` and `elimination` add each seat's own hand, and
    `single_round` goes to the lowest hand, shared in a tie; its partner wins with it.
    """
    nothing = (0,) * len(values)
    if scoring is Scoring.SINGLE_ROUND:
        lowest = _lowest(values, active)
        return RoundScore(with_partners(lowest) if pairs else lowest, nothing, 0)
    if scoring is Scoring.WINNER_TAKES:
        return RoundScore((), nothing, 0)
    return RoundScore((), _own(values, lost), 0)


def _own(values: Sequence[int], lost: Sequence[int]) -> tuple[int, ...]:
    return tuple(value + gone for value, gone in zip(values, lost, strict=True))


def score_won(
    scoring: Scoring,
    values: Sequence[int],
    lost: Sequence[int],
    winner: Seat,
    *,
    pairs: bool = False,
    bonus: int = 0,
) -> RoundScore:
    """
    Score a round that `winner` has won.

    Rule: R204, R207, R210, R212, S12, NM24. `lost` holds the hand values of seats that were knocked
    out, `bonus` is what the winner scores besides for those. In pairs the partner wins too: both
    score the hands of their opponents (R218, R219).
    """
    winners = with_partners((winner,)) if pairs else (winner,)
    value = winner_takes_value(values, winners) + bonus
    if scoring is Scoring.SINGLE_ROUND:
        points = [0] * len(values)
    elif scoring is Scoring.WINNER_TAKES:
        points = [value if seat in winners else 0 for seat in range(len(values))]
    else:
        points = [*_own(values, lost)]
        points[winner] = 0
    return RoundScore(winners, tuple(points), value)


class Standing(NamedTuple):
    """Where the seats stand after a round."""

    totals: Sequence[int]
    left: Sequence[int]
    """The round after which a seat was out of the match, 0 while it is in."""
    forfeited: list[bool]
    winners: Sequence[Seat]
    """Who won the latest round."""


def match_end(rules: Rules, standing: Standing, rounds: int, limit: int) -> MatchEnd | None:
    """
    Return why the match is over after `rounds` rounds, None if it goes on.

    Rule: R205, R208, R211, R212, Q56. `limit` is the setting `rounds`, 0 for none.
    """
    if standing.forfeited.count(False) < 2:
        return MatchEnd.LAST_STANDING
    if rules.scoring is Scoring.SINGLE_ROUND:
        return MatchEnd.SINGLE_ROUND
    if rules.scoring is Scoring.ELIMINATION:
        reached = sum(left == 0 for left in standing.left) < 2
    else:
        reached = max(standing.totals) >= rules.target_points
    if reached:
        return MatchEnd.TARGET_REACHED
    return MatchEnd.ROUNDS_PLAYED if rounds == limit else None


def places(scoring: Scoring, standing: Standing) -> tuple[int, ...]:
    """
    Return the place of each seat, 1 is best; equal seats share a place.

    Rule: R205, R208, R211, Q55. After a single round the winners are first and all others share
    the next place; seats that forfeited come last.
    """
    keys = [_rank(scoring, standing, Seat(seat)) for seat in range(len(standing.totals))]
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def _rank(scoring: Scoring, standing: Standing, seat: Seat) -> tuple[int, int, int]:
    last = int(standing.forfeited[seat])
    total = standing.totals[seat]
    if scoring is Scoring.SINGLE_ROUND:
        return last, int(seat not in standing.winners), 0
    if scoring is Scoring.WINNER_TAKES:
        return last, -total, 0
    if scoring is Scoring.LOW_TOTAL:
        return last, total, 0
    left = standing.left[seat]
    return last, -left if left else -1_000_000, total
