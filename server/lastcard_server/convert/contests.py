"""Contests as the contract shows them, and what a request asks to be played."""

from collections.abc import Callable, Mapping
from typing import Final

from lastcard.v1 import contest_service_pb2 as pb
from lastcard.v1.rules_pb2 import RulesChoice, RulesOverride
from lastcard_engine.teams import PAIRED_SEATS
from lastcard_server import fields
from lastcard_server.contests.contest import Contest, LedgerRow, Stage
from lastcard_server.contests.formats import (
    FIXED,
    Format,
    Table,
    squares_of,
    tables_of,
    terms,
)
from lastcard_server.contests.spec import Entrant, Spec, seats_of
from lastcard_server.contests.standings import Estimate, Standing
from lastcard_server.convert.matches import settings_from, settings_message
from lastcard_server.convert.rules import rules_from, rules_message
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
        Refusal: BAD_FIELD, BAD_NAME or BAD_RULES.

    """
    form = _format(message)
    seats = fields.between(message.seat_count, 2, 10, "spec.seat_count")
    entrants = _entrants(message, seats, check)
    match, tables = _played(message, form, entrants)
    return Spec(
        name=fields.name(message.name, "spec.name"),
        match=match,
        overrides=tuple((o.option, o.value) for o in message.rules.overrides),
        entrants=entrants,
        squares=squares_of(form, match.rules, seats),
        blocks=fields.between(message.block_count, 1, 100_000, "spec.block_count"),
        concurrency=fields.between(
            message.concurrent_match_count,
            seats,
            4_096,
            "spec.concurrent_match_count",
            default=max(DEFAULT_CONCURRENCY, seats),
        ),
        format=form,
        tables=tables,
        duplicate_deals=message.duplicate_deals,
    )


_FORMATS: Final = {pb.Schedule.Value(f"SCHEDULE_{form.name}"): form for form in Format}


def _format(message: pb.ContestSpec) -> Format:
    """Return the format a request asks for; it has to go with what else the request says of it."""
    form = _FORMATS.get(message.schedule)
    if form is None:
        names = ", ".join(map(pb.Schedule.Name, _FORMATS))
        raise Refusal(Reason.BAD_FIELD, f"spec.schedule must be one of {names}.")
    if form is not Format.ROUND_ROBIN and message.seat_count != PAIRED_SEATS:
        raise Refusal(Reason.BAD_FIELD, f"spec.seat_count must be {PAIRED_SEATS} in {form}.")
    if message.duplicate_deals and not form.changes_partners:
        sentence = f"spec.duplicate_deals is for tournaments: in {form} a block is always one deal."
        raise Refusal(Reason.BAD_FIELD, sentence)
    if form.changes_partners and (
        fixed := [o.option for o in message.rules.overrides if o.option in FIXED]
    ):
        sentence = f"{fixed[0]} cannot be overridden in {form}: {_WHY}."
        raise Refusal(Reason.BAD_RULES, sentence)
    return form


_WHY: Final = "its schedule says who deals, and there is no target"


def _played(
    message: pb.ContestSpec, form: Format, entrants: tuple[Entrant, ...]
) -> tuple[MatchSetup, tuple[Table, ...]]:
    """Return the setup of the first match, and who meets whom."""
    preset, rules = rules_from(message.rules)
    settings, clocks = settings_from(message.settings)
    try:
        rules, settings = terms(form, rules, settings)
        tables = tables_of(form, len(entrants))
    except ValueError as error:
        raise Refusal(Reason.BAD_FIELD, f"spec.schedule: {error}.") from None
    first = seats_of(entrants, range(message.seat_count))
    return MatchSetup(rules, preset, first, settings, clocks), tables


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
        rules=RulesChoice(
            preset=spec.match.preset,
            overrides=overrides,
            custom_rules=rules_message(spec.match.rules).custom_rules,
        ),
        settings=settings_message(spec.match.settings, spec.match.clocks),
        entrants=(_entrant_message(entrant) for entrant in spec.entrants),
        seat_count=len(spec.squares[0]),
        schedule=f"SCHEDULE_{spec.format.name}",
        block_count=spec.blocks,
        concurrent_match_count=spec.concurrency,
        duplicate_deals=spec.duplicate_deals,
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
        point_total=standing.total,
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
