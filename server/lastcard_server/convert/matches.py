"""
A match as the contract shows it, and the settings and seats a request asks for.

Zero values of a request mean the default; what is set has to lie in the ranges that proto/ gives.
"""

from functools import lru_cache
from typing import Final

from google.protobuf.duration_pb2 import Duration

from lastcard.v1 import match_service_pb2 as pb
from lastcard.v1.event_pb2 import MatchEnded
from lastcard_engine.settings import Absence, Reactions, Settings
from lastcard_server.convert.rules import rules_message
from lastcard_server.convert.times import duration, milliseconds_from, timestamp
from lastcard_server.errors import Reason, Refusal
from lastcard_server.fields import between, name
from lastcard_server.matches.match import Match, Result
from lastcard_server.matches.setup import HOUSE, RANGES, Clocks, SeatSetup

_CLOCKS: Final = {
    "start_limit_duration": "start_limit_ms",
    "move_limit_duration": "move_limit_ms",
    "bank_duration": "bank_ms",
    "increment_duration": "increment_ms",
    "network_margin_duration": "margin_ms",
    "reaction_duration": "reaction_ms",
    "reaction_limit_duration": "reaction_limit_ms",
    "reaction_hold_duration": "reaction_hold_ms",
}
"""Which clock each duration of the contract sets."""
_REACTIONS: Final = {
    pb.REACTIONS_UNSPECIFIED: Reactions.POLLED,
    pb.REACTIONS_RACE: Reactions.RACE,
    pb.REACTIONS_POLLED: Reactions.POLLED,
}
_ABSENCES: Final = {
    pb.ABSENCE_POLICY_UNSPECIFIED: Absence.PLAY_DEFAULT,
    pb.ABSENCE_POLICY_PLAY_DEFAULT: Absence.PLAY_DEFAULT,
    pb.ABSENCE_POLICY_KNOCK_OUT_ROUND: Absence.KNOCK_OUT_ROUND,
    pb.ABSENCE_POLICY_FORFEIT_MATCH: Absence.FORFEIT_MATCH,
}


def settings_from(message: pb.MatchSettings) -> tuple[Settings, Clocks]:
    """
    Return the engine's settings and the clocks a request asks for.

    Raises:
        Refusal: BAD_FIELD.

    """
    return _settings_from(message.SerializeToString())


@lru_cache(256)
def _settings_from(body: bytes) -> tuple[Settings, Clocks]:
    message = pb.MatchSettings.FromString(body)
    if message.reactions not in _REACTIONS:
        raise Refusal(Reason.BAD_FIELD, "settings.reactions must be race or polled.")
    if message.absence_policy not in _ABSENCES:
        raise Refusal(Reason.BAD_FIELD, "settings.absence_policy must be one that proto/ lists.")
    settings = Settings(
        reactions=_REACTIONS[message.reactions],
        absence=_ABSENCES[message.absence_policy],
        action_cap=between(message.action_cap, 1, 100_000, "settings.action_cap", default=2_000),
        rounds=between(message.max_rounds, 1, 1_000, "settings.max_rounds", default=0),
    )
    clocks = {
        clock: milliseconds_from(getattr(message, field), *RANGES[clock], f"settings.{field}")
        for field, clock in _CLOCKS.items()
        if _is_given(message, field)
    }
    return settings, Clocks(**clocks)


def _is_given(message: pb.MatchSettings, field: str) -> bool:
    """Tell whether a request sets a duration; a zero is one only where zero is not the default."""
    if not message.HasField(field):
        return False
    return field in _ZERO_COUNTS or getattr(message, field) != Duration()


_ZERO_COUNTS: Final = ("network_margin_duration", "reaction_duration")


@lru_cache(256)
def settings_message(settings: Settings, clocks: Clocks) -> pb.MatchSettings:
    """Return settings as a message in which every field is set; it is shared, so leave it be."""
    return pb.MatchSettings(
        reactions=f"REACTIONS_{settings.reactions.name}",
        absence_policy=f"ABSENCE_POLICY_{settings.absence.name}",
        action_cap=settings.action_cap,
        max_rounds=settings.rounds,
        **{field: duration(getattr(clocks, clock)) for field, clock in _CLOCKS.items()},
    )


def seat_from(spec: pb.SeatSpec) -> SeatSetup:
    """
    Return who is to sit on a seat; whether strategy and key exist is for others to say.

    Raises:
        Refusal: BAD_FIELD for no occupant, BAD_NAME for a name that breaks the rule.

    """
    match spec.WhichOneof("occupant"):
        case "open":
            return SeatSetup()
        case "house_bot":
            bot = spec.house_bot
            shown = name(bot.name, "house_bot.name") if bot.name else bot.strategy
            return SeatSetup(owner=HOUSE, name=shown, strategy=bot.strategy)
        case "reserved":
            held = spec.reserved
            shown = name(held.name, "reserved.name") if held.name else ""
            return SeatSetup(owner=f"key:{held.key_id}", name=shown)
    raise Refusal(Reason.BAD_FIELD, "Every seat must be open, house_bot or reserved.")


def match_message(match: Match, *, brief: bool = False) -> pb.Match:
    """Return a match as a spectator may know it; a brief one leaves rules and settings out."""
    setup = match.setup
    return pb.Match(
        match_id=match.match_id,
        state=f"MATCH_STATE_{match.stage.name}",
        rules=None if brief else rules_message(setup.rules),
        preset=setup.preset,
        settings=None if brief else settings_message(setup.settings, setup.clocks),
        seats=(pb.MatchSeat(name=s.name, taken=bool(s.owner)) for s in match.seats),
        create_time=timestamp(match.created_us),
        deal_commitment=match.commitment,
        version=match.shown_version,
        result=result_message(match.result) if match.result else None,
    )


def result_message(result: Result) -> MatchEnded:
    """Return how a match ended."""
    return MatchEnded(
        reason=f"MATCH_END_REASON_{result.reason.upper()}",
        places=result.places,
        total_points=result.totals,
    )
