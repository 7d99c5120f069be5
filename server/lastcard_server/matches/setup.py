"""
What is fixed about a match when it is created? Rules, settings, seats and the deal's commitment.

A setup is written into the first entry of the match as JSON and read back from it; whatever is not
in it cannot influence the match. It must never know protobuf or the journal.
"""

from dataclasses import dataclass, field

from lastcard_engine.rules import Rules
from lastcard_engine.settings import Settings

HOUSE = "house"
"""Who owns the seats of house bots."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """The limits of a match in milliseconds; the ranges are those of the contract."""

    start_limit_ms: int = 10_000
    move_limit_ms: int = 5_000
    bank_ms: int = 0
    increment_ms: int = 0
    margin_ms: int = 50
    """Allowance for the network: an answer is on time until deadline + margin."""
    reaction_ms: int = 1_500
    """Race: the pause after a play that may be reacted to."""
    reaction_limit_ms: int = 1_000
    """Polled: the limit of a reaction turn."""
    reaction_hold_ms: int = 0
    """Polled: the constant duration of a group; 0 = until all have answered."""


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """
    Who is to sit on a seat: nobody yet, the holder of a key, or a house bot.

    `owner` is "" for an open seat, "key:<id>" for a reserved one (taken from the start, the name is
    that of the holder) and `HOUSE` for a house bot, whose `strategy` is then set.
    """

    owner: str = ""
    name: str = ""
    strategy: str = ""
    entrant: int = -1
    """Index of the entrant that sits here, the same in all legs of a deal group; -1 = the seat's."""


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """
    Everything a caller decides about a match.

    Raises:
        Refusal: BAD_FIELD for a clock out of range, BAD_RULES for a number of seats that the rules
            do not play.
    """

    rules: Rules
    preset: str
    """Name of the preset the rules came from."""
    seats: tuple[SeatSetup, ...]
    settings: Settings = field(default_factory=Settings)
    clocks: Clocks = field(default_factory=Clocks)
