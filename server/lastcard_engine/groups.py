"""
How do simultaneous questions work at a polled table?

While a group is open each asked seat answers once; answers are stored and change nothing that can
be seen. Closing it resolves them in seat order starting after the actor (Q48); an answer that an
earlier one has made useless is without effect (Q09).
"""

from lastcard_engine.actions import PASS, Action, Catch, JumpIn
from lastcard_engine.cards import Seat
from lastcard_engine.duties import end_duties
from lastcard_engine.errors import Reason, RuleViolation
from lastcard_engine.events import Event
from lastcard_engine.plays import jump_in
from lastcard_engine.reactions import catches_of, check_catch, check_jump_in, jump_ins_of
from lastcard_engine.state import Group, State
from lastcard_engine.uno import catch


def unanswered(group: Group) -> list[Seat]:
    """Return the seats the group still waits for."""
    return [seat for seat in group.asked if group.answers[seat] is None]


def answers_for(state: State, group: Group, seat: Seat) -> list[Action]:
    """Return what an asked seat may answer, in canonical order; nothing once it has answered."""
    if seat not in group.asked or group.answers[seat] is not None:
        return []
    return [*jump_ins_of(state, seat), *catches_of(state, seat), PASS]


def check_answer(state: State, group: Group, seat: Seat, action: Action) -> None:
    """Refuse an answer that is not offered, a second one, or one of a seat that is not asked."""
    if seat not in group.asked:
        raise RuleViolation(Reason.NOT_YOUR_TURN, "the others are being asked; you are not")
    if group.answers[seat] is not None:
        raise RuleViolation(Reason.ALREADY_ANSWERED, "you have answered already")
    if isinstance(action, JumpIn):
        check_jump_in(state, seat, action)
    elif isinstance(action, Catch):
        check_catch(state, seat, action)
    elif action != PASS:
        raise RuleViolation(
            Reason.GROUP_OPEN, "you are asked for a reaction: jump in, catch or pass"
        )


def store_answer(group: Group, seat: Seat, action: Action, *, uno: bool) -> None:
    """Keep an answer until the group closes."""
    group.answers[seat] = action
    group.unos[seat] = uno


def resolve(state: State, group: Group) -> list[Event]:
    """Close the group: let its answers take effect in seat order after the actor."""
    events: list[Event] = []
    state.group = None
    jumped = False
    for seat in group.asked:
        answer = group.answers[seat]
        if isinstance(answer, Catch):
            if state.duty[answer.target]:
                catch(state, seat, answer.target, events)
        elif isinstance(answer, JumpIn) and not jumped:
            jumped = True
            jump_in(state, seat, answer.card, events, uno=group.unos[seat])
            if not state.running:
                return events
    if not jumped:
        state.laid_by = None
    end_duties(state, group.serial)
    return events
