"""What is a round worth, when does a match end, and who stands where?"""

from dataclasses import replace
from typing import Any

import pytest

import lastcard_engine as engine
from lastcard_engine.scoring import Standing, match_end, places, score_void, score_won

S = engine.Scoring
SEAT = engine.Seat


@pytest.mark.parametrize(
    ("scoring", "points", "value"),
    [
        (S.SINGLE_ROUND, (0, 0, 0), 78),
        (S.WINNER_TAKES, (78, 0, 0), 78),
        (S.LOW_TOTAL, (0, 28, 55), 78),
        (S.ELIMINATION, (0, 28, 55), 78),
    ],
)
def test_a_won_round(scoring: engine.Scoring, points: tuple[int, ...], value: int) -> None:
    """R204, R207, R212, S12: the winner's hand never counts, a lost one stays with its seat."""
    score = score_won(scoring, (0, 28, 50), (9, 0, 5), SEAT(0))
    assert score == ((0,), points, value)


@pytest.mark.parametrize(
    ("scoring", "winners", "points"),
    [
        (S.SINGLE_ROUND, (1, 3), (0, 0, 0, 0)),
        (S.WINNER_TAKES, (), (0, 0, 0, 0)),
        (S.LOW_TOTAL, (), (20, 5, 7, 5)),
        (S.ELIMINATION, (), (20, 5, 7, 5)),
    ],
)
def test_a_void_round(
    scoring: engine.Scoring, winners: tuple[int, ...], points: tuple[int, ...]
) -> None:
    """Q02: the lowest hand that is still held wins a single round, a seat that is out never."""
    score = score_void(scoring, (20, 5, 0, 5), (0, 0, 7, 0), (True, True, False, True))
    assert score == (winners, points, 0)


def standing(totals: list[int], **more: Any) -> Standing:
    """Return where seats stand with these totals, all of them in the match."""
    plain = Standing(totals, [0] * len(totals), [False] * len(totals), ())
    return plain._replace(**more)


def test_a_match_ends_by_the_scoring() -> None:
    """R205, R208, R211, R212, Q56: the limit counts as reached when it is met exactly."""
    rules = {scoring: replace(engine.Rules(), scoring=scoring, target_points=100) for scoring in S}
    for scoring in (S.WINNER_TAKES, S.LOW_TOTAL):
        assert match_end(rules[scoring], standing([99, 0]), 1, 0) is None
        assert match_end(rules[scoring], standing([100, 0]), 1, 0) == "target_reached"
    assert match_end(rules[S.SINGLE_ROUND], standing([0, 0]), 1, 0) == "single_round"
    three = standing([105, 60, 80], left=[1, 0, 0])
    assert match_end(rules[S.ELIMINATION], three, 1, 0) is None
    assert match_end(rules[S.ELIMINATION], three._replace(left=[1, 2, 0]), 2, 0) == "target_reached"


def test_a_match_ends_by_its_settings_or_its_seats() -> None:
    """At the last round, and when all but one have forfeited."""
    rules = engine.Rules()
    assert match_end(rules, standing([10, 0]), 2, 3) is None
    assert match_end(rules, standing([10, 0]), 3, 3) == "rounds_played"
    left = standing([0, 0, 0], forfeited=[True, False, True])
    assert match_end(rules, left, 1, 0) == "last_standing"


@pytest.mark.parametrize(
    ("scoring", "where", "expected"),
    [
        (S.SINGLE_ROUND, standing([0, 0, 0], winners=(1,)), (2, 1, 2)),
        (S.SINGLE_ROUND, standing([0, 0, 0], winners=(0, 2)), (1, 3, 1)),
        (S.WINNER_TAKES, standing([120, 510, 120]), (2, 1, 2)),
        (S.LOW_TOTAL, standing([505, 210, 370]), (3, 1, 2)),
        (S.LOW_TOTAL, standing([505, 210, 210]), (3, 1, 1)),
        (S.ELIMINATION, standing([105, 60, 130], left=[1, 0, 4]), (3, 1, 2)),
        (S.ELIMINATION, standing([105, 101, 101], left=[2, 2, 2]), (3, 1, 1)),
        (S.WINNER_TAKES, standing([0, 10, 900], forfeited=[False, False, True]), (2, 1, 3)),
    ],
)
def test_places(scoring: engine.Scoring, where: Standing, expected: tuple[int, ...]) -> None:
    """R205, R208, R211, Q55: equal seats share a place, forfeited ones come last."""
    assert places(scoring, where) == expected
