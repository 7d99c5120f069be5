"""
When are seats other than the one on turn heard?

After each turn the table may react: at a polled table a group of questions opens, at a race table
a pause. Both open on public facts alone, so that nothing is learnt from their being there.
"""

from lastcard_engine.cards import FIRST_WILD, Card, Seat
from lastcard_engine.settings import Reactions
from lastcard_engine.state import Group, State


def open_reactions(state: State, actor: Seat, card: Card | None) -> None:
    """
    Open what follows the turn of `actor`, in which `card` was laid last, None if none was.

    Rule: S03, Q48, Q49, S11. Polled: a group opens if the card can be jumped in on or somebody can
    be caught. Race: a pause opens after each play that leaves one card, called or not, and with
    jump-in after every play.
    """
    jump_in = state.tables.jump_in
    if jump_in and card is not None and card < FIRST_WILD:
        state.laid_by = actor
    if state.settings.reactions is Reactions.POLLED:
        if state.duties or state.laid_by is not None:
            state.group = _group(state, actor)
    elif card is not None:
        state.window = jump_in or len(state.hands[actor]) == 1


def _group(state: State, actor: Seat) -> Group:
    """Ask every active seat but the actor, whatever it holds."""
    count = state.seat_count
    around = [Seat((actor + step) % count) for step in range(1, count)]
    asked = [seat for seat in around if state.active[seat]]
    return Group(actor, state.serial - 1, asked, count)
