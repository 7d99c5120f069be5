"""
What may a seat know, and what may the table?

The only door out of a state and its events. A view holds the viewer's own cards and of all others
what everybody can see; while a group is open it does not depend on what others have answered.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from lastcard_engine.cards import Card, Colour, Seat, rule_number
from lastcard_engine.custom_state import Carried, Custom
from lastcard_engine.events import CardsDealt, CardsDrawn, Event, HandReceived, HandShown
from lastcard_engine.state import Phase, State


class GroupFacts(NamedTuple):
    """What everybody knows of the questions that are open to several seats at once."""

    actor: Seat
    """Whose turn they follow; it is not asked."""
    jump_in: bool
    """Whether the top card can be jumped in on."""


class Question(NamedTuple):
    """What a custom rule waits for, as everybody knows it; the phase says of what kind it is."""

    rule: int
    """1-based number of the rule."""
    actor: Seat
    """Who laid the card, or the dealer of one that was turned first."""
    seat: Seat
    """Who lays out cards, is dared, or is voted about."""
    text: str
    """What is dared or asked; empty where cards are laid out."""
    size: int
    """Down to how many cards the seat lays out; 0 for a dare or a vote."""


class CustomFacts(NamedTuple):
    """What everybody knows of the custom wilds' rules that are at work."""

    question: Question | None
    restrictions: tuple[tuple[Seat, str], ...]
    """Who keeps to which text until somebody calls UNO (R165)."""
    raised: tuple[int, ...]
    """By seat: how many it draws on its next turn if it cannot play; 0 for the usual (R158)."""
    opened: tuple[Seat, ...]
    """Whose hands lie open to all seats (R162), in seat order."""


class TableView(NamedTuple):
    """What everybody at the table sees, spectators included. Sequences have one element a seat."""

    phase: Phase
    round_number: int
    """1-based; 0 before the first round."""
    turn: Seat | None
    """Who is on turn; None while no round is running."""
    dealer: Seat | None
    """None before the first round."""
    direction: int
    """1 clockwise, -1 counter-clockwise."""
    top: Card | None
    """None before the first round."""
    colour: Colour | None
    """The colour in force; None before there is one."""
    pending: int
    """Cards demanded of the seat on turn unless it answers or challenges."""
    draw_count: int
    discard_count: int
    """Cards in the discard pile, the top one included."""
    counts: tuple[int, ...]
    called: tuple[bool, ...]
    """Whether the seat holds one card and has called UNO on it."""
    active: tuple[bool, ...]
    """Whether the seat takes part in the round."""
    totals: tuple[int, ...]
    group: GroupFacts | None
    window: bool
    """Whether the pause for reactions is open."""
    custom: CustomFacts | None
    """None where the rules have no custom rule."""


class SeatView(NamedTuple):
    """Everything one seat may know. The fields after `open_hands` are those of `TableView`."""

    seat: Seat
    asked: bool
    """Whether the seat is asked right now."""
    hand: tuple[Card, ...]
    """Canonical order, equal cards once for each copy."""
    drawn: Card | None
    """The own card just drawn, while it may be laid."""
    open_hands: tuple[tuple[Seat, tuple[Card, ...]], ...]
    """Hands of other seats that lie open to all seats (R162), in seat order."""
    phase: Phase
    round_number: int
    turn: Seat | None
    dealer: Seat | None
    direction: int
    top: Card | None
    colour: Colour | None
    pending: int
    draw_count: int
    discard_count: int
    counts: tuple[int, ...]
    called: tuple[bool, ...]
    active: tuple[bool, ...]
    totals: tuple[int, ...]
    group: GroupFacts | None
    window: bool
    custom: CustomFacts | None


def table_view(state: State) -> TableView:
    """Return what a spectator may know."""
    return TableView(*_public(state))


def _public(state: State) -> tuple[Any, ...]:
    """Return the fields of a `TableView`."""
    running = state.running
    group = state.group
    return (
        state.phase,
        state.round_number,
        state.turn if running else None,
        state.dealer if state.round_number else None,
        state.direction,
        state.top,
        state.colour,
        state.pending,
        len(state.draw_pile),
        len(state.discards),
        tuple(map(len, state.hands)),
        tuple(state.called),
        tuple(state.active),
        tuple(state.totals),
        None if group is None else GroupFacts(group.actor, state.laid_by is not None),
        state.window,
        None if state.custom is None else _custom_facts(state, state.custom),
    )


def _custom_facts(state: State, custom: Custom) -> CustomFacts:
    return CustomFacts(
        None if custom.rule is None else _question(state, custom.rule),
        tuple(custom.restrictions),
        tuple(custom.next_draw),
        custom.open_hands,
    )


def _question(state: State, rule: Carried) -> Question:
    number = rule_number(state.discards[-1])
    if rule.question is not None:
        return Question(number, rule.actor, rule.subject, rule.question.word, 0)
    seat, size, _ = rule.sizes[0]
    return Question(number, rule.actor, seat, "", size)


def _open_hands(state: State, viewer: Seat) -> tuple[tuple[Seat, tuple[Card, ...]], ...]:
    """Return the hands that lie open, the viewer's own left out (CR08)."""
    opened = () if state.custom is None else state.custom.open_hands
    return tuple((seat, tuple(state.hands[seat])) for seat in opened if seat != viewer)


def _asked(state: State, seat: Seat) -> bool:
    group = state.group
    if group is not None:
        return seat in group.asked and group.answers[seat] is None
    return state.running and seat == state.turn and not state.window


def view(state: State, seat: Seat) -> SeatView:
    """Return everything a seat may know, and nothing else."""
    own = (
        seat,
        _asked(state, seat),
        tuple(state.hands[seat]),
        state.drawn if seat == state.turn else None,
        () if state.custom is None else _open_hands(state, seat),
    )
    return tuple.__new__(SeatView, own + _public(state))  # SeatView(...) takes twice as long


def _hide_hand(event: CardsDealt | CardsDrawn | HandReceived, viewer: Seat | None) -> Event:
    return event if event.seat == viewer else event._replace(cards=())


def _hide_shown(event: HandShown, viewer: Seat | None) -> Event:
    seen = viewer is not None and viewer in (event.seat, event.viewer)
    return event if seen else event._replace(cards=())


_PRIVATE: Final[Mapping[type, Callable[[Any, Seat | None], Event]]] = {
    CardsDealt: _hide_hand,
    CardsDrawn: _hide_hand,
    HandReceived: _hide_hand,
    HandShown: _hide_shown,
}
"""Events that say more to some than to others; all others are public."""


def redact(event: Event, viewer: Seat | None) -> Event:
    """
    Return an event as a seat, or with None a spectator, may see it.

    Everybody sees that it happened; cards that are private to others are left out.
    """
    hide = _PRIVATE.get(type(event))
    return event if hide is None else hide(event, viewer)
