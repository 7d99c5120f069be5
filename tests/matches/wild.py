"""Players who do everything a table must bear: act out of turn, err, fall silent, come back."""

from collections import deque
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

from lastcard_engine.actions import DRAW
from lastcard_engine.hashing import state_hash
from lastcard_engine.settings import Absence, Reactions
from lastcard_engine.transition import reactions
from lastcard_server.matches.match import Match, Occupant
from lastcard_server.matches.setup import MatchSetup
from lastcard_server.matches.timing import Fault, Outage, give_back
from tests.attributes import names_of
from tests.matches.table import Table, accepted, refused, setup_of
from tests.written import written

FIXED = ("setup", "deal")
POINTS = {"scoring": "winner_takes", "target_points": 200}

FOURS = ["d2>d2", "d2>wd4", "wd4>wd4"]
SWAPS = {
    "first_card": "dealer_played",
    "deck_extras": {"swap_hands": 4},
    "hand_size": 2,
    "seven_zero": True,
    "jump_in": "identical",
    "scoring": "winner_takes",
}
SETUPS: dict[str, MatchSetup] = {
    "polled": setup_of(4),
    "polled jump-in": setup_of(
        4, preset="official_se", overrides={"jump_in": "identical"} | POINTS
    ),
    "no mercy": setup_of(
        4,
        preset="no_mercy",
        overrides={"jump_in": "identical", "finish_card": "number_only", "mercy_limit": 15},
    ),
    "stacking": setup_of(4, preset="house_dk", overrides={"stack_pairs": FOURS}),
    "swaps": setup_of(3, preset="standard_no_swap", overrides=SWAPS, rounds=20),
    "pairs": setup_of(4, preset="pairs_se", overrides={"uno_required_to_finish": True}, rounds=3),
    "polled, hold": setup_of(4, reaction_hold_ms=40, overrides=POINTS, rounds=2),
    "race": setup_of(3, reactions=Reactions.RACE, reaction_ms=30, overrides=POINTS),
    "race jump-in": setup_of(4, reactions=Reactions.RACE, overrides={"jump_in": "identical"}),
    "bank, two seats": setup_of(2, move_limit_ms=30, bank_ms=100, increment_ms=5),
    "custom rules": setup_of(4, preset="official_se", overrides=written()),
    "custom race": setup_of(
        3,
        preset="official_se",
        overrides=written() | POINTS,
        reactions=Reactions.RACE,
        reaction_ms=5,
    ),
    "custom knock-out": setup_of(
        5,
        preset="official_se",
        overrides=written() | POINTS,
        absence=Absence.KNOCK_OUT_ROUND,
    ),
    "knock-out": setup_of(3, absence=Absence.KNOCK_OUT_ROUND, overrides=POINTS, rounds=4),
    "forfeit": setup_of(5, absence=Absence.FORFEIT_MATCH, overrides={"jump_in": "identical"}),
}


def wild(setup: MatchSetup, seed: int, steps: int = 4000) -> Iterator[Table]:
    """Play wildly to the end; yield the table after every step."""
    table, dice = Table(setup), Random(seed)
    for _ in range(steps):
        if table.match.over:
            return
        _wild_step(table, dice)
        yield table
    raise AssertionError("the match does not end")


def last(tables: Iterator[Table]) -> Table:
    """Play to the end and return the table."""
    (table,) = deque(tables, maxlen=1)
    return table


def _wild_step(table: Table, dice: Random) -> None:
    match, luck = table.match, dice.random()
    table.clock.advance(dice.randrange(20))
    if luck < 0.03:
        table.expire(dice.choice(list(Fault)))
    elif luck < 0.05:
        outage = Outage(table.clock.us, table.clock.advance(10_000))
        give_back(match, [outage], table.clock.us)
    elif luck < 0.12 and match.turns:
        seat = dice.choice(sorted(match.turns))
        assert refused(table.answer(seat, 99)).open_turn == match.turns[seat].turn
    elif luck < 0.4 and match.window:
        _act_wildly(table, dice)
    else:
        table.step(dice)


def _act_wildly(table: Table, dice: Random) -> None:
    """Do some act out of turn that is legal, or one that is not."""
    match = table.match
    assert match.state is not None
    seat = dice.randrange(len(match.seats))
    legal = reactions(match.state, seat)  # type: ignore[arg-type]  # a seat is a number
    request_id = f"r{match.version}-{dice.randrange(1 << 30)}"
    if legal:
        accepted(table.act(seat, dice.choice(legal), request_id, uno=dice.random() < 0.5))
    else:
        refused(table.act(seat, DRAW, request_id))


def picture(match: Match) -> dict[str, Any]:
    """Return all that a match is, news and caches apart."""
    skipped = {"state", "keys", "seal", "seats", "turns", "unsaved", "events", "opened", "closed"}
    skipped |= {"snapshot", "snapshot_version", "token", "token_version"}
    shown = {
        name: getattr(match, name)
        for name in names_of(Match)
        if name not in skipped and hasattr(match, name)
    }
    turns = {seat: _turn(turn) for seat, turn in match.turns.items()}
    changing = {name: deepcopy(value) for name, value in shown.items() if name not in FIXED}
    return changing | {
        "state": state_hash(match.state) if match.state else None,
        "seats": [_occupant(occupant) for occupant in match.seats],
        "turns": turns,
    }


def _turn(turn: Any) -> dict[str, Any]:
    """Return a turn without the mark that is in no log before the turn closes."""
    return {name: getattr(turn, name) for name in names_of(type(turn)) if name != "faulty"}


def _occupant(occupant: Occupant) -> dict[str, Any]:
    values = {name: getattr(occupant, name) for name in names_of(Occupant)}
    answered = values["answered"]
    rows = [deepcopy(getattr(answered, name)) for name in names_of(type(answered))]
    return values | {"answered": rows, "faults": dict(occupant.faults)}
