"""
How is the rule on a custom wild carried out?

Its operations run in order after the colour; one that asks somebody waits for the answer, and the
play is complete only when the rule is (Q10). While a rule waits, `state.turn` is the seat that is
asked; the seat that laid the card is kept with the rule.
"""

from typing import Final

from lastcard_engine.act import Act
from lastcard_engine.actions import (
    VOTES,
    Action,
    AnswerDare,
    CastVote,
    ChooseCard,
    Pass,
)
from lastcard_engine.cards import FIRST_RULE, Card, Seat
from lastcard_engine.custom_asks import custom_actions
from lastcard_engine.custom_events import DareAnswered, VoteCounted
from lastcard_engine.custom_ops import Operation, OpKind, Target
from lastcard_engine.custom_state import Carried, Custom
from lastcard_engine.custom_steps import DEEDS, Step, around, lay_out, open_vote, seats_meant
from lastcard_engine.duties import after_play
from lastcard_engine.errors import Reason, RuleViolation
from lastcard_engine.events import DrawCause, Event, RoundEnd, SeatSkipped, SkipCause
from lastcard_engine.overlays import open_reactions
from lastcard_engine.piles import give, pull
from lastcard_engine.rounds import end_round, require_running
from lastcard_engine.state import PLAYING, Group, Phase, State
from lastcard_engine.turns import begin, close_hands, close_turn, next_seat, pass_turn, reach


def left_behind(state: State) -> Custom:
    """Return what custom wilds have left on a table that has custom rules."""
    if state.custom is None:
        raise ValueError("these rules have no custom rule")
    return state.custom


def begin_rule(
    state: State, actor: Seat, card: Card, target: Seat | None, events: list[Event], *, called: bool
) -> None:
    """
    Start the rule of a card and do what needs no answer; the turn passes when it is done.

    Args:
        state: the card lies on the pile and its colour is named.
        actor: who laid it.
        card: a custom wild with a rule.
        target: who was named with it.
        events: grows.
        called: whether UNO was called with the play (S07).

    """
    operations = state.tables.operations[card - FIRST_RULE]
    custom = left_behind(state)
    custom.choices = ()
    custom.rule = Carried(actor, target, [(op, actor) for op in operations])
    custom.rule.called = called
    if state.duties:
        close_turn(state)
    _go_on(state, custom, custom.rule, events)


def begin_turned(state: State, card: Card, target: Seat | None, events: list[Event]) -> None:
    """Start the rule of a card that was turned first, as if the dealer had laid it (R052)."""
    custom = left_behind(state)
    dealer = state.dealer
    custom.rule = Carried(
        dealer, target, [(op, dealer) for op in state.tables.operations[card - FIRST_RULE]]
    )
    custom.rule.turned = True
    _go_on(state, custom, custom.rule, events)


def draw_of_last(state: State, actor: Seat, card: Card, events: list[Event]) -> None:
    """Let the next seat draw what a last card's rule makes it draw; all else is void (Q33)."""
    number = sum(
        op.number
        for op in state.tables.operations[card - FIRST_RULE]
        if op.kind is OpKind.DRAW and op.target is Target.NEXT
    )
    if number and state.rules.finish_draw_counts:
        cards = pull(state, number, events)
        victim = next_seat(state, actor)
        give(state, victim, cards, DrawCause.CUSTOM_RULE, events, spared=True)


def _go_on(state: State, custom: Custom, carried: Carried, events: list[Event]) -> None:
    """Do operations until one waits for somebody, the round ends or the rule is done."""
    while not _asks_for_cards(state, carried):
        if _emptied(state, carried, events):
            return
        if not carried.steps:
            _finish(state, custom, carried, events)
            return
        op, own = carried.steps.pop(0)
        seats = seats_meant(state, carried, op.target, own)
        DEEDS[op.kind](Step(state, custom, carried, op, seats, events))
        if carried.question is not None or not state.running:
            return


def _asks_for_cards(state: State, carried: Carried) -> bool:
    """Ask the first seat that still has cards to lay out, if any has (Q39)."""
    while carried.sizes:
        seat, size, _ = carried.sizes[0]
        if state.active[seat] and len(state.hands[seat]) > size:
            state.phase = Phase.CHOOSE_CARD
            state.turn = seat
            return True
        carried.sizes.pop(0)
    return False


def _emptied(state: State, carried: Carried, events: list[Event]) -> bool:
    """End the round for the first empty hand in turn order from the actor (Q35)."""
    for seat in around(state, carried.actor):
        if not state.hands[seat]:
            end_round(state, RoundEnd.WENT_OUT, seat, events)
            return True
    return False


