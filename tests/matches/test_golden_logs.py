"""Does the server go on with what the servers of all releases wrote, whole or from snapshots?"""

from collections.abc import Sequence
from pathlib import Path

import pytest

from lastcard_engine.dealing import Stream
from lastcard_engine.record import EntryKind, verify
from lastcard_server.journal.entry import ChainError, Entry, chained
from lastcard_server.matches.creation import read_creation
from lastcard_server.matches.folding import Diverged, follow, replay
from lastcard_server.matches.history import HistorySeal
from lastcard_server.matches.loading import resume
from lastcard_server.matches.match import Match
from lastcard_server.matches.record import record_of
from lastcard_server.matches.snapshots import taken
from lastcard_server.secrets import ServerKeys
from loadtest.build import build
from tests.matches.golden import ROOT, logs, read_log, write_log
from tests.matches.wild import picture
from tools.golden import FIRST, GOLDEN, NEXT

LOGS = logs()


def _name(path: Path) -> str:
    """Name a log by its release and what was played."""
    return f"{path.parent.parent.name}/{path.stem}"


every_log = pytest.mark.parametrize("path", LOGS, ids=_name)
every_deal = pytest.mark.parametrize(
    "path", [path for path in LOGS if path.stem != "seating"], ids=_name
)


def seal(keys: ServerKeys) -> HistorySeal:
    """Return a seal of these keys."""
    return HistorySeal(keys.history_key(), 1)


@every_log
def test_every_log_replays(path: Path) -> None:
    """Its chain, every state hash and the result that was written hold."""
    match_id, keys, entries = read_log(path.read_text())
    match = replay(match_id, entries, keys, seal(keys))
    assert match.over
    assert match.head == entries[-1].head
    assert match.revision == read_creation(entries[0].body).revision == 1
    assert match.result is not None
    hashed = {entry.version for entry in entries if entry.state_hash}
    started = {entry.version for entry in entries if entry.kind == EntryKind.ROUND_STARTED}
    assert started <= hashed
    assert write_log(entries) == path.read_text()
    if match.result.places:
        assert match.state is not None
        assert match.result.totals == tuple(match.state.totals)
        assert verify(record_of(match, entries, 0)).over


@every_log
def test_every_log_goes_on_from_a_snapshot_at_every_round(path: Path) -> None:
    """Whichever round it is taken before, the match is the same to its last byte."""
    match_id, keys, entries = read_log(path.read_text())
    whole = picture(replay(match_id, entries, keys, seal(keys)))
    match, rounds = Match(match_id, keys, seal(keys)), 0
    for entry in entries:
        if entry.kind == EntryKind.ROUND_STARTED:
            assert match.state is not None
            snapshot, rounds = taken(match, match.state), rounds + 1
            rest = entries[snapshot.version - 1 :]
            resumed = resume(match_id, snapshot, rest, keys, seal(keys))
            assert resumed is not None
            assert picture(resumed) == whole, snapshot.version
        follow(match, [entry])
    assert picture(match) == whole
    assert rounds > 0


def test_there_are_logs_of_every_release_that_meet_every_kind_of_entry() -> None:
    """But `frozen`, which only a lost history brings about, and the unused `seat_reissued`."""
    for version in (FIRST, NEXT):
        kinds = {
            entry.kind
            for path in LOGS
            if path.is_relative_to(ROOT / GOLDEN / version)
            for entry in read_log(path.read_text())[2]
        }
        missing = {EntryKind.FROZEN, EntryKind.SEAT_REISSUED}
        missing |= {EntryKind.FORFEITED} if version == NEXT else set()
        assert kinds == set(EntryKind) - missing, version


# What must not replay


def _rechained(entries: Sequence[Entry], at: int, wrong: Entry) -> list[Entry]:
    """Return a log with another entry in one place, well chained to its end."""
    forged = list(entries[:at])
    for entry in (wrong, *entries[at + 1 :]):
        values = (entry.kind, entry.time_us, entry.seat, entry.body, entry.request_id)
        forged.append(chained(forged[-1].head, *values, entry.state_hash))
    return forged


@every_deal
def test_a_log_that_was_tampered_with_does_not_replay(path: Path) -> None:
    """Another time breaks the chain; another hash or a missing turn is found all the same."""
    match_id, keys, entries = read_log(path.read_text())
    hashed = [n for n, entry in enumerate(entries) if entry.state_hash]
    late = list(entries)
    late[hashed[0]] = late[hashed[0]]._replace(time_us=late[hashed[0]].time_us + 1)
    with pytest.raises(ChainError, match=f"entry {hashed[0] + 1} "):
        replay(match_id, late, keys, seal(keys))
    unlike = entries[hashed[-1]]._replace(state_hash=bytes(32))
    with pytest.raises(Diverged, match=f"before entry {hashed[-1] + 1} "):
        replay(match_id, _rechained(entries, hashed[-1], unlike), keys, seal(keys))
    at = next(n for n, entry in enumerate(entries) if entry.kind == EntryKind.ACTION)
    with pytest.raises(Diverged):
        replay(match_id, _rechained(entries, at, entries[at + 1]), keys, seal(keys))


@pytest.mark.skipif(build() == "compiled", reason="compiled methods cannot be replaced")
@every_deal
def test_an_engine_that_deals_otherwise_does_not_replay(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One number of the first shuffle is another: the match is stopped, not played on."""
    below, calls = Stream._next, iter(range(10**9))
    monkeypatch.setattr(Stream, "_next", lambda stream: below(stream) ^ (next(calls) == 3))
    match_id, keys, entries = read_log(path.read_text())
    with pytest.raises(Diverged):
        replay(match_id, entries, keys, seal(keys))
