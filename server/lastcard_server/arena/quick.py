"""
What does a quick contest play? The rules of a preset in their own format, between house bots.

It is a contest file like any other, so that it can be looked at, changed and played again.
"""

from typing import Final

from lastcard_engine.presets import make_rules, validate
from lastcard_engine.rules import Rules, Scoring, Teams
from lastcard_server.sheets.choice import TOURNAMENTS

STRATEGIES: Final = ("greedy", "random")
USUAL_SEATS: Final = 4
TABLES: Final = {"tournament_8": 2}
"""Tables of the schedules that need more than one."""
SINGLE_BLOCKS: Final = 3
"""Blocks where a match is a single round; of whole matches one block is enough."""


def contest_text(preset: str, seats: int | None = None) -> str:
    """
    Return the text of a contest file that plays a preset.

    Args:
        preset: its name.
        seats: seats of a table; None takes four, or as many as the rules seat at most.

    Raises:
        RulesError: there is no such preset, or so many seats cannot play it.

    """
    rules = make_rules(preset)
    table = min(USUAL_SEATS, rules.max_players) if seats is None else seats
    validate(rules, table)
    schedule = TOURNAMENTS.get(preset) or ("pairs" if rules.teams is Teams.PAIRS else "round_robin")
    bots = table * TABLES.get(schedule, 1)
    heads = (
        "# Play it again, or changed: lastcard arena FILE",
        f'name = "quick {preset}"',
        f'preset = "{preset}"',
        f'schedule = "{schedule}"',
        f"seats = {table}",
        f"blocks = {_blocks(rules)}",
    )
    return "\n".join((*heads, *(_bot(number, bots) for number in range(bots)), ""))


def _blocks(rules: Rules) -> int:
    return SINGLE_BLOCKS if rules.scoring is Scoring.SINGLE_ROUND else 1


def _bot(number: int, bots: int) -> str:
    """Return a bot; the first half plays by one strategy, so that fixed partners are alike."""
    half = (bots + 1) // 2
    strategy, place = STRATEGIES[number >= half], 1 + number % half
    return f'\n[[bots]]\nname = "{strategy} {place}"\nhouse = "{strategy}"'
