"""
What does the seat on turn owe, and how does it get rid of it?

A draw card that may be answered or challenged leaves a debt: the sum is `State.pending`, and while
it is owed the row of fitting cards holds those that may answer. Without a debt the row is that of
the top card and the colour in force.
"""

from lastcard_engine.cards import FIRST_WILD, Card, Seat
from lastcard_engine.state import Phase, State
from lastcard_engine.tables import NOTHING_FITS
from lastcard_engine.turns import begin, close_turn


def refit(state: State) -> None:
    """Set the row of cards that fit now."""
    top = state.discards[-1] if state.discards else Card(FIRST_WILD)
    if state.pending:
        state.row = state.tables.answers[top]
    elif state.colour is None:
        state.row = NOTHING_FITS
    else:
        state.row = state.tables.rows[top if top < FIRST_WILD else FIRST_WILD + state.colour]


def demanded(state: State) -> int:
    """Return the sum the top card demands together with the debt it was laid on (R230, Q47)."""
    return state.pending + state.tables.draws[state.discards[-1]]


def face(state: State, victim: Seat) -> None:
    """Let a seat face the top draw card: it is on turn, and draws unless it answers (S10)."""
    state.pending = demanded(state)
    state.phase = Phase.ANSWER_DRAW if state.offence is None else Phase.CHALLENGE
    close_turn(state)
    begin(state, victim)
    refit(state)


def settle_debt(state: State) -> int:
    """End the debt of the seat on turn and return the sum it owed."""
    owed = state.pending
    state.pending = 0
    state.offence = None
    state.phase = Phase.PLAY
    refit(state)
    return owed
