"""
How does a bot of the house play over the wire? Like any other bot, through the SDK alone.

The server seats the same strategies in its own process; here they are one more client.
"""

import signal
import sys
from typing import NoReturn

import click

import lastcard
from lastcard.bots import HOUSE, TOLD


def _name(_context: click.Context, _option: click.Parameter, name: str | None) -> str:
    """Return the name given, empty for none; an empty one is refused."""
    if name == "":
        raise click.BadParameter("a name is 1 to 32 letters, digits, spaces, `_`, `.` or `-`.")
    return name or ""


@click.command("bot")
@click.argument("strategy", type=click.Choice(list(HOUSE)))
@click.argument("table", required=False)
@click.option("--address", help="HOST:PORT or https://HOST:PORT. [default: LASTCARD_ADDRESS]")
@click.option("--rules", default="standard_no", show_default=True, help="Preset of a new table.")
@click.option(
    "--seats",
    type=click.IntRange(2, 10),
    default=2,
    show_default=True,
    help="Seats of a new table.",
)
@click.option("--name", callback=_name, help="The name shown. [default: the strategy]")
@click.option(
    "--patience",
    type=click.FloatRange(min=0),
    default=60.0,
    show_default=True,
    help="Seconds to go on without a server.",
)
def command(
    *,
    strategy: str,
    table: str | None,
    address: str | None,
    rules: str,
    seats: int,
    name: str,
    patience: float,
) -> None:
    """
    Play with a bot of the house until Ctrl-C, or one match at TABLE.

    Without a table it plays every seat of the key in LASTCARD_KEY. Exits with 0 when it is stopped
    or the match at TABLE is over, 130 when it is stopped at a table, 1 with one sentence when it
    cannot be done.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _interrupt)

    def bot(turn: lastcard.Turn) -> int:
        return HOUSE[strategy](turn.message)

    events = strategy in TOLD
    try:
        if table is None:
            click.echo(lastcard.play(bot, address=address, events=events, patience=patience))
            return
        bot.__name__ = strategy
        click.echo(
            lastcard.play(
                bot,
                table,
                rules=rules,
                seats=seats,
                name=name,
                address=address,
                events=events,
                patience=patience,
            )
        )
    except KeyboardInterrupt:
        sys.exit(130)
    except lastcard.Error as error:
        sys.exit(f"lastcard bot: {error}")


def _interrupt(_signal: int, _frame: object) -> NoReturn:
    """End as on Ctrl-C."""
    raise KeyboardInterrupt
