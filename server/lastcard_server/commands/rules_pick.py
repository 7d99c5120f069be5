"""`lastcard rules pick`: picks rules for an evening from a few answers."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from lastcard_engine.errors import RulesError
from lastcard_server.commands.inputs import BadInput, Whole, save
from lastcard_server.commands.rules_ask import answers, house_rules
from lastcard_server.sheets.choice import as_toml, overrides_of
from lastcard_server.sheets.pick import (
    HOUSE,
    Book,
    Box,
    Evening,
    Harshness,
    PickError,
    Proposal,
    pick,
)
from lastcard_server.sheets.words import LANGUAGES, words


class _Several(click.ParamType[Any]):
    """House rules by their names, with commas between them."""

    name = "RULES"

    def convert(
        self, value: str | tuple[str, ...], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Return the names; anything that is none is refused with those that are."""
        if isinstance(value, tuple):
            return value
        names, unknown = house_rules(value)
        if unknown:
            self.fail(f"{unknown[0]!r} is not one of {', '.join(HOUSE)}", param, ctx)
        return names


_QUESTIONS: dict[str, click.ParamType[Any]] = {
    "players": Whole(2, 10),
    "minutes": Whole(5, 600),
    "children": click.BOOL,
    "harshness": click.Choice([str(member) for member in Harshness]),
    "book": click.Choice([str(member) for member in Book]),
    "box": click.Choice([str(member) for member in Box]),
    "house": _Several(),
}
"""What is asked, and what the options take."""


@click.command("pick", short_help="Pick rules for an evening, with reasons.")
@click.option("--players", type=_QUESTIONS["players"], help="How many play.")
@click.option("--minutes", type=_QUESTIONS["minutes"], help="How much time there is.")
@click.option("--children/--no-children", default=None, help="Whether young children play.")
@click.option("--harshness", type=_QUESTIONS["harshness"], help="How harsh it may be.")
@click.option("--book", type=_QUESTIONS["book"], help="The rules you know.")
@click.option("--box", type=_QUESTIONS["box"], help="The cards you have.")
@click.option(
    "--house",
    type=_QUESTIONS["house"],
    help=f"House rules to add, with commas: {', '.join(HOUSE)}.",
)
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="Language of questions and reasons.",
)
@click.option("--json", "wants_json", is_flag=True, help="Ask nothing; print one JSON object.")
@click.option("--output", type=click.Path(path_type=Path), help="Save the rules to this file.")
def pick_rules(lang: str, output: Path | None, *, wants_json: bool, **options: object) -> None:
    """
    Pick rules for an evening: answers in, a preset and overrides out, with reasons.

    At a terminal it asks for what no option answers; elsewhere what is not answered has its
    default: 4 players, 60 minutes, no children, usual, the Norwegian rules, 108 cards.

    Exits with 0 when it is done, 2 when an option or an answer fits no rules.
    """
    asks = sys.stdin.isatty() and not wants_json
    given = {name: value for name, value in options.items() if value is not None}
    missing = [name for name in _QUESTIONS if name not in given]
    proposal = _picked({**given, **(answers(missing, words(lang)) if asks else {})}, lang)
    if output:
        save(output, _with_reasons(proposal).encode())
    if wants_json:
        click.echo(json.dumps(_as_json(proposal)))
    elif output:
        click.echo("\n".join(reason.text for reason in proposal.reasons))
        click.echo(f"saved; print them: lastcard rules sheet {output} --lang {lang}")
    else:
        click.echo(_with_reasons(proposal), nl=False)


def _picked(answers: Mapping[str, Any], lang: str) -> Proposal:
    kinds = {"harshness": Harshness, "book": Book, "box": Box}
    members = {name: kind(answers[name]) for name, kind in kinds.items() if name in answers}
    try:
        return pick(Evening(**{**answers, **members}), lang)
    except PickError as error:
        raise BadInput(str(error)) from None
    except RulesError as error:
        raise BadInput(error.message) from None


def _with_reasons(proposal: Proposal) -> str:
    """Return the file: reasons as comments, then the choice."""
    return "".join(f"# {reason.text}\n" for reason in proposal.reasons) + as_toml(proposal.choice)


def _as_json(proposal: Proposal) -> dict[str, object]:
    return {
        "preset": proposal.choice.preset,
        "overrides": overrides_of(proposal.choice),
        "reasons": [reason._asdict() for reason in proposal.reasons],
    }
