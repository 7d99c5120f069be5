"""
What does one round leave to the next?

The standing, who dealt and won and who has left, and nothing of the cards (F09). Between two rounds
a match is these plain values and the deal key, so that it can be put aside without a secret.
"""

from collections.abc import Mapping
from typing import Any, Final

from lastcard_engine.rules import Rules
from lastcard_engine.settings import Settings
from lastcard_engine.state import Phase, State
from lastcard_engine.transition import needs_round, new_match

_LISTS: Final = ("totals", "left", "forfeited")
_SINGLE: Final = ("round_number", "dealer", "lawful", "begun")
"""The last two mean nothing any more, but the hash of a state covers them."""


def plain_between(state: State) -> dict[str, Any]:
    """
    Return what outlives the round that is over, as plain values; no card and no key is in it.

    Raises:
        ValueError: a round is running, or the match is over.

    """
    if not needs_round(state):
        raise ValueError("only between two rounds a match can be put aside without its cards")
    values: dict[str, Any] = {name: getattr(state, name) for name in _SINGLE}
    values |= {name: list(getattr(state, name)) for name in _LISTS}
    return values | {"winners": list(state.winners)}


def read_between(
    values: Mapping[str, Any], rules: Rules, settings: Settings, deal_key: bytes
) -> State:
    """
    Return a state from which the next round begins as it would have; it lacks the cards till then.

    Args:
        values: what `plain_between` returned.
        rules: those of the match.
        settings: likewise.
        deal_key: 32 bytes, see `dealing.deal_key`.

    Raises:
        RulesError: so many seats cannot play by these rules.
        ValueError: the deal key has another length.

    """
    state = new_match(rules, settings, len(values["totals"]), deal_key)
    for name in _SINGLE:
        setattr(state, name, values[name])
    for name in _LISTS:
        setattr(state, name, list(values[name]))
    state.winners = tuple(values["winners"])
    if state.round_number:
        state.phase = Phase.ROUND_OVER
    return state
