"""
Is an act allowed, what follows, and which clause decides?

`check` and `apply` of the engine answer for every table that fits what the asker sees. Where they
do not agree, or what follows differs, the ruling says that it rests on what the asker cannot see.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from lastcard_engine.actions import Action
from lastcard_engine.cards import Seat
from lastcard_engine.errors import RuleViolation
from lastcard_engine.events import (
    CardsDrawn,
    DeckReshuffled,
    Event,
    RoundEnd,
    RoundEnded,
    SeatKnockedOut,
)
from lastcard_engine.notation import parse_action
from lastcard_engine.state import State
from lastcard_engine.transition import apply, is_bluff
from lastcard_server.referee.law import Citation, cite
from lastcard_server.referee.naming import allowed, refused
from lastcard_server.referee.outcome import tell
from lastcard_server.referee.seen import Seen
from lastcard_server.referee.worlds import worlds
from lastcard_server.sheets.choice import Choice


class Verdict(StrEnum):
    """What the referee says."""

    YES = "yes"
    """It is allowed."""
    NO = "no"
    """It is not allowed, and nothing changes."""
    BLUFF = "bluff"
    """It is against the rules, but it can be laid: a wild draw four that may be found out."""
    DEPENDS = "depends"
    """It rests on what the asker cannot see."""


class Ruling(NamedTuple):
    """What the referee says, and why."""

    verdict: Verdict
    text: str
    """What it leads to, or why it is refused; one sentence."""
    reason: str
    """The engine's reason of a refusal; empty where nothing is refused."""
    hidden: bool
    """Whether the text says that something rests on what the asker cannot see."""
    cited: Citation
    """The clauses that decide, the first most of all, and the options that make it so."""


class ActionError(ValueError):
    """An action that is not written as actions are; the message is one sentence."""


class _Finding(NamedTuple):
    """What the engine says of one table."""

    text: str
    reason: str
    situations: tuple[str, ...]


_WANTED: Final = (
    "action must be one in notation, for instance 'play r5', 'play W g uno', 'play r7 >2', 'draw', "
    "'challenge' or 'catch 2'"
)


def read_action(text: str) -> tuple[Action, bool]:
    """
    Return an action, and whether UNO is called with it.

    Raises:
        ActionError: the text is no action; the sentence does not repeat it.

    """
    try:
        return parse_action(text)
    except (ValueError, LookupError):
        raise ActionError(_WANTED) from None


def rule(choice: Choice, seen: Seen, action: Action, *, uno: bool = False) -> Ruling:
    """
    Rule on an act of the asker.

    Args:
        choice: the rules in force; they must be playable.
        seen: the table as the asker sees it.
        action: what the asker wants to do.
        uno: whether UNO is called with it.

    Raises:
        PositionError: there is no such table.

    """
    tables = worlds(seen, choice.rules)
    bluff = is_bluff(tables[0], seen.seat, action)
    findings = list(dict.fromkeys(_find(table, seen.seat, action, uno) for table in tables))
    names = dict.fromkeys(name for finding in findings for name in finding.situations)
    cited = cite(names, choice, sum(seen.active or [True] * len(seen.counts)))
    refusals = [finding for finding in findings if finding.reason]
    verdict = _verdict(findings, refusals, bluff=bluff)
    texts = " - or: ".join(dict.fromkeys(finding.text for finding in findings))
    hidden = len(refusals) < len(findings) > 1
    text = f"it depends on what you cannot see: {texts}" if hidden else texts
    return Ruling(verdict, text, refusals[0].reason if refusals else "", hidden, cited)


def _verdict(found: Sequence[_Finding], refusals: Sequence[_Finding], *, bluff: bool) -> Verdict:
    if not refusals:
        return Verdict.BLUFF if bluff else Verdict.YES
    return Verdict.NO if len(refusals) == len(found) else Verdict.DEPENDS


def _find(table: State, asker: Seat, action: Action, uno: bool) -> _Finding:  # noqa: FBT001 - as in apply
    before = table.clone()
    try:
        happened = apply(table, asker, action, uno)
    except RuleViolation as violation:
        situation = refused(before, action, violation.reason)
        return _Finding(violation.message, str(violation.reason), (situation,))
    names = allowed(before, asker, action)
    return _Finding(tell(table, asker, happened), "", (*names, *_follows(table, asker, happened)))


def _follows(after: State, asker: Seat, happened: Sequence[Event]) -> list[str]:
    """Return the situations that what has happened brings with it."""
    names: list[str] = []
    if any(isinstance(event, DeckReshuffled) for event in happened):
        names.append("follows.reshuffled")
    if any(isinstance(event, CardsDrawn) and not event.count for event in happened):
        names.append("follows.nothing_to_draw")
    if any(isinstance(event, SeatKnockedOut) for event in happened):
        names.append("follows.knocked_out")
    ends = [event.reason for event in happened if isinstance(event, RoundEnded)]
    names += [_ENDS[reason] for reason in ends if reason in _ENDS]
    if after.running and after.duty[asker] and after.duty[asker] == after.serial - 1:
        names.append("follows.call_owed")
    return names


_ENDS: Final = {
    RoundEnd.LAST_STANDING: "follows.last_standing",
    RoundEnd.BLOCKED: "follows.blocked",
}
