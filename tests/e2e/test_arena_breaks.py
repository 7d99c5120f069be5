"""Is nothing lost and nothing left running, whatever is killed while a contest is played?"""

import json
import os
import re
import signal
import time
from pathlib import Path

import pytest

from lastcard import Client
from lastcard.v1.key_service_pb2 import KeyRole, ListKeysRequest
from lastcard.v1.match_service_pb2 import ListMatchesRequest, MatchState
from tests.e2e.arena import (
    CALLED,
    GOOD,
    IN_PROC,
    ONE_ROUND,
    eventually,
    lastcard,
    ledger,
    run_arena,
    start_arena,
    started_in,
    write_contest,
)
from tests.processes import ServerProcess


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
    """
    After kill -9 in mid-contest runner and bots reconnect, and every game counts once.

    It is said once that the server is away, and once that it is back. Once the contest is
    finished the bots' keys are revoked, and the run can be told again nevertheless.
    """
    contest = write_contest(tmp_path, GOOD, blocks=6, concurrency=3, settings=ONE_ROUND)
    state, out = tmp_path / "state", tmp_path / "out"
    state.mkdir()
    with ServerProcess(state) as server:
        options = ("--out", out, "--server", server.address, "--json")
        arena = start_arena(contest, *options, LASTCARD_KEY=server.key)
        until_finished(server.address, server.key, 3)
        server.kill()
        assert arena.poll() is None
        server.start()
        stdout, stderr = arena.communicate(timeout=100)
        assert arena.returncode == 0, stderr
        told = [line for line in stderr.splitlines() if server.address in line]
        assert [line[2:6:3] for line in told] == ["::", "::"]
        assert told[0].endswith("; trying again for 300 s")
        assert told[1].endswith(f" the server at {server.address} answers again")
        assert valid_roles(server.address, server.key) == [KeyRole.KEY_ROLE_ORGANISER]
        again = run_arena(contest, *options, LASTCARD_KEY=server.key)
        assert (again.returncode, json.loads(again.stdout)["games"]) == (0, 18), again.stderr
    assert json.loads(stdout)["games"] == 18
    games = ledger(out)
    assert [game["game"] for game in games] == list(range(18))
    assert len({game["match"] for game in games}) == 18
    replays = sorted((out / "replays").iterdir())
    checked = lastcard("verify", *replays, "--ledger", out / "ledger.jsonl")
    assert checked.returncode == 0, checked.stderr
    assert not started_in(out)


def valid_roles(address: str, key: str) -> list[KeyRole]:
    """Return the roles of the keys that a server accepts."""
    with Client(address, key) as client:
        keys = client.call(client.keys.ListKeys, ListKeysRequest()).keys
    return [key.role for key in keys if not key.HasField("revoke_time")]


def until_finished(address: str, key: str, count: int) -> None:
    """Wait until so many matches of a server are finished."""
    request = ListMatchesRequest(state=MatchState.MATCH_STATE_FINISHED, page_size=100)
    with Client(address, key) as client:
        eventually(lambda: len(client.call(client.matches.ListMatches, request).matches) >= count)


@IN_PROC
def test_blocks_that_went_on_elsewhere_without_bots_are_played_anew(tmp_path: Path) -> None:
    """It is said when the run is broken off; the same command plays anew what is under way."""
    quick = {**ONE_ROUND, "move_limit_ms": 250}
    contest = write_contest(tmp_path, GOOD, blocks=12, concurrency=3, settings=quick)
    state, out = tmp_path / "state", tmp_path / "out"
    state.mkdir()
    with ServerProcess(state) as server:
        options, key = ("--out", out, "--server", server.address), {"LASTCARD_KEY": server.key}
        with start_arena(contest, *options, **key) as arena:
            until_finished(server.address, server.key, 4)
            arena.send_signal(signal.SIGINT)
            _, stderr = arena.communicate(timeout=30)
        assert arena.returncode == 130
        assert f"\nthe contest goes on at {server.address} without its bots" in stderr
        time.sleep(1)
        done = run_arena(contest, *options, **key)
    assert done.returncode == 0, done.stderr
    first = done.stderr.splitlines()[0]
    assert re.search(r"played anew with their blocks: [123]; .* meanwhile: \d+$", first)
    anew = [game for game in ledger(out) if game["attempt"]]
    assert len({game["block"] for game in anew}) == 1
    assert not any("crashed" in faults for game in anew for faults in game["faults"])
    assert [game["game"] for game in ledger(out)] == list(range(36))


@IN_PROC
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_everything(tmp_path: Path, number: signal.Signals) -> None:
    """The run ends with 130 and says how to go on; server and bots are gone."""
    contest = write_contest(tmp_path, GOOD, blocks=200, settings=ONE_ROUND)
    out = tmp_path / "out"
    stderr = interrupted(contest, out, number)
    assert stderr.endswith(f"stopped; to go on: {CALLED} arena {contest} --out {out}\n")
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
    contest = write_contest(tmp_path, GOOD, blocks=8, concurrency=3, settings=ONE_ROUND)
    out = tmp_path / "out"
    interrupted(contest, out, signal.SIGTERM)
    done = run_arena(contest, "--out", out)
    assert done.returncode == 0, done.stderr
    assert not done.stderr.startswith("0 of 24 games")
    assert [game["game"] for game in ledger(out)] == list(range(24))


@IN_PROC
@pytest.mark.parametrize("seen", ["0 of", "18 of"])
def test_ctrl_c_at_the_beginning_or_the_end_is_clean(tmp_path: Path, seen: str) -> None:
    """However far it came: no traceback, nothing left, a whole ledger or none, and it goes on."""
    contest = write_contest(tmp_path, GOOD, blocks=6, settings=ONE_ROUND)
    out = tmp_path / "out"
    with start_arena(contest, "--out", out) as arena:
        assert arena.stderr is not None
        for line in arena.stderr:
            if line.startswith(seen):
                break
        arena.send_signal(signal.SIGINT)
        _, stderr = arena.communicate(timeout=30)
    # At the end it may have been quicker than the signal.
    assert arena.returncode in ({130} if seen == "0 of" else {130, 0})
    assert "Traceback" not in stderr
    assert not started_in(tmp_path)
    assert not (out / "ledger.jsonl").exists() or len(ledger(out)) == 18
    assert run_arena(contest, "--out", out).returncode == 0
    assert [game["game"] for game in ledger(out)] == list(range(18))


def own_server(out: Path) -> tuple[str, str]:
    """Return address and organiser key of the server that a run started for itself."""
    serving = json.loads((out / "server/server.log").read_text().splitlines()[0])
    return serving["address"], (out / "server/organiser.key").read_text().strip()


def interrupted(contest: Path, out: Path, number: signal.Signals) -> str:
    """Interrupt a run once some games are finished; return what it printed about that."""
    with start_arena(contest, "--out", out) as arena:
        assert arena.stderr is not None
        assert arena.stderr.readline().startswith("0 of ")
        until_finished(*own_server(out), 2)
        arena.send_signal(number)
        _, stderr = arena.communicate(timeout=30)
    assert arena.returncode == 130
    return stderr
