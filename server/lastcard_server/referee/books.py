"""
Which documents do the rules come from, and which does a table follow?

A row names its sources as `D1:39,97`: lines of documents. A document has several sections, some of
them editions of their own, so that a citation names the section as well.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple


class Source(NamedTuple):
    """Where a row of the law stands."""

    book: str
    """`D0` to `D4`; empty for a point the books leave open."""
    title: str
    edition: str
    """Sections of the book, joined with semicolons."""


OPEN: Final = Source("", "no rulebook", "settled where the books are silent or disagree")
PUBLIC: Final = Source(
    "", "public rules of No Mercy", "as rule sites quote the sheet of the edition"
)


@cache
def _books() -> Mapping[str, Any]:
    file = resources.files(__package__) / "books.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def book_of(preset: str) -> str:
    """Return the letter of the book a preset follows."""
    return next(letter for letter, book in _books().items() if preset in book["presets"])


@cache
def without_house_rules(preset: str) -> str:
    """Return the preset that says what the book has as rules: for most, the preset itself."""
    return str(_books()[book_of(preset)].get("house", {}).get(preset, preset))


def source(letter: str, lines: tuple[int, ...]) -> Source:
    """Return title and sections of lines of a book."""
    book = _books()[letter]
    names = dict.fromkeys(_section(book["sections"], line) for line in lines)
    return Source(letter, book["title"], "; ".join(names))


def _section(sections: list[dict[str, Any]], line: int) -> str:
    return str([part["name"] for part in sections if part["line"] <= line][-1])
