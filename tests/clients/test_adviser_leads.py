"""Does the adviser beat `greedy` on the same cards?"""

from math import sqrt
from statistics import fmean, stdev

import pytest

from lastcard.bots import adviser, greedy
from tests.clients.rounds import games


@pytest.mark.parametrize(
    ("rules", "sides", "deals"),
    [("standard_no", 1, 400), ("official_se", 1, 500), ("official_se", 2, 1000)],
)
def test_the_adviser_leads(rules: str, sides: int, deals: int) -> None:
    """Two seats, or two against two; fixed deals: its lead in points is beyond chance (95 %)."""
    blocks = games([adviser.choose, greedy.choose] * sides, rules, deals)
    leads = [fmean(sum(game[::2]) - sum(game[1::2]) for game in block) for block in blocks]
    assert fmean(leads) - 1.96 * stdev(leads) / sqrt(deals) > 0
