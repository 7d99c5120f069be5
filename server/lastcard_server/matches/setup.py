"""
What is fixed about a match when it is created? Rules, settings, clocks and who is to sit where.

A setup is written into the first entry of the match as plain JSON values and read back from it;
what is not in it cannot influence the match. It must never know protobuf or the journal.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from lastcard_engine.errors import RulesError
from lastcard_engine.plain import plain_rules, plain_settings, read_rules, read_settings
from lastcard_engine.presets import validate
from lastcard_engine.rules import Rules
from lastcard_engine.settings import Settings
from lastcard_server import fields as limits
from lastcard_server.errors import Reason, Refusal

HOUSE = "house"
"""Who owns the seats of house bots."""

_MINUTE = 60_000
_HOUR = 60 * _MINUTE


@dataclass(frozen=True, slots=True)
class Clocks:
    """
    The limits of a match in milliseconds.

    Raises:
        Refusal: BAD_FIELD for one that is out of the range of the contract.

    """

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

    def __post_init__(self) -> None:
        for name, (low, high) in RANGES.items():
            limits.between(getattr(self, name), low, high, name)


RANGES = {
    "start_limit_ms": (100, _HOUR),
    "move_limit_ms": (10, 24 * _HOUR),
    "bank_ms": (0, 24 * _HOUR),
    "increment_ms": (0, _HOUR),
    "margin_ms": (0, 10_000),
    "reaction_ms": (0, _MINUTE),
    "reaction_limit_ms": (10, _MINUTE),
    "reaction_hold_ms": (0, _MINUTE),
}
"""The ranges of the contract."""


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """
    Who is to sit on a seat: nobody yet, the holder of a key, or a house bot.

    `owner` is "" for an open seat, "key:<id>" for a reserved one, which is taken from the start,
    and `HOUSE` for a house bot, whose `strategy` is then set. Taken seats have a `name`.
    """

    owner: str = ""
    name: str = ""
    strategy: str = ""
    entrant: int | None = None
    """Who sits here, 0-based, the same number in all legs of a deal group; None = the seat's."""


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """
    Everything a caller decides about a match.

    Raises:
        Refusal: BAD_RULES for a number of seats that the rules do not play, BAD_NAME for a taken
            seat without a proper name, BAD_FIELD for entrants that are not one a seat.

    """

    rules: Rules
    preset: str
    """Name of the preset the rules came from."""
    seats: tuple[SeatSetup, ...]
    settings: Settings = field(default_factory=Settings)
    clocks: Clocks = field(default_factory=Clocks)

    def __post_init__(self) -> None:
        try:
            validate(self.rules, len(self.seats))
        except RulesError as error:
            raise Refusal(Reason.BAD_RULES, f"{error.message}.") from None
        for seat in self.seats:
            if seat.owner:
                _proper_name(seat.name)
        if sorted(self.entrants) != list(range(len(self.seats))):
            raise Refusal(Reason.BAD_FIELD, "Every entrant must sit on exactly one seat.")

    @property
    def entrants(self) -> tuple[int, ...]:
        """Return the entrant of each seat."""
        return tuple(
            number if seat.entrant is None else seat.entrant
            for number, seat in enumerate(self.seats)
        )


_proper_name = lru_cache(maxsize=4096)(limits.name)


def plain(setup: MatchSetup) -> dict[str, Any]:
    """Return a setup as values that JSON holds."""
    terms = _plain_terms(setup.rules, setup.preset, setup.settings, setup.clocks)
    return terms | {"seats": plain_seats(setup)}


def from_plain(values: Mapping[str, Any]) -> MatchSetup:
    """Return the setup that `plain` wrote."""
    terms = {name: value for name, value in values.items() if name != "seats"}
    return read_setup(_json(terms), values["seats"])


# A setup is its seats and the rest, the terms. Many matches are played on the same terms: they are
# written and read once, and matches share the objects.


def terms_text(setup: MatchSetup) -> str:
    """Return the terms of a setup as JSON in one line."""
    return _terms_text(setup.rules, setup.preset, setup.settings, setup.clocks)


def plain_seats(setup: MatchSetup) -> list[dict[str, Any]]:
    """Return the seats of a setup as values that JSON holds."""
    return [_plain(seat) for seat in setup.seats]


def read_setup(terms: str, seats: Sequence[Mapping[str, Any]]) -> MatchSetup:
    """Return the setup that `terms_text` and `plain_seats` wrote."""
    rules, preset, settings, clocks = _read_terms(terms)
    return MatchSetup(rules, preset, tuple(SeatSetup(**seat) for seat in seats), settings, clocks)


def _plain_terms(rules: Rules, preset: str, settings: Settings, clocks: Clocks) -> dict[str, Any]:
    return {
        "preset": preset,
        "rules": plain_rules(rules),
        "settings": plain_settings(settings),
        "clocks": _plain(clocks),
    }


@lru_cache(maxsize=256)
def _terms_text(rules: Rules, preset: str, settings: Settings, clocks: Clocks) -> str:
    return _json(_plain_terms(rules, preset, settings, clocks))


@lru_cache(maxsize=256)
def _read_terms(text: str) -> tuple[Rules, str, Settings, Clocks]:
    values = json.loads(text)
    settings, clocks = read_settings(values["settings"]), Clocks(**values["clocks"])
    return read_rules(values["rules"]), values["preset"], settings, clocks


def _json(values: Mapping[str, Any]) -> str:
    return json.dumps(values, sort_keys=True, separators=(",", ":"))


def _plain(value: Clocks | SeatSetup) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}
