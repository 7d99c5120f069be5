"""
What can a caller ask of running matches, and what is the outcome?

Commands of one incoming message are decided together (`Matches.submit`); each gets exactly one
outcome, an `Accepted` or a `Refusal`, in the order of the commands.
"""

from dataclasses import dataclass

from lastcard_engine.actions import Action
from lastcard_server.errors import Refusal
from lastcard_server.matches.turns import Ready


@dataclass(slots=True)
class Answer:
    """An answer to a turn."""

    match_id: str
    seat: int
    turn: int
    reply: int | Action | Ready | Refusal
    """
    The 0-based choice or the action. A `Refusal` stands for a reply that could not be read: it is
    the outcome if the turn is open, and counts like an illegal answer.
    """
    uno: bool
    owner: str
    """Who answers: "key:<id>", "seat:<match>:<seat>", "house"."""
    received_us: int
    """When the message came in (`Clock.now_us`); decides whether it is on time."""
    history: bytes = b""
    """The history handed back; empty = none."""
    generation: int = 0
    """Of the seat token; without meaning for other owners."""


@dataclass(slots=True)
class OutOfTurnAct:
    """A catch, late call, begin of turn or jump-in in race mode."""

    match_id: str
    seat: int
    window: int
    """The version that opened the window the act belongs to."""
    action: Action | Refusal
    uno: bool
    request_id: str
    owner: str
    received_us: int
    history: bytes = b""
    generation: int = 0


Command = Answer | OutOfTurnAct


@dataclass(slots=True)
class Accepted:
    """A command was accepted and is durable."""

    match_id: str
    seat: int
    turn: int
    """The turn answered; 0 for an out-of-turn act."""
    version: int
    """The version that holds it; in a reaction turn the version that opened it."""
    history: bytes
    request_id: str = ""


Outcome = Accepted | Refusal
