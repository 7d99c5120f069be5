"""`lastcard arena`: plays a contest described in a file and shows the standings."""

import json
import os
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from lastcard import BadSetting, Client, Error
from lastcard.program import program
from lastcard_engine.errors import RulesError
from lastcard_engine.presets import PRESETS
from lastcard_server.arena.file import ContestFile, ContestFileError, load, search_path
from lastcard_server.arena.guard import Guard
from lastcard_server.arena.host import Host, HostError, own_server
from lastcard_server.arena.play import BotError, Played, play, retire
from lastcard_server.arena.progress import Lines, at_once, progress
from lastcard_server.arena.quick import contest_text
from lastcard_server.arena.report import as_json, is_tournament, table
from lastcard_server.arena.results import keep
from lastcard_server.arena.run import Run, RunError
from lastcard_server.arena.signals import stopped_by_signals
from lastcard_server.commands.inputs import BadInput

OWN_PATIENCE_SECONDS = 5.0
"""How long a server of the arena's own may be away before it counts as dead."""
PATIENCE_SECONDS = 300.0
"""How long another server may be away."""


@click.command("arena")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--quick", is_flag=True, help="Play a short contest of house bots instead of FILE.")
@click.option("--preset", metavar="NAME", help="With --quick: the rules.")
@click.option(
    "--seats",
    metavar="N",
    type=int,
    help="With --quick: the seats, 2 to 10.",
)
@click.option(
    "--server",
    metavar="ADDRESS",
    default="",
    help="Play on this server, or on several on one store: HOST:PORT,HOST:PORT.",
)
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path), help="Where results go.")
@click.option("--json", "wants_json", is_flag=True, help="Print the standings as JSON.")
def command(
    file: Path | None,
    preset: str | None,
    seats: int | None,
    server: str,
    out: Path | None,
    *,
    quick: bool,
    wants_json: bool,
) -> None:
    """
    Play the contest described in FILE and show the standings.

    With --quick and a --preset instead of FILE a short contest of house bots is written and played:
    some rounds, a match to its end, or the tournament, whichever the preset is for.

    Without --server a server is started for the contest alone. With one, the organiser key is that
    in LASTCARD_KEY, else, for a server on this machine, that in var/organiser.key; the keys made
    for the bots are revoked when the contest is finished.

    Results go into --out, by default a new folder under var/arena; started again with the same
    --out, a contest that was broken off goes on.

    Exits with 0 when the contest is finished, 1 when it could not be played, 2 when FILE or an
    option is wrong, 130 when interrupted.
    """
    _refuse_mixture(file, preset, seats, quick=quick)
    file, out = (file, out) if file else _quick(preset or "", seats, out)
    try:
        contest = load(file, search_path(os.environ))
        run = Run(out or _new_folder(contest.name), contest, server)
    except (ContestFileError, RunError) as error:
        raise BadInput(str(error)) from None
    named = ("--server", server) if server else ()
    go_on = shlex.join([program(), "arena", str(file), *named, "--out", str(run.folder)])
    try:
        _play(contest, run, server, wants_json=wants_json)
    except ContestFileError as error:
        raise BadInput(str(error)) from None
    except BadSetting as error:
        raise BadInput(str(error)) from None
    except BotError as error:
        raise click.ClickException(
            f"{file}: {error}; once it is mended go on: {go_on}{_left(run, server)}"
        ) from None
    except HostError as error:
        raise click.ClickException(f"{file}: {error}") from None
    except BrokenPipeError:
        raise  # nobody reads the standings any more: the command line ends quietly
    except (Error, OSError) as error:
        hint = "" if server else f"; see {run.server_log}"
        hint = f"; to go on: {go_on}{_left(run, server)}" if run.plays_on else hint
        raise click.ClickException(f"{file}: {error}{hint}") from None
    except KeyboardInterrupt:
        click.echo(f"stopped; to go on: {go_on}{_left(run, server)}", err=True)
        sys.exit(130)


def _left(run: Run, server: str) -> str:
    """Return a line on what becomes of a contest that goes on elsewhere; else nothing."""
    if not run.plays_on:
        return ""
    return (
        f"\nthe contest goes on at {server} without its bots, so go on soon: games that are under"
        " way then are played anew, but blocks that end before count with the bots' faults"
    )


