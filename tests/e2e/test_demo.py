"""Does the contest that `make demo` plays end well, and can its results be trusted?"""

import json
import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.depth import few_or_all
from tests.e2e.arena import lastcard, ledger, run_arena

DEMO = Path(__file__).parents[2] / "demo"
BLOCKS = few_or_all(15, 50)
GAMES = 4 * BLOCKS
TWINS = ("greedy", "greedy twin")
pytestmark = pytest.mark.timeout(300)


class Played(NamedTuple):
    """The demo as it was played."""

    out: Path
    told: dict[str, Any]

    @property
    def replays(self) -> list[Path]:
        """The records of its games, in the order of the schedule."""
        return sorted((self.out / "replays").iterdir())


def play(out: Path) -> Played:
    """Play the demo, all of it in a deep search only; the rest of its file stays as it is."""
    folder = out.with_name(f"{out.name} demo")
    shutil.copytree(DEMO, folder)
    contest = folder / "contest.toml"
    text = contest.read_text()
    assert text.count("\nblocks = 50\n") == 1
    contest.write_text(text.replace("\nblocks = 50\n", f"\nblocks = {BLOCKS}\n"))
    done = run_arena(contest, "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    return Played(out, json.loads(done.stdout))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Play the demo once for all who look at it."""
    return play(tmp_path_factory.mktemp("demo") / "out")


def test_every_game_is_played_without_a_fault(demo: Played) -> None:
    """All games stand in ledger and standings, and no bot did anything wrong."""
    assert (demo.told["games"], demo.told["blocks"]) == (GAMES, BLOCKS)
    assert [game["game"] for game in ledger(demo.out)] == list(range(GAMES))
    rows = demo.told["standings"]
    assert {row["bot"] for row in rows} == {"random", "readme", *TWINS}
    assert [(row["games"], row["faults"]) for row in rows] == [(GAMES, {})] * 4


def test_the_same_bot_twice_is_told_apart_by_chance_alone(demo: Played, tmp_path: Path) -> None:
    """The twins' intervals overlap; as 1 contest in 50 may miss that, a second one decides then."""
    assert overlap(demo) or overlap(play(tmp_path / "out"))


def overlap(played: Played) -> bool:
    """Tell whether the intervals of the twins' points overlap."""
    one, two = (row["points"] for row in played.told["standings"] if row["bot"] in TWINS)
    return bool(one["low"] <= two["high"] and two["low"] <= one["high"])


def test_its_records_verify(demo: Played) -> None:
    """Deals, plays and results of all games are those of the ledger."""
    checked = lastcard("verify", *demo.replays, "--ledger", demo.out / "ledger.jsonl")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout == f"{GAMES} records, {GAMES} games in the ledger: all right\n"


def test_a_record_with_one_card_changed_is_refused(demo: Played, tmp_path: Path) -> None:
    """Where a card that was laid is another one, the entry that is wrong is named."""
    lines = demo.replays[0].read_text().splitlines()
    number, entry = next(
        (number, entry)
        for number, entry in enumerate(map(json.loads, lines))
        if re.fullmatch(r"play [rygb]\d", entry.get("action", ""))
    )
    *before, face = entry["action"]
    entry["action"] = "".join([*before, str((int(face) + 1) % 10)])
    lines[number] = json.dumps(entry)
    changed = tmp_path / "changed.jsonl"
    changed.write_text("".join(f"{line}\n" for line in lines))
    checked = lastcard("verify", changed, "--ledger", demo.out / "ledger.jsonl")
    assert checked.returncode == 1
    found = re.match(rf"{re.escape(str(changed))}: entry (\d+) ", checked.stderr)
    assert found
    assert int(found[1]) >= number
