"""Is the schedule fair: seats, neighbours, tables?"""

from collections import Counter
from itertools import pairwise

import pytest

from lastcard_server.contests.schedule import GAMES_MAX, round_robin, seat_map, zigzag_square

SEATS = range(2, 11)


def neighbours(square: tuple[tuple[int, ...], ...]) -> Counter[tuple[int, int]]:
    """Count each ordered pair of entrants that sit side by side."""
    return Counter(pair for row in square for pair in pairwise(row))


@pytest.mark.parametrize("seats", SEATS)
def test_every_entrant_has_every_seat_once(seats: int) -> None:
    """Rows and columns of every square of the seat map are permutations."""
    for square in seat_map(seats):
        for line in (*square, *zip(*square, strict=True)):
            assert sorted(line) == list(range(seats))


@pytest.mark.parametrize("seats", [2, 4, 6, 8, 10])
def test_even_tables_meet_every_neighbour_once(seats: int) -> None:
    """With an even number of seats every ordered pair sits side by side exactly once."""
    counts = neighbours(zigzag_square(seats))
    assert len(counts) == seats * (seats - 1)
    assert set(counts.values()) == {1}


@pytest.mark.parametrize("seats", [3, 5, 7, 9])
def test_odd_tables_meet_every_neighbour_twice_in_two_blocks(seats: int) -> None:
    """With an odd number of seats the two squares together hold every ordered pair twice."""
    first, second = seat_map(seats)
    counts = neighbours(first) + neighbours(second)
    assert len(counts) == seats * (seats - 1)
    assert set(counts.values()) == {2}


def test_two_seats_swap() -> None:
    """Two entrants play each deal from both sides."""
    assert seat_map(2) == (((0, 1), (1, 0)),)


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (5, 2), (5, 3), (6, 4), (4, 4), (7, 5)])
def test_tables_meet_equally_often(entrants: int, seats: int) -> None:
    """Every set of entrants that fills a table plays the same number of blocks, in every seat."""
    plan = round_robin(entrants, seat_map(seats), blocks_a_table=2)
    slots = [plan.slot(game) for game in range(plan.game_count)]
    meetings = Counter(frozenset(slot.seats) for slot in slots)
    assert set(meetings.values()) == {2 * seats}
    assert len(meetings) == len(plan.tables)
    seated = Counter((entrant, seat) for slot in slots for seat, entrant in enumerate(slot.seats))
    assert len(set(seated.values())) == 1


def test_blocks_are_whole_in_schedule_order() -> None:
    """The legs of a block follow one another and share its table."""
    plan = round_robin(5, seat_map(4), blocks_a_table=3)
    for block in range(plan.block_count):
        legs = list(plan.block(block))
        assert [slot.leg for slot in legs] == [0, 1, 2, 3]
        assert {slot.block for slot in legs} == {block}
        assert [slot.game for slot in legs] == [block * 4 + leg for leg in range(4)]
        assert len({frozenset(slot.seats) for slot in legs}) == 1


def test_tables_advance_together() -> None:
    """Every table has played its first block before any plays its second."""
    plan = round_robin(5, seat_map(4), blocks_a_table=2)
    tables = [frozenset(next(plan.block(block)).seats) for block in range(plan.block_count)]
    assert len(set(tables[: len(plan.tables)])) == len(plan.tables)
    assert tables[: len(plan.tables)] == tables[len(plan.tables) :]


def test_too_few_entrants_are_refused() -> None:
    """A table that cannot be filled is refused with both numbers."""
    with pytest.raises(ValueError, match="3 entrants cannot fill a table of 4 seats"):
        round_robin(3, seat_map(4), 1)


def test_an_endless_schedule_is_refused() -> None:
    """More games than the limit are refused before anything is laid out."""
    with pytest.raises(ValueError, match="at most 1,000,000"):
        round_robin(64, seat_map(10), 1)
    assert round_robin(4, seat_map(4), GAMES_MAX // 4).game_count == GAMES_MAX
