"""`lastcard serve`: serves matches and contests until it is told to stop."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import click

from lastcard_server.config import Config, ConfigError

_DEFAULT = Config()
_PATH = click.Path(path_type=Path)
_PORT = click.IntRange(0, 65_535)


@click.command("serve")
@click.option("--host", default=_DEFAULT.host, show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=_PORT, default=_DEFAULT.port, show_default=True, help="0 = any free port."
)
@click.option(
    "--store",
    default="",
    envvar="LASTCARD_STORE",
    help="memory, sqlite:FILE or postgresql://USER@HOST/DATABASE; LASTCARD_STORE hides a password."
    "  [default: sqlite in the state directory]",
)
@click.option(
    "--unsafe-store",
    is_flag=True,
    help="Accept a database with fsync or full_page_writes switched off.",
)
@click.option(
    "--state-dir",
    type=_PATH,
    default=_DEFAULT.state_dir,
    show_default=True,
    help="Where journal and keys lie unless named apart.",
)
@click.option("--organiser-key", type=_PATH, help="File with the first organiser key.")
@click.option("--server-keys", type=_PATH, help="File with the server's own keys.")
@click.option("--tls-cert", type=_PATH, help="Certificate chain (PEM).")
@click.option("--tls-key", type=_PATH, help="Key of the certificate (PEM).")
@click.option("--insecure", is_flag=True, help="Serve other machines without TLS.")
@click.option("--metrics-port", type=_PORT, help="Serve Prometheus metrics here.")
@click.option("--health-port", type=_PORT, help="Serve health in plaintext here, too.")
@click.option("--reflection", is_flag=True, help="Let clients ask for the contract.")
@click.option(
    "--grace",
    "grace_seconds",
    type=click.FloatRange(0.0, 3_600.0),
    default=_DEFAULT.grace_seconds,
    show_default=True,
    help="Seconds a stopping server lets calls finish.",
)
@click.option(
    "--live-matches-per-key",
    type=click.IntRange(1, 1_000_000),
    default=_DEFAULT.live_matches_per_key,
    show_default=True,
    help="Most live matches a key may have created.",
)
@click.option(
    "--streams-per-key",
    type=click.IntRange(1, 10_000),
    default=_DEFAULT.streams_per_key,
    show_default=True,
    help="Most streams a key may have open.",
)
@click.option(
    "--keep-days",
    type=click.IntRange(0, 36_500),
    default=_DEFAULT.keep_days,
    show_default=True,
    help="Delete matches and contests so long after their end; 0 = never.",
)
@click.option(
    "--engine-revision",
    type=int,
    default=_DEFAULT.engine_revision,
    show_default=True,
    help="Engine revision of new matches; raise it once every server runs it.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="The least severe lines that are logged.",
)
def command(log_level: str, **options: Any) -> None:  # noqa: ANN401 - what click hands over
    """
    Serve matches and contests until SIGTERM or SIGINT.

    Prints `serving on ADDRESS` when it accepts calls; everything else goes to standard error. Exits
    with 0 when it was stopped, 1 after a fault of its own, which the log tells, 2 for a wrong
    option, 3 if a port is in use, 4 if the store or the state directory cannot be opened, 5 if
    calls were cut at the end of the grace. It has ended three seconds after that at the latest.
    """
    try:
        config = Config(**options)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    from lastcard_server import logs
    from lastcard_server.deadline import Deadline
    from lastcard_server.serving import serve

    logs.configure(log_level)
    sys.exit(asyncio.run(serve(config, Deadline().move)))
