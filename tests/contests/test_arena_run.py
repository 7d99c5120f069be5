"""Does a run of a contest file go on where it was broken off, and only there?"""

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from lastcard.v1 import match_service_pb2 as match_pb
from lastcard_server.arena.file import Bot, ContestFile, ContestFileError
from lastcard_server.arena.request import spec_of
from lastcard_server.arena.run import Run, RunError


@pytest.fixture
def contest(tmp_path: Path) -> ContestFile:
    """Return a contest whose file exists."""
    path = tmp_path / "contest.toml"
    path.write_text("name = 'cup'\n")
    return ContestFile(
        path=path,
        name="cup",
        preset="standard_no",
        overrides={"jump_in": "identical"},
        settings={"move_limit_ms": 1250, "absence_policy": "knock_out_round", "max_rounds": 2},
        bots=(Bot("one", command=("/bin/one",)), Bot("two", house="greedy")),
        seats=2,
        blocks=3,
        concurrency=0,
        restart_pause_ms=500,
    )


def test_a_run_remembers_what_was_agreed(contest: ContestFile, tmp_path: Path) -> None:
    """Opened again, a run has the same request_id and the same keys, and knows how far it was."""
    run = Run(tmp_path / "out", contest, "")
    run.keys["one"] = {"key_id": "k", "secret": "s"}
    run.seen = 7
    run.save()
    request_id, keys = run.request_id, run.keys
    del run
    again = Run(tmp_path / "out", contest, "")
    assert (again.request_id, again.keys, again.seen) == (request_id, keys, 7)
    assert Run(tmp_path / "other", contest, "").request_id != request_id


def test_a_folder_has_one_run_at_a_time(contest: ContestFile, tmp_path: Path) -> None:
    """Two would call off each other's games; once the first is gone the next may begin."""
    run = Run(tmp_path / "out", contest, "")
    with pytest.raises(RunError, match=r"another arena is at work in .*out;"):
        Run(tmp_path / "out", contest, "")
    del run
    Run(tmp_path / "out", contest, "")


def test_only_the_owner_may_read_the_keys(contest: ContestFile, tmp_path: Path) -> None:
    """What a run remembers is readable by its owner alone."""
    Run(tmp_path / "out", contest, "")
    mode = (tmp_path / "out" / "run.json").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_another_contest_is_refused(contest: ContestFile, tmp_path: Path) -> None:
    """A folder serves one contest at one server once that has it; what differs is named."""
    run = Run(tmp_path / "out", contest, "")
    run.is_created = True
    run.save()
    del run
    with pytest.raises(RunError, match="holds a run on a server of its own; choose"):
        Run(tmp_path / "out", contest, "127.0.0.1:1")
    for changed in (
        replace(contest, blocks=4),
        replace(contest, bots=contest.bots[::-1]),
        replace(contest, overrides={}),
    ):
        with pytest.raises(RunError, match="holds the run of another contest"):
            Run(tmp_path / "out", changed, "")


def test_how_bots_are_run_may_change(contest: ContestFile, tmp_path: Path) -> None:
    """A command is mended, and the contest that the server has goes on."""
    run = Run(tmp_path / "out", contest, "")
    run.is_created, request_id = True, run.request_id
    run.save()
    del run
    contest.path.write_text("name = 'cup'  # mended\n")
    mended = replace(contest.bots[0], command=("/bin/two", "--quick"))
    changed = replace(contest, bots=(mended, contest.bots[1]), restart_pause_ms=50)
    assert Run(tmp_path / "out", changed, "").request_id == request_id


def test_what_no_server_has_may_change(contest: ContestFile, tmp_path: Path) -> None:
    """A port or a rule that was mistyped uses up no folder; keys bind it to their server."""
    request_ids = {Run(tmp_path / "out", contest, "127.0.0.1:1").request_id}
    run = Run(tmp_path / "out", contest, "127.0.0.1:2")
    run.keys["one"] = {"key_id": "k", "secret": "s"}
    run.save()
    request_ids.add(run.request_id)
    del run
    run = Run(tmp_path / "out", replace(contest, blocks=4), "127.0.0.1:2")
    assert run.keys == {"one": {"key_id": "k", "secret": "s"}}
    assert len({*request_ids, run.request_id}) == 3
    del run
    with pytest.raises(RunError, match=r"holds a run on 127\.0\.0\.1:2; choose"):
        Run(tmp_path / "out", contest, "127.0.0.1:3")


@pytest.mark.parametrize("text", ["{", '{"digest": "0", "request_id": "0", "keys": {}}'])
def test_a_damaged_run_is_refused(contest: ContestFile, tmp_path: Path, text: str) -> None:
    """A memory that cannot be read is no reason to begin anew over it."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "run.json").write_text(text)
    with pytest.raises(RunError, match="is damaged"):
        Run(tmp_path / "out", contest, "")


def test_a_folder_that_cannot_be_is_refused(contest: ContestFile, tmp_path: Path) -> None:
    """A file in the way is named."""
    (tmp_path / "out").write_text("")
    with pytest.raises(RunError, match="cannot be used"):
        Run(tmp_path / "out", contest, "")


def test_a_file_is_said_in_the_words_of_the_contract(contest: ContestFile) -> None:
    """Overrides, settings and entrants arrive; what the file leaves out stays unset."""
    spec = spec_of(contest, {"one": "key1"})
    assert [(o.option, o.value) for o in spec.rules.overrides] == [("jump_in", "identical")]
    assert spec.settings == match_pb.MatchSettings(
        move_limit_duration={"seconds": 1, "nanos": 250_000_000},
        absence_policy=match_pb.ABSENCE_POLICY_KNOCK_OUT_ROUND,
        max_rounds=2,
    )
    assert [(e.name, e.key_id, e.house_strategy) for e in spec.entrants] == [
        ("one", "key1", ""),
        ("two", "", "greedy"),
    ]
    assert (spec.seat_count, spec.block_count, spec.concurrent_match_count) == (2, 3, 0)


def test_an_unknown_value_of_a_setting_is_refused(contest: ContestFile) -> None:
    """The sentence says what would be right."""
    wrong = replace(contest, settings={"reactions": "fast"})
    with pytest.raises(ContestFileError, match="'fast'; it may be race, polled"):
        spec_of(wrong, {"one": "key1"})
