"""Do standings count right, and do their intervals hold what they promise?"""

import random

import pytest

from lastcard_server.contests.ledger import Game
from lastcard_server.contests.schedule import round_robin, seat_map
from lastcard_server.contests.standings import UNITS_MAX, Standing, standings
from tests.contests.games import a_game, play_out

NAMES = ("ann", "bob", "cid", "dot")


def by_name(table: list[Standing]) -> dict[str, Standing]:
    """Return the rows by the entrant they belong to."""
    return {row.name: row for row in table}


def test_points_wins_and_faults_are_means_a_game() -> None:
    """Points and wins are divided by games, faults are summed by kind."""
    block = [
        a_game(0, seats=("ann", "bob"), places=(1, 2), points=(30, 0)),
        a_game(1, seats=("bob", "ann"), places=(2, 1), points=(0, 10), faults=({"late": 2}, {})),
    ]
    table = by_name(standings("c", ("ann", "bob"), [block]))
    assert table["ann"].points.mean == 20
    assert table["ann"].win_rate.mean == 1
    assert table["ann"].wins == 2
    assert table["bob"].points.mean == 0
    assert table["bob"].faults == {"late": 2}
    assert table["ann"].faults == {}


def test_a_shared_win_counts_its_share() -> None:
    """Two seats on the first place have half a win each, and a void round no points."""
    block = [a_game(0, seats=("ann", "bob", "cid"), places=(1, 1, 3), points=(0, 0, 0))]
    table = by_name(standings("c", ("ann", "bob", "cid"), [block]))
    assert [table[name].wins for name in ("ann", "bob", "cid")] == [0.5, 0.5, 0]


def test_shares_of_wins_add_up_without_a_remainder() -> None:
    """Halves and thirds over many games are summed as whole numbers, so no digits trail."""
    names, three = ("ann", "bob", "cid"), (1, 1, 1)
    blocks = [
        [a_game(n, seats=names, places=three if n % 2 else (1, 1, 3), points=(0, 0, 0))]
        for n in range(42)
    ]
    table = by_name(standings("c", names, blocks))
    assert [table[name].wins for name in names] == [17.5, 17.5, 7]


def test_rows_are_ordered_by_points_then_list() -> None:
    """Most points a game come first; equals keep the contest's order."""
    block = [a_game(0, seats=("ann", "bob", "cid"), places=(2, 1, 3), points=(0, 9, 0))]
    assert [row.name for row in standings("c", ("ann", "bob", "cid"), [block])] == [
        "bob",
        "ann",
        "cid",
    ]


def test_nothing_played_gives_empty_rows() -> None:
    """Without a complete block every entrant stands at zero games."""
    table = standings("c", NAMES, [])
    assert [row.name for row in table] == list(NAMES)
    assert all(row.games == 0 and row.points == (0, 0, 0) for row in table)


def test_the_same_games_give_the_same_intervals() -> None:
    """Intervals depend on the contest's name and its games alone, not on the global generator."""
    blocks = play_out(round_robin(4, seat_map(4), 20), NAMES, seed=1)
    random.seed(1)
    first = standings("c", NAMES, blocks)
    random.seed(2)
    assert standings("c", NAMES, blocks) == first
    assert standings("other", NAMES, blocks) != first


def test_twins_that_split_every_block_have_no_spread() -> None:
    """Where every block ends alike the interval is a point: only blocks are resampled."""
    legs = [
        a_game(0, seats=("ann", "bob"), places=(1, 2), points=(50, 0)),
        a_game(1, seats=("bob", "ann"), places=(1, 2), points=(50, 0)),
    ]
    for row in standings("c", ("ann", "bob"), [legs] * 30):
        assert row.win_rate == (0.5, 0.5, 0.5)
        assert row.points == (25, 25, 25)


@pytest.mark.parametrize("blocks_a_table", [60, 4 * UNITS_MAX])
def test_intervals_cover_the_truth_about_as_often_as_they_say(blocks_a_table: int) -> None:
    """Over many contests of equals the interval of 95 % holds the truth in at least 88 %."""
    contests = 60 if blocks_a_table == 60 else 15
    plan = round_robin(4, seat_map(4), blocks_a_table)
    covered = 0
    for seed in range(contests):
        row = by_name(standings(str(seed), NAMES, play_out(plan, NAMES, seed)))["ann"]
        covered += row.win_rate.low <= 0.25 <= row.win_rate.high
    assert covered / contests >= 0.88


def test_tables_of_many_entrants_count_only_their_own_blocks() -> None:
    """An entrant's games are those of the tables it sat at."""
    names = ("ann", "bob", "cid")
    blocks = play_out(round_robin(3, seat_map(2), 5), names, seed=3)
    assert {row.games for row in standings("c", names, blocks)} == {2 * 2 * 5}


def test_games_are_typed_as_the_ledger_types_them() -> None:
    """What standings read is exactly what the ledger writes."""
    assert Game._fields[:4] == ("contest", "game", "block", "leg")
