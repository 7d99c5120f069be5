"""Do the golden journals still replay, and are they those the present engine writes?"""

from pathlib import Path

import pytest

import lastcard_engine as engine
from tools.golden import CASES, GOLDEN, REMOVALS, VECTORS, Player, texts, vectors

ROOT = Path(__file__).parents[2]
JOURNALS = sorted(ROOT.glob(f"{GOLDEN}/*/*.jsonl"))


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_journal_replays(path: Path) -> None:
    """Commitment, every entry and every state hash hold."""
    record = engine.read_record(path.read_text())
    assert record.revision == engine.REVISION
    state = engine.verify(record)
    assert state.over
    assert engine.write_record(record) == path.read_text()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_journals_are_those_of_this_engine(case: object) -> None:
    """Played anew from its seed each journal comes out the same, byte by byte."""
    assert isinstance(case, type(CASES[0]))
    assert Player(case).play() == (ROOT / case.path).read_text(), (
        "run `make golden` and raise the revision"
    )


def test_the_vectors_are_those_of_this_engine() -> None:
    """Likewise the test vectors of the deal."""
    assert vectors() == (ROOT / VECTORS).read_text()


def test_no_journal_is_missing_or_left_over() -> None:
    """There is one file for each case, and none besides."""
    assert set(JOURNALS) == {ROOT / path for path, _ in texts() if path.suffix == ".jsonl"}


def test_the_journals_meet_every_kind_of_event() -> None:
    """Between them they hold every kind of event."""
    met: set[type] = set()
    for path in JOURNALS:
        for step in engine.replay(engine.read_record(path.read_text())):
            met.update(map(type, step.events))
    assert met == set(engine.Event.__args__)


@pytest.mark.parametrize("absence", engine.Absence)
def test_the_journals_meet_every_policy(absence: engine.Absence) -> None:
    """Under each policy seats run out of time, and leave by the entry of that policy alone."""
    kinds: set[engine.EntryKind] = set()
    for path in JOURNALS:
        record = engine.read_record(path.read_text())
        if record.settings.absence is absence:
            kinds.update(entry.kind for entry in record.entries)
    assert engine.EntryKind.TIMEOUT in kinds
    removals = {kind for kind, _ in REMOVALS.values()}
    assert kinds & removals == {kind for policy, (kind, _) in REMOVALS.items() if policy is absence}
