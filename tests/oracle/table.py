"""
What lies on the table: all there is to know of a match, as plain fields, and who sits next to whom.

Seats are numbered clockwise from 0. Nothing here decides what may be done.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.options import Options

# Takes the occasion and the cards to be mixed, gives them back in their new order, top first. For
# `first` it takes the draw pile and the rejected cards; for `dealer_seat` seats, and gives one.
Shuffle = Callable[[str, list[Any]], list[Any]]


class Refused(Exception):
    """An act was against the rules; nothing has changed."""


class RoundOver(Exception):
    """The round has just ended; it never leaves the oracle."""


@dataclass
class Debt:
    """The cards the seat on turn faces: how many, for which card, and whose play that was."""

    total: int
    card: str
    offender: int | None
    lawful: bool
    challengeable: bool


@dataclass
class Duty:
    """A call of UNO that `seat` still owes."""

    seat: int
    next_turn_runs: bool = False  # the turn that ends the window has begun
    last_group: bool = False  # after the group now open the window is over


@dataclass
class Group:
    """The simultaneous questions of polled reactions: who is asked, and who has said what."""

    actor: int
    asked: list[int]
    jump: bool
    answers: dict[int, tuple[str, bool]] = field(default_factory=dict)


@dataclass
class Result:
    """
    How a round ended: why, who won, and what each seat scored.

    `values` are the points in the hands left, `value` what the winner takes if that is the scoring.
    """

    reason: str
    winners: list[int]
    points: list[int]
    values: list[int]
    value: int


@dataclass
class State:
    """A match: settings, what lasts from round to round, and the round on the table."""

    options: Options
    seats: int
    shuffle: Shuffle
    polled: bool
    action_cap: int = 2000
    rounds: int | None = None

    # the match
    round: int = 0
    dealer: int = 0
    totals: list[int] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)  # eliminated or forfeited, in that order
    left_in_round: dict[int, int] = field(default_factory=dict)  # eliminated seats (R210)
    forfeited: list[int] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    match_winners: list[int] | None = None
    places: list[int] = field(default_factory=list)  # one a seat, once the match is over

    # the round
    running: bool = False
    hands: list[list[str]] = field(default_factory=list)
    draw_pile: list[str] = field(default_factory=list)  # top first
    discard: list[str] = field(default_factory=list)  # top last
    colour: str | None = None
    direction: int = 1
    out: list[int] = field(default_factory=list)  # knocked out of this round
    out_points: dict[int, int] = field(default_factory=dict)  # worth of their hands then (S12)

    # the question: one of play, drawn, facing, roulette, first_colour, first_target, keep_one, or
    # of a custom rule: lay_out, dare, vote
    phase: str = "play"
    turn: int = 0
    begun: bool = False  # the seat on turn has acted already
    moved: bool = False  # the seat on turn has played or drawn
    drawn: str | None = None
    debt: Debt | None = None
    idle: int = 0  # seats passed since the last play or drawn card (S02)
    actions: int = 0

    # what customizable cards have left behind
    custom: Any = None  # the rule being carried out
    next_draw: dict[int, int] = field(default_factory=dict)  # CR04
    drawn_choice: list[str] = field(default_factory=list)  # of which one may be laid (Q38)
    open_hands: dict[int, list[int]] = field(default_factory=dict)  # until a seat's turn (CR08)
    restricted: list[int] = field(default_factory=list)  # until somebody calls UNO (CR10)

    # calls, catches and jump-ins
    duties: list[Duty] = field(default_factory=list)
    called: set[int] = field(default_factory=set)  # one card, and called (or nothing owed)
    caught: set[int] = field(default_factory=set)
    said_uno: bool = False  # the play that now waits for a choice came with a call
    early_call: bool = False  # the seat on turn has called before laying (Q07)
    owes_turn: set[int] = field(default_factory=set)  # Q11
    last_player: int | None = None  # nobody has laid yet: only the start card lies there
    jumpable: bool = False
    group: Group | None = None
    pause: bool = False  # race: nobody is asked until the window closes (S03)

    def option(self, name: str) -> Any:
        """Look up an option."""
        return self.options[name]

    @property
    def top(self) -> str:
        """The card on the discard pile."""
        return self.discard[-1]

    @property
    def active(self) -> list[int]:
        """The seats still in the round, by number."""
        return [s for s in range(self.seats) if s not in self.gone and s not in self.out]

    def after(self, seat: int, direction: int | None = None) -> int:
        """Name the next active seat from `seat`, which may itself be out already."""
        step = self.direction if direction is None else direction
        found = seat
        while True:
            found = (found + step) % self.seats
            if found in self.active:
                return found

    def opponents(self, one: int, other: int) -> bool:
        """Say whether two seats play against each other (Q12)."""
        return one != other and not (self.option("teams") == "pairs" and (one - other) % 2 == 0)

    def duty_of(self, seat: int) -> Duty | None:
        """Find the open duty of a seat."""
        return next((d for d in self.duties if d.seat == seat), None)
