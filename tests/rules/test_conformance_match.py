"""How do rounds add up to a match (R038, R204-R212, Q20, Q55-Q57)?"""

from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, deal, make_settings


def going_out(
    others: str, totals: list[int], *, scoring: str = "winner_takes", **options: Any
) -> Table:
    """Return a table at which P0 has just gone out, with these totals before."""
    table = at(
        f"r3 | {others}",
        "r6",
        options={"scoring": scoring, **options},
        totals=totals,
    )
    table.act(0, "play r3")
    return table


def test_r038_r206_below_the_target_the_next_round_is_dealt() -> None:
    """With 120 points after the round another one starts and totals are kept."""
    table = going_out("g8 W | rS W", [0, 40, 0])
    assert not table.state.over
    assert engine.needs_round(table.state)
    assert engine.to_act(table.state) == ()
    table.events = list(engine.start_round(table.state))
    assert table.counts == [7, 7, 7]
    assert list(table.view(1).totals) == [128, 40, 0]


@pytest.mark.parametrize(
    ("before", "over"),
    [
        pytest.param(491, False, id="R205-499"),
        pytest.param(492, True, id="Q56-500"),
        pytest.param(495, True, id="R205-more"),
    ],
)
def test_the_first_to_reach_the_target_wins(before: int, *, over: bool) -> None:
    """499 points lead to another round, 500 or more end the match."""
    table = going_out("g8 | r0", [before, 300, 0])
    assert table.state.over is over
    assert engine.needs_round(table.state) is not over
    if over:
        ended = table.event("MatchEnded")
        assert (ended.reason, ended.places) == ("target_reached", (1, 2, 3))


def test_r209_the_target_is_agreed_beforehand() -> None:
    """With target_points=300 the match ends at 300."""
    assert going_out("g8 | r0", [292, 0, 0], target_points=300).state.over
    assert not going_out("g8 | r0", [291, 0, 0], target_points=300).state.over


def test_r207_own_totals_may_be_kept_instead() -> None:
    """With low_total every seat adds its own hand; the winner adds nothing."""
    table = going_out("g8 rS | W", [0, 0, 0], scoring="low_total")
    assert table.event("RoundEnded").points == (0, 28, 50)


def test_r208_the_lowest_total_wins_when_somebody_reaches_the_target() -> None:
    """Totals 480/210/330 with hands 25/-/40 end as 505/210/370: the 210 player wins."""
    table = at(
        "rS g5 | r3 | rD2 yS",
        "r6",
        turn=1,
        options={"scoring": "low_total"},
        totals=[480, 210, 330],
    )
    table.act(1, "play r3")
    assert list(table.view(0).totals) == [505, 210, 370]
    assert table.event("MatchEnded").places == (3, 1, 2)


def test_q55_low_total_ties_share_the_win() -> None:
    """Two equal lowest totals share the first place."""
    table = going_out("W | g5", [100, 480, 95], scoring="low_total")
    assert table.event("MatchEnded").places == (1, 3, 1)


def test_r210_c28_whoever_reaches_the_limit_is_out() -> None:
    """Limit 100, totals 95/40/80, the third goes out on hands 10/20: 105 is out, 60 and 80 stay."""
    table = at(
        "g9 r1 | rS | r3",
        "r6",
        turn=2,
        options={"scoring": "elimination", "target_points": 100},
        totals=[95, 40, 80],
    )
    table.act(2, "play r3")
    assert list(table.view(1).totals) == [105, 60, 80]
    assert not table.state.over
    engine.start_round(table.state)
    assert [bool(active) for active in table.view(1).active] == [False, True, True]
    assert table.counts == [0, 7, 7]


def test_r211_q57_the_last_below_the_limit_wins() -> None:
    """Two left with 60 and 80; 80 + 25 reaches 100 and the other wins."""
    table = at(
        "r3 | rS g5",
        "r6",
        options={"scoring": "elimination", "target_points": 100},
        totals=[60, 80],
    )
    table.act(0, "play r3")
    assert table.state.over
    assert table.event("MatchEnded").places == (1, 2)


