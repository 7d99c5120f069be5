"""Does the adviser beat `greedy` on the same cards?"""

from math import sqrt
from statistics import fmean, stdev

import pytest

from lastcard.bots import adviser, greedy
from tests.clients.rounds import games


@pytest.mark.parametrize(("rules", "deals"), [("standard_no", 400), ("official_se", 500)])
def test_the_adviser_leads(rules: str, deals: int) -> None:
    """Two seats, fixed deals in both rotations: its lead in points is beyond chance (95 %)."""
    blocks = games([adviser.choose, greedy.choose], rules, deals)
    leads = [fmean(own - other for own, other in block) for block in blocks]
    assert fmean(leads) - 1.96 * stdev(leads) / sqrt(deals) > 0
