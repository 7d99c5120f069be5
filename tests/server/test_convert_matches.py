"""Settings and seats of a request: defaults for what is left out, refusals for what is wrong."""

import pytest
from google.protobuf.duration_pb2 import Duration

from lastcard.v1 import match_service_pb2 as pb
from lastcard_engine.settings import Absence, Reactions, Settings
from lastcard_server.convert.matches import (
    match_message,
    seat_from,
    settings_from,
    settings_message,
)
from lastcard_server.errors import Reason, Refusal
from lastcard_server.matches.setup import HOUSE, Clocks, SeatSetup
from tests.matches.table import Table, setup_of


def test_settings_left_out_are_the_defaults() -> None:
    """An empty message stands for the defaults that proto/ names."""
    settings, clocks = settings_from(pb.MatchSettings())
    assert settings == Settings(Reactions.POLLED, Absence.PLAY_DEFAULT, 2_000, 0)
    assert clocks == Clocks(10_000, 5_000, 0, 0, 50, 1_500, 1_000, 0)


def test_a_zero_is_a_value_only_where_proto_makes_the_field_optional() -> None:
    """Margin and race pause may be 0; a limit of 0 means its default."""
    zero = Duration()
    _, clocks = settings_from(
        pb.MatchSettings(
            network_margin_duration=zero, reaction_duration=zero, move_limit_duration=zero
        )
    )
    assert (clocks.margin_ms, clocks.reaction_ms, clocks.move_limit_ms) == (0, 0, 5_000)


def test_settings_go_over_and_come_back() -> None:
    """What is told of settings means the same settings."""
    settings = Settings(Reactions.RACE, Absence.FORFEIT_MATCH, 77, 3)
    clocks = Clocks(1_000, 20, 30, 40, 0, 0, 50, 60)
    assert settings_from(settings_message(settings, clocks)) == (settings, clocks)


SECOND = 1_000_000_000
RANGES = {
    "start_limit_duration": (SECOND // 10, 3_600 * SECOND),
    "move_limit_duration": (SECOND // 100, 86_400 * SECOND),
    "bank_duration": (0, 86_400 * SECOND),
    "increment_duration": (0, 3_600 * SECOND),
    "network_margin_duration": (0, 10 * SECOND),
    "reaction_duration": (0, 60 * SECOND),
    "reaction_limit_duration": (SECOND // 100, 60 * SECOND),
    "reaction_hold_duration": (0, 60 * SECOND),
}
"""The ranges of proto/ in nanoseconds."""


def duration(nanos: int) -> Duration:
    """Return a duration as a client would."""
    return Duration(seconds=nanos // SECOND, nanos=nanos % SECOND)


@pytest.mark.parametrize("field", RANGES)
def test_durations_end_where_proto_says(field: str) -> None:
    """Both ends are accepted; a nanosecond beyond either is refused by the field's name."""
    low, high = RANGES[field]
    for nanos in (low, high):
        settings_from(pb.MatchSettings(**{field: duration(nanos)}))  # type: ignore[arg-type]
    for nanos in (low - 1, high + 1):
        with pytest.raises(Refusal, match=field) as refused:
            settings_from(pb.MatchSettings(**{field: duration(nanos)}))  # type: ignore[arg-type]
        assert refused.value.reason is Reason.BAD_FIELD


@pytest.mark.parametrize(
    "wrong",
    [
        pb.MatchSettings(reactions=99),  # type: ignore[arg-type]
        pb.MatchSettings(reactions=-1),  # type: ignore[arg-type]
        pb.MatchSettings(absence_policy=99),  # type: ignore[arg-type]
        pb.MatchSettings(action_cap=-1),
        pb.MatchSettings(action_cap=100_001),
        pb.MatchSettings(max_rounds=-1),
        pb.MatchSettings(max_rounds=1_001),
        pb.MatchSettings(bank_duration=Duration(seconds=1, nanos=SECOND)),
        pb.MatchSettings(bank_duration=Duration(seconds=1, nanos=-5)),
    ],
)
def test_settings_out_of_range_are_refused(wrong: pb.MatchSettings) -> None:
    """Enums that do not exist, numbers and nanoseconds out of range: BAD_FIELD."""
    with pytest.raises(Refusal) as refused:
        settings_from(wrong)
    assert refused.value.reason is Reason.BAD_FIELD


def test_seats_are_open_of_the_house_or_reserved() -> None:
    """A house bot without a name bears its strategy's, one with a name that."""
    assert seat_from(pb.SeatSpec(open=pb.OpenSeat())) == SeatSetup()
    bot = pb.SeatSpec(house_bot=pb.HouseBot(strategy="greedy"))
    assert seat_from(bot) == SeatSetup(owner=HOUSE, name="greedy", strategy="greedy")
    named = pb.SeatSpec(house_bot=pb.HouseBot(strategy="greedy", name="G 2"))
    assert seat_from(named).name == "G 2"
    held = pb.SeatSpec(reserved=pb.ReservedSeat(key_id="abc", name="me"))
    assert seat_from(held) == SeatSetup(owner="key:abc", name="me")


def test_a_seat_without_occupant_is_refused() -> None:
    """A SeatSpec has to say who sits there."""
    with pytest.raises(Refusal) as refused:
        seat_from(pb.SeatSpec())
    assert refused.value.reason is Reason.BAD_FIELD


def test_a_match_is_told_as_a_spectator_may_know_it() -> None:
    """Names, settings and commitment are told; who holds a seat and the deal are not."""
    match = Table(setup_of(4, open_seats=1)).match
    message = match_message(match)
    assert message.state == pb.MATCH_STATE_OPEN
    assert [seat.taken for seat in message.seats] == [True, True, True, False]
    assert message.deal_commitment == match.deal.commitment
    body = message.SerializeToString()
    for secret in (match.deal.pool.random, match.deal.salt, b"key:0", b"key:creator"):
        assert secret not in body
    assert not match_message(match, brief=True).HasField("rules")
