"""
In which forms is a contest played, and who is whose partner in them?

Partners sit opposite each other (R217): a table is written as its seats N, E, S, W, clockwise. In
a tournament (R221, R224) partners change after every round of four deals, of which everybody deals
one. Pure tables; the file must never know names, matches or results.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from itertools import combinations
from typing import Final

from lastcard_engine.rules import DealerPick, Rules, Teams
from lastcard_engine.settings import Settings
from lastcard_engine.teams import PAIRED_SEATS
from lastcard_server.contests.schedule import Plan, Square, seat_map

Table = tuple[int, ...]
"""The entrants on the seats N, E, S, W, by their places in the contest's list."""


class Format(StrEnum):
    """How tables are formed."""

    ROUND_ROBIN = "round_robin"
    """Every set of entrants that fills a table meets equally often."""
    PAIRS = "pairs"
    """Every entrant keeps one partner, and every pair meets every other equally often."""
    TOURNAMENT_4 = "tournament_4"
    """Four players, three rounds, each with another partner: 12 deals (R221)."""
    TOURNAMENT_8 = "tournament_8"
    """Eight players at two tables, seven rounds: 28 deals a player, 56 table deals (R224)."""

    @property
    def changes_partners(self) -> bool:
        """Tell whether it is a tournament with changing partners."""
        return self in ROUNDS


def _tables(text: str) -> tuple[Table, ...]:
    """Return the tables of a round: `AB-CD` is A and B, who sit N and S, against C and D."""
    return tuple(
        tuple(ord(pairs[seat]) - ord("A") for seat in (0, 3, 1, 4)) for pairs in text.split()
    )


ROUNDS: Final[Mapping[Format, tuple[tuple[Table, ...], ...]]] = {
    Format.TOURNAMENT_4: tuple(map(_tables, ("AB-CD", "AC-BD", "AD-BC"))),
    Format.TOURNAMENT_8: tuple(
        map(
            _tables,
            (
                "AH-BD CG-EF",
                "BH-CE AD-FG",
                "CH-DF BE-AG",
                "DH-EG CF-AB",
                "EH-AF DG-BC",
                "FH-BG AE-CD",
                "GH-AC BF-DE",
            ),
        )
    ),
}
"""
The rounds of each tournament, each with its tables (R221, R224).

With four players there are no others. With eight, every two players are partners in one round and
opponents in two: A to G are shifted on by one from round to round, and H stays where it is.
"""


def dealing_square(table: Table = (0, 1, 2, 3)) -> Square:
    """
    Return the seats of a table's four deals: in the deal of row k the last seat is its seat k.

    The host of a match, who sits on its last seat, deals first; so everybody deals once, and
    partners stay opposite each other.
    """
    return tuple(table[row:] + table[:row] for row in (1, 2, 3, 4))


def squares_of(form: Format, rules: Rules, seats: int) -> tuple[Square, ...]:
    """
    Return the squares that cycles take in turn.

    In a round robin of pairs the three ways to be partners take turns; with the mirrored squares
    that follow every entrant also has every other on either side equally often.
    """
    if form is not Format.ROUND_ROBIN:
        return (dealing_square(),)
    if rules.teams is not Teams.PAIRS:
        return seat_map(seats)
    turned = tuple(dealing_square(table) for (table,) in ROUNDS[Format.TOURNAMENT_4])
    return (*turned, *(tuple(row[::-1] for row in square) for square in turned))


def tables_of(form: Format, entrants: int) -> tuple[Table, ...]:
    """
    Return the tables of one cycle in the order of play; of a round robin, none.

    Raises:
        ValueError: so many entrants cannot play in this form; says how many can.

    """
    if form is Format.ROUND_ROBIN:
        return ()
    if form is Format.PAIRS:
        return _pairs(entrants)
    wanted = PAIRED_SEATS * len(ROUNDS[form][0])
    if entrants != wanted:
        raise ValueError(f"{form} needs {wanted} entrants, not {entrants}")
    return tuple(table for tables in ROUNDS[form] for table in tables)


def _pairs(entrants: int) -> tuple[Table, ...]:
    """Return the tables at which each pair, an entrant and the next, meets every other pair."""
    if entrants < PAIRED_SEATS or entrants % 2:
        raise ValueError(
            f"{Format.PAIRS} needs an even number of entrants from 4 on, not {entrants}"
        )
    firsts = range(0, entrants, 2)
    return tuple((one, two, one + 1, two + 1) for one, two in combinations(firsts, 2))


def plan_of(
    form: Format, tables: tuple[Table, ...], squares: tuple[Square, ...], cycles: int, *, same: bool
) -> Plan:
    """
    Return the schedule of a format other than a round robin.

    A tournament counts as a whole: before its end not everybody has had the same partners. Its
    deals have cards of their own, unless the four of a round at a table are to be the `same`.

    Raises:
        ValueError: it is too long.

    """
    if form.changes_partners:
        legs, unit = PAIRED_SEATS if same else 1, PAIRED_SEATS * len(tables)
        return Plan(tables, squares, cycles, legs, unit)
    return Plan(tables, squares, cycles, legs=PAIRED_SEATS, unit=PAIRED_SEATS)


FIXED: Final = ("dealer_pick", "next_dealer", "scoring", "target_points")
"""Options that mean nothing in a tournament: its schedule says who deals, and it has no target."""


def terms(form: Format, rules: Rules, settings: Settings) -> tuple[Rules, Settings]:
    """
    Return the rules and settings of the matches of a contest.

    In a tournament a match is one deal (R222), dealt by the host.

    Raises:
        ValueError: these rules or settings cannot be played in this form; says which can.

    """
    if form is Format.ROUND_ROBIN:
        return rules, settings
    if rules.teams is not Teams.PAIRS:
        raise ValueError(f"{form} needs rules with teams=pairs, such as those of pairs_se")
    if form is Format.PAIRS:
        return rules, settings
    if settings.rounds > 1:
        raise ValueError(f"max_rounds must be 1 or left out in {form}: a game is one deal")
    return replace(rules, dealer_pick=DealerPick.HOST), replace(settings, rounds=1)
