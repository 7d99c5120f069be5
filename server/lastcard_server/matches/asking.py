"""
Which turns are open? Those the engine asks for, and before the start a ready turn for every seat.

A turn whose legal actions change is withdrawn and asked anew under a new number with the same
deadline. Answers to reaction turns change nothing for the others, so nobody is asked after one.
"""

from typing import Final

from lastcard_engine.actions import Action
from lastcard_engine.cards import Seat
from lastcard_engine.state import Phase, State
from lastcard_engine.transition import default_choice, legal_actions, to_act
from lastcard_server.journal.entry import Entry
from lastcard_server.matches.match import Match
from lastcard_server.matches.turns import READY, OpenTurn, Ready, TurnClose, TurnKind

_KINDS: Final = {
    Phase.PLAY: TurnKind.PLAY,
    Phase.PLAY_OR_KEEP: TurnKind.PLAY_OR_KEEP,
    Phase.CHALLENGE: TurnKind.CHALLENGE,
    Phase.ANSWER_DRAW: TurnKind.ANSWER_DRAW,
    Phase.CHOOSE_COLOUR: TurnKind.CHOOSE_COLOUR,
    Phase.CHOOSE_TARGET: TurnKind.CHOOSE_TARGET,
    Phase.KEEP_CARD: TurnKind.CHOOSE_CARD,
    Phase.CHOOSE_CARD: TurnKind.CHOOSE_CARD,
    Phase.DARE: TurnKind.DARE,
    Phase.VOTE: TurnKind.VOTE,
}
_REACTION: Final = TurnKind.REACTION
_READY: Final = TurnKind.READY


def ask(match: Match, state: State, entry: Entry) -> None:
    """Bring the open turns in line with what the engine asks after an entry."""
    group = state.group
    if group is None:
        match.group_version = 0
    else:
        match.group_version, match.group_us = entry.version, entry.time_us
    asked, turns = to_act(state), match.turns
    if turns:
        for seat in [seat for seat in turns if seat not in asked]:
            close(match, seat, TurnClose.WITHDRAWN)
    for seat in asked:
        alone = group is None or state.phase is Phase.VOTE
        kind = _KINDS[state.phase] if alone else _REACTION
        actions = (*legal_actions(state, seat),)
        default = default_choice(state, actions)
        if seat in turns:
            _ask_anew(match, seat, kind, actions, default, entry)
        else:
            _open(match, seat, kind, actions, default, entry)


def ask_ready(match: Match, entry: Entry) -> None:
    """Ask every seat whether it is there."""
    for seat in range(len(match.seats)):
        _open(match, seat, _READY, (READY,), 0, entry)


def close(match: Match, seat: int, reason: TurnClose) -> OpenTurn:
    """Close the open turn of a seat and return it."""
    turn = match.turns.pop(seat)
    match.closed.append((seat, turn.turn, reason))
    return turn


def close_all(match: Match, reason: TurnClose) -> None:
    """Close every open turn."""
    for seat in list(match.turns):
        close(match, seat, reason)


def _ask_anew(
    match: Match,
    seat: Seat,
    kind: TurnKind,
    actions: tuple[Action, ...],
    default: int,
    entry: Entry,
) -> None:
    """Replace the open turn of a seat if it is another question now."""
    old = match.turns[seat]
    if old.actions != actions or old.kind is not kind:
        close(match, seat, TurnClose.WITHDRAWN)
        turn = _open(match, seat, kind, actions, default, entry)
        turn.opened_us, turn.deadline_us = old.opened_us, old.deadline_us
        turn.bank_ms, turn.faulty = old.bank_ms, old.faulty


def _open(
    match: Match,
    seat: int,
    kind: TurnKind,
    actions: tuple[Action | Ready, ...],
    default: int,
    entry: Entry,
) -> OpenTurn:
    """Open a turn under the version of the entry, with the clock of its kind."""
    clocks, occupant, bank_ms = match.setup.clocks, match.seats[seat], 0
    if kind is _REACTION:
        limit_ms = clocks.reaction_limit_ms
    elif kind is _READY:
        limit_ms = clocks.start_limit_ms
    elif kind is TurnKind.VOTE:
        limit_ms = clocks.move_limit_ms
    else:
        bank_ms = occupant.bank_ms
        limit_ms = clocks.move_limit_ms + bank_ms
    opened_us = entry.time_us
    turn = match.turns[seat] = OpenTurn(  # in the order of its fields, for there are many
        seat,
        entry.version,
        kind,
        actions,
        opened_us,
        opened_us + limit_ms * 1000,
        bank_ms,
        default,
        occupant.last_answer_ms,
    )
    match.opened.append(turn)
    return turn
