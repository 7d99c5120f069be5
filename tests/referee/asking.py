"""How does a test ask the referee, and read what it cites?"""

from lastcard_server.referee.ruling import Ruling, read_action, rule
from lastcard_server.referee.seen import read_seen
from lastcard_server.sheets.choice import choose


def ask(preset: str, position: str, action: str, **overrides: object) -> Ruling:
    """Ask for a ruling on an act at a position."""
    act, uno = read_action(action)
    return rule(choose(preset, overrides), read_seen(position), act, uno=uno)


def ids(ruling: Ruling) -> set[str]:
    """Return the rows a ruling cites."""
    return {clause.id for clause in ruling.cited.clauses}


def book_of(ruling: Ruling) -> set[str]:
    """Return the books a ruling cites."""
    return {clause.source.book for clause in ruling.cited.clauses} - {""}
