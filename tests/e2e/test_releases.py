"""Does a server go on with what a server of an earlier release has left behind?"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lastcard.v1.contest_service_pb2 import ContestState, GetContestRequest
from lastcard.v1.match_service_pb2 import ListMatchesRequest, MatchState
from tests.e2e.arena import eventually, lastcard
from tests.processes import LASTCARD, ServerProcess

OLD = sorted((Path(__file__).parents[1] / "golden/sqlite").iterdir())


def running_contests(left: Path) -> list[GetContestRequest]:
    """Return requests for the contests that an old journal has left in the middle."""
    query = "SELECT log FROM logs WHERE live AND family = 'contest/'"
    with closing(sqlite3.connect(f"file:{left}/journal.sqlite?immutable=1", uri=True)) as file:
        logs = [log for (log,) in file.execute(query)]
    return [GetContestRequest(contest_id=log.removeprefix("contest/")) for log in logs]


@pytest.mark.parametrize("left", OLD, ids=lambda path: f"schema {path.name}")
def test_matches_and_contests_go_on(left: Path, tmp_path: Path) -> None:
    """What waited for a bot when the old server stopped is played to its end, and proves itself."""
    state = Path(shutil.copytree(left, tmp_path / "var"))
    (state / "server.keys").chmod(0o600)
    running = ListMatchesRequest(state=MatchState.MATCH_STATE_RUNNING)
    (contest,) = running_contests(left)
    with ServerProcess(tmp_path) as server, server.client() as client:

        def finished() -> bool:
            found = client.call(client.contests.GetContest, contest).contest
            return found.state == ContestState.CONTEST_STATE_FINISHED

        matches = client.call(client.matches.ListMatches, running).matches
        key = (left / "bot.key").read_text().strip()
        bot = server.bot("env", f"LASTCARD_KEY={key}", LASTCARD, "bot", "random")
        try:
            eventually(finished)
        finally:
            bot.kill()
            bot.communicate()
        records = [tmp_path / f"{match.match_id}.jsonl" for match in matches]
        for record in records:
            record.write_bytes(client.record(record.stem))
    assert records
    checked = lastcard("verify", *records)
    assert checked.returncode == 0, checked.stderr
