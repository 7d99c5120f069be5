"""`lastcard replay`: prints the record of a match readably."""

import json
import re
from pathlib import Path

import click

from lastcard_engine import Record, RecordError, read_record
from lastcard_server.commands.inputs import BadInput
from lastcard_server.transcript import Line, Tone, plain_steps, transcript
from lastcard_server.verification import check_end

LARGEST_RECORD = 256 * 2**20
"""Bytes of a record's file, room for two million entries; no more is ever read (0123)."""
COLOURS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}
CARD = re.compile(r"\b([rygb])(?:[0-9]|S|R|D2|D4|SE|DA)\b")
STYLES = {
    Tone.HEAD: {"bold": True},
    Tone.RESULT: {"bold": True},
    Tone.WRONG: {"fg": "magenta"},
}


@click.command("replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "wants_json", is_flag=True, help="Print every entry and event as JSON.")
def command(file: Path, *, wants_json: bool) -> None:
    """
    Print the record of a match readably: rounds, hands, plays, results.

    Exits with 1 where the record goes wrong or breaks off, 2 where FILE is no record.
    """
    try:
        record = read(file)
        if wants_json:
            _print_json(record)
        else:
            for line in transcript(record):
                click.echo(_painted(line))
        check_end(record)
    except RecordError as error:
        raise click.ClickException(f"{file}: {error}") from None


def read(file: Path) -> Record:
    """
    Return the record a file holds, for commands.

    Raises:
        BadInput: it cannot be read or holds no record.
        RecordError: it holds one whose head is right, and something else among its entries.

    """
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_RECORD + 1)
        if len(content) > LARGEST_RECORD:
            raise BadInput(f"{file}: is larger than {LARGEST_RECORD:,} bytes")
        text = content.decode()  # its line ends as they are: a record is its bytes
        if not text:
            raise BadInput(f"{file}: is no record: it is empty")
        return read_record(text)
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{file}: is no record: it is not text in UTF-8") from None
    except RecordError as error:
        if error.version:
            raise
        raise BadInput(f"{file}: is no record: {error}") from None


def _painted(line: Line) -> str:
    """Return a line with colours; click takes them away where there is no terminal."""
    if line.tone in STYLES:
        return click.style(line.text, **STYLES[line.tone])  # type: ignore[arg-type]  # keywords
    return CARD.sub(lambda card: click.style(card[0], fg=COLOURS[card[1]]), line.text)


def _print_json(record: Record) -> None:
    """Print one object with the whole match."""
    match = {
        "match": record.match_id,
        "group": record.group,
        "leg": record.leg,
        "seats": record.seats,
        "entries": list(plain_steps(record)),
    }
    click.echo(json.dumps(match, indent=1))
