"""
Which settings of a match are not rules of the game?

They say how a match is run: how simultaneous acts are ordered, what happens to an absent seat,
and when an endless round or match is cut off. Clocks in milliseconds belong to the server.
"""

from dataclasses import dataclass
from enum import StrEnum


class Reactions(StrEnum):
    """How catches and jump-ins are ordered (Q04, Q48)."""

    RACE = "race"
    """Order of arrival; for people at the table."""
    POLLED = "polled"
    """Every seat that may react is asked once, answers resolve in seat order; for bots."""


class Absence(StrEnum):
    """What becomes of a seat that is absent or has failed (Q64)."""

    PLAY_DEFAULT = "play_default"
    """The seat stays and its default actions go on."""
    KNOCK_OUT_ROUND = "knock_out_round"
    """The seat is out of the present round."""
    FORFEIT_MATCH = "forfeit_match"
    """The seat is out of this and all later rounds and is ranked last."""


@dataclass(frozen=True)
class Settings:
    """
    How a match is run.

    Raises:
        ValueError: a number is out of its range.

    """

    reactions: Reactions = Reactions.POLLED
    absence: Absence = Absence.PLAY_DEFAULT
    """The policy the server applies; the engine only records it."""
    action_cap: int = 2000
    """Turn actions in a round after which it ends like a blocked one (S02); 1 to 100,000."""
    rounds: int = 0
    """At most so many rounds are played; 0 to 1,000, 0 leaves the end to the scoring."""

    def __post_init__(self) -> None:
        if not 1 <= self.action_cap <= 100_000:
            raise ValueError(f"action_cap is {self.action_cap}; it must be 1 to 100,000")
        if not 0 <= self.rounds <= 1000:
            raise ValueError(f"rounds is {self.rounds}; it must be 0 to 1,000")
