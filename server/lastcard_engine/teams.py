"""
Who plays with whom?

Without teams everybody plays for himself; in pairs partners sit opposite each other (R217), and are
told nothing about each other that others are not (Q58).
"""

from collections.abc import Iterable

from lastcard_engine.cards import Seat

PAIRED_SEATS = 4
"""How many seats a table of pairs has."""


def with_partners(seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """Return seats of a table of pairs and their partners, in seat order (R218)."""
    sides = {seat % 2 for seat in seats}
    return tuple(Seat(seat) for seat in range(PAIRED_SEATS) if seat % 2 in sides)


def are_partners(one: Seat, other: Seat) -> bool:
    """Tell whether two seats of a table of pairs are on one side; every seat is on its own."""
    return (one - other) % 2 == 0
