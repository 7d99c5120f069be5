"""
How are the five classic disputes decided under the rules in force?

The questions are those that a Danish rules page gives a verdict on; `disputes.toml`
answers each for every set of rules.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from lastcard_engine.rules import Rules
from lastcard_server.referee.law import entries, facts_of, gather, holds, table_of
from lastcard_server.referee.ruling import Ruling, Verdict
from lastcard_server.sheets.choice import Choice

DISPUTES: Final = ("stacking", "forgotten-uno", "special-finish", "draw-four", "first-card")
"""Their names, in the order of the page."""

_PAIRS: Final = {
    "d2>d2": "a draw two on a draw two",
    "d2>wd4": "a wild draw four on a draw two",
    "wd4>d2": "a draw two on a wild draw four",
    "wd4>wd4": "a wild draw four on a wild draw four",
}


@cache
def _table() -> Mapping[str, Any]:
    return table_of("disputes.toml")


def question(dispute: str) -> str:
    """Return what a dispute is about."""
    return str(_table()[dispute]["question"])


def decide(dispute: str, choice: Choice) -> Ruling:
    """
    Answer one of DISPUTES for the rules in force.

    Raises:
        KeyError: there is no such dispute.

    """
    facts = facts_of(choice, 0)
    written = _table()[dispute]
    answer = next(a for a in written["answers"] if holds(a["when"], facts))
    text = answer["says"].format_map(_blanks(choice.rules))
    cited = gather(entries(answer["entries"]), choice, facts)
    return Ruling(Verdict(answer["verdict"]), text, "", hidden=False, cited=cited)


def _blanks(rules: Rules) -> dict[str, str]:
    """Return what the placeholders of the answers stand for."""
    cards = rules.uno_penalty_cards
    return {
        "until": _table()["forgotten-uno"]["until"][rules.uno_window],
        "cards": f"{cards} card{'s' * (cards != 1)}" if cards else "nothing",
        "skip": " and loses the next turn" if rules.uno_penalty_skip_turn else "",
        "pairs": ", ".join(_PAIRS[pair] for pair in rules.stack_pairs) or "nothing",
    }
