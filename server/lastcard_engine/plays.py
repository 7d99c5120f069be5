"""
What changes when a card is laid?

On the own turn, after drawing or as a jump-in: it is always this one way. Whether the card may be
laid has been asked before (`legal`, `reactions`, `groups`).
"""

from typing import Final

from lastcard_engine.actions import JumpIn, Play
from lastcard_engine.cards import (
    COLOURED,
    COLOURS,
    FIRST_RULE,
    FIRST_WILD,
    WILD_DRAW_FOUR,
    Card,
    Seat,
)
from lastcard_engine.custom import begin_rule, draw_of_last
from lastcard_engine.debts import refit
from lastcard_engine.duties import after_play, drop_duty, start_duties
from lastcard_engine.effects import run
from lastcard_engine.events import CardPlayed, Event, RoundEnd
from lastcard_engine.exchange import swap_hands
from lastcard_engine.legal import lawful_draw_four
from lastcard_engine.overlays import open_reactions
from lastcard_engine.rounds import end_round
from lastcard_engine.state import KEEPING, PLAYING, State
from lastcard_engine.turns import pass_turn

_LAID: Final = tuple(
    tuple(
        CardPlayed(Seat(seat), card, COLOURS[card >> 4], None, jump_in=False) for card in COLOURED
    )
    for seat in range(10)
)
"""Plays of coloured cards as events, by seat and card: made once, for they are many."""


def start_turn(state: State) -> None:
    """Note the first act of a turn: reactions to the turn before are over (R169, Q05)."""
    state.begun = True
    state.laid_by = None
    if state.duties:
        start_duties(state)


def _cover(state: State, seat: Seat, play: Play, *, out_of_turn: bool) -> CardPlayed:
    """
    Put a card on the pile.

    A last wild may lie there without a colour (Q42), and a roulette before its victim names one.
    """
    card, colour = play.card, play.colour
    state.discards.append(card)
    if card < FIRST_WILD:
        colour = COLOURS[card >> 4]
        state.row = state.tables.rows[card]
        state.colour = colour
        if not out_of_turn and play.target is None:
            return _LAID[seat][card]
    elif colour is not None:
        colour = COLOURS[colour]
        state.row = state.tables.rows[FIRST_WILD + colour]
        state.colour = colour
    elif state.hands[seat]:
        colour = state.colour
        refit(state)
    return CardPlayed(seat, card, colour, play.target, out_of_turn)


def lay(
    state: State, seat: Seat, action: Play, events: list[Event], *, out_of_turn: bool = False
) -> None:
    """
    Lay a card, let it act, settle the call of UNO, pass the turn and open the reactions to it.

    Rule: R109, R166, R185, Q10, Q14.
    """
    card = action.card
    hand = state.hands[seat]
    start_turn(state)
    serial = state.serial
    called = state.credit == seat
    if card == WILD_DRAW_FOUR:
        state.lawful = lawful_draw_four(state, hand)
    hand.remove(card)
    events.append(_cover(state, seat, action, out_of_turn=out_of_turn))
    state.phase = PLAYING
    state.drawn = None
    state.lap = 0
    if not hand:
        _go_out(state, seat, card, events)
        return
    if card >= FIRST_RULE:
        begin_rule(state, seat, card, action.target, events, called=called)
        return
    effects = state.tables.effects[card]
    if effects:
        run(state, effects, seat, events)
        if state.live < 2 or state.phase is KEEPING:
            return
        if not hand:
            end_round(state, RoundEnd.WENT_OUT, seat, events)
            return
    elif action.target is not None:  # what is aimed swaps hands, and has no other effect
        swap_hands(state, seat, action.target, events)
    if len(hand) == 1 and state.hands[seat] is hand:  # not replaced by another (S06)
        after_play(state, seat, serial, events, called=called)
    if state.phase is PLAYING:
        pass_turn(state)
    open_reactions(state, seat, card, events)


def _go_out(state: State, seat: Seat, card: Card, events: list[Event]) -> None:
    """End the round by a last card; of what it does only draws are left (R185, R187, S14)."""
    if card >= FIRST_RULE:
        draw_of_last(state, seat, card, events)
    run(state, state.tables.last_effects[card], seat, events)
    end_round(state, RoundEnd.WENT_OUT, seat, events)


def jump_in(state: State, seat: Seat, action: JumpIn, events: list[Event]) -> None:
    """
    Lay an identical card out of turn; play goes on from the one who did.

    Rule: R232, S11. It closes the window of the seat jumped in on; draws already made stay made.
    """
    if state.laid_by is not None:
        drop_duty(state, state.laid_by)
    state.window = False
    state.turn = seat
    state.serial += 1
    lay(state, seat, Play(action.card, None, action.target), events, out_of_turn=True)
