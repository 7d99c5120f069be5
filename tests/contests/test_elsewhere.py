"""Which matches are games of a contest that went on elsewhere? No others are called off."""

import pytest

from lastcard.v1.contest_service_pb2 import ContestSpec, Entrant
from lastcard.v1.match_service_pb2 import Match, MatchSeat
from lastcard.v1.rules_pb2 import RulesChoice
from lastcard_server.arena.elsewhere import is_game

SPEC = ContestSpec(
    rules=RulesChoice(preset="duel_no"),
    seat_count=2,
    entrants=[Entrant(name="one"), Entrant(name="two"), Entrant(name="three")],
)


@pytest.mark.parametrize(
    ("preset", "names", "is_one"),
    [
        ("duel_no", ("three", "one"), True),
        ("duel_no", ("one", "stranger"), False),
        ("duel_no", ("one", "two", "three"), False),
        ("official_se", ("one", "two"), False),
    ],
)
def test_a_game_has_the_rules_and_the_entrants(
    preset: str, names: tuple[str, ...], *, is_one: bool
) -> None:
    """A bot's key may have joined other tables, which are none of the contest's affair."""
    match = Match(preset=preset, seats=[MatchSeat(name=name, taken=True) for name in names])
    assert is_game(match, SPEC) is is_one
