"""Does one command play a contest with real bots over gRPC, whatever the bots do?"""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from lastcard import Client
from lastcard.v1.match_service_pb2 import ListMatchesRequest, MatchState
from tests.e2e.arena import (
    BOTS,
    LASTCARD,
    environment,
    eventually,
    free_port,
    lastcard,
    ledger,
    run_arena,
    start_arena,
    started_in,
    write_contest,
)
from tests.processes import ServerProcess

GOOD = {"random": "lastcard bot random", "greedy": "lastcard bot greedy", "house": "house:greedy"}
ONE_ROUND = {"max_rounds": 1}
IN_PROC = pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")


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
        f"check    lastcard verify {replays}/*.jsonl --ledger {ledger_path}",
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
        shown = json.loads(lastcard("replay", path, "--json").stdout)
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


@pytest.mark.parametrize("policy", ["play_default", "forfeit_match"])
def test_bad_bots_do_not_stop_a_contest(tmp_path: Path, policy: str) -> None:
    """Bots that die, hang, talk rubbish or never come are counted as what they are."""
    bots = {name: f"python {BOTS / name}.py" for name in ("dying", "hanging", "rubbish", "garbage")}
    settings = {
        "max_rounds": 1,
        "absence_policy": policy,
        "start_limit_ms": 5000,
        "move_limit_ms": 250,
        "reaction_limit_ms": 250,
        "action_cap": 20,
    }
    contest = write_contest(
        tmp_path,
        {"greedy": "lastcard bot greedy", **bots, "away": "sleep 3600"},
        seats=2,
        concurrency=64,
        settings=settings,
    )
    out = tmp_path / "out"
    done = run_arena(contest, "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["games"] == 15 * 2
    faults = {row["bot"]: row["faults"] for row in told["standings"]}
    assert faults["dying"].keys() & {"crashed", "absent"}
    assert "late" in faults["hanging"]
    assert "illegal" in faults["rubbish"]
    assert faults["garbage"].keys() & {"crashed", "absent"}
    assert faults["away"].keys() == {"absent"}
    assert not faults["greedy"].keys() & {"illegal", "crashed", "absent"}
    assert "dying ended with code 7; started again" in done.stderr
    replays = sorted((out / "replays").iterdir())
    checked = lastcard("verify", *replays, "--ledger", out / "ledger.jsonl")
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize(
    "code",
    [
        "raise SystemExit(9)",
        "import lastcard, os\nlastcard.play(lambda turn: os._exit(9))",  # after it was ready
    ],
    ids=["at its start", "at its first turn"],
)
def test_a_bot_that_never_answers_stops_a_contest(tmp_path: Path, code: str) -> None:
    """The run ends with 1 and names bot, code and log; mended, the same command goes on."""
    bot = tmp_path / "bot.py"
    bot.write_text(code)
    contest = write_contest(
        tmp_path, {"bad": "python bot.py", "house": "house:random"}, settings=ONE_ROUND
    )
    out = tmp_path / "out"
    done = run_arena(contest, "--out", out)
    assert (done.returncode, done.stdout) == (1, "")
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"Error: {contest}: bot 'bad' ended with code 9 each of the 6 times")
    assert f"has not answered a turn of a game; see {out}/logs/bad.log" in last
    assert last.endswith(f"go on: lastcard arena {contest} --out {out}")
    bot.write_text("import lastcard\nlastcard.play(lambda turn: 0)")
    done = run_arena(contest, "--out", out)
    assert done.returncode == 0, done.stderr
    assert len(ledger(out)) == 2


def test_a_bot_that_has_played_and_dies_does_not_stop_a_contest(tmp_path: Path) -> None:
    """It is told once how long its turns wait now, and the contest is played to its end."""
    settings = {"max_rounds": 1, "move_limit_ms": 2000, "action_cap": 24}
    bots = {"dying": f"python {BOTS / 'dying'}.py", "house": "house:greedy"}
    contest = write_contest(tmp_path, bots, blocks=4, settings=settings)
    done = run_arena(contest, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stderr.splitlines() if "for good" in line]
    assert [line.partition(";")[0] for line in told] == [
        "dying ended with code 7 for good: each of its turns now waits 2 s"
    ]


@IN_PROC
def test_a_killed_arena_leaves_nothing_running(tmp_path: Path) -> None:
    """After kill -9 its server and its bots are gone at once."""
    contest = write_contest(tmp_path, GOOD, blocks=200, settings=ONE_ROUND)
    with start_arena(contest, "--out", tmp_path / "out") as arena:
        assert arena.stderr is not None
        assert " of 600 games" in arena.stderr.readline()
        assert len(started_in(tmp_path)) == 4
        arena.kill()
    eventually(lambda: not started_in(tmp_path), seconds=5)


