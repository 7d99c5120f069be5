"""Which custom rules do tests write on custom wilds?"""

from typing import Any, Final

IDEAS: Final[dict[str, tuple[str, ...]]] = {
    "crow": ("dare(next,crow like a rooster,draw(self,4))",),
    "until": ("draw_until(next,g)",),
    "wilds": ("discard_matching(all,wild)",),
    "raised": ("next_draw_count(next,3)",),
    "again": ("extra_turn(self)",),
    "seven": ("adjust_hand(next,7)",),
    "three": ("adjust_hand(all,3)",),
    "open": ("reveal_hands(all,own_next_turn)",),
    "joke": ("vote(laughed?,discard_to(self,1),draw(self,4))",),
    "elbows": ("restriction(next,keep elbows straight,uno_call)",),
}
"""The ten ideas of the rulebook, CR01 to CR10 in order."""

MIXED: Final[dict[str, tuple[str, ...]]] = {
    "dare": ("dare(next,crow,draw(self,4))", "reveal_hands(all,own_next_turn)"),
    "joke": ("vote(laughed?,discard_to(self,1),draw(self,4))",),
    "raise": ("adjust_hand(next,7)", "next_draw_count(others,3)"),
    "three": ("adjust_hand(all,3)", "restriction(others,hush,uno_call)"),
    "aim": ("dare(chosen,hop,discard_to(others,1))", "draw(chosen,2)"),
    "again": ("vote(more?,draw(self,1),)", "extra_turn(self)"),
    "wilds": ("discard_matching(all,wild)",),
    "named": ("draw_until(next,named)", "discard_matching(self,special)"),
}
"""Rules that use every operation, every target and both outcomes."""

HIDDEN: Final = ("dare", "joke", "raise", "three", "aim", "again")
"""Those of `MIXED` that disclose nothing of closed hands or the pile by themselves."""


def written(*names: str, rules: dict[str, tuple[str, ...]] = MIXED) -> dict[str, Any]:
    """Return options with eight custom wilds, on which these rules, by default all, are written."""
    chosen = names or tuple(rules)
    return {
        "deck_extras": {"custom_wild": 8},
        "custom_rules": [{"id": name, "ops": list(rules[name])} for name in chosen[:8]],
    }
