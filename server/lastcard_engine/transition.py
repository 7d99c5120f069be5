"""
Which verbs change a match?

Only these, and each checks before it changes: whatever is refused leaves the state as it was. An
action comes with its seat; time and identity are the caller's business.
"""

from collections.abc import Sequence
from typing import Final

from lastcard_engine.absence import leave_match, leave_round
from lastcard_engine.act import Act
from lastcard_engine.actions import (
    PASS,
    AcceptDraw,
    Action,
    CallUno,
    Challenge,
    ChooseColour,
    Draw,
    JumpIn,
    Keep,
    Pass,
    Play,
)
from lastcard_engine.acts import CALL_TO_FINISH, TURN_ACTS
from lastcard_engine.cards import WILD_DRAW_FOUR, Colour, Seat
from lastcard_engine.dealing import KEY_BYTES
from lastcard_engine.errors import Reason, RuleViolation
from lastcard_engine.events import DefaultTaken, Event, RoundEnd
from lastcard_engine.groups import (
    ANSWER,
    answers_for,
    open_group,
    resolve,
    unanswered,
)
from lastcard_engine.legal import lawful_draw_four, offers_call, turn_actions
from lastcard_engine.opening import open_round
from lastcard_engine.presets import validate
from lastcard_engine.reactions import RACE_ACTS, race_actions
from lastcard_engine.rounds import end_round, require_running
from lastcard_engine.rules import Rules
from lastcard_engine.settings import Reactions, Settings
from lastcard_engine.state import Phase, State
from lastcard_engine.turns import reach


def new_match(rules: Rules, settings: Settings, seat_count: int, deal_key: bytes) -> State:
    """
    Return a match in which nothing has been dealt.

    Args:
        rules: as `presets.make_rules` gives them.
        settings: how the match is run.
        seat_count: 2 to `rules.max_players`.
        deal_key: 32 bytes, see `dealing.deal_key`.

    Raises:
        RulesError: so many seats cannot play by these rules.
        ValueError: the deal key has another length.

    """
    validate(rules, seat_count)
    if len(deal_key) != KEY_BYTES:
        raise ValueError(f"deal_key has {len(deal_key)} bytes; it must have {KEY_BYTES}")
    return State(rules, settings, seat_count, deal_key)


def needs_round(state: State) -> bool:
    """Tell whether a round has to be started before anything else can happen."""
    return state.phase is Phase.NOT_STARTED or state.phase is Phase.ROUND_OVER


def start_round(state: State) -> list[Event]:
    """
    Deal the next round.

    Raises:
        RuleViolation: a round is running, or the match is over.

    """
    if state.over:
        raise RuleViolation(Reason.MATCH_OVER, "the match is over")
    if state.running:
        raise RuleViolation(Reason.ROUND_RUNNING, "the round is not over")
    return open_round(state)


def to_act(state: State) -> tuple[Seat, ...]:
    """
    Return the seats that are being asked right now.

    One on its turn, those a group still waits for, or none in a pause and between rounds.
    """
    if state.group is not None:
        return tuple(unanswered(state.group))
    if state.window or not state.running:
        return ()
    return (state.turn,)


def legal_actions(state: State, seat: Seat) -> list[Action]:
    """
    Return what an asked seat may do: complete, in canonical order, equal cards once.

    Never empty for a seat in `to_act`, always empty for any other.
    """
    if state.group is not None:
        return answers_for(state, state.group, seat)
    if seat != state.turn or state.window:
        return []
    return turn_actions(state)


def reactions(state: State, seat: Seat) -> list[Action]:
    """Return what a seat may do out of turn; only race tables know such acts."""
    return race_actions(state, seat)


def is_bluff(state: State, seat: Seat, action: Action) -> bool:
    """Tell whether a legal action would be an unlawful wild draw four; its owner's secret."""
    return (
        isinstance(action, Play)
        and action.card == WILD_DRAW_FOUR
        and not lawful_draw_four(state, state.hands[seat])
    )


_RESTING: Final = (Draw, Keep, Pass, AcceptDraw)
_LAYING: Final = (Play, JumpIn)


def default_choice(state: State, legal: Sequence[Action]) -> int:
    """
    Return which of a seat's legal actions is done when its time is over.

    Rule: Q65. Draw, keep, accept or pass, else the first legal action, naming the colour in force
    or red. It depends on nothing the seat cannot see.

    Args:
        state: the match.
        legal: what `legal_actions` returns for the seat, not empty.

    Returns:
        An index in `legal`.

    """
    if type(legal[-1]) in _RESTING:
        return len(legal) - 1
    for place, action in enumerate(legal):
        if type(action) in _RESTING:
            return place
    first = legal[0]
    if isinstance(first, Play) and state.tables.names_colour[first.card]:
        return legal.index(Play(first.card, state.colour or Colour.RED, first.target))
    if isinstance(first, ChooseColour):
        return state.colour or 0
    return 0


def default_action(state: State, seat: Seat) -> Action:
    """
    Return what is done for an asked seat when its time is over: see `default_choice`.

    Raises:
        RuleViolation: the seat is not asked.

    """
    legal = legal_actions(state, seat)
    if not legal:
        raise _why_not_asked(state, seat, PASS)
    return legal[default_choice(state, legal)]


