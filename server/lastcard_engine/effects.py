"""
What do cards do, one small step at a time?

Each effect is a function of the state and the seat that laid the card; `state.turn` is the cursor
from which the turn will pass on, so that a seat that loses its turn is one the cursor moves over.
Which steps a card has, and in what order, stands in `tables`.
"""

from collections.abc import Callable, Mapping
from typing import Final

from lastcard_engine.cards import Card, Seat, colour_of
from lastcard_engine.debts import demanded, face
from lastcard_engine.events import (
    CardsDiscarded,
    ChallengeOpened,
    DirectionReversed,
    DrawCause,
    DrawDemanded,
    Event,
    SeatSkipped,
    SkipCause,
)
from lastcard_engine.exchange import pass_hands_on, shuffle_hands
from lastcard_engine.piles import take, take_last
from lastcard_engine.roulette import ask_colour, spin
from lastcard_engine.state import Offence, Phase, State
from lastcard_engine.tables import Effect
from lastcard_engine.turns import close_hands, next_seat


def _pass_over(state: State, cause: SkipCause, events: list[Event]) -> None:
    """Move the cursor over the next seat, which loses its turn (R100)."""
    state.turn = next_seat(state, state.turn)
    events.append(SeatSkipped(state.turn, cause))
    if state.custom is not None:
        close_hands(state, state.turn)


def _flip(state: State, _actor: Seat, events: list[Event]) -> None:
    state.direction = -state.direction
    events.append(DirectionReversed(state.direction))


def _skip_other(state: State, _actor: Seat, events: list[Event]) -> None:
    if state.live == 2:
        _pass_over(state, SkipCause.REVERSE_CARD, events)


def _skip_next(state: State, _actor: Seat, events: list[Event]) -> None:
    _pass_over(state, SkipCause.SKIP_CARD, events)


def _draw(state: State, _actor: Seat, events: list[Event]) -> None:
    """Let the next seat draw and lose the turn, which has reached it even if it falls (NM14)."""
    victim = next_seat(state, state.turn)
    amount = demanded(state)
    state.pending = 0
    state.offence = None
    take(state, victim, amount, DrawCause.DRAW_CARD, events)
    if state.active[victim]:
        _pass_over(state, SkipCause.DRAW_CARD, events)
    elif state.custom is not None:
        close_hands(state, victim)


def _draw_last(state: State, _actor: Seat, events: list[Event]) -> None:
    """Let the next seat draw the whole sum; nothing answers it, mercy does not (NM22, Q47)."""
    take_last(state, next_seat(state, state.turn), demanded(state), events)


def _face(state: State, _actor: Seat, events: list[Event]) -> None:
    victim = next_seat(state, state.turn)
    state.offence = None
    face(state, victim)
    events.append(DrawDemanded(victim, state.pending))


def _face_challenge(state: State, actor: Seat, events: list[Event]) -> None:
    victim = next_seat(state, state.turn)
    state.offence = Offence(actor, tuple(state.hands[actor]), lawful=state.lawful)
    face(state, victim)
    events.append(ChallengeOpened(victim, actor, state.pending))


def _skip_everyone(state: State, actor: Seat, events: list[Event]) -> None:
    """Move the cursor over all others, so that the actor has another turn (R246, NM20)."""
    while next_seat(state, state.turn) != actor:
        _pass_over(state, SkipCause.SKIP_CARD, events)


def _discard_colour(state: State, actor: Seat, events: list[Event]) -> None:
    """
    Discard all cards of the top card's colour (R247, NM18).

    Where the last card must be a number one card has to stay, which its owner chooses (S15).
    """
    hand = state.hands[actor]
    gone = [card for card in hand if colour_of(card) == state.colour]
    if len(gone) == len(hand) and state.tables.finish_number_only:
        state.phase = Phase.KEEP_CARD
    else:
        discard(state, actor, gone, events)


def discard(state: State, seat: Seat, cards: list[Card], events: list[Event]) -> None:
    """Put cards of a hand beneath the top card, without effect (F62)."""
    if cards:
        for card in cards:
            state.hands[seat].remove(card)
        state.discards[-1:-1] = cards
        events.append(CardsDiscarded(seat, tuple(cards)))


def _roulette(state: State, _actor: Seat, events: list[Event]) -> None:
    """Spin for a colour the player has named; the victim loses its turn (NM21)."""
    victim = next_seat(state, state.turn)
    spin(state, victim, events)
    if state.custom is not None:
        close_hands(state, victim)
    if state.active[victim]:
        state.turn = victim


def _step(state: State, _actor: Seat, _events: list[Event]) -> None:
    state.turn = next_seat(state, state.turn)


def _penalise(state: State, actor: Seat, events: list[Event]) -> None:
    if not state.lawful:
        take(state, actor, 4, DrawCause.DRAW_FOUR_UNLAWFUL, events)


EFFECTS: Final[Mapping[Effect, Callable[[State, Seat, list[Event]], None]]] = {
    Effect.FLIP: _flip,
    Effect.SKIP_OTHER: _skip_other,
    Effect.SKIP_NEXT: _skip_next,
    Effect.SKIP_EVERYONE: _skip_everyone,
    Effect.DISCARD_COLOUR: _discard_colour,
    Effect.ASK_COLOUR: ask_colour,
    Effect.ROULETTE: _roulette,
    Effect.DRAW: _draw,
    Effect.DRAW_LAST: _draw_last,
    Effect.FACE: _face,
    Effect.FACE_CHALLENGE: _face_challenge,
    Effect.PENALISE: _penalise,
    Effect.SHUFFLE: shuffle_hands,
    Effect.PASS_HANDS_ON: pass_hands_on,
    Effect.STEP: _step,
}


def run(state: State, effects: tuple[Effect, ...], actor: Seat, events: list[Event]) -> None:
    """
    Run the effects of a card in order; `actor` laid it, `state.turn` is the cursor.

    The rest is dropped when one of them leaves a single seat and so ends the round (NM17).
    """
    for effect in effects:
        EFFECTS[effect](state, actor, events)
        if state.live < 2:
            return