def _finish(state: State, custom: Custom, carried: Carried, events: list[Event]) -> None:
    """Complete the play: its call of UNO, the turn, and the reactions to it (Q10, Q36)."""
    actor = carried.actor
    custom.rule = None
    state.phase = PLAYING
    state.turn = actor
    card = state.discards[-1]
    if not carried.turned and len(state.hands[actor]) == 1 and not state.called[actor]:
        after_play(state, actor, state.serial, events, called=carried.called)
    if carried.extra_turn and state.active[actor]:
        close_turn(state)
        begin(state, actor)
    else:
        if state.rules.custom_rules[card - FIRST_RULE].lose_turn:
            state.turn = next_seat(state, actor)
            events.append(SeatSkipped(state.turn, SkipCause.CUSTOM_RULE))
            close_hands(state, state.turn)
        pass_turn(state)
    if carried.turned:
        reach(state, events)
    else:
        open_reactions(state, actor, card, events)


def _carried(state: State) -> Carried:
    """Return the rule that waits for an answer; refuse where none does."""
    carried = None if state.custom is None else state.custom.rule
    if carried is None:
        require_running(state)
        raise RuleViolation(Reason.NOT_OFFERED, "you are not offered that now")
    return carried


def check_answer(state: State, seat: Seat, action: Action) -> None:
    """Refuse what the rule does not ask for."""
    _carried(state)
    if state.phase not in (Phase.DARE, Phase.CHOOSE_CARD) or action not in custom_actions(state):
        _refuse(state, seat, action)


def _refuse(state: State, seat: Seat, action: Action) -> None:
    if isinstance(action, ChooseCard) and action.card not in state.hands[seat]:
        raise RuleViolation(Reason.CARD_NOT_IN_HAND, "you do not hold that card")
    raise RuleViolation(Reason.NOT_OFFERED, "the custom rule asks you for something else")


def do_lay_out(state: State, seat: Seat, action: ChooseCard, events: list[Event]) -> None:
    """Lay out the card the rule asked for, and go on."""
    lay_out(state, seat, [action.card], events)
    _go_on(state, left_behind(state), _carried(state), events)


def _do_stop(state: State, _seat: Seat, _action: Pass, events: list[Event]) -> None:
    """Lay out no more (S20)."""
    carried = _carried(state)
    carried.sizes.pop(0)
    _go_on(state, left_behind(state), carried, events)


def _do_dare(state: State, seat: Seat, action: AnswerDare, events: list[Event]) -> None:
    """Let the others judge a dare that is done; one that is refused has its price (R155, Q40)."""
    carried = _carried(state)
    dare, carried.question = carried.question, None
    events.append(DareAnswered(seat, action.done))
    if dare is not None and action.done:
        open_vote(state, carried, dare, events)
        return
    _follow(carried, dare.no if dare is not None else ())
    _go_on(state, left_behind(state), carried, events)


def _follow(carried: Carried, operations: tuple[Operation, ...]) -> None:
    """Do next what an answer leads to; it is about the seat that was asked about."""
    carried.steps[:0] = [(op, carried.subject) for op in operations]


def check_vote(action: Action) -> None:
    """Refuse what is no vote while one is open."""
    if action not in VOTES:
        raise RuleViolation(Reason.NOT_OFFERED, "you are asked for your vote: yes or no")


def count_votes(state: State, group: Group) -> list[Event]:
    """Decide a vote: a question needs one yes, a dare more yes than no (R163, Q40)."""
    events: list[Event] = []
    carried = _carried(state)
    op, carried.question = carried.question, None
    if op is None:
        raise ValueError("no vote is open")
    votes = [answer.yes for answer in group.answers if isinstance(answer, CastVote)]
    yes, no = sum(votes), len(votes) - sum(votes)
    won = yes > (0 if op.kind is OpKind.VOTE else no)
    state.group = None
    events.append(VoteCounted(carried.subject, yes, no, won))
    _follow(carried, op.yes if won else op.no)
    _go_on(state, left_behind(state), carried, events)
    return events


def leave_rule(state: State, seat: Seat, events: list[Event]) -> None:
    """Go on with a rule when a seat has left the round while it waited (Q64, S12)."""
    carried = _carried(state)
    if state.group is not None and seat in state.group.asked:
        state.group.asked.remove(seat)
        state.group.answers[seat] = None
    if seat == carried.subject and carried.question is not None:
        carried.question = state.group = None
    if carried.question is None and seat == state.turn:
        _go_on(state, left_behind(state), carried, events)


CUSTOM_ACTS: Final = {
    AnswerDare: Act(check_answer, _do_dare, counted=True),
    Pass: Act(check_answer, _do_stop, counted=True),
}
"""What a seat may send that a custom rule asks alone."""
