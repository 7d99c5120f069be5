"""
Which clauses decide a situation under the rules in force?

`situations.toml` is the table, and says at its head how it is read. A situation that is not
in it is a fault of ours, never an answer.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

from lastcard_engine.cards import Face
from lastcard_engine.plain import plain_rules
from lastcard_engine.presets import PRESETS
from lastcard_engine.stacking import answers
from lastcard_server.referee.books import book_of, without_house_rules
from lastcard_server.referee.clauses import Clause, rows
from lastcard_server.sheets.choice import Choice, option_text

_NO_OPTION: Final = (
    "preset",
    "seats",
    "stacks_draw_two",
    "answers_draw_two",
    "answers_draw_four",
    "custom_rules",
)
"""What `when` may ask for besides options."""


class InForce(NamedTuple):
    """An option that makes it so."""

    option: str
    value: str
    house: bool
    """Whether it is a house rule: the table changed it, or the book has it as one (R238)."""


class Citation(NamedTuple):
    """What decides: clauses, the deciding one first, and options."""

    clauses: tuple[Clause, ...]
    options: tuple[InForce, ...]


@dataclass(frozen=True)
class Entry:
    """Rows that are cited when options have certain values."""

    when: Mapping[str, str | list[str]]
    cite: tuple[str, ...]
    also: tuple[str, ...]


def entries(written: Iterable[Mapping[str, Any]]) -> tuple[Entry, ...]:
    """Return the entries of a list as the TOML files hold it."""
    return tuple(
        Entry(e.get("when", {}), tuple(e.get("cite", ())), tuple(e.get("also", ())))
        for e in written
    )


def table_of(name: str) -> dict[str, Any]:
    """Return a TOML file of this package."""
    file = resources.files(__package__) / name
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def situations() -> Mapping[str, tuple[Entry, ...]]:
    """Return the entries of every situation, by its dotted name."""
    return {
        f"{part}.{name}": entries(written)
        for part, named in table_of("situations.toml").items()
        for name, written in named.items()
    }


def facts_of(choice: Choice, seats: int) -> dict[str, str]:
    """Return what `when` may ask for: options in text, the preset, how many seats are in play."""
    plain = plain_rules(choice.rules)
    return {name: option_text(value) for name, value in plain.items()} | {
        "preset": choice.preset,
        "seats": str(seats),
        "stacks_draw_two": option_text(Face.DRAW_TWO in answers(choice.rules, Face.DRAW_TWO)),
        "answers_draw_two": option_text(bool(answers(choice.rules, Face.DRAW_TWO))),
        "answers_draw_four": option_text(bool(answers(choice.rules, Face.WILD_DRAW_FOUR))),
        "custom_rules": "some" if choice.rules.custom_rules else "none",
    }


def holds(when: Mapping[str, str | list[str]], facts: Mapping[str, str]) -> bool:
    """Tell whether every option has a value that is asked for."""
    return all(_is(facts[name], wanted) for name, wanted in when.items())


def _is(value: str, wanted: str | list[str]) -> bool:
    if isinstance(wanted, list):
        return value in wanted
    return value != wanted[1:] if wanted.startswith("!") else value == wanted


def known(situation: str) -> bool:
    """Tell whether the table has a situation."""
    return situation in situations()


def cite(names: Iterable[str], choice: Choice, seats: int) -> Citation:
    """
    Return what decides situations.

    Args:
        names: keys of the table; the one that decides comes first.
        choice: the rules in force.
        seats: how many are in play.

    Raises:
        KeyError: the table has no such situation.

    """
    found = [entry for name in names for entry in situations()[name]]
    return gather(found, choice, facts_of(choice, seats))


def gather(found: Iterable[Entry], choice: Choice, facts: Mapping[str, str]) -> Citation:
    """Return what the entries that hold cite, each row and option once."""
    book = book_of(choice.preset)
    ids: dict[str, None] = {}
    options: dict[str, None] = {}
    for entry in found:
        cited = [*_cited(entry, book)] if holds(entry.when, facts) else []
        ids |= dict.fromkeys(cited)
        options |= dict.fromkeys(_deciding(entry) if cited else ())
    without = without_house_rules(choice.preset)
    plain = facts_of(Choice(without, PRESETS[without]), 0)
    in_force = (InForce(o, facts[o], facts[o] != plain[o]) for o in options)
    return Citation(tuple(rows()[name].cited(book) for name in ids), tuple(in_force))


def _deciding(entry: Entry) -> Iterator[str]:
    """Yield the options an entry asks for; that the deck is no other one makes nothing so."""
    for option, wanted in entry.when.items():
        if option not in _NO_OPTION and (option, wanted) != ("deck", "!no_mercy_168"):
            yield option


def _cited(entry: Entry, book: str) -> Iterator[str]:
    """Yield the rows of an entry that a table cites which follows a book."""
    table = rows()
    own = [name for name in entry.cite if book in table[name].lines]
    for name in entry.cite:
        if not own or name in own or not table[name].lines:
            yield name
    yield from (name for name in entry.also if book in table[name].lines)
