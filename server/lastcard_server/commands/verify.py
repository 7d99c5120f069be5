"""`lastcard verify`: deals and plays records again and checks a ledger."""

import json
import sys
from pathlib import Path

import click

from lastcard_engine import Record, RecordError, deal_key
from lastcard_server.commands.inputs import BadInput
from lastcard_server.commands.replay import read
from lastcard_server.contests.ledger import Game, LedgerError
from lastcard_server.contests.ledger import read as read_ledger
from lastcard_server.verification import Mismatch, check, compare


@click.command("verify")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--ledger", type=click.Path(path_type=Path), help="The ledger of the games' contest.")
@click.option("--json", "wants_json", is_flag=True, help="Print what was found as JSON.")
def command(files: tuple[Path, ...], ledger: Path | None, *, wants_json: bool) -> None:
    """
    Deal and play the records in FILES again; name the first entry that is wrong.

    With --ledger also check the ledger's chain hashes, and that it says of each game what its
    record says. A bare record proves only that it is consistent with itself.

    Exits with 0 when everything is right, 1 when something is wrong, 2 when a file cannot be read.
    """
    games, wrong = _games(ledger) if ledger else ({}, [])
    known = _Known(games, whole=ledger is not None and not wrong)
    for file in files:
        if finding := _finding(read(file), known):
            wrong.append(f"{file}: {finding}")
    _print(len(files), len(games), wrong, wants_json=wants_json)
    sys.exit(1 if wrong else 0)


class _Known:
    """What records are compared with: the ledger's games, and the deals of the records before."""

    def __init__(self, games: dict[str, Game], *, whole: bool) -> None:
        self.games = games
        self.whole = whole  # else a game that is missing may stand behind the line that is wrong
        self.deals: dict[str, bytes] = {}


def _games(path: Path) -> tuple[dict[str, Game], list[str]]:
    """Return a ledger's games by match, up to the first line that is wrong, and what that is."""
    games: dict[str, Game] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        if lines and not _looks_like_a_game(lines[0]):
            raise BadInput(f"{path}: is no ledger")
        for game in read_ledger(lines):
            games[game.match] = game
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: is no ledger") from None
    except LedgerError as error:
        return games, [f"{path}: {error}"]
    return games, []


def _looks_like_a_game(line: str) -> bool:
    """Tell whether a line may be of a ledger, be it a wrong one."""
    try:
        values = json.loads(line)
    except (RecursionError, ValueError):
        return False
    return isinstance(values, dict) and {"contest", "game", "chain"} <= values.keys()


def _finding(record: Record, known: _Known) -> str:
    """Return what is wrong with a record, empty if nothing is."""
    try:
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


def _print(records: int, games: int, wrong: list[str], *, wants_json: bool) -> None:
    """Print what was found."""
    if wants_json:
        click.echo(
            json.dumps({"records": records, "ledger_games": games, "wrong": wrong}, indent=2)
        )
        return
    for finding in wrong:
        click.echo(finding, err=True)
    ledger = f", {_counted(games, 'game')} in the ledger" if games else ""
    found = f"{len(wrong):,} wrong" if wrong else "all right"
    click.echo(f"{_counted(records, 'record')}{ledger}: {found}")


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
