"""
Who is ahead in a contest, and how sure is that?

Seats and deals are balanced only within a whole block, and partners only within a whole tournament.
That is the unit that is counted and resampled: intervals come from a bootstrap over units. The same
games always give the same numbers. The file knows finished games; it must never know which are
still running.
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
SHARES = 2520
"""Parts of a game won: a whole number of them for each of 1 to 10 who share a first place."""
UNITS_MAX = 250
"""Most units that are resampled; beyond, neighbours are resampled together."""


class Estimate(NamedTuple):
    """A mean with its interval of 95 %; with fewer than two units the interval is the mean."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Standing:
    """One entrant's standing over the units counted."""

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
    total: int
    """Points of all games: in a tournament the personal tally (R222)."""


class _Mean(NamedTuple):
    """What an entrant made of a unit, or of several, as means a game."""

    wins: float
    points: float


@dataclass
class _Tally:
    """What an entrant made of all units."""

    games: int = 0
    total: int = 0
    won: int = 0
    """In `SHARES`."""
    units: list[_Mean] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)


def standings(seed: str, names: Sequence[str], units: Sequence[Sequence[Game]]) -> list[Standing]:
    """
    Return one standing an entrant, most points a game first; ties keep the order of `names`.

    Rule: R223. `units` holds the games that are counted together, in schedule order. `seed` decides
    the resampling, so that a contest named by it gets the same intervals everywhere.
    """
    tallies = {name: _Tally() for name in names}
    for unit in units:
        _count(tallies, unit)
    table = [_standing(seed, name, tally) for name, tally in tallies.items()]
    return sorted(table, key=lambda row: (-row.points.mean, -row.win_rate.mean))


def _count(tallies: Mapping[str, _Tally], unit: Sequence[Game]) -> None:
    """Add a unit to the tallies of those who played it; each plays equally often."""
    games: Counter[str] = Counter()
    points: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for game in unit:
        share = SHARES // game.places.count(1)
        for name, place, scored, faults in zip(
            game.seats, game.places, game.points, game.faults, strict=True
        ):
            games[name] += 1
            points[name] += scored
            won[name] += share if place == 1 else 0
            tallies[name].faults.update(faults)
    for name, count in games.items():
        tallies[name].games += count
        tallies[name].total += points[name]
        tallies[name].won += won[name]
        tallies[name].units.append(_Mean(won[name] / (SHARES * count), points[name] / count))


def _standing(seed: str, name: str, tally: _Tally) -> Standing:
    """Return the standing that a tally amounts to."""
    games, total, wins = tally.games, tally.total, tally.won / SHARES
    resampled = _resampled(_merged(tally.units), Random(f"{seed}/{name}"))  # noqa: S311 - statistics
    # From whole numbers, so that equal tallies are equal whatever they are made of.
    win_rate = _estimate(wins / games if games else 0, [sample.wins for sample in resampled])
    points = _estimate(total / games if games else 0, [sample.points for sample in resampled])
    faults = dict(sorted(tally.faults.items()))
    return Standing(name, games, wins, win_rate, points, faults, total)


def _mean(units: Sequence[_Mean]) -> _Mean:
    """Return the mean of means over equally long units."""
    count = len(units)
    return _Mean(sum(u.wins for u in units) / count, sum(u.points for u in units) / count)


def _merged(units: Sequence[_Mean]) -> list[_Mean]:
    """Return what is resampled: the units, or where they are many, means of neighbours."""
    count = min(len(units), UNITS_MAX)
    ends = [unit * len(units) // count for unit in range(count + 1)] if count else []
    return [_mean(units[a:b]) for a, b in pairwise(ends)]


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
