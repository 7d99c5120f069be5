"""Does one command play a contest with real bots over gRPC, and tell what came of it?"""

import json
import os
import pty
import re
import subprocess
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from lastcard.program import program
from lastcard_server.cli import main
from tests.e2e.arena import (
    CALLED,
    GOOD,
    IN_PROC,
    LASTCARD,
    ONE_ROUND,
    environment,
    lastcard,
    ledger,
    run_arena,
    started_in,
    write_contest,
)


class Played(NamedTuple):
    """A contest that was played, and the run of the command."""

    contest: Path
    out: Path
    done: subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Return a contest of three bots and three blocks, played once for all who look at it."""
    folder = tmp_path_factory.mktemp("played")
    contest = write_contest(folder, GOOD, blocks=3, settings=ONE_ROUND)
    return Played(contest, folder / "out", run_arena(contest, "--out", folder / "out"))


def test_a_proposed_command_names_a_program_that_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `lastcard` is not on the path, the proposal names it as it was called itself."""
    monkeypatch.setattr("sys.argv", [LASTCARD, "arena"])
    monkeypatch.setenv("PATH", str(Path(LASTCARD).parent))
    assert program() == "lastcard"
    monkeypatch.setenv("PATH", "/none")
    assert program() == LASTCARD


def test_a_contest_is_played_and_told(played: Played) -> None:
    """The standings and where everything lies are printed, without colours, as lines."""
    assert played.done.returncode == 0, played.done.stderr
    lines = played.done.stdout.splitlines()
    assert lines[0].split()[:3] == ["rank", "bot", "games"]
    assert sorted(line.split()[1] for line in lines[1:4]) == ["greedy", "house", "random"]
    assert re.fullmatch(r"9 games in 3 blocks, [\d,]+ decisions, [\d,]+ decisions/s", lines[4])
    ledger_path, replays = f"{played.out}/ledger.jsonl", f"{played.out}/replays"
    assert lines[5:] == [
        f"ledger   {ledger_path}",
        f"replays  {replays}",
        f"check    {CALLED} verify {replays}/*.jsonl --ledger {ledger_path}",
    ]
    assert "9 of 9 games" in played.done.stderr
    assert "\x1b" not in played.done.stdout + played.done.stderr


def test_ledger_and_replays_can_be_checked(played: Played) -> None:
    """Every game stands in the ledger once, and deals, plays and results verify."""
    assert [game["game"] for game in ledger(played.out)] == list(range(9))
    replays = sorted((played.out / "replays").iterdir())
    checked = lastcard("verify", *replays, "--ledger", played.out / "ledger.jsonl")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout == "9 records, 9 games in the ledger: all right\n"


@IN_PROC
def test_nothing_is_left_running(played: Played) -> None:
    """Server and bots are gone once the standings are printed."""
    assert not started_in(played.out)


def test_the_deals_of_a_block_are_the_same(played: Played) -> None:
    """In each leg of a block the seats are dealt the same hands, and the bots have moved on."""
    hands: dict[int, list[list[list[str]]]] = {}
    for game, path in zip(
        ledger(played.out), sorted((played.out / "replays").iterdir()), strict=True
    ):
        shown = json.loads(CliRunner().invoke(main, ["replay", str(path), "--json"]).stdout)
        assert shown["match"] == game["match"]
        assert shown["seats"] == game["seats"]
        events = [event for entry in shown["entries"] for event in entry["events"]]
        dealt = [event["cards"] for event in events if event["event"] == "cards_dealt"]
        hands.setdefault(game["block"], []).append(dealt)
    assert all(legs[0] == legs[1] == legs[2] for legs in hands.values())
    assert hands[0][0] != hands[1][0]
    assert len({tuple(game["seats"]) for game in ledger(played.out)[:3]}) == 3


def test_a_finished_contest_is_told_again_for_programs(played: Played) -> None:
    """Started again with --json, the contest is not played anew; the numbers are the table's."""
    done = run_arena(played.contest, "--out", played.out, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["games"], told["blocks"]) == (9, 3)
    assert {row["bot"] for row in told["standings"]} == set(GOOD)
    assert sum(row["wins"] for row in told["standings"]) == pytest.approx(9)
    assert told["decisions"] > 9 * 10
    points = sum(sum(game["points"]) for game in ledger(played.out))
    means = [row["points"]["mean"] * row["games"] for row in told["standings"]]
    assert sum(means) == pytest.approx(points)


def test_a_finished_contest_has_no_pace(played: Played) -> None:
    """Where nothing is left to be played, nothing is said of how fast it went."""
    done = run_arena(played.contest, "--out", played.out)
    assert done.stderr == "9 of 9 games\n"
    assert re.fullmatch(r"9 games in 3 blocks, [\d,]+ decisions", done.stdout.splitlines()[4])


def test_a_closed_pipe_ends_the_command_quietly(played: Played) -> None:
    """Where nobody reads the standings, nothing is said about it."""
    ours, theirs = os.pipe()
    os.close(ours)
    command = [LASTCARD, "arena", str(played.contest), "--out", str(played.out)]
    done = subprocess.run(
        command, stdout=theirs, stderr=subprocess.PIPE, env=environment(), check=False, text=True
    )
    os.close(theirs)
    assert (done.returncode, done.stderr) == (1, "9 of 9 games\n")


def test_a_terminal_shows_a_bar(tmp_path: Path) -> None:
    """Where standard error is a terminal, progress is a bar that moves; the table stays plain."""
    contest = write_contest(tmp_path, GOOD, blocks=2, settings=ONE_ROUND)
    ours, theirs = pty.openpty()
    command = [LASTCARD, "arena", str(contest), "--out", str(tmp_path / "out")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=theirs, text=True, env=environment(TERM="xterm")
    ) as arena:
        os.close(theirs)
        shown = b"".join(iter(partial(read_terminal, ours), b"")).decode()
        stdout, _ = arena.communicate(timeout=60)
    os.close(ours)
    assert arena.returncode == 0
    assert "\x1b[" in shown
    assert "6/6 games" in re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown)
    assert "\x1b" not in stdout


def read_terminal(terminal: int) -> bytes:
    """Return what was printed on a terminal since, nothing once it is closed."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def test_a_quick_contest_is_written_played_and_proves_itself(tmp_path: Path) -> None:
    """Without a file a preset's own format is played; its file goes on in the same folder."""
    out = tmp_path / "out"
    done = lastcard("arena", "--quick", "--preset", "tournament_4_se", "--out", out)
    assert done.returncode == 0, done.stderr
    head, *rows = done.stdout.splitlines()[:5]
    assert head.split()[:4] == ["rank", "bot", "games", "tally"]
    assert [row.split()[3] for row in rows] == ["12"] * 4
    assert done.stdout.splitlines()[5].startswith("12 games in 1 tournament, ")
    check = lastcard("verify", *(out / "replays").iterdir(), "--ledger", out / "ledger.jsonl")
    assert check.stdout == "12 records, 12 games in the ledger: all right\n"
    again = lastcard("arena", out / "contest.toml", "--out", out, "--json")
    tallies = [row["tally"] for row in json.loads(again.stdout)["standings"]]
    points: dict[str, int] = {}
    for game in ledger(out):
        for name, won in zip(game["seats"], game["points"], strict=True):
            points[name] = points.get(name, 0) + won
    assert tallies == sorted(points.values(), reverse=True)
