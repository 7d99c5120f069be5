"""
Is an answer or an act accepted? Decides commands of running matches, entry by entry.

(seat, turn) binds when an answer is accepted: the same again gets the first outcome, another one is
refused. A refusal says nothing that its caller could not see, and writes nothing.
"""

from lastcard_engine.actions import Action, BeginTurn, CallUno, Catch, JumpIn
from lastcard_engine.cards import Seat
from lastcard_engine.errors import Reason as Rule
from lastcard_engine.errors import RuleViolation
from lastcard_engine.record import EntryKind
from lastcard_engine.state import State
from lastcard_engine.transition import check
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.entry import Entry
from lastcard_server.matches.answered import TIMED_OUT, Closed
from lastcard_server.matches.bodies import READY, action_text, answer_body, ready_text
from lastcard_server.matches.commands import Accepted, Answer, Command, Outcome, OutOfTurnAct
from lastcard_server.matches.match import Match, Stage, Standing
from lastcard_server.matches.seating import stranger
from lastcard_server.matches.turns import SHARED, OpenTurn, Ready, TurnKind
from lastcard_server.matches.writing import settle, write

NONCE_BYTES = 32
"""Longest nonce."""

_OVER = "The match is over; nothing more can be done in it."
_TIMED_OUT = "The clock closed this turn; its default action was taken."


class HistoryLost(Exception):
    """The caller holds a history that this log does not contain; nothing was decided."""


def decide(match: Match, command: Command) -> Outcome:
    """
    Decide a command; what is accepted has been folded and waits for the journal.

    Raises:
        HistoryLost: the history handed back is ahead of the match, or another one.

    """
    try:
        if match.seat_of(command.owner, command.seat, command.generation) is None:
            raise stranger(match, command.owner, command.generation)
        if command.history and command.history != match.token:
            _compare(match, command)
        if isinstance(command, Answer):
            return _answer(match, command)
        return _act(match, command)
    except Refusal as refusal:
        return refusal


def _compare(match: Match, command: Command) -> None:
    standing = match.standing(command.history)
    if standing is Standing.FOREIGN:
        message = "The history is not one that was given out for this match; leave it out."
        raise _refusal(match, command.seat, Reason.BAD_FIELD, message)
    if standing is not Standing.KNOWN:
        raise HistoryLost


def _refusal(match: Match, seat: int, reason: Reason, message: str) -> Refusal:
    turn = match.turns.get(seat)
    return Refusal(reason, message, turn.turn if turn else 0, match.history())


# Answers


def _answer(match: Match, command: Answer) -> Accepted:
    seat, stamp_us, reply = command.seat, command.received_us, command.reply
    turn = match.turns.get(seat)
    if turn is None or turn.turn != command.turn:
        return _repeated(match, command)
    if stamp_us > turn.deadline_us + match.setup.clocks.margin_ms * 1000:
        raise _refusal(match, seat, Reason.TURN_TIMED_OUT, _TIMED_OUT)
    known = type(reply) is int and 0 <= reply < len(turn.actions)
    choice: int = reply if known else _choice(match, turn, command)  # type: ignore[assignment]
    shown = match.group_version
    if turn.faulty:
        write(match, EntryKind.FAULT, stamp_us, seat, "illegal")
    said = (
        _text(turn.actions[choice], command),
        choice,
        max(0, stamp_us - turn.opened_us) // 1000,
    )
    kind = _KINDS.get(turn.kind, _ACTION)
    version = write(match, kind, stamp_us, seat, answer_body(said), "", said).version
    if not match.turns:
        settle(match, stamp_us)
    return Accepted(match.match_id, seat, turn.turn, shown or version, match.history())


_ACTION = EntryKind.ACTION
_KINDS = {TurnKind.READY: EntryKind.NONCE, **dict.fromkeys(SHARED, EntryKind.REACTION)}


def _text(action: Action | Ready, command: Answer) -> str:
    """Return the text that an answer is compared and kept by."""
    if type(action) is not Ready:
        return action_text(action, command.uno)
    return ready_text(command.reply.nonce if isinstance(command.reply, Ready) else b"")


def _choice(match: Match, turn: OpenTurn, command: Answer) -> int:
    """Return the index of a legal answer; anything else marks the turn and is refused."""
    reply = command.reply
    if isinstance(reply, int):
        if 0 <= reply < len(turn.actions):
            return reply
        most = len(turn.actions) - 1
        raise _illegal(match, turn, Reason.BAD_CHOICE, f"The choice must be 0 to {most} here.")
    if isinstance(reply, Refusal):
        raise _illegal(match, turn, reply.reason, reply.message)
    if isinstance(reply, Ready):
        return _ready(match, turn, reply)
    if reply in turn.actions:
        return turn.actions.index(reply)
    raise _illegal(match, turn, *_violation(match, turn, reply, command))


def _ready(match: Match, turn: OpenTurn, reply: Ready) -> int:
    if turn.kind is not TurnKind.READY:
        raise _illegal(
            match, turn, Reason.ILLEGAL_ACTION, "The match has begun; choose a legal action."
        )
    if len(reply.nonce) > NONCE_BYTES:
        message = f"A nonce must be 0 to {NONCE_BYTES} bytes."
        raise _illegal(match, turn, Reason.BAD_FIELD, message)
    return 0


