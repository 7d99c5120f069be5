"""Do standings read as they should, for people and for programs?"""

from lastcard.v1 import contest_service_pb2 as pb
from lastcard_server.arena.report import as_json, table


def a_standing(name: str, points: float, faults: dict[str, int] | None = None) -> pb.Standing:
    """Return a row of the standings."""
    return pb.Standing(
        name=name,
        game_count=1200,
        win_count=300,
        win_rate=pb.Estimate(mean=0.25, low=0.2, high=0.305),
        points=pb.Estimate(mean=points, low=points - 1, high=points + 1),
        faults=[
            pb.FaultCount(kind=f"FAULT_KIND_{kind}", fault_count=count)
            for kind, count in (faults or {}).items()
        ],
    )


def test_the_table_has_a_line_a_bot_under_aligned_heads() -> None:
    """Every column is aligned, intervals stand beside their means, faults are named."""
    rows = [a_standing("greedy", 12.5), a_standing("a b", 9, {"LATE": 2, "CRASHED": 1})]
    assert table(rows, blocks=50) == [
        "rank  bot     games  win rate       95 %  points       95 %  faults",
        "   1  greedy  1,200    25.0 %  20.0-30.5    12.5  11.5-13.5  none",
        "   2  a b     1,200    25.0 %  20.0-30.5     9.0   8.0-10.0  2 late, 1 crashed",
    ]


def test_a_tournament_has_a_column_of_tallies() -> None:
    """Personal tallies stand behind the games, for programs among the other numbers."""
    rows = [a_standing("greedy", 12.5), a_standing("a b", 9)]
    for row, tally in zip(rows, (15_000, 10_800), strict=True):
        row.point_total = tally
    head, *lines = table(rows, blocks=1, tournament=True)
    assert head == "rank  bot     games   tally  win rate  95 %  points  95 %  faults"
    assert lines[0] == "   1  greedy  1,200  15,000    25.0 %     -    12.5     -  none"
    assert [row["tally"] for row in as_json(rows, tournament=True)] == [15_000, 10_800]
    assert "tally" not in as_json(rows)[0]


def test_one_block_has_no_interval() -> None:
    """Where a bootstrap says nothing, nothing is claimed."""
    assert table([a_standing("greedy", 12.5)], blocks=1)[1].split()[-4:] == [
        "-",
        "12.5",
        "-",
        "none",
    ]


def test_equal_points_share_a_rank() -> None:
    """Two first places are followed by a third."""
    rows = [a_standing("a", 5), a_standing("b", 5), a_standing("c", 4)]
    assert [row["rank"] for row in as_json(rows)] == [1, 1, 3]


def test_json_has_every_number_of_the_table() -> None:
    """Programs get the numbers unrounded, faults by kind."""
    assert as_json([a_standing("a", 5.25, {"ABSENT": 3})]) == [
        {
            "rank": 1,
            "bot": "a",
            "games": 1200,
            "wins": 300,
            "win_rate": {"mean": 0.25, "low": 0.2, "high": 0.305},
            "points": {"mean": 5.25, "low": 4.25, "high": 6.25},
            "faults": {"absent": 3},
        }
    ]
