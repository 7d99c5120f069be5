"""Does a quick contest play every preset, in the format the preset is for?"""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from lastcard_engine.errors import RulesError
from lastcard_engine.presets import PRESETS
from lastcard_server.arena.file import ContestFile, load
from lastcard_server.arena.quick import contest_text
from lastcard_server.arena.request import spec_of
from lastcard_server.cli import main
from lastcard_server.contests.contest import Contest, Stage
from lastcard_server.contests.contests import Contests
from lastcard_server.contests.standings import Standing
from lastcard_server.convert.contests import spec_from
from lastcard_server.house import strategies
from lastcard_server.journal.memory import MemoryJournal
from lastcard_server.matches.match import Match
from tests.matches.hall import hall
from tests.matches.table import KEYS, ManualClock

BOTS = {"duel_no": 2, "tournament_8_se": 8}
"""How many bots a quick contest has where they are not four."""

TOURNAMENTS = {"tournament_4": 12, "tournament_8": 56}
"""The games of each tournament."""


class Played(NamedTuple):
    """A contest that was played."""

    contest: Contest
    matches: list[Match]
    """In schedule order."""
    standings: list[Standing]


def quick(folder: Path, preset: str, seats: int | None = None) -> ContestFile:
    """Return the quick contest of a preset as it is read from its file."""
    path = folder / "contest.toml"
    path.write_text(contest_text(preset, seats))
    return load(path, "")


async def play(file: ContestFile) -> Played:
    """Play a contest between bots of the house on a server in this process."""
    clock = ManualClock()
    journal = MemoryJournal(clock.now_us)
    async with hall(journal, clock, dict(strategies())) as matches, asyncio.timeout(60):
        contests = Contests(journal, matches, KEYS, clock)
        spec = spec_from(spec_of(file, {}), lambda entrant: None)
        contest = await contests.create("key:o", "r", spec)
        await contests.begin(contest.contest_id)
        async for seen in contests.watch(contest.contest_id):
            contest = seen
        _, _, table = await contests.standings(contest.contest_id)
        played = [await matches.get(row.game.match) for row in contest.ledger]
        await contests.aclose()
        return Played(contest, played, table)


@pytest.mark.parametrize("preset", PRESETS)
async def test_every_preset_is_played_through(tmp_path: Path, preset: str) -> None:
    """Whatever the rules, house bots play the contest to its end without a fault."""
    file = quick(tmp_path, preset)
    assert len(file.bots) == BOTS.get(preset, 4)
    if file.schedule not in TOURNAMENTS:  # one block of two rounds: whole matches stand below
        file = replace(file, blocks=1, settings={"max_rounds": 2})
    contest, _, table = await play(file)
    assert contest.stage is Stage.FINISHED
    assert len(contest.ledger) == TOURNAMENTS.get(file.schedule, file.seats)
    assert {row.games for row in table} == {contest.plan.game_count * file.seats // len(file.bots)}
    assert not any(row.faults for row in table)


def reached(match: Match) -> list[int]:
    """Return the totals of a match that have reached the target, which ended it."""
    assert match.ending is not None
    assert match.result is not None
    assert match.ending.reason == "target_reached"
    return [t for t in match.result.totals if t >= match.setup.rules.target_points]


async def test_r208_a_low_total_match_is_won_by_the_least(tmp_path: Path) -> None:
    """Somebody reaches the target, and the places follow the totals upwards."""
    _, matches, _ = await play(quick(tmp_path, "official_se_low_total", 3))
    for match in matches:
        assert reached(match)
        assert match.result is not None
        by_place = sorted(zip(match.result.places, match.result.totals, strict=True))
        assert [total for _, total in by_place] == sorted(match.result.totals)


async def test_r211_an_elimination_leaves_one_below_the_limit(tmp_path: Path) -> None:
    """All but the winner have reached the limit by the end."""
    _, matches, table = await play(quick(tmp_path, "family_se_elimination", 3))
    for match in matches:
        assert match.result is not None
        assert len(reached(match)) == 2
        winner = match.result.places.index(1)
        assert match.result.totals[winner] < match.setup.rules.target_points
    assert sum(row.wins for row in table) == pytest.approx(len(matches))


async def test_r220_a_match_of_pairs_ends_with_a_pair_at_the_target(tmp_path: Path) -> None:
    """Fixed partners have the same points, wins and rank, and the pairs have different ones."""
    _, matches, table = await play(quick(tmp_path, "pairs_se"))
    for match in matches:
        assert len(reached(match)) == 2
        assert sorted(match.result.places if match.result else ()) == [1, 1, 3, 3]
    named = {row.name: row for row in table}
    for strategy in ("greedy", "random"):
        one, other = (named[f"{strategy} {number}"] for number in (1, 2))
        assert (one.total, one.wins) == (other.total, other.wins)
    assert sum(row.wins for row in table) == pytest.approx(len(matches))


async def test_r205_r212_a_match_and_a_single_round_end_as_they_should(tmp_path: Path) -> None:
    """With points somebody reaches 500; without, one round is the match."""
    _, matches, _ = await play(quick(tmp_path, "standard_no_points", 2))
    assert all(len(reached(match)) == 1 for match in matches)
    _, matches, _ = await play(quick(tmp_path, "standard_no", 2))
    assert {match.ending.reason for match in matches if match.ending} == {"single_round"}


def test_a_quick_contest_fits_its_rules() -> None:
    """A number of seats that the rules do not play is refused, and so is an unknown preset."""
    assert "seats = 7\n" in contest_text("standard_no", 7)
    with pytest.raises(RulesError, match="these rules allow 2 to 6"):
        contest_text("no_mercy", 7)
    with pytest.raises(RulesError, match="teams=pairs needs exactly 4 seats"):
        contest_text("pairs_se", 3)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--quick", "--preset", "best"], "no preset is named 'best'; there are official_se,"),
        (["--quick"], "--quick needs a --preset; there are official_se,"),
        (["--quick", "--preset", "duel_no", "cup.toml"], "leave out FILE, or --quick"),
        (["--quick", "cup.toml"], "leave out FILE, or --quick"),
        (["--preset", "duel_no"], "go with --quick"),
        (["--seats", "3", "cup.toml"], "go with --quick"),
        (["--quick", "--preset", "duel_no", "--seats", "3"], "these rules allow exactly 2"),
        ([], "Missing argument 'FILE', or --quick with a --preset."),
    ],
)
def test_what_does_not_go_together_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], sentence: str
) -> None:
    """One sentence, exit code 2, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["arena", *options])
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_another_contest_is_refused(tmp_path: Path) -> None:
    """The file that is there stays as it was."""
    path = tmp_path / "contest.toml"
    path.write_text("mine")
    options = ["--quick", "--preset", "duel_no", "--out", str(tmp_path)]
    result = CliRunner().invoke(main, ["arena", *options])
    assert result.exit_code == 2
    assert "is another contest; choose another --out" in result.stderr
    assert path.read_text() == "mine"
