"""Contests as the contract shows them, and what a request asks to be played."""

from collections.abc import Callable, Mapping
from typing import Final

from lastcard.v1 import contest_service_pb2 as pb
from lastcard.v1.rules_pb2 import RulesChoice, RulesOverride
from lastcard_server import fields
from lastcard_server.contests.contest import Contest, LedgerRow, Stage
from lastcard_server.contests.schedule import seat_map
from lastcard_server.contests.spec import Entrant, Spec, seats_of
from lastcard_server.contests.standings import Estimate, Standing
from lastcard_server.convert.matches import settings_from, settings_message
from lastcard_server.convert.rules import rules_from
from lastcard_server.convert.times import timestamp
from lastcard_server.errors import Reason, Refusal
from lastcard_server.matches.setup import HOUSE, MatchSetup

DEFAULT_CONCURRENCY: Final = 16
_STATES: Final = {
    Stage.CREATED: pb.CONTEST_STATE_CREATED,
    Stage.RUNNING: pb.CONTEST_STATE_RUNNING,
    Stage.FINISHED: pb.CONTEST_STATE_FINISHED,
}


def spec_from(message: pb.ContestSpec, check: Callable[[Entrant], None]) -> Spec:
    """
    Return what a request asks to be played.

    Args:
        message: the request's.
        check: raises a Refusal for an entrant that cannot play here.

    Raises:
        Refusal: BAD_FIELD, BAD_NAME, BAD_RULES or OPTION_NOT_AVAILABLE.

    """
    if message.schedule != pb.SCHEDULE_ROUND_ROBIN:
        raise Refusal(Reason.BAD_FIELD, "spec.schedule must be SCHEDULE_ROUND_ROBIN.")
    seats = fields.between(message.seat_count, 2, 10, "spec.seat_count")
    entrants = _entrants(message, seats, check)
    preset, rules = rules_from(message.rules)
    settings, clocks = settings_from(message.settings)
    first = seats_of(entrants, range(seats))
    return Spec(
        name=fields.name(message.name, "spec.name"),
        match=MatchSetup(rules, preset, first, settings, clocks),
        overrides=tuple((o.option, o.value) for o in message.rules.overrides),
        entrants=entrants,
        squares=seat_map(seats),
        blocks=fields.between(message.block_count, 1, 100_000, "spec.block_count"),
        concurrency=fields.between(
            message.concurrent_match_count,
            seats,
            4_096,
            "spec.concurrent_match_count",
            default=max(DEFAULT_CONCURRENCY, seats),
        ),
    )


def _entrants(
    message: pb.ContestSpec, seats: int, check: Callable[[Entrant], None]
) -> tuple[Entrant, ...]:
    """Return the entrants of a request, each found able to play."""
    if not max(2, seats) <= len(message.entrants) <= 64:
        raise Refusal(Reason.BAD_FIELD, "spec.entrants must be seat_count to 64.")
    entrants = tuple(_entrant(entrant) for entrant in message.entrants)
    if len({entrant.name for entrant in entrants}) < len(entrants):
        raise Refusal(Reason.BAD_NAME, "Every entrant must have a name of its own.")
    for entrant in entrants:
        check(entrant)
    return entrants


def _entrant(message: pb.Entrant) -> Entrant:
    """Return an entrant of a request."""
    name = fields.name(message.name, "The name of an entrant")
    match message.WhichOneof("player"):
        case "key_id":
            return Entrant(name, f"key:{message.key_id}")
        case "house_strategy":
            return Entrant(name, HOUSE, message.house_strategy)
    raise Refusal(Reason.BAD_FIELD, "Every entrant must have a key_id or a house_strategy.")


def contest_message(contest: Contest) -> pb.Contest:
    """Return a contest as it stands."""
    return pb.Contest(
        contest_id=contest.contest_id,
        spec=_spec_message(contest.spec),
        state=_STATES[contest.stage],
        create_time=timestamp(contest.created_us),
        game_count=contest.plan.game_count,
        finished_game_count=contest.finished_games,
    )


def _spec_message(spec: Spec) -> pb.ContestSpec:
    """Return what a contest plays, settings complete."""
    overrides = (RulesOverride(option=option, value=value) for option, value in spec.overrides)
    return pb.ContestSpec(
        name=spec.name,
        rules=RulesChoice(preset=spec.match.preset, overrides=overrides),
        settings=settings_message(spec.match.settings, spec.match.clocks),
        entrants=(_entrant_message(entrant) for entrant in spec.entrants),
        seat_count=len(spec.squares[0]),
        schedule=pb.SCHEDULE_ROUND_ROBIN,
        block_count=spec.blocks,
        concurrent_match_count=spec.concurrency,
    )


def _entrant_message(entrant: Entrant) -> pb.Entrant:
    if entrant.owner == HOUSE:
        return pb.Entrant(name=entrant.name, house_strategy=entrant.strategy)
    return pb.Entrant(name=entrant.name, key_id=entrant.owner.removeprefix("key:"))


def standing_message(standing: Standing) -> pb.Standing:
    """Return one row of the standings."""
    return pb.Standing(
        name=standing.name,
        game_count=standing.games,
        win_count=standing.wins,
        win_rate=_estimate(standing.win_rate),
        points=_estimate(standing.points),
        faults=_faults(standing.faults),
    )


def _estimate(estimate: Estimate) -> pb.Estimate:
    return pb.Estimate(mean=estimate.mean, low=estimate.low, high=estimate.high)


def _faults(faults: Mapping[str, int]) -> list[pb.FaultCount]:
    return [
        pb.FaultCount(kind=f"FAULT_KIND_{kind.upper()}", fault_count=count)
        for kind, count in sorted(faults.items())
    ]


def game_message(row: LedgerRow) -> pb.Game:
    """Return one game of the ledger."""
    game = row.game
    return pb.Game(
        game=game.game,
        block=game.block,
        leg=game.leg,
        attempt=game.attempt,
        match_id=game.match,
        seat_names=game.seats,
        places=game.places,
        points=game.points,
        action_count=game.actions,
        faults=(pb.SeatFaults(faults=_faults(faults)) for faults in game.faults),
        end_time=timestamp(game.end_us),
        chain_hash=row.chain,
        record_hash=bytes.fromhex(game.record),
    )
