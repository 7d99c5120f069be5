"""
Who sits where in which game of a contest?

A block is one deal played once in every row of a seating square: each row is a leg, and over a
block every entrant of the table has every seat once. Where every game is to have cards of its own,
each is a block of one leg. A cycle plays one square at every table, so that all tables advance
together. Pure arithmetic; it must never know names, matches or results.
"""

from collections.abc import Iterator
from dataclasses import dataclass
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
    """Its place in the block, 0-based."""
    seats: tuple[int, ...]
    """The entrant on each seat, by its place in the contest's list."""


@dataclass(frozen=True)
class Plan:
    """
    The games of a contest in schedule order.

    A cycle plays every table once, in each row of the square whose turn it is.

    Raises:
        ValueError: there are more than `GAMES_MAX` games.

    """

    tables: tuple[tuple[int, ...], ...]
    """The entrants of each table, by their places in the contest's list."""
    squares: tuple[Square, ...]
    """How the seats of a table rotate; cycles take the squares in turn."""
    cycles: int
    legs: int
    """Games a block: a row each, dealt the same cards; or 1, every game with cards of its own."""
    unit: int
    """Games that are counted together: only over so many are seats and partners balanced."""

    def __post_init__(self) -> None:
        _refuse_endless(self.game_count)

    @property
    def seats(self) -> int:
        """Seats a table."""
        return len(self.squares[0])

    @property
    def block_count(self) -> int:
        """Blocks of all tables together."""
        return self.game_count // self.legs

    @property
    def game_count(self) -> int:
        """Games of all blocks."""
        return len(self.tables) * self.cycles * self.seats

    def slot(self, game: int) -> Slot:
        """Return a game of the schedule; `game` is at least 0 and less than `game_count`."""
        sitting, row = divmod(game, self.seats)
        cycle, table = divmod(sitting, len(self.tables))
        places = self.squares[cycle % len(self.squares)][row]
        members = self.tables[table]
        seats = tuple(members[place] for place in places)
        return Slot(game, *divmod(game, self.legs), seats)

    def block(self, block: int) -> Iterator[Slot]:
        """Yield the games of a block in the order of its legs."""
        first = block * self.legs
        return (self.slot(game) for game in range(first, first + self.legs))


def round_robin(entrants: int, squares: tuple[Square, ...], blocks_a_table: int) -> Plan:
    """
    Return the schedule in which every set of entrants that fills a table meets equally often.

    Raises:
        ValueError: there are fewer entrants than seats, or more than `GAMES_MAX` games.

    """
    seats = len(squares[0])
    if entrants < seats:
        raise ValueError(
            f"{entrants} entrants cannot fill a table of {seats} seats; "
            "name more entrants or fewer seats"
        )
    _refuse_endless(comb(entrants, seats) * blocks_a_table * seats)
    tables = tuple(combinations(range(entrants), seats))
    return Plan(tables, squares, blocks_a_table, legs=seats, unit=seats)


def _refuse_endless(games: int) -> None:
    if games > GAMES_MAX:
        raise ValueError(
            f"the schedule has {games:,} games; at most {GAMES_MAX:,} can be played, "
            "so lower the blocks or the entrants"
        )