def _violation(match: Match, turn: OpenTurn, action: Action, command: Answer) -> tuple[Reason, str]:
    """Return why an action is not among the legal ones."""
    if turn.kind is TurnKind.READY or match.state is None:
        return Reason.ILLEGAL_ACTION, "The seat is asked whether it is ready; answer with ready."
    try:
        check(match.state, Seat(turn.seat), action, command.uno)
    except RuleViolation as violation:
        return _reason(violation), f"{violation.message}."
    return Reason.ILLEGAL_ACTION, "The action is none of the legal actions of this turn."


def _illegal(match: Match, turn: OpenTurn, reason: Reason, message: str) -> Refusal:
    """Refuse an answer and leave the turn open; it counts as one fault when the turn closes."""
    turn.faulty = True
    return Refusal(reason, message, turn.turn, match.history())


def _repeated(match: Match, command: Answer) -> Accepted:
    """Return the first outcome of an answer to a closed turn, or refuse it."""
    seat, turn = command.seat, match.turns.get(command.seat)
    closed = match.seats[seat].answered.find(command.turn)
    if closed is not None and closed.choice == TIMED_OUT:
        raise _refusal(match, seat, Reason.TURN_TIMED_OUT, _TIMED_OUT)
    if closed is not None:
        if _same(closed, command):
            history = match.history()
            return Accepted(match.match_id, seat, command.turn, closed.version, history)
        message = "Another answer to this turn was accepted; the first one stands."
        raise _refusal(match, seat, Reason.TURN_ANSWERED, message)
    if match.over:
        raise _refusal(match, seat, Reason.MATCH_OVER, _OVER)
    if match.stage is Stage.OPEN:
        raise _refusal(
            match, seat, Reason.NOT_STARTED, "The match waits for players; nobody is asked."
        )
    if turn is None:
        raise _refusal(
            match, seat, Reason.NOT_YOUR_TURN, "The seat has no open turn; wait for one."
        )
    raise _refusal(
        match, seat, Reason.STALE_TURN, f"The open turn is {turn.turn}; answer that one."
    )


def _same(closed: Closed, command: Answer) -> bool:
    """Tell whether a repeat says what was accepted, by index or by value, UNO included."""
    reply = command.reply
    if isinstance(reply, Refusal):
        return False
    if isinstance(reply, Ready):
        return ready_text(reply.nonce) == closed.text
    if closed.text.startswith(READY):
        return reply == closed.choice and closed.text == READY  # UNO says nothing there
    if isinstance(reply, int):
        return reply == closed.choice and command.uno == closed.text.endswith(" uno")
    return action_text(reply, command.uno) == closed.text


# Acts out of turn


def _act(match: Match, command: OutOfTurnAct) -> Accepted:
    seat, action, state = command.seat, command.action, match.state
    if isinstance(action, Refusal):
        raise _refusal(match, seat, action.reason, action.message)
    if not command.request_id:
        message = "An act out of turn needs a request_id."
        raise _refusal(match, seat, Reason.BAD_FIELD, message)
    text = action_text(action, command.uno)
    first = match.request_ids.get((str(seat), command.request_id))
    if first is not None:
        return _first_act(match, command, first, text)
    if match.over:
        raise _refusal(match, seat, Reason.MATCH_OVER, _OVER)
    if state is None:
        raise _refusal(
            match, seat, Reason.NOT_STARTED, "The match has not started; nothing is dealt."
        )
    if not match.window or command.window != match.window:
        message = "The window for this act is over; name the one of the latest update."
        raise _refusal(match, seat, Reason.WINDOW_CLOSED, message)
    _check_act(match, state, command, action)
    now_us = command.received_us
    entry = write(match, EntryKind.REACTION, now_us, seat, text, command.request_id)
    settle(match, now_us)
    return _acted(match, command, entry)


def _check_act(match: Match, state: State, command: OutOfTurnAct, action: Action) -> None:
    if not isinstance(action, _ACTS):
        message = "Only a catch, a call, the begin of a turn or a jump-in is an act out of turn."
        raise _refusal(match, command.seat, Reason.ILLEGAL_ACTION, message)
    try:
        check(state, Seat(command.seat), action, command.uno)
    except RuleViolation as violation:
        refusal = _refusal(match, command.seat, _reason(violation), f"{violation.message}.")
        raise refusal from None


_ACTS = (BeginTurn, CallUno, Catch, JumpIn)


def _first_act(match: Match, command: OutOfTurnAct, first: Entry, text: str) -> Accepted:
    if first.body != text:
        message = "The request_id was used for another act; choose a new one."
        raise _refusal(match, command.seat, Reason.REQUEST_ID_REUSED, message)
    return _acted(match, command, first)


def _acted(match: Match, command: OutOfTurnAct, entry: Entry) -> Accepted:
    history, request_id = match.history(), command.request_id
    return Accepted(match.match_id, command.seat, 0, entry.version, history, request_id)


def _reason(violation: RuleViolation) -> Reason:
    """Return the contract's reason for the engine's."""
    if violation.reason is Rule.NOTHING_TO_CATCH:
        return Reason.NOTHING_TO_CATCH
    over = violation.reason in (Rule.JUMP_IN_CLOSED, Rule.NO_WINDOW)
    return Reason.WINDOW_CLOSED if over else Reason.ILLEGAL_ACTION
