"""What has happened for a custom rule? All of it is public; cards of open hands stand in views."""

from typing import NamedTuple

from lastcard_engine.cards import Seat


class HandsOpened(NamedTuple):
    """Hands lie open to every seat until the turn reaches the player again (R162, S20)."""

    seat: Seat
    """Whose turn closes them."""
    seats: tuple[Seat, ...]
    """Whose hands they are; the cards stand in the views."""


class DrawRaised(NamedTuple):
    """A seat that cannot play on its next turn draws more than usual (R158)."""

    seat: Seat
    count: int  # type: ignore[assignment]


class Dared(NamedTuple):
    """A seat is dared; it says that it is done or pays for it (R155)."""

    seat: Seat
    text: str


class DareAnswered(NamedTuple):
    """A seat has answered a dare; one that says it is done is judged by the others (Q40)."""

    seat: Seat
    done: bool


class VoteOpened(NamedTuple):
    """All seats but one are asked a question about it (R163, Q40)."""

    seat: Seat
    """Whom it is about; it does not vote."""
    text: str


class VoteCounted(NamedTuple):
    """A vote is over; who said what is not told."""

    seat: Seat
    yes: int
    no: int
    carried: bool
    """Whether there were enough yes: one on a question, more than half on a dare."""


class Restricted(NamedTuple):
    """A seat keeps to a text until somebody calls UNO; nothing watches it (R165)."""

    seat: Seat
    text: str


class RestrictionsLifted(NamedTuple):
    """UNO was called: nobody keeps to anything any more (R165)."""
