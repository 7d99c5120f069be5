"""
What is a turn? One open question to one seat, and what became of the earlier ones.

A turn keeps its number, the version at which it was asked, until it is answered, timed out or
withdrawn. The file knows nothing of entries or rules.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lastcard_engine.actions import Action


class TurnKind(StrEnum):
    """What is asked; the names of the contract in lower case."""

    READY = "ready"
    PLAY = "play"
    PLAY_OR_KEEP = "play_or_keep"
    CHALLENGE = "challenge"
    ANSWER_DRAW = "answer_draw"
    CHOOSE_COLOUR = "choose_colour"
    CHOOSE_TARGET = "choose_target"
    CHOOSE_CARD = "choose_card"
    DARE = "dare"
    VOTE = "vote"
    REACTION = "reaction"


SHARED: Final = frozenset({TurnKind.REACTION, TurnKind.VOTE})
"""Kinds that several seats are asked at once; what one answers changes nothing that can be seen."""


class TurnClose(StrEnum):
    """Why a turn no longer waits for an answer; the names of the contract in lower case."""

    ANSWERED = "answered"
    TIMED_OUT = "timed_out"
    WITHDRAWN = "withdrawn"
    MATCH_OVER = "match_over"


@dataclass(frozen=True, slots=True)
class Ready:
    """Answers the turn that opens a match."""

    nonce: bytes = b""
    """0 to 32 bytes that go into the deal."""


READY = Ready()
"""The answer without a nonce."""


@dataclass(slots=True)
class OpenTurn:
    """One question that waits for an answer. Times are store-clock microseconds."""

    seat: int
    turn: int
    """The number of the question: the version of the match at which it was asked."""
    kind: TurnKind
    actions: tuple[Action | Ready, ...]
    """The legal answers in canonical order, never empty; `choice` is an index in it."""
    opened_us: int
    deadline_us: int
    """Bank included, network margin not."""
    bank_ms: int
    """What the bank held when it was asked."""
    default_choice: int
    """Index of the action taken when time runs out."""
    last_answer_ms: int | None
    """How long the seat took for its last answer; None before the first."""
    faulty: bool = False
    """Whether an illegal answer was given; enters the log as a fault when the turn closes."""
