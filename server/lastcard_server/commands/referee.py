"""`lastcard referee`: rules on an act or a dispute, and says which clause decides."""

import json

import click

from lastcard_server.commands.inputs import BadInput
from lastcard_server.commands.sources import chosen
from lastcard_server.referee.disputes import DISPUTES, decide, question
from lastcard_server.referee.ruling import ActionError, Ruling, read_action, rule
from lastcard_server.referee.seen import PositionError, read_seen
from lastcard_server.referee.written import answer, grounds, plain, sentence
from lastcard_server.sheets.choice import Choice


@click.command("referee")
@click.argument("source", metavar="PRESET|FILE")
@click.option("--position", help="The table as the asker sees it, in notation.")
@click.option("--action", help="What the asker wants to do, in notation.")
@click.option(
    "--seat", type=click.IntRange(0, 9), help="Who asks; by default whose cards are shown."
)
@click.option("--dispute", type=click.Choice(DISPUTES), help="Decide one of the classic disputes.")
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
def command(
    source: str,
    position: str | None,
    action: str | None,
    seat: int | None,
    dispute: str | None,
    *,
    wants_json: bool,
) -> None:
    """
    Say whether an act is allowed, what it leads to, and which clause decides.

    PRESET|FILE is the name of a preset or a file of rules. The position holds the asker's cards
    and of other hands how many they hold: hands=r5,b1/7/3 discards=y7. Without a position the five
    classic disputes are decided, or one of them with --dispute.

    Exits with 0 when it has ruled, whatever the ruling is, and with 2 when something is wrong with
    what it was asked.
    """
    choice = chosen(source)
    if position is None and action is None and seat is None:
        _print_disputes(choice, [dispute] if dispute else DISPUTES, wants_json=wants_json)
    elif dispute:
        raise BadInput("--dispute asks about rules alone: leave --position, --action, --seat out")
    elif position is None or action is None:
        raise BadInput("a ruling needs both --position and --action")
    else:
        _print_ruling(_ruling(choice, position, action, seat), wants_json=wants_json)


def _ruling(choice: Choice, position: str, action: str, seat: int | None) -> Ruling:
    try:
        act, uno = read_action(action)
        return rule(choice, read_seen(position, seat), act, uno=uno)
    except PositionError as error:
        raise BadInput(f"--position: {error}") from None
    except ActionError as error:
        raise BadInput(f"--action: {error}") from None


def _print_ruling(ruling: Ruling, *, wants_json: bool) -> None:
    if wants_json:
        click.echo(json.dumps(plain(ruling)))
    else:
        click.echo(f"{sentence(ruling)}\n{grounds(ruling)}")


def _print_disputes(
    choice: Choice, disputes: list[str] | tuple[str, ...], *, wants_json: bool
) -> None:
    rulings = {name: decide(name, choice) for name in disputes}
    if wants_json:
        click.echo(json.dumps({name: plain(ruling) for name, ruling in rulings.items()}))
        return
    parts = (f"{question(n)}\n{answer(r)}\n{grounds(r)}" for n, r in rulings.items())
    click.echo("\n\n".join(parts))
