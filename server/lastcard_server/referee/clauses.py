"""
What do the rows of the law say that the referee cites?

Their wording is ours, never the books'. `clauses.json` holds every row that a table of this package
names, and no other.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

from lastcard_server.referee.books import OPEN, PUBLIC, Source, source


class Clause(NamedTuple):
    """A row of the law as it is cited."""

    id: str
    wording: str
    source: Source


class Row(NamedTuple):
    """A row of the law with every book it stands in."""

    id: str
    wording: str
    lines: Mapping[str, tuple[int, ...]]
    """Lines by book; empty for points that the books leave open."""
    elsewhere: Source
    """Where it stands if in no book."""

    def cited(self, book: str) -> Clause:
        """Return the row as a table that follows `book` cites it: from there, if it is there."""
        if not self.lines:
            return Clause(self.id, self.wording, self.elsewhere)
        letter = book if book in self.lines else next(iter(self.lines))
        return Clause(self.id, self.wording, source(letter, self.lines[letter]))


@cache
def rows() -> Mapping[str, Row]:
    """Return all rows by id."""
    file = resources.files(__package__) / "clauses.json"
    found = json.loads(file.read_text(encoding="utf-8"))
    return {row["id"]: _row(**row) for row in found}


def _row(id: str, source: str, wording: str) -> Row:  # noqa: A002 - as the file calls it
    """Return a row; its source is lines of books, `public`, or nothing."""
    if source == "public":
        return Row(id, wording, {}, PUBLIC)
    return Row(id, wording, _lines(source), OPEN)


def _lines(text: str) -> dict[str, tuple[int, ...]]:
    parts = [part.partition(":") for part in text.split(";") if part]
    return {book: tuple(map(int, lines.split(","))) for book, _, lines in parts}