@IN_PROC
def test_a_server_that_is_killed_and_started_again_finishes_the_contest(tmp_path: Path) -> None:
    """After kill -9 in mid-contest runner and bots reconnect, and every game counts once."""
    contest = write_contest(tmp_path, GOOD, blocks=12, concurrency=6, settings=ONE_ROUND)
    state, out = tmp_path / "state", tmp_path / "out"
    state.mkdir()
    with ServerProcess(state) as server:
        options = ("--out", out, "--server", server.address, "--json")
        arena = start_arena(contest, *options, LASTCARD_KEY=server.key)
        eventually(lambda: finished_matches(server.address, server.key) >= 6)
        server.kill()
        assert arena.poll() is None
        server.start()
        stdout, stderr = arena.communicate(timeout=100)
        assert arena.returncode == 0, stderr
    assert json.loads(stdout)["games"] == 36
    games = ledger(out)
    assert [game["game"] for game in games] == list(range(36))
    assert len({game["match"] for game in games}) == 36
    replays = sorted((out / "replays").iterdir())
    checked = lastcard("verify", *replays, "--ledger", out / "ledger.jsonl")
    assert checked.returncode == 0, checked.stderr
    assert not started_in(out)


def finished_matches(address: str, key: str) -> int:
    """Return how many matches of a server are finished."""
    request = ListMatchesRequest(state=MatchState.MATCH_STATE_FINISHED, page_size=100)
    with Client(address, key) as client:
        return len(client.call(client.matches.ListMatches, request).matches)


@IN_PROC
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_everything(tmp_path: Path, number: signal.Signals) -> None:
    """The run ends with 130 and says how to go on; server and bots are gone."""
    contest = write_contest(tmp_path, GOOD, blocks=200, settings=ONE_ROUND)
    out = tmp_path / "out"
    stderr = interrupted(contest, out, number)
    assert f"to go on: lastcard arena {contest} --out {out}" in stderr
    assert not started_in(tmp_path)


@IN_PROC
def test_a_server_of_its_own_that_dies_ends_everything(tmp_path: Path) -> None:
    """The run ends with 1 and one sentence that names the server's log; no bot is left."""
    contest = write_contest(tmp_path, GOOD, blocks=200, settings=ONE_ROUND)
    with start_arena(contest, "--out", tmp_path / "out") as arena:
        assert arena.stderr is not None
        assert " of 600 games" in arena.stderr.readline()
        (server,) = (pid for pid, told in started_in(tmp_path).items() if " serve " in told)
        assert len(started_in(tmp_path)) == 4
        os.kill(server, signal.SIGKILL)
        _, stderr = arena.communicate(timeout=60)
    assert arena.returncode == 1
    assert stderr.splitlines()[-1].startswith(f"Error: {contest}: no lastcard server answers")
    assert stderr.endswith("server.log\n")
    assert not started_in(tmp_path)


def test_an_interrupted_contest_goes_on_where_it_was(tmp_path: Path) -> None:
    """The same command finishes the contest later, with every game once."""
    contest = write_contest(tmp_path, GOOD, blocks=20, concurrency=6, settings=ONE_ROUND)
    out = tmp_path / "out"
    interrupted(contest, out, signal.SIGTERM)
    done = run_arena(contest, "--out", out)
    assert done.returncode == 0, done.stderr
    assert not done.stderr.startswith("0 of 60 games")
    assert [game["game"] for game in ledger(out)] == list(range(60))


def interrupted(contest: Path, out: Path, number: signal.Signals) -> str:
    """Interrupt a run once some games are finished; return what it printed about that."""
    with start_arena(contest, "--out", out) as arena:
        assert arena.stderr is not None
        for line in arena.stderr:
            if re.match(r"[1-9]\d* of ", line):
                break
        arena.send_signal(number)
        _, stderr = arena.communicate(timeout=30)
    assert arena.returncode == 130
    return stderr


@pytest.mark.parametrize(
    ("bots", "keys", "sentence"),
    [
        (GOOD, {"preset": "best"}, "There is no such preset"),
        ({"a": "house:random", "b": "house:best"}, {}, "There is no such house strategy"),
        ({"a": "house:random", "b": "./none"}, {}, "the command of bot 'b' does not exist"),
        (GOOD, {"sead": 3}, "unknown key 'sead'"),
        (GOOD, {"seats": 4}, "bots must be seats to 64"),
        (GOOD, {"overrides": {"hand_size": 40}}, "hand_size"),
        (GOOD, {"overrides": {"teams": "pairs"}}, "teams"),
        (GOOD, {"settings": {"reactions": "fast"}}, "it may be race, polled"),
        (GOOD, {"settings": {"move_limit_ms": 1}}, "move_limit_ms must be"),
    ],
)
def test_what_cannot_be_played_ends_with_one_sentence(
    tmp_path: Path, bots: dict[str, str], keys: dict[str, object], sentence: str
) -> None:
    """A wrong file ends with 2 and one line that names the file; nothing is left running."""
    contest = write_contest(tmp_path, bots, **keys)
    done = run_arena(contest, "--out", tmp_path / "out")
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"Error: {contest}: ")
    assert sentence in line


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    """Without a key for the server named, the run ends with 1 and one sentence."""
    contest = write_contest(tmp_path, GOOD)
    address = f"127.0.0.1:{free_port()}"
    done = run_arena(contest, "--out", tmp_path / "out", "--server", address, LASTCARD_KEY="x")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


def test_a_server_without_a_key_is_told(tmp_path: Path) -> None:
    """What is wrong is an option, not the file: code 2, and what would be right."""
    done = run_arena(write_contest(tmp_path, GOOD), "--out", tmp_path / "out", "--server", "x.y:1")
    assert done.returncode == 2
    assert done.stderr == "Error: there is no key for x.y:1: set LASTCARD_KEY\n"
