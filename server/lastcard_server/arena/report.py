"""How do standings read? As a table for people and as JSON for programs."""

from collections.abc import Iterable, Sequence
from typing import Any

from lastcard.v1.contest_service_pb2 import (
    Contest,
    Estimate,
    FaultCount,
    FaultKind,
    Schedule,
    Standing,
)

HEAD = ("rank", "bot", "games", "win rate", "95 %", "points", "95 %", "faults")
TALLY = "tally"
"""The head of the column that tournaments have besides, behind the games."""
LEFT = {"bot", "faults"}
"""Columns that are set flush left."""
BLOCKS_NEEDED = 2
"""Blocks without which there is no interval."""
TOURNAMENTS = frozenset({Schedule.SCHEDULE_TOURNAMENT_4, Schedule.SCHEDULE_TOURNAMENT_8})
"""Schedules that are decided by personal tallies."""


def is_tournament(contest: Contest) -> bool:
    """Tell whether a contest is decided by personal tallies."""
    return contest.spec.schedule in TOURNAMENTS


def table(standings: Sequence[Standing], blocks: int, *, tournament: bool = False) -> list[str]:
    """Return the lines of the standings, best first; equal points share a rank."""
    rows = [HEAD, *(_row(rank, row, blocks) for rank, row in _ranked(standings))]
    if tournament:
        tallies = (TALLY, *(f"{row.point_total:,}" for row in standings))
        rows = [(*row[:3], tally, *row[3:]) for row, tally in zip(rows, tallies, strict=True)]
    columns = [_set(column) for column in zip(*rows, strict=True)]
    return ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]


def _set(column: Sequence[str]) -> list[str]:
    """Return the cells of a column at its width."""
    width = max(map(len, column))
    return [cell.ljust(width) if column[0] in LEFT else cell.rjust(width) for cell in column]


def _ranked(standings: Iterable[Standing]) -> Iterable[tuple[int, Standing]]:
    """Yield each standing with its rank; equal points share one."""
    rank, points = 0, None
    for place, row in enumerate(standings, start=1):
        if row.points.mean != points:
            rank, points = place, row.points.mean
        yield rank, row


def _row(rank: int, row: Standing, blocks: int) -> tuple[str, ...]:
    """Return the cells of one standing."""
    known = blocks >= BLOCKS_NEEDED
    rate, points = row.win_rate, row.points
    return (
        str(rank),
        row.name,
        f"{row.game_count:,}",
        f"{100 * rate.mean:.1f} %",
        f"{100 * rate.low:.1f}-{100 * rate.high:.1f}" if known else "-",
        f"{points.mean:.1f}",
        f"{points.low:.1f}-{points.high:.1f}" if known else "-",
        ", ".join(f"{count} {kind}" for kind, count in faults(row.faults).items()) or "none",
    )


def faults(counts: Iterable[FaultCount]) -> dict[str, int]:
    """Return faults by kind in lower case."""
    return {
        FaultKind.Name(count.kind).removeprefix("FAULT_KIND_").lower(): count.fault_count
        for count in counts
    }


def as_json(standings: Iterable[Standing], *, tournament: bool = False) -> list[dict[str, Any]]:
    """Return the standings for programs, best first."""
    return [
        {
            "rank": rank,
            "bot": row.name,
            "games": row.game_count,
            "wins": row.win_count,
            "win_rate": _estimate(row.win_rate),
            "points": _estimate(row.points),
            "faults": faults(row.faults),
            **({TALLY: row.point_total} if tournament else {}),
        }
        for rank, row in _ranked(standings)
    ]


def _estimate(estimate: Estimate) -> dict[str, float]:
    return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}
