"""
What does one operation of a custom rule change?

One small deed for each kind, for one seat at a time, in turn order from the one who laid the card.
Cards that are laid out go beneath the top card and never act (Q39).
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

from lastcard_engine.cards import FIRST_WILD, Card, Seat, colour_of, is_number, parse_colour
from lastcard_engine.custom_events import (
    Dared,
    DrawRaised,
    HandsOpened,
    Restricted,
    VoteOpened,
)
from lastcard_engine.custom_ops import NAMED, Operation, OpKind, Target
from lastcard_engine.custom_state import Carried, Custom
from lastcard_engine.duties import forget_call
from lastcard_engine.effects import discard
from lastcard_engine.events import DrawCause, Event
from lastcard_engine.mercy import room
from lastcard_engine.piles import give, pull, take
from lastcard_engine.state import Group, Phase, State
from lastcard_engine.turns import next_seat


class Step(NamedTuple):
    """One operation that is being done."""

    state: State
    custom: Custom
    carried: Carried
    op: Operation
    seats: list[Seat]
    """The active seats it is about, in turn order from the one who laid the card."""
    events: list[Event]


def around(state: State, first: Seat) -> list[Seat]:
    """Return the active seats in turn order, `first` itself before the others if active (CR07)."""
    count = state.seat_count
    seats = [Seat((first + step * state.direction) % count) for step in range(count)]
    return [seat for seat in seats if state.active[seat]]


def seats_meant(state: State, carried: Carried, target: Target, own: Seat) -> list[Seat]:
    """Return the active seats an operation is about; `own` is the one that `self` means."""
    if target is Target.NEXT:
        return [next_seat(state, carried.actor)]
    seats = around(state, carried.actor)
    if target is Target.ALL:
        return seats
    if target is Target.OTHERS:
        return [seat for seat in seats if seat != own]
    return [seat for seat in seats if seat == (own if target is Target.SELF else carried.target)]


def is_in(state: State, seat: Seat) -> bool:
    """Tell whether a seat still takes part in a round that goes on; mercy may have ended both."""
    return state.running and state.active[seat]


def lay_out(state: State, seat: Seat, cards: list[Card], events: list[Event]) -> None:
    """Put cards of a hand beneath the top card (Q39)."""
    if cards:
        discard(state, seat, cards, events)
        state.lap = 0
        forget_call(state, seat)


def _draw(step: Step) -> None:
    for seat in step.seats:
        if is_in(step.state, seat):
            take(step.state, seat, step.op.number, DrawCause.CUSTOM_RULE, step.events)


def _draw_until(step: Step) -> None:
    """Let seats draw until the colour comes or the piles run out (CR02, Q37, Q50)."""
    word, state = step.op.word, step.state
    colour = state.colour if word == NAMED else parse_colour(word)
    for seat in filter(partial(is_in, state), step.seats):
        cards: list[Card] = []
        while len(cards) < room(state, seat) and (more := pull(state, 1, step.events)):
            cards += more
            if colour_of(more[0]) == colour:
                break
        give(state, seat, cards, DrawCause.CUSTOM_RULE, step.events)


def is_meant(card: Card, sort: str) -> bool:
    """Tell whether a card is of a sort: wild, number, special, or a colour."""
    if sort in "rygb":
        return colour_of(card) == parse_colour(sort)
    kind = "wild" if card >= FIRST_WILD else "number" if is_number(card) else "special"
    return kind == sort


def _discard_matching(step: Step) -> None:
    """Lay out cards of a sort (CR03); where the last card must be a number, one stays (S15)."""
    for seat in step.seats:
        hand = step.state.hands[seat]
        cards = [card for card in hand if is_meant(card, step.op.word)]
        if len(cards) == len(hand) and step.state.tables.finish_number_only:
            step.carried.sizes.append((seat, 1, False))
        else:
            lay_out(step.state, seat, cards, step.events)


def _adjust_hand(step: Step) -> None:
    """Let seats draw up to a size, and ask them later what they lay out (CR06, CR07, Q39)."""
    for seat in step.seats:
        missing = step.op.number - len(step.state.hands[seat])
        if missing > 0 and is_in(step.state, seat):
            take(step.state, seat, missing, DrawCause.CUSTOM_RULE, step.events)
        step.carried.sizes.append((seat, step.op.number, False))


def _discard_to(step: Step) -> None:
    """Let seats lay out what they like, down to a size (CR09, S20)."""
    step.carried.sizes += [(seat, step.op.number, True) for seat in step.seats]


def _next_draw_count(step: Step) -> None:
    for seat in step.seats:
        step.custom.next_draw[seat] = step.op.number
        step.events.append(DrawRaised(seat, step.op.number))


def _extra_turn(step: Step) -> None:
    step.carried.extra_turn = True


def _reveal_hands(step: Step) -> None:
    """Open hands beside those that lie open already (CR08), unless their seat is out by now."""
    if step.seats:
        actor, seats = step.carried.actor, tuple(sorted(step.seats))
        step.custom.opened.append((actor, seats))
        step.events.append(HandsOpened(actor, seats))


def _dare(step: Step) -> None:
    for seat in step.seats:
        step.carried.question = step.op
        step.carried.subject = seat
        step.state.phase = Phase.DARE
        step.state.turn = seat
        step.events.append(Dared(seat, step.op.word))


def _vote(step: Step) -> None:
    """Ask about the one who laid the card, unless it is out by now (S12, Q64)."""
    if step.state.active[step.carried.actor]:
        step.carried.subject = step.carried.actor
        open_vote(step.state, step.carried, step.op, step.events)


def open_vote(state: State, carried: Carried, op: Operation, events: list[Event]) -> None:
    """Ask all active seats but the subject at once; the answers stay closed until all are in."""
    subject = carried.subject
    carried.question = op
    state.phase = Phase.VOTE
    state.turn = subject
    asked = [seat for seat in around(state, subject) if seat != subject]
    state.group = Group(subject, state.serial, asked, state.seat_count)
    events.append(VoteOpened(subject, op.word))


def _restriction(step: Step) -> None:
    for seat in step.seats:
        if (seat, step.op.word) not in step.custom.restrictions:
            step.custom.restrictions.append((seat, step.op.word))
            step.events.append(Restricted(seat, step.op.word))


DEEDS: Final[Mapping[OpKind, Callable[[Step], None]]] = {
    OpKind.DRAW: _draw,
    OpKind.DRAW_UNTIL: _draw_until,
    OpKind.DISCARD_MATCHING: _discard_matching,
    OpKind.ADJUST_HAND: _adjust_hand,
    OpKind.DISCARD_TO: _discard_to,
    OpKind.NEXT_DRAW_COUNT: _next_draw_count,
    OpKind.EXTRA_TURN: _extra_turn,
    OpKind.REVEAL_HANDS: _reveal_hands,
    OpKind.DARE: _dare,
    OpKind.VOTE: _vote,
    OpKind.RESTRICTION: _restriction,
}
"""What each kind of operation does to the seats it is about."""
