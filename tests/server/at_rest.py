"""What does a store tell whoever reads all of it, and in how many ways may a secret be written?"""

import base64
import re
import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import NamedTuple

import asyncpg

from lastcard_engine.cards import NAMES, Card, format_card
from lastcard_server.journal.postgres_sql import CHANNEL
from tests.postgres import running_server

_BETWEEN = (" ", ",", ", ", '","', '", "', "\n")
_RUN = 8
"""Cards in a row that are looked for of a pile."""
_NAMES = "|".join(sorted(NAMES, key=len, reverse=True))
_CARD = re.compile(rf"(?<![A-Za-z0-9])(?:{_NAMES})(?![A-Za-z0-9])")


class Cell(NamedTuple):
    """A value at rest, or a notification."""

    place: str
    octets: bytes


# What there is to be read


def cells_of_file(folder: Path) -> list[Cell]:
    """Return every value of every table of a journal file."""
    with closing(sqlite3.connect(f"file:{folder}/journal.db?mode=ro", uri=True)) as connection:
        query = "SELECT name FROM sqlite_master WHERE type = 'table'"
        tables = [name for (name,) in connection.execute(query)]
        return [cell for name in tables for cell in _of_table(connection, name)]


def _of_table(connection: sqlite3.Connection, name: str) -> Iterator[Cell]:
    rows = connection.execute(f'SELECT * FROM "{name}"')
    columns = [column[0] for column in rows.description]
    for row in rows:
        yield from _cells(name, zip(columns, row, strict=True))


async def cells_of_database(folder: Path) -> list[Cell]:
    """Return every value of every table of the database that belongs to a folder."""
    connection = await asyncpg.connect(await running_server().database(str(folder)))
    try:
        query = "SELECT tablename FROM pg_tables WHERE schemaname = 'lastcard'"
        tables = [str(name) for (name,) in await connection.fetch(query)]
        cells: list[Cell] = []
        for name in tables:
            rows = await connection.fetch(f'SELECT * FROM lastcard."{name}"')
            for row in rows:
                cells += _cells(name, row.items())
        return cells
    finally:
        await connection.close()


def _cells(table: str, row: Iterable[tuple[str, object]]) -> Iterator[Cell]:
    for column, value in row:
        octets = value if isinstance(value, bytes) else _text(value).encode()
        yield Cell(f"{table}.{column}", octets)


def _text(value: object) -> str:
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)


def whole_files(folder: Path) -> list[Cell]:
    """Return a journal file and what lies beside it; nobody may have it open."""
    return [Cell(path.name, path.read_bytes()) for path in folder.glob("journal.db*")]


@asynccontextmanager
async def heard(folder: Path) -> AsyncIterator[list[str]]:
    """Hear what is notified in the database that belongs to a folder."""
    payloads: list[str] = []
    connection = await asyncpg.connect(await running_server().database(str(folder)))
    try:
        await connection.add_listener(CHANNEL, lambda *told: payloads.append(str(told[-1])))
        yield payloads
    finally:
        await connection.close()


# What is looked for


def forms(secret: bytes) -> Iterator[bytes]:
    """Yield a secret as it is, in hex, and in base64 wherever it stands in what is encoded."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    for before in range(3):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            text = encode(bytes(before) + secret)
            yield text[-(-before * 8 // 6) : (before + len(secret)) * 8 // 6]


def listings(cards: Sequence[Card]) -> Iterator[bytes]:
    """Yield a hand or some cards in a row as one might list them, in three orders."""
    for order in (list(cards), [*reversed(cards)], sorted(cards)):
        yield from forms(bytes(order))
        for words in (list(map(format_card, order)), list(map(str, order))):
            for between in _BETWEEN:
                yield between.join(words).encode()


def runs(pile: Sequence[Card]) -> Iterator[Sequence[Card]]:
    """Yield cards in a row of a pile, so that any longer part of it holds one of them."""
    for start in range(0, len(pile) - _RUN + 1, _RUN):
        yield pile[start : start + _RUN]


def told(cells: Sequence[Cell], needles: Iterable[bytes]) -> set[str]:
    """Return the places that tell any of these."""
    whole = b"\0\0".join(octets for _, octets in cells)
    present = [needle for needle in needles if needle in whole]
    return {place for place, octets in cells if any(needle in octets for needle in present)}


def named(octets: bytes) -> list[str]:
    """Return the cards that a text names; of what is no text, none."""
    try:
        return _CARD.findall(octets.decode())
    except UnicodeDecodeError:
        return []
