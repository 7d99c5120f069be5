"""
Who is ahead in a contest, and how sure is that?

Seats and deals are balanced only within a whole block, so a block is the unit that is counted and
resampled: means are over blocks, intervals come from a bootstrap over blocks. The same games always
give the same numbers. The file knows finished games; it must never know which are still running.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import NamedTuple

from lastcard_server.contests.ledger import Game

RESAMPLES = 1000
"""Bootstrap resamples of each interval."""
TAIL = RESAMPLES // 40
"""Resamples cut off at each end: 2.5 %."""
UNITS_MAX = 250
"""Most units that are resampled; beyond, neighbouring blocks are resampled together."""


class Estimate(NamedTuple):
    """A mean with its interval of 95 %; with fewer than two blocks the interval is the mean."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Standing:
    """One entrant's standing over the blocks counted."""

    name: str
    games: int
    wins: float
    """Games won; a shared first place counts its share."""
    win_rate: Estimate
    """Share of games won."""
    points: Estimate
    """Points a game."""
    faults: Mapping[str, int]
    """Faults by kind, only kinds that occurred."""


class _Mean(NamedTuple):
    """What an entrant made of a block, or of several, as means a game."""

    wins: float
    points: float


@dataclass
class _Tally:
    """What an entrant made of all blocks."""

    games: int = 0
    blocks: list[_Mean] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)


def standings(seed: str, names: Sequence[str], blocks: Sequence[Sequence[Game]]) -> list[Standing]:
    """
    Return one standing an entrant, most points a game first; ties keep the order of `names`.

    `blocks` holds complete blocks in schedule order. `seed` decides the resampling, so that a
    contest named by it gets the same intervals everywhere.
    """
    tallies = {name: _Tally() for name in names}
    for block in blocks:
        _count(tallies, block)
    table = [_standing(seed, name, tally) for name, tally in tallies.items()]
    return sorted(table, key=lambda row: (-row.points.mean, -row.win_rate.mean))


def _count(tallies: Mapping[str, _Tally], block: Sequence[Game]) -> None:
    """Add a block to the tallies of those who played it; each plays every leg."""
    won = dict.fromkeys(block[0].seats, 0.0)
    points = dict.fromkeys(block[0].seats, 0)
    for game in block:
        share = 1 / game.places.count(1)
        for name, place, scored, faults in zip(
            game.seats, game.places, game.points, game.faults, strict=True
        ):
            won[name] += share if place == 1 else 0
            points[name] += scored
            tallies[name].faults.update(faults)
    for name in block[0].seats:
        tallies[name].games += len(block)
        tallies[name].blocks.append(_Mean(won[name] / len(block), points[name] / len(block)))


def _standing(seed: str, name: str, tally: _Tally) -> Standing:
    """Return the standing that a tally amounts to."""
    mean = _mean(tally.blocks)
    resampled = _resampled(_units(tally.blocks), Random(f"{seed}/{name}"))  # noqa: S311 - statistics
    win_rate = _estimate(mean.wins, [sample.wins for sample in resampled])
    points = _estimate(mean.points, [sample.points for sample in resampled])
    wins = mean.wins * tally.games
    return Standing(name, tally.games, wins, win_rate, points, dict(sorted(tally.faults.items())))


def _mean(blocks: Sequence[_Mean]) -> _Mean:
    """Return the mean of means over equally long blocks; of none, zero."""
    count = len(blocks) or 1
    return _Mean(sum(b.wins for b in blocks) / count, sum(b.points for b in blocks) / count)


def _units(blocks: Sequence[_Mean]) -> list[_Mean]:
    """Return what is resampled: the blocks, or where they are many, means of neighbours."""
    count = min(len(blocks), UNITS_MAX)
    ends = [unit * len(blocks) // count for unit in range(count + 1)] if count else []
    return [_mean(blocks[a:b]) for a, b in pairwise(ends)]


def _resampled(units: Sequence[_Mean], random: Random) -> list[_Mean]:
    """Return the means of `RESAMPLES` samples drawn from the units with replacement."""
    wins, points = [unit.wins for unit in units], [unit.points for unit in units]
    places, count, means = range(len(units)), len(units), []
    for _ in range(RESAMPLES if units else 0):
        drawn = random.choices(places, k=count)
        won, scored = map(wins.__getitem__, drawn), map(points.__getitem__, drawn)
        means.append(_Mean(sum(won) / count, sum(scored) / count))
    return means


def _estimate(mean: float, resampled: list[float]) -> Estimate:
    """Return the mean between the percentiles 2.5 and 97.5 of its resamples."""
    if not resampled:
        return Estimate(mean, mean, mean)
    ordered = sorted(resampled)
    return Estimate(mean, min(mean, ordered[TAIL]), max(mean, ordered[-1 - TAIL]))
