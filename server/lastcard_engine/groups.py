"""
How do simultaneous questions work at a polled table?

While a group is open each asked seat answers once; answers are stored and change nothing that can
be seen. Closing it resolves them in seat order starting after the actor (Q48); an answer that an
earlier one has made useless is without effect (Q09).
"""

from typing import Final

from lastcard_engine.act import Act
from lastcard_engine.actions import PASS, VOTES, Action, Catch, JumpIn
from lastcard_engine.cards import Seat
from lastcard_engine.custom import check_vote, count_votes
from lastcard_engine.duties import end_duties
from lastcard_engine.errors import Reason, RuleViolation
from lastcard_engine.events import Event
from lastcard_engine.plays import jump_in
from lastcard_engine.reactions import catches_of, check_catch, check_jump_in, jump_ins_of
from lastcard_engine.state import Group, Phase, State
from lastcard_engine.turns import reach
from lastcard_engine.uno import catch


def open_group(state: State) -> Group:
    """
    Return the group that is open.

    Raises:
        RuleViolation: there is none.

    """
    if state.group is None:
        raise RuleViolation(Reason.NO_GROUP, "no reaction group is open")
    return state.group


def unanswered(group: Group) -> list[Seat]:
    """Return the seats the group still waits for."""
    return [seat for seat in group.asked if group.answers[seat] is None]


def answers_for(state: State, group: Group, seat: Seat) -> list[Action]:
    """Return what an asked seat may answer, in canonical order; nothing once it has answered."""
    if seat not in group.asked or group.answers[seat] is not None:
        return []
    if state.phase is Phase.VOTE:
        return [*VOTES]
    return [*jump_ins_of(state, seat), *catches_of(state, seat), PASS]


def _check_answer(state: State, seat: Seat, action: Action) -> None:
    """Refuse an answer that is not offered, a second one, or one of a seat that is not asked."""
    group = open_group(state)
    if seat not in group.asked:
        raise RuleViolation(Reason.NOT_YOUR_TURN, "the others are being asked; you are not")
    if group.answers[seat] is not None:
        raise RuleViolation(Reason.ALREADY_ANSWERED, "you have answered already")
    if state.phase is Phase.VOTE:
        check_vote(action)
    elif isinstance(action, JumpIn):
        check_jump_in(state, seat, action)
    elif isinstance(action, Catch):
        check_catch(state, seat, action)
    elif action != PASS:
        raise RuleViolation(
            Reason.GROUP_OPEN, "you are asked for a reaction: jump in, catch or pass"
        )


def _store_answer(state: State, seat: Seat, action: Action, _events: list[Event]) -> None:
    """Keep an answer until the group closes; nobody is told."""
    open_group(state).answers[seat] = action


ANSWER: Final = Act(_check_answer, _store_answer)
"""What any asked seat may send while a group is open."""


def resolve(state: State, group: Group) -> list[Event]:
    """Close the group: count a vote, or let answers take effect in seat order after the actor."""
    if state.phase is Phase.VOTE:
        return count_votes(state, group)
    events: list[Event] = []
    state.group = None
    jumped = False
    for seat in group.asked:
        answer = group.answers[seat] if state.active[seat] else None
        if isinstance(answer, Catch):
            if state.duty[answer.target]:
                catch(state, seat, answer.target, events)
        elif isinstance(answer, JumpIn) and not jumped and answer in jump_ins_of(state, seat):
            jumped = True
            state.credit = seat if group.unos[seat] else None
            jump_in(state, seat, answer, events)
        if not state.running:
            return events
    end_duties(state, group.serial)
    if not jumped:
        state.laid_by = None
        reach(state, events)
    return events
