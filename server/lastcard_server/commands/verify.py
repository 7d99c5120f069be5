"""`lastcard verify`: deals and plays records again and checks a ledger."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from lastcard_engine import RecordError, deal_key
from lastcard_server.commands.inputs import BadInput
from lastcard_server.commands.replay import read
from lastcard_server.contests.ledger import Game, LedgerError
from lastcard_server.contests.ledger import read as read_ledger
from lastcard_server.verification import Mismatch, check, compare

LONGEST_LINE: Final = 64 * 2**10
"""Bytes of a ledger's line; no game comes near it, and no more is ever held of a file."""
_NAMED: Final = 10
"""How many missing games and repeated records are named at most; --json names all."""


@click.command("verify")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--ledger", type=click.Path(path_type=Path), help="The ledger of the games' contest.")
@click.option("--json", "wants_json", is_flag=True, help="Print what was found as JSON.")
def command(files: tuple[Path, ...], ledger: Path | None, *, wants_json: bool) -> None:
    """
    Deal and play the records in FILES again; name the first entry that is wrong.

    With --ledger also check the ledger's chain hashes, that it says of each game what its record
    says, and that each of its games has a record among FILES. A bare record proves only that it
    is consistent with itself.

    Exits with 0 when everything is right; 1 when something is wrong, a game of the ledger has no
    record, or two files hold the same match; 2 when a file cannot be read or is no record, after
    all others have been checked.
    """
    games, wrong = _games(ledger) if ledger else ({}, [])
    known = _Known(games, whole=ledger is not None and not wrong)
    for file in files:
        try:
            if finding := _finding(file, known):
                wrong.append(f"{file}: {finding}")
        except BadInput as error:
            known.unusable.append(error.message)
    show = _print_json if wants_json else _print
    show(len(files) - len(known.unusable), known, wrong)
    failed = wrong or known.missing() or known.repeated
    sys.exit(BadInput.exit_code if known.unusable else int(bool(failed)))


class _Known:
    """What records are compared with: the ledger's games, and the records before."""

    def __init__(self, games: dict[str, Game], *, whole: bool) -> None:
        self.games = games
        self.whole = whole  # else a game that is missing may stand behind the line that is wrong
        self.deals: dict[str, bytes] = {}
        self.repeated: list[tuple[Path, Path]] = []
        """Files whose match an earlier file holds, each with that file."""
        self.unusable: list[str] = []
        """What was said of each file that cannot be read or is no record."""
        self._files: dict[str, Path] = {}

    def note(self, match: str, file: Path) -> None:
        """Note that a file holds a match."""
        if match in self._files:
            self.repeated.append((file, self._files[match]))
        else:
            self._files[match] = file

    def missing(self) -> list[int]:
        """Return the games of the ledger that no file holds, in the ledger's order."""
        return [game.game for match, game in self.games.items() if match not in self._files]


def _games(path: Path) -> tuple[dict[str, Game], list[str]]:
    """Return a ledger's games by match, up to the first line that is wrong, and what that is."""
    games: dict[str, Game] = {}
    try:
        for game in read_ledger(_lines(path)):
            games[game.match] = game
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: is no ledger") from None
    except LedgerError as error:
        return games, [f"{path}: {error}"]
    return games, []


def _lines(path: Path) -> Iterator[str]:
    """
    Yield the lines of a ledger, which may be many; one that is too long as empty, and none after.

    Raises:
        BadInput: the first one is of no ledger.

    """
    first = True
    with path.open("rb") as file:
        while line := file.readline(LONGEST_LINE + 1):
            text = line.decode().rstrip("\r\n") if len(line) <= LONGEST_LINE else ""
            if first and not _looks_like_a_game(text):
                raise BadInput(f"{path}: is no ledger")
            first = False
            yield text
            if not text:
                return


def _looks_like_a_game(line: str) -> bool:
    """Tell whether a line may be of a ledger, be it a wrong one."""
    try:
        values = json.loads(line)
    except (RecursionError, ValueError):
        return False
    return isinstance(values, dict) and {"contest", "game", "chain"} <= values.keys()


def _finding(file: Path, known: _Known) -> str:
    """
    Return what is wrong with a record, empty if nothing is.

    Raises:
        BadInput: the file cannot be read or holds no record.

    """
    try:
        record = read(file)
        known.note(record.match_id, file)
        check(record)
        deal = deal_key(record.secret, record.nonces)
        if known.deals.setdefault(record.group or record.match_id, deal) != deal:
            return "its deal is not that of the other games of its block"
        if game := known.games.get(record.match_id):
            compare(game, record)
        elif known.whole:
            return f"match {record.match_id} is not in the ledger"
    except (RecordError, Mismatch) as error:
        return str(error)
    return ""


def _print_json(records: int, known: _Known, wrong: list[str]) -> None:
    """Print what was found for a program."""
    found = {
        "records": records,
        "ledger_games": len(known.games),
        "wrong": wrong,
        "unusable": known.unusable,
        "missing_games": known.missing(),
        "repeated": [{"file": str(file), "first": str(first)} for file, first in known.repeated],
    }
    click.echo(json.dumps(found, indent=2))


def _print(records: int, known: _Known, wrong: list[str]) -> None:
    """Print what was found: each finding on standard error, then how much of each there is."""
    missing = [str(game) for game in known.missing()]
    repeated = [f"{file} as in {first}" for file, first in known.repeated]
    for sentence in known.unusable:
        BadInput(sentence).show()
    for finding in wrong:
        click.echo(finding, err=True)
    if missing:
        click.echo(f"no record of {_some(missing, 'game')} of the ledger", err=True)
    if repeated:
        click.echo(f"the same match again in {_some(repeated, 'file')}", err=True)
    if not (records or wrong):
        return
    games = len(known.games)
    ledger = f", {_counted(games, 'game')} in the ledger" if games else ""
    kinds = (
        (wrong, "wrong"),
        (missing, "missing"),
        (repeated, "repeated"),
        (known.unusable, "not usable"),
    )
    found = ", ".join(f"{len(names):,} {kind}" for names, kind in kinds if names)
    click.echo(f"{_counted(records, 'record')}{ledger}: {found or 'all right'}")


def _some(names: Sequence[str], what: str) -> str:
    """Return how many there are, and the first of them by name."""
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{_counted(len(names), what)} ({', '.join(names[:_NAMED])}{more})"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
