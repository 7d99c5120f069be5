"""Can a table play by these rules, and which rules come nearest to some that it cannot?"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from lastcard_engine.errors import RulesError
from lastcard_engine.options import OPTIONS
from lastcard_engine.presets import PRESETS, validate
from lastcard_server.sheets.choice import OFFICIAL, Choice, choose

Overrides = Mapping[str, object]

_MOST_DROPPED: Final = 2
"""Of more overrides than so many, all are dropped: the preset remains."""


def seats_for(choice: Choice) -> list[int]:
    """Return how many may sit at a table of these rules, fewest first."""
    return [seats for seats in range(2, 11) if _can_sit(choice, seats)]


def _can_sit(choice: Choice, seats: int) -> bool:
    try:
        validate(choice.rules, seats)
    except RulesError:
        return False
    return True


def nearest(preset: str, overrides: Overrides, seats: int, error: RulesError) -> Choice | None:
    """
    Return a playable choice that changes few options of one that is not; None if none is found.

    What the refusal allows and more seats are tried first, then leaving out overrides, as few as
    possible, then the official rules of the edition. Arguments are those of `choose`, and why it
    refused them.
    """
    for name, options in _candidates(preset, overrides, seats, error):
        try:
            return choose(name, options, seats=seats)
        except RulesError:
            continue
    return None


def _candidates(
    preset: str, overrides: Overrides, seats: int, error: RulesError
) -> Iterator[tuple[str, Overrides]]:
    if (value := _allowed(error)) is not None:
        yield preset, {**overrides, error.option: value}
    yield preset, {**overrides, "max_players": seats}
    yield preset, {**overrides, "max_players": seats, "teams": "none"}
    names = tuple(overrides)
    for dropped in range(1, min(len(names), _MOST_DROPPED) + 1):
        for left_out in combinations(reversed(names), dropped):
            yield preset, {name: overrides[name] for name in names if name not in left_out}
    yield preset, {}
    if preset in PRESETS:
        yield OFFICIAL[preset], {}
        yield OFFICIAL[preset], {"max_players": seats}


def _allowed(error: RulesError) -> object:
    """Return the value that a refusal leaves: the only one, or the end of a range; else None."""
    if error.option not in OPTIONS or len(error.allowed) != 1:
        return None
    low, to, high = error.allowed[0].partition(" to ")
    if not (to and low.isdigit() and high.isdigit()):
        return error.allowed[0]
    return int(low if isinstance(error.value, int) and error.value < int(low) else high)
