"""Does a contest go on, or stop with a sentence, whatever its bots do?"""

import json
from pathlib import Path

import pytest

from tests.e2e.arena import BOTS, CALLED, ONE_ROUND, lastcard, ledger, run_arena, write_contest


@pytest.mark.parametrize(
    ("policy", "limit_ms"),
    [("play_default", 250), ("forfeit_match", 1000)],
    ids=["play_default", "forfeit_match"],
)
def test_bad_bots_do_not_stop_a_contest(tmp_path: Path, policy: str, limit_ms: int) -> None:
    """
    Bots that die, hang, talk rubbish or never come are counted as what they are.

    The machine may be slow: who comes has 12 s to start, and a seat whose first lapse is its last
    has more time for a turn. A bot that dies is away for longer than a turn lasts.
    """
    bots = {name: f"python {BOTS / name}.py" for name in ("dying", "hanging", "rubbish", "garbage")}
    settings = {
        "max_rounds": 1,
        "absence_policy": policy,
        "start_limit_ms": 12_000,
        "move_limit_ms": limit_ms,
        "reaction_limit_ms": limit_ms,
        "action_cap": 20,
    }
    contest = write_contest(
        tmp_path,
        {"greedy": "lastcard bot greedy", **bots, "away": "sleep 3600"},
        seats=2,
        concurrency=64,
        restart_pause_ms=2000,
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
    bots = {"bad": "python bot.py", "house": "house:random"}
    contest = write_contest(tmp_path, bots, restart_pause_ms=20, settings=ONE_ROUND)
    out = tmp_path / "out"
    done = run_arena(contest, "--out", out)
    assert (done.returncode, done.stdout) == (1, "")
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"Error: {contest}: bot 'bad' ended with code 9 each of the 6 times")
    assert f"has not answered a turn of a game; see {out}/logs/bad.log" in last
    assert "Traceback" not in done.stderr
    assert last.endswith(f"go on: {CALLED} arena {contest} --out {out}")
    bot.write_text("import lastcard\nlastcard.play(lambda turn: 0)")
    done = run_arena(contest, "--out", out)
    assert done.returncode == 0, done.stderr
    assert len(ledger(out)) == 2


def test_a_command_is_mended_in_the_file(tmp_path: Path) -> None:
    """What the arena proposes then goes on with the contest that it has created."""
    (tmp_path / "bot.py").write_text("import lastcard\nlastcard.play(lambda turn: 0)")
    bots = {"bad": "false", "house": "house:random"}
    contest = write_contest(tmp_path, bots, restart_pause_ms=20, settings=ONE_ROUND)
    out = tmp_path / "out"
    assert run_arena(contest, "--out", out).returncode == 1
    write_contest(tmp_path, bots | {"bad": "python bot.py"}, settings=ONE_ROUND)
    done = run_arena(contest, "--out", out)
    assert done.returncode == 0, done.stderr
    assert len(ledger(out)) == 2


def test_a_bot_that_has_played_and_dies_does_not_stop_a_contest(tmp_path: Path) -> None:
    """It is told once how long its turns wait now, and the contest is played to its end."""
    settings = {"max_rounds": 1, "move_limit_ms": 500, "action_cap": 24}
    bots = {"dying": f"python {BOTS / 'dying'}.py", "house": "house:greedy"}
    contest = write_contest(tmp_path, bots, blocks=4, restart_pause_ms=20, settings=settings)
    done = run_arena(contest, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stderr.splitlines() if "for good" in line]
    assert [line.partition(";")[0] for line in told] == [
        "dying ended with code 7 for good: each of its turns now waits 0.5 s"
    ]