def _refuse_mixture(
    file: Path | None, preset: str | None, seats: int | None, *, quick: bool
) -> None:
    """Refuse a FILE with --quick, and --quick without what it needs or the other way round."""
    if quick and file:
        raise BadInput("--quick writes a contest of its own: leave out FILE, or --quick")
    if quick and not preset:
        raise BadInput(f"--quick needs a --preset; there are {', '.join(PRESETS)}")
    if not quick and (preset or seats is not None):
        raise BadInput("--preset and --seats go with --quick; a FILE says its own")
    if not quick and not file:
        raise click.UsageError("Missing argument 'FILE', or --quick with a --preset.")


def _quick(preset: str, seats: int | None, out: Path | None) -> tuple[Path, Path]:
    """Write the file of a quick contest, unless it is there; return it and the run's folder."""
    try:
        text = contest_text(preset, seats)
        folder = out or _new_folder(f"quick_{preset}")
        file = folder / "contest.toml"
        folder.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.write_text(text, encoding="utf-8")
        elif file.read_bytes() != text.encode():
            raise BadInput(f"{file} is another contest; choose another --out")
    except RulesError as error:
        raise BadInput(error.message) from None
    except OSError as error:
        raise BadInput(f"{error.filename} cannot be used: {error.strerror}") from None
    return file, folder


def _new_folder(name: str) -> Path:
    """Return a folder that no run has used."""
    name = name.replace(" ", "_")
    return Path("var/arena") / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"


def _play(contest: ContestFile, run: Run, server: str, *, wants_json: bool) -> None:
    """Play the contest, keep its results, print them."""
    patience = PATIENCE_SECONDS if server else OWN_PATIENCE_SECONDS
    with stopped_by_signals(), Guard() as guard, _host(run, server, guard) as host:
        reach = partial(Client, host.address, host.key or None, patience=patience)
        with progress() as shown, reach(note=at_once(shown.note)) as client:
            played = play(contest, run, client, host.address, shown, guard)
        if not wants_json:
            tournament = is_tournament(played.contest)
            click.echo("\n".join(table(played.standings, played.blocks, tournament=tournament)))
        with reach(note=at_once(Lines().note)) as client:
            games = keep(client, run, played.contest)
            retire(run, client, played.contest.contest_id)
    if wants_json:
        click.echo(json.dumps(_summary(contest, run, played, games), indent=2))
    else:
        click.echo("\n".join(_foot(run, played, games)))


@contextmanager
def _host(run: Run, server: str, guard: Guard) -> Iterator[Host]:
    """Return the server that is named, or run one."""
    if server:
        yield Host(server, "")
        return
    with own_server(run.server, guard) as host:
        yield host


def _foot(run: Run, played: Played, games: int) -> tuple[str, ...]:
    """Return the lines below the standings: how much was played and where everything lies."""
    rate = f", {played.decisions_a_second:,.0f} decisions/s" if played.decisions_a_second else ""
    unit = "tournament" if is_tournament(played.contest) else "block"
    units = f"{played.blocks:,} {unit}{'' if played.blocks == 1 else 's'}"
    replays, ledger = (shlex.quote(str(path)) for path in (run.replays, run.ledger))
    return (
        f"{games:,} games in {units}, {played.decisions:,} decisions{rate}",
        f"ledger   {run.ledger}",
        f"replays  {run.replays}",
        f"check    {shlex.quote(program())} verify {replays}/*.jsonl --ledger {ledger}",
    )


def _summary(contest: ContestFile, run: Run, played: Played, games: int) -> dict[str, Any]:
    """Return what programs get."""
    return {
        "contest": played.contest.contest_id,
        "name": contest.name,
        "games": games,
        "blocks": played.blocks,
        "decisions": played.decisions,
        "decisions_a_second": round(played.decisions_a_second, 1),
        "standings": as_json(played.standings, tournament=is_tournament(played.contest)),
        "ledger": str(run.ledger),
        "replays": str(run.replays),
        "logs": str(run.logs),
    }
