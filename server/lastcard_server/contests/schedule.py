"""
Who sits where in which game of a contest?

A block is one deal played once in every row of a seating square: each row is a leg, and over a
block every entrant of the table has every seat once. A cycle plays one block at every table, so
that all tables advance together. Pure arithmetic; it must never know names, matches or results.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple

Square = tuple[tuple[int, ...], ...]
"""A Latin square: rows are legs, columns seats, values places in a table's list of entrants."""

GAMES_MAX = 1_000_000
"""Most games of one contest."""


def zigzag_square(seats: int) -> Square:
    """
    Return the seating square of a table.

    Every entrant has every seat once. With an even number of seats the square is row-complete:
    every ordered pair of entrants sits side by side exactly once (Williams' construction); two
    seats swap.

    Example:
        >>> zigzag_square(4)
        ((0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1))

    """
    first = [0 if seat == 0 else (seat + 1) // 2 * (-1) ** (seat + 1) for seat in range(seats)]
    return tuple(tuple((place + leg) % seats for place in first) for leg in range(seats))


def seat_map(seats: int) -> tuple[Square, ...]:
    """
    Return the squares that a table's blocks take in turn.

    No square of 3, 5 or 7 is row-complete. With an odd number of seats the mirrored square follows,
    and over two blocks every ordered pair of entrants sits side by side exactly twice.
    """
    square = zigzag_square(seats)
    mirrored = tuple(row[::-1] for row in square)
    return (square, mirrored) if seats % 2 else (square,)


class Slot(NamedTuple):
    """One game of the schedule."""

    game: int
    """Its place in the schedule, 0-based."""
    block: int
    """Its block, 0-based."""
    leg: int
    """The row of the block's square, 0-based."""
    seats: tuple[int, ...]
    """The entrant on each seat, by its place in the contest's list."""


@dataclass(frozen=True)
class RoundRobin:
    """
    The schedule in which every set of entrants that fills a table meets equally often.

    Raises:
        ValueError: there are fewer entrants than seats, or more than `GAMES_MAX` games.

    """

    entrants: int
    squares: tuple[Square, ...]
    """As the contest's log holds them."""
    blocks_a_table: int

    def __post_init__(self) -> None:
        if self.entrants < self.seats:
            raise ValueError(
                f"{self.entrants} entrants cannot fill a table of {self.seats} seats; "
                "name more entrants or fewer seats"
            )
        if self.game_count > GAMES_MAX:
            raise ValueError(
                f"the schedule has {self.game_count:,} games; at most {GAMES_MAX:,} can be played, "
                "so lower the blocks or the entrants"
            )

    @cached_property
    def tables(self) -> tuple[tuple[int, ...], ...]:
        """Every set of entrants that fills a table, each in the order of the contest's list."""
        return tuple(combinations(range(self.entrants), self.seats))

    @property
    def seats(self) -> int:
        """Seats a table, which is also the legs a block."""
        return len(self.squares[0])

    @property
    def table_count(self) -> int:
        """Sets of entrants that fill a table."""
        return comb(self.entrants, self.seats)

    @property
    def block_count(self) -> int:
        """Blocks of all tables together."""
        return self.table_count * self.blocks_a_table

    @property
    def game_count(self) -> int:
        """Games of all blocks."""
        return self.block_count * self.seats

    def slot(self, game: int) -> Slot:
        """Return a game of the schedule; `game` is at least 0 and less than `game_count`."""
        block, leg = divmod(game, self.seats)
        cycle, table = divmod(block, self.table_count)
        row = self.squares[cycle % len(self.squares)][leg]
        members = self.tables[table]
        return Slot(game, block, leg, tuple(members[place] for place in row))

    def legs(self, block: int) -> Iterator[Slot]:
        """Yield the games of a block in the order of its legs."""
        first = block * self.seats
        return (self.slot(game) for game in range(first, first + self.seats))
