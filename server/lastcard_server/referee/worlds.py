"""
Which tables fit what a seat sees?

The engine judges states, and a seat does not see a whole one. So the cards it cannot see are dealt
in two ways, what else it cannot know is tried both ways, and a ruling counts only if every
such table gives it. A table that cannot exist is refused in `possible`.
"""

from itertools import product
from typing import NamedTuple

from lastcard_engine.cards import FIRST_WILD, Card, Seat
from lastcard_engine.duties import drop_duty, end_duties, start_duties
from lastcard_engine.overlays import may_react
from lastcard_engine.position import ZERO_KEY, settle
from lastcard_engine.rules import JumpInMode, Rules, UnoWindow
from lastcard_engine.settings import Settings
from lastcard_engine.state import Group, Offence, Phase, State
from lastcard_engine.turns import active_seats
from lastcard_server.referee.possible import Layout, layout
from lastcard_server.referee.seen import Seen


class _Course(NamedTuple):
    """What a view of a running match does not tell."""

    duty: tuple[int, ...]
    begun: bool
    laid_by: Seat | None


def worlds(seen: Seen, rules: Rules) -> list[State]:
    """
    Return tables that fit what a seat sees, 32 at most; the asker's cards are in each.

    Raises:
        PositionError: there is no such table.

    """
    plan = layout(seen, rules)
    dealt = (plan.hidden, plan.hidden[::-1])
    lawful = (True, False) if plan.offender is not None else (True,)
    courses = _courses(seen, rules, plan.phase)
    return [
        _table(seen, rules, plan, list(cards), course, lawful=innocent)
        for cards, innocent, course in product(dealt, lawful, courses)
    ]


def _courses(seen: Seen, rules: Rules, phase: Phase) -> list[_Course]:
    """Return what the turn's course may have been so far: as told, or every way that matters."""
    none = (0,) * len(seen.counts)
    begun = seen.begun or seen.drawn is not None
    if seen.course_known:
        return [_Course(seen.duty or none, begun, seen.laid_by)]
    called = seen.called or none
    owing = tuple(
        seen.serial - 1 if count == 1 and not has_called else 0
        for count, has_called in zip(seen.counts, called, strict=True)
    )
    open_turn = phase in (Phase.PLAY, Phase.ANSWER_DRAW, Phase.CHALLENGE) and not seen.window
    return [
        _Course(*course)
        for course in product(
            dict.fromkeys((none, owing)),
            (begun, True) if open_turn and seen.group is None else (begun,),
            _layers(seen, rules, phase),
        )
    ]


def _layers(seen: Seen, rules: Rules, phase: Phase) -> tuple[Seat | None, ...]:
    """Return who may have laid the top card so that others may jump in on it."""
    closed = rules.jump_in is JumpInMode.OFF or phase is not Phase.PLAY or seen.group is not None
    if closed or seen.discards[-1] >= FIRST_WILD:
        return (seen.laid_by,)
    others = [seat for seat, count in enumerate(seen.counts) if count and seat != seen.seat]
    return (None, Seat(others[0]))


def _table(
    seen: Seen, rules: Rules, plan: Layout, cards: list[Card], course: _Course, *, lawful: bool
) -> State:
    settings = Settings(reactions=seen.reactions)
    state = State(rules, settings, len(seen.counts), ZERO_KEY)
    _deal(state, seen, plan, cards)
    _copy(state, seen)
    state.phase = plan.phase
    state.colour = plan.colour
    state.duty = list(course.duty)
    state.begun = course.begun
    state.laid_by = course.laid_by
    state.lawful = lawful
    if plan.offender is not None:
        shown = tuple(state.hands[plan.offender])
        state.offence = Offence(plan.offender, shown, lawful=lawful)
    if plan.phase is Phase.PLAY_OR_KEEP:
        state.drawn = seen.drawn if seen.turn == seen.seat else state.hands[seen.turn][0]
    settle(state)
    _close_windows(state)
    if seen.group is not None:
        state.group = _group(state, seen, seen.group)
    return state


def _deal(state: State, seen: Seen, plan: Layout, cards: list[Card]) -> None:
    """Give the cards nobody sees to the hands, the discard pile and the draw pile."""
    for seat, count in enumerate(seen.counts):
        if seat == seen.seat:
            state.hands[seat] = list(seen.hand)
        else:
            state.hands[seat] = sorted(cards[:count])
            del cards[:count]
    state.discards = [*cards[: plan.beneath], *seen.discards]
    state.draw_pile = cards[plan.beneath :]


def _copy(state: State, seen: Seen) -> None:
    """Copy what is the same in both."""
    seats = len(seen.counts)
    state.round_number = seen.round_number
    state.turn = seen.turn
    state.direction = seen.direction
    state.dealer = Seat(seats - 1) if seen.dealer is None else seen.dealer
    state.pending = seen.pending
    state.serial = seen.serial
    state.credit = seen.credit
    state.window = seen.window
    state.called = list(seen.called or state.called)
    state.caught = list(seen.caught or state.caught)
    state.active = list(seen.active or (True,) * seats)
    state.owed_skip = list(seen.skip or state.owed_skip)
    state.totals = list(seen.totals or state.totals)
    if seen.raised is not None and state.custom is not None:
        state.custom.next_draw = list(seen.raised)


def _close_windows(state: State) -> None:
    """Let the turns that have passed close what they close."""
    if state.rules.uno_window is UnoWindow.NEXT_TURN_STARTS:
        for seat, opened in enumerate(state.duty):
            if 0 < opened < state.serial - 1:
                drop_duty(state, Seat(seat))
    end_duties(state, state.serial - 1)
    if state.begun:
        start_duties(state)


def _group(state: State, seen: Seen, actor: Seat) -> Group:
    """Open the questions that follow the turn of `actor`."""
    may = may_react(state, seen.seat) if seen.asked is None else seen.asked
    asked = [seat for seat in active_seats(state) if may or seat != seen.seat]
    return Group(actor, state.serial - 1, asked, state.seat_count)