def _why_not_asked(state: State, seat: Seat, action: Action) -> RuleViolation:
    """Say why a seat cannot do what only the seat on turn can."""
    if seat == state.turn and state.window:
        return RuleViolation(Reason.WINDOW_OPEN, "the pause for reactions is not over")
    answer = isinstance(action, Challenge | AcceptDraw)
    if answer and state.pending and seat != state.turn:
        return RuleViolation(Reason.NOT_TARGET, "the draw card is not aimed at you")
    return RuleViolation(Reason.NOT_YOUR_TURN, "it is not your turn")


def _require_seat(state: State, seat: Seat) -> None:
    if not 0 <= seat < state.seat_count:
        last = state.seat_count - 1
        raise RuleViolation(Reason.NO_SUCH_SEAT, f"there is no seat {seat}; seats are 0 to {last}")


def _require_player(state: State, seat: Seat) -> None:
    """Refuse everything while no round runs, and everything of a seat that is out of it."""
    _require_seat(state, seat)
    require_running(state)
    if not state.active[seat]:
        raise RuleViolation(Reason.SEAT_OUT, "that seat is out of the round")


def _act_of(state: State, seat: Seat, action: Action) -> Act:
    """Find how an action is checked and done now, or say why there is no way."""
    kind = type(action)
    act = TURN_ACTS.get(kind)
    if act is not None and seat == state.turn and state.group is None and not state.window:
        return act
    _require_player(state, seat)
    racing = kind in RACE_ACTS and state.settings.reactions is Reactions.RACE
    if state.group is not None and not racing:
        return ANSWER
    if kind is CallUno and seat == state.turn and not state.window and offers_call(state):
        return CALL_TO_FINISH
    if racing:
        return RACE_ACTS[kind]
    if act is not None or seat != state.turn:
        raise _why_not_asked(state, seat, action)
    raise RuleViolation(Reason.NOT_OFFERED, "you are not offered that now")


def check(state: State, seat: Seat, action: Action, uno: bool = False) -> None:  # noqa: ARG001, FBT001, FBT002 - beside the action, as in apply
    """
    Refuse what `apply` would refuse, and change nothing.

    Raises:
        RuleViolation: as `apply`.

    """
    _act_of(state, seat, action)[0](state, seat, action)


def apply(state: State, seat: Seat, action: Action, uno: bool = False) -> list[Event]:  # noqa: FBT001, FBT002 - the call travels beside the action
    """
    Do what a seat sends: an act of the seat on turn, an answer in a group, or a reaction.

    Args:
        state: changed in place, and only if the action is legal.
        seat: who sends it.
        action: one of `legal_actions`, or at a race table of `reactions`.
        uno: whether UNO is called with it; counts with a play or jump-in that leaves one card,
            and is ignored otherwise (Q07, Q08).

    Returns:
        What happened, in order; nothing for an answer in a group, whatever it was.

    Raises:
        RuleViolation: the action is not allowed. The state is unchanged.

    """
    check_act, do_act, counted = _act_of(state, seat, action)
    check_act(state, seat, action)
    events: list[Event] = []
    if uno:
        _note_call(state, seat, action)
    do_act(state, seat, action, events)
    if counted:
        state.actions += 1
        if state.actions >= state.settings.action_cap and state.running:
            end_round(state, RoundEnd.ACTION_CAP, None, events)
    return events


def _note_call(state: State, seat: Seat, action: Action) -> None:
    """Keep a call that came with an answer or a play; with anything else it means nothing."""
    if state.group is not None:
        state.group.unos[seat] = True
    elif type(action) in _LAYING:
        state.credit = seat


def close_group(state: State) -> list[Event]:
    """
    Let the answers of a group take effect; only when every asked seat has answered.

    Raises:
        RuleViolation: no group is open, or an answer is missing. The state is unchanged.

    """
    group = open_group(state)
    if unanswered(group):
        raise RuleViolation(Reason.GROUP_OPEN, "not every asked seat has answered")
    return resolve(state, group)


def close_window(state: State) -> list[Event]:
    """
    End the pause for reactions at a race table; the seat on turn is asked next.

    Raises:
        RuleViolation: no pause is open. The state is unchanged.

    """
    if not state.window:
        raise RuleViolation(Reason.NO_WINDOW, "no pause for reactions is open")
    state.window = False
    events: list[Event] = []
    reach(state, events)
    return events


def time_out(state: State, seat: Seat) -> list[Event]:
    """
    Do the default action for an asked seat whose time is over (Q65).

    Raises:
        RuleViolation: the seat is not asked. The state is unchanged.

    """
    _require_player(state, seat)
    action = default_action(state, seat)
    if state.group is not None:
        return apply(state, seat, action)
    return [DefaultTaken(seat), *apply(state, seat, action)]


def knock_out(state: State, seat: Seat) -> list[Event]:
    """
    Take a seat out of the running round (S12, Q64).

    Raises:
        RuleViolation: no round is running, or the seat is out of it. The state is unchanged.

    """
    _require_player(state, seat)
    events: list[Event] = []
    leave_round(state, seat, events)
    return events


def forfeit(state: State, seat: Seat) -> list[Event]:
    """
    Take a seat out of this and all later rounds; it is ranked last.

    Raises:
        RuleViolation: the match is over, or the seat has left it. The state is unchanged.

    """
    _require_seat(state, seat)
    if state.over:
        raise RuleViolation(Reason.MATCH_OVER, "the match is over")
    events: list[Event] = []
    leave_match(state, seat, events)
    return events
