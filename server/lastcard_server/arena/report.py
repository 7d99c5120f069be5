"""How do standings read? As a table for people and as JSON for programs."""

from collections.abc import Iterable, Sequence
from typing import Any

from lastcard.v1.contest_service_pb2 import Estimate, FaultCount, FaultKind, Standing

HEAD = ("rank", "bot", "games", "win rate", "95 %", "points", "95 %", "faults")
LEFT = {1, 7}
"""Columns that are set flush left."""
BLOCKS_NEEDED = 2
"""Blocks without which there is no interval."""


def table(standings: Iterable[Standing], blocks: int) -> list[str]:
    """Return the lines of the standings, best first; equal points share a rank."""
    rows = [HEAD, *(_row(rank, row, blocks) for rank, row in _ranked(standings))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    return ["  ".join(_set(row, widths)).rstrip() for row in rows]


def _set(row: Sequence[str], widths: Sequence[int]) -> Iterable[str]:
    """Yield the cells of a row at the width of their columns."""
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        yield cell.ljust(width) if column in LEFT else cell.rjust(width)


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


def as_json(standings: Iterable[Standing]) -> list[dict[str, Any]]:
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
        }
        for rank, row in _ranked(standings)
    ]


def _estimate(estimate: Estimate) -> dict[str, float]:
    return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}
