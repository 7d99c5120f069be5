"""
When are seats other than the one on turn heard?

After each turn the table may react: at a polled table a group of questions opens, at a race table
a pause. Both open on public facts alone, so that nothing is learnt from their being there.
"""

from typing import Final

from lastcard_engine.cards import FIRST_WILD, Card, Seat
from lastcard_engine.duties import end_duties
from lastcard_engine.events import Event
from lastcard_engine.settings import Reactions
from lastcard_engine.state import PLAYING, Group, State
from lastcard_engine.teams import are_partners
from lastcard_engine.turns import from_left, reach

_POLLED: Final = Reactions.POLLED


def open_reactions(state: State, actor: Seat, card: Card | None, events: list[Event]) -> None:
    """
    Open what follows the turn of `actor`, in which `card` was laid last, None if none was.

    Where nobody is heard, the turn reaches the next seat at once.

    Rule: S03, Q48, Q49, S11. Polled: a group opens if the card can be jumped in on or somebody can
    be caught. Race: a pause opens after each play that leaves one card, called or not, and with
    jump-in after every play.
    """
    custom = state.custom
    if custom is not None:
        custom.end_turn(actor)
    jump_in = state.tables.jump_in
    polled = state.settings.reactions is _POLLED
    if jump_in and card is not None and card < FIRST_WILD:
        # In a race a debt may still lapse with its seat (S12), and then nothing is pending.
        state.laid_by = actor if state.phase is PLAYING or not polled else None
    if polled:
        if state.duties or state.laid_by is not None:
            group = _group(state, actor)
            if group.asked:
                state.group = group
                return
            end_duties(state, group.serial)
    elif card is not None and (jump_in or len(state.hands[actor]) == 1):
        state.window = True
        return
    if state.owed_skip[state.turn] or custom is not None:
        reach(state, events)


def _group(state: State, actor: Seat) -> Group:
    """
    Ask every active seat that may react on public facts, whatever it holds.

    After a play that leaves one card these are all but the actor; who forgot to call is not asked
    about it again. The seat nearest to the actor's left comes first.
    """
    asked = [seat for seat in from_left(state, actor) if may_react(state, seat)]
    return Group(actor, state.serial - 1, asked, state.seat_count)


def may_react(state: State, seat: Seat) -> bool:
    """Tell whether a seat might lay the top card's twin or catch somebody (Q48)."""
    may_jump_in = state.laid_by is not None and state.laid_by != seat
    return may_jump_in or bool(catchable(state, seat))


def catchable(state: State, seat: Seat) -> list[Seat]:
    """Return whom a seat can catch, in seat order: others who owe a call, no partner (Q12)."""
    pairs = state.tables.pairs
    return [
        Seat(other)
        for other, owes in enumerate(state.duty)
        if owes and other != seat and not (pairs and are_partners(seat, Seat(other)))
    ]