def test_q55_with_all_beyond_the_limit_the_lowest_total_wins() -> None:
    """A blocked round that takes everybody beyond the limit is won by the lowest total."""
    table = at(
        "gS g9 | yS y9 | gD2 y1",
        "r5",
        draw="",
        options={"scoring": "elimination", "target_points": 100},
        totals=[90, 75, 99],
    )
    for seat in range(3):
        table.draw_and_keep(seat)
    assert table.state.over
    assert table.event("MatchEnded").places == (2, 1, 3)


def test_q55_one_seat_scores_in_a_round() -> None:
    """Under winner_takes exactly one seat's total grows."""
    table = going_out("g8 W | rS W", [0, 40, 0])
    assert [points > 0 for points in table.event("RoundEnded").points] == [True, False, False]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_q20_the_deal_passes_to_the_left(seats: int) -> None:
    """Each round is dealt by the seat to the left of the last dealer."""
    table = deal(seats, scoring="winner_takes", settings=make_settings(action_cap=1, rounds=4))
    dealers = [table.event("DealerChosen").seat]
    for _ in range(3):
        table.events = []
        while not engine.needs_round(table.state):
            engine.time_out(table.state, engine.Seat(table.turn))
        table.events = list(engine.start_round(table.state))
        dealers.append(table.event("DealerChosen").seat)
        assert not table.all_events("DealerDrawn")
    assert dealers == [(dealers[0] + i) % seats for i in range(4)]


def test_r038_nothing_is_carried_into_the_next_round() -> None:
    """A new round starts clockwise, without calls, debts or a drawn card."""
    table = at(
        "r3 | g8 r1 | rS",
        "r6",
        direction=-1,
        options={"scoring": "winner_takes", "uno_window": "open"},
    )
    table.act(0, "play r3")
    table.events = list(engine.start_round(table.state))
    assert (table.direction, table.owes_call(), table.state.pending) == (1, None, 0)
    assert not any(table.view(0).called)


def test_r212_a_number_of_rounds_ends_the_match_too() -> None:
    """With `rounds` set the match ends after so many rounds, highest total first."""
    table = at(
        "r3 | g8 r1 | rS",
        "r6",
        options={"scoring": "winner_takes"},
        totals=[0, 10, 70],
        settings=make_settings(rounds=1),
    )
    table.act(0, "play r3")
    ended = table.event("MatchEnded")
    assert (ended.reason, ended.places) == ("rounds_played", (2, 3, 1))


def test_r185_a_match_that_is_over_refuses_everything() -> None:
    """Actions and a further round are refused once the match is over."""
    table = going_out("g8 | r0", [499, 0, 0])
    for seat in range(3):
        table.refuse(seat, "draw", "match_over")
    with pytest.raises(engine.RuleViolation):
        engine.start_round(table.state)


def test_r029_nothing_is_dealt_before_the_round_starts() -> None:
    """A new match holds no card and asks nobody."""
    state = engine.new_match(engine.preset("standard_no"), make_settings(), 3, bytes(32))
    table = Table(state)
    assert engine.needs_round(state)
    assert (engine.to_act(state), table.all_cards()) == ((), [])
    table.refuse(0, "draw", "not_started")


@pytest.mark.parametrize(("total", "out"), [(79, False), (80, True)])
def test_q56_a_limit_reached_exactly_counts(total: int, *, out: bool) -> None:
    """Under elimination 100 points are as many as 101: the seat is out."""
    table = at(
        "r3 | rS | g1 y1",
        "r6",
        options={"scoring": "elimination", "target_points": 100},
        totals=[0, total, 0],
    )
    table.act(0, "play r3")
    engine.start_round(table.state)
    assert table.counts == [7, 0 if out else 7, 7]
