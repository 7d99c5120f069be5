"""
What happens when a round is over?

It is scored, totals grow, the match may end, and nothing of the round reaches into the next (F09).
"""

from lastcard_engine.cards import Seat
from lastcard_engine.custom_state import Custom
from lastcard_engine.errors import Reason, RuleViolation
from lastcard_engine.events import Event, MatchEnd, MatchEnded, RoundEnd, RoundEnded
from lastcard_engine.rules import Scoring
from lastcard_engine.scoring import Standing, match_end, places, score_void, score_won
from lastcard_engine.state import Phase, State


def hand_values(state: State) -> tuple[int, ...]:
    """Return the points in each hand (R193-R203), by seat."""
    worth = state.tables.values
    return tuple(sum(worth[card] for card in hand) for hand in state.hands)


def _knocked_out(state: State) -> int:
    """Return how many of the seats that were dealt in are out of the round."""
    dealt_in = [left in (0, state.round_number) for left in state.left]
    return sum(dealt_in) - state.live


def _standing(state: State) -> Standing:
    return Standing(state.totals, state.left, state.forfeited, state.winners)


def _clear(state: State) -> None:
    """Drop all that belongs to the round alone."""
    state.group = None
    state.window = False
    state.offence = None
    state.pending = 0
    state.drawn = None
    state.laid_by = None
    state.credit = None
    state.lap = 0
    if state.custom is not None:
        state.custom = Custom(state.seat_count)
    state.duties = 0
    state.duty = [0] * state.seat_count
    state.owed_skip = [False] * state.seat_count


def end_round(state: State, reason: RoundEnd, winner: Seat | None, events: list[Event]) -> None:
    """End the round once, and the match if the scoring says so; no winner means it is void."""
    values = hand_values(state)
    scoring, pairs = state.rules.scoring, state.tables.pairs
    if winner is None:
        score = score_void(scoring, values, state.lost, state.active, pairs=pairs)
    else:
        bonus = state.rules.mercy_bonus * _knocked_out(state)
        score = score_won(scoring, values, state.lost, winner, pairs=pairs, bonus=bonus)
    hands = tuple(tuple(hand) for hand in state.hands)
    events.append(RoundEnded(reason, score.winners, values, score.points, score.value, hands))
    _clear(state)
    state.winners = score.winners
    state.totals = [total + won for total, won in zip(state.totals, score.points, strict=True)]
    if scoring is Scoring.ELIMINATION:
        _eliminate(state)
    state.phase = Phase.ROUND_OVER
    end = match_end(state.rules, _standing(state), state.round_number, state.settings.rounds)
    if end is not None:
        end_match(state, end, events)


def _eliminate(state: State) -> None:
    """Put seats out of the match that have reached the limit (R210, Q56)."""
    for seat, total in enumerate(state.totals):
        if total >= state.rules.target_points and not state.left[seat]:
            state.left[seat] = state.round_number


def end_match(state: State, reason: MatchEnd, events: list[Event]) -> None:
    """End the match."""
    state.phase = Phase.MATCH_OVER
    events.append(MatchEnded(reason, places(state.rules.scoring, _standing(state))))


def require_running(state: State) -> None:
    """
    Refuse an act while no round is being played.

    Raises:
        RuleViolation: `not_started`, `round_over` or `match_over`.

    """
    if state.running:
        return
    reason, sentence = {
        Phase.NOT_STARTED: (Reason.NOT_STARTED, "no round has been dealt yet"),
        Phase.ROUND_OVER: (Reason.ROUND_OVER, "the round is over; the next one is not dealt yet"),
    }.get(state.phase, (Reason.MATCH_OVER, "the match is over"))
    raise RuleViolation(reason, sentence)
