"""What the customizable wilds do (§1.6); one without a written rule is a plain wild (Q34)."""

from tests.oracle import effects
from tests.oracle.table import State


def run(state: State, seat: int, card: str, target: int | None) -> bool:
    """Run the rule written on the card; say whether the actor's hand was replaced."""
    effects.ask(state, "play", state.after(seat))
    return False


def last_card_draw(state: State) -> int:
    """Count what the next player draws when the card is a last one (Q33, S14)."""
    return 0
