"""Do the house's bots play all rules that there are, from the first card to the last?"""

from typing import Any

import pytest

from lastcard.bots import HOUSE
from lastcard_engine import DefaultTaken, RoundEnd, make_rules
from tests.clients.rounds import Table
from tests.properties.matches import PRESETS, seats_of
from tests.written import IDEAS, MIXED, written

RULES: dict[str, tuple[str, dict[str, Any]]] = {
    **{preset: (preset, {}) for preset in PRESETS},
    "ideas": ("official_se", written(*list(IDEAS)[:8], rules=IDEAS)),
    "more_ideas": ("standard_no", written(*list(IDEAS)[8:], rules=IDEAS)),
    "mixed": ("house_no", written(rules=MIXED)),
}
PLAYED_OUT = (RoundEnd.WENT_OUT, RoundEnd.LAST_STANDING)


@pytest.mark.parametrize("strategy", HOUSE)
@pytest.mark.parametrize(("preset", "options"), RULES.values(), ids=RULES)
@pytest.mark.parametrize("seats", [2, 5])
def test_house_bots_play_every_rule(
    preset: str, options: dict[str, Any], strategy: str, seats: int
) -> None:
    """Every answer is lawful, none is taken for them, and the round is played out."""
    rules = make_rules(preset, options)
    table = Table([HOUSE[strategy]] * seats_of(rules, seats), rules, deal=1)
    assert table.play().reason in PLAYED_OUT
    assert not [event for event in table.events if isinstance(event, DefaultTaken)]
