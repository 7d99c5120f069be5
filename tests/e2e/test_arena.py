"""Does one command play a contest with real bots over gRPC, whatever the bots do?"""

import json
import os
import pty
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

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
    serving,
    start_arena,
    started_in,
    write_contest,
)

GOOD = {"random": "lastcard bot random", "greedy": "lastcard bot greedy", "house": "house:greedy"}
ONE_ROUND = {"max_rounds": 1}
IN_PROC = pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")


@IN_PROC
def test_a_contest_is_played_and_can_be_checked(tmp_path: Path) -> None:
    """Table, ledger and replays are there, everything verifies, and no program is left."""
    contest = write_contest(tmp_path, GOOD, blocks=3, settings=ONE_ROUND)
    out = tmp_path / "out"
    done = run_arena(contest, "--out", out)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split()[:3] == ["rank", "bot", "games"]
    assert sorted(line.split()[1] for line in lines[1:4]) == ["greedy", "house", "random"]
    assert lines[4].startswith("9 games in 3 blocks, ")
    assert "decisions/s" in lines[4]
    assert lines[5:] == [f"ledger   {out}/ledger.jsonl", f"replays  {out}/replays"]
    assert "9 of 9 games" in done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert [game["game"] for game in ledger(out)] == list(range(9))
    replays = sorted((out / "replays").iterdir())
    checked = lastcard("verify", *replays, "--ledger", out / "ledger.jsonl")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout == "9 records, 9 games in the ledger: all right\n"
    assert not started_in(tmp_path)


def test_the_deals_of_a_block_are_the_same(tmp_path: Path) -> None:
    """In each leg of a block the seats are dealt the same hands, and the bots have moved on."""
    contest = write_contest(tmp_path, GOOD, blocks=2, settings=ONE_ROUND)
    out = tmp_path / "out"
    assert run_arena(contest, "--out", out).returncode == 0
    hands: dict[int, list[list[list[str]]]] = {}
    for game, path in zip(ledger(out), sorted((out / "replays").iterdir()), strict=True):
        shown = json.loads(lastcard("replay", path, "--json").stdout)
        assert shown["match"] == game["match"]
        events = [event for entry in shown["entries"] for event in entry["events"]]
        dealt = [event["cards"] for event in events if event["event"] == "cards_dealt"]
        hands.setdefault(game["block"], []).append(dealt)
    for legs in hands.values():
        assert len(legs) == 3
        assert legs[0] == legs[1] == legs[2]
    assert hands[0][0] != hands[1][0]


def test_programs_get_json(tmp_path: Path) -> None:
    """With --json standard output is one object with every number of the table."""
    contest = write_contest(tmp_path, GOOD, blocks=2, settings=ONE_ROUND)
    done = run_arena(contest, "--out", tmp_path / "out", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["games"], told["blocks"]) == (6, 2)
    assert {row["bot"] for row in told["standings"]} == set(GOOD)
    assert sum(row["wins"] for row in told["standings"]) == pytest.approx(6)
    assert told["decisions"] > 6 * 10
    points = sum(sum(game["points"]) for game in ledger(Path(told["ledger"]).parent))
    assert sum(row["points"]["mean"] * row["games"] for row in told["standings"]) == pytest.approx(
        points
    )


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
    assert "6/6 games" in shown
    assert "\x1b" not in stdout


def read_terminal(terminal: int) -> bytes:
    """Return what was printed on a terminal since, nothing once it is closed."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


@pytest.mark.parametrize("policy", ["play_default", "knock_out_round", "forfeit_match"])
def test_bad_bots_do_not_stop_a_contest(tmp_path: Path, policy: str) -> None:
    """Bots that die, hang, talk rubbish or never come are counted as what they are."""
    bots = {name: f"python {BOTS / name}.py" for name in ("dying", "hanging", "rubbish", "garbage")}
    settings = {
        "max_rounds": 1,
        "absence_policy": policy,
        "start_limit_ms": 5000,
        "move_limit_ms": 250,
        "reaction_limit_ms": 250,
        "action_cap": 40,
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
    assert "dying ended with code 7" in done.stderr
    replays = sorted((out / "replays").iterdir())
    checked = lastcard("verify", *replays, "--ledger", out / "ledger.jsonl")
    assert checked.returncode == 0, checked.stderr


@IN_PROC
def test_a_server_that_is_killed_and_started_again_finishes_the_contest(tmp_path: Path) -> None:
    """After kill -9 in mid-contest runner and bots reconnect, and every game counts once."""
    contest = write_contest(tmp_path, GOOD, blocks=12, concurrency=6, settings=ONE_ROUND)
    state, out, port = tmp_path / "state", tmp_path / "out", free_port()
    address = f"127.0.0.1:{port}"
    state.mkdir()
    with serving(state, port) as server:
        key = (state / "organiser.key").read_text().strip()
        options = ("--out", out, "--server", address, "--json")
        arena = start_arena(contest, *options, LASTCARD_KEY=key)
        eventually(lambda: finished_matches(address, key) >= 6)
        server.kill()
        server.wait()
    assert arena.poll() is None
    with serving(state, port):
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
def test_an_interrupted_contest_goes_on_where_it_was(
    tmp_path: Path, number: signal.Signals
) -> None:
    """A signal ends every program at once; the same command finishes the contest later."""
    contest = write_contest(tmp_path, GOOD, blocks=20, concurrency=6, settings=ONE_ROUND)
    out = tmp_path / "out"
    with start_arena(contest, "--out", out) as arena:
        assert arena.stderr is not None
        for line in arena.stderr:
            if " of 60 games" in line and not line.startswith("0 "):
                break
        arena.send_signal(number)
        _, stderr = arena.communicate(timeout=30)
    assert arena.returncode == 130
    assert f"to go on: lastcard arena {contest} --out {out}" in stderr
    assert not started_in(tmp_path)
    done = run_arena(contest, "--out", out)
    assert done.returncode == 0, done.stderr
    assert [game["game"] for game in ledger(out)] == list(range(60))
    assert not started_in(tmp_path)


@pytest.mark.parametrize(
    ("bots", "keys", "sentence"),
    [
        (GOOD, {"preset": "best"}, "There is no such preset"),
        ({"a": "house:random", "b": "house:best"}, {}, "There is no such house_strategy"),
        ({"a": "house:random", "b": "./none"}, {}, "the command of bot 'b' does not exist"),
        (GOOD, {"sead": 3}, "unknown key 'sead'"),
        (GOOD, {"seats": 4}, "must be seat_count to 64"),
        (GOOD, {"overrides": {"hand_size": 40}}, "hand_size"),
        (GOOD, {"overrides": {"stacking": "pairs"}}, "stacking"),
        (GOOD, {"settings": {"reactions": "fast"}}, "it may be race, polled"),
        (GOOD, {"settings": {"move_limit_ms": 1}}, "move_limit_duration must be"),
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
