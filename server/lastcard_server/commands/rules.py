"""`lastcard rules`: lists, checks, prints and picks rules."""

import json
import sys
from pathlib import Path

import click

from lastcard_engine.errors import OptionReason, RulesError
from lastcard_engine.presets import PRESETS, RulesWarning, warnings
from lastcard_engine.teams import PAIRED_SEATS
from lastcard_server.arena.quick import TABLES
from lastcard_server.commands.inputs import BadInput, Whole, save
from lastcard_server.commands.rules_pick import pick_rules
from lastcard_server.commands.sources import Named, chosen, named
from lastcard_server.sheets.choice import TOURNAMENTS, as_toml, choose
from lastcard_server.sheets.formats import FORMATS, THEMES, document
from lastcard_server.sheets.nearest import nearest, seats_for
from lastcard_server.sheets.sheet import UnprintableError, make_sheet
from lastcard_server.sheets.text import as_text
from lastcard_server.sheets.words import LANGUAGES, words

_language = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="Swedish, Norwegian bokmål, Danish or English.",
)


@click.group("rules")
def command() -> None:
    """
    List, check, print and pick rules.

    PRESET|FILE is the name of a preset, or a TOML file with `preset` and a table [overrides]; the
    file of a contest is one too.

    Exits with 0 when it is done, 1 when the rules cannot be played, 2 when a file or an option is
    wrong.
    """


command.add_command(pick_rules)


@command.command("list")
@_language
@click.option("--json", "wants_json", is_flag=True, help="Print one JSON list.")
def list_rules(lang: str, *, wants_json: bool) -> None:
    """
    List the presets, a line each.

    Exits with 0 when it is done, 2 when an option is wrong.
    """
    tongue = words(lang)
    if wants_json:
        click.echo(json.dumps([_listed(name, lang) for name in PRESETS]))
        return
    for name in PRESETS:
        click.echo(f"{name:<22} {tongue.say(f'about.{name}')}")


def _listed(name: str, lang: str) -> dict[str, object]:
    tongue = words(lang)
    return {
        "preset": name,
        "title": tongue.say(f"preset.{name}"),
        "about": tongue.say(f"about.{name}"),
        "max_players": PRESETS[name].max_players,
    }


@command.command("validate")
@click.argument("source", metavar="PRESET|FILE")
@click.option("--players", type=Whole(2, 10), help="How many play.")
def validate_rules(source: str, players: int | None) -> None:
    """
    Say whether rules can be played.

    If not, say which option is wrong, what it may be, and what comes nearest.

    Exits with 0 when they can be played, 1 when they cannot, 2 when a file or an option is wrong.
    """
    asked = named(source)
    paired = asked.overrides.get("teams", "pairs") == "pairs"
    tables = TABLES.get(TOURNAMENTS.get(asked.preset, ""), 1) if paired else 1
    seats = _seats_of_table(source, players, tables)
    try:
        choice = choose(asked.preset, asked.overrides, seats=seats)
    except RulesError as error:
        _refuse(source, asked, error, seats)
    fewest, *more = [seats] if players else seats_for(choice)
    at = f"{fewest} to {more[-1]}" if more else f"{fewest}"
    whole = f"{fewest * tables} players, at {tables} tables of {fewest}"
    click.echo(f"{source}: can be played by {whole if tables > 1 else f'{at} players'}")
    for warning in warnings(choice.preset, choice.rules):
        click.echo(f"{source}: {_WARNINGS[warning]}")


def _seats_of_table(source: str, players: int | None, tables: int) -> int:
    """Return how many sit at each of the tables; 0 = as few as can."""
    if players is None or tables == 1:
        return players or 0
    if players != PAIRED_SEATS * tables:
        whole = f"{PAIRED_SEATS * tables} play it at {tables} tables of {PAIRED_SEATS}"
        click.echo(f"{source}: {players} cannot play this tournament; {whole}", err=True)
        sys.exit(1)
    return PAIRED_SEATS


_WARNINGS = {
    RulesWarning.PRESET_MISMATCH: "the deck is that of another edition than the preset's; "
    "the rules made for no_mercy_168 are those of no_mercy",
}


def _refuse(source: str, asked: Named, error: RulesError, seats: int) -> None:
    click.echo(f"{source}: {error.message}", err=True)
    click.echo(f"option   {error.option}", err=True)
    if error.allowed and error.reason is not OptionReason.UNKNOWN_PRESET:  # it lists them
        click.echo(f"allowed  {', '.join(error.allowed)}", err=True)
    if choice := nearest(asked.preset, asked.overrides, seats, error):
        lines = as_toml(choice).splitlines()
        click.echo("nearest  " + "\n         ".join(filter(None, lines)), err=True)
    sys.exit(1)


@command.command("sheet", short_help="Print the rules in force at a table.")
@click.argument("source", metavar="PRESET|FILE")
@_language
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="How it is set.",
)
@click.option(
    "--theme",
    type=click.Choice(list(THEMES)),
    default="light",
    show_default=True,
    help="Its colours, in HTML, PDF and a terminal.",
)
@click.option("--output", type=click.Path(path_type=Path), help="Where it goes, not the terminal.")
def print_sheet(source: str, lang: str, form: str, theme: str, output: Path | None) -> None:
    """
    Print the rules in force at a table; what differs from the official rules is marked.

    Exits with 0 when it is done, 1 when a package lacks that a PDF needs, 2 when the rules, a file
    or an option are wrong.
    """
    choice = chosen(source)
    if output and source not in PRESETS and output.resolve() == Path(source).resolve():
        raise BadInput(f"{output}: holds the rules themselves; choose another --output")
    try:
        content = document(choice, lang, form, theme)
    except UnprintableError as error:
        raise BadInput(f"{source}: {error}") from None
    except ModuleNotFoundError:
        needs = "a PDF needs the package fpdf2: pip install 'lastcard[server]'"
        raise click.ClickException(needs) from None
    if output:
        save(output, content)
    elif form == "text" and sys.stdout.isatty():
        click.echo(as_text(make_sheet(choice, lang), theme), nl=False)
    elif form == "pdf" and sys.stdout.isatty():
        raise BadInput("a terminal shows no PDF: say where it goes with --output")
    else:
        click.echo(content, nl=False)
