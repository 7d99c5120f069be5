"""
What is fixed about a contest when it is created? Rules, settings, entrants, tables, blocks.

A spec is written into the first entry of the contest as JSON and read back from it, tables and
seating squares included, so that no later release changes who sits where in a contest that runs.
The file must never know protobuf or the journal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from lastcard_server.contests.formats import Format, Table, plan_of
from lastcard_server.contests.schedule import Plan, Square, round_robin
from lastcard_server.matches import setup
from lastcard_server.matches.setup import MatchSetup, SeatSetup


@dataclass(frozen=True, slots=True)
class Entrant:
    """One that takes part."""

    name: str
    """Unique in the contest."""
    owner: str
    """"key:<id>", or `setup.HOUSE` for a bot of the house."""
    strategy: str = ""
    """Of a bot of the house."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What a contest plays."""

    name: str
    match: MatchSetup
    """Rules, settings and clocks of every game, with the seats of the first one."""
    overrides: tuple[tuple[str, str], ...]
    """Options that differ from the preset, as they were asked for."""
    entrants: tuple[Entrant, ...]
    squares: tuple[Square, ...]
    """How the seats rotate, see `formats.squares_of`."""
    blocks: int
    """Blocks each table plays; how often a tournament is played."""
    concurrency: int
    """Most games that run at once; at least the legs of one block."""
    format: Format = Format.ROUND_ROBIN
    tables: tuple[Table, ...] = ()
    """Who meets whom, see `formats.tables_of`; a round robin has all tables there can be."""
    duplicate_deals: bool = False
    """In a tournament, whether the four deals of a round at a table have the same cards."""

    def plan(self) -> Plan:
        """
        Return the schedule.

        Raises:
            ValueError: the entrants do not fill a table, or the schedule is too long.

        """
        if self.format is Format.ROUND_ROBIN:
            return round_robin(len(self.entrants), self.squares, self.blocks)
        same = self.duplicate_deals
        return plan_of(self.format, self.tables, self.squares, self.blocks, same=same)

    def setup(self, seats: Sequence[int]) -> MatchSetup:
        """Return the setup of a game from the entrant on each seat, by its place in the list."""
        return replace(self.match, seats=seats_of(self.entrants, seats))


def seats_of(entrants: Sequence[Entrant], seats: Sequence[int]) -> tuple[SeatSetup, ...]:
    """Return the seats of a game; its entrants have the same numbers in every leg of a block."""
    table = sorted(seats)
    return tuple(
        SeatSetup(
            owner=entrants[entrant].owner,
            name=entrants[entrant].name,
            strategy=entrants[entrant].strategy,
            entrant=table.index(entrant),
        )
        for entrant in seats
    )


def plain(spec: Spec) -> dict[str, Any]:
    """Return a spec as values that JSON holds."""
    return {
        "name": spec.name,
        "match": setup.plain(spec.match),
        "overrides": [list(override) for override in spec.overrides],
        "entrants": [asdict(entrant) for entrant in spec.entrants],
        "squares": [[list(row) for row in square] for square in spec.squares],
        "blocks": spec.blocks,
        "concurrency": spec.concurrency,
        "format": spec.format.value,
        "tables": [list(table) for table in spec.tables],
        "duplicate_deals": spec.duplicate_deals,
    }


def from_plain(values: Mapping[str, Any]) -> Spec:
    """Return the spec that `plain` wrote."""
    return Spec(
        name=values["name"],
        match=setup.from_plain(values["match"]),
        overrides=tuple((option, value) for option, value in values["overrides"]),
        entrants=tuple(Entrant(**entrant) for entrant in values["entrants"]),
        squares=tuple(tuple(map(tuple, square)) for square in values["squares"]),
        blocks=values["blocks"],
        concurrency=values["concurrency"],
        format=Format(values.get("format", Format.ROUND_ROBIN)),  # logs of 0.1 know no other
        tables=tuple(map(tuple, values.get("tables", ()))),
        duplicate_deals=values.get("duplicate_deals", False),
    )
