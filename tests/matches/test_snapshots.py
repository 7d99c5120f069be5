"""Is a match that was read from a snapshot the match its log tells of, and is no other believed?"""

import json
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

import pytest

from lastcard_engine.dealing import deal_key
from lastcard_engine.hashing import state_hash
from lastcard_engine.record import EntryKind
from lastcard_engine.revisions import RUNS
from lastcard_server.errors import Reason
from lastcard_server.journal.entry import Entry, chained, genesis
from lastcard_server.journal.memory import MemoryJournal
from lastcard_server.journal.port import Append, Index, Snapshot
from lastcard_server.matches import deals, snapshots
from lastcard_server.matches.folding import Diverged, follow, replay
from lastcard_server.matches.loading import load, resume
from lastcard_server.matches.match import Match, Standing, log_of
from lastcard_server.matches.snapshots import EVERY, read, taken
from lastcard_server.secrets import ServerKeys, UnknownKeyError
from tests.depth import few_or_all
from tests.matches.table import KEYS, MATCH_ID, Table, accepted, refused, seal, setup_of
from tests.matches.wild import SETUPS, last, picture, wild

STATE = {
    "begun",
    "dealer",
    "forfeited",
    "lawful",
    "left",
    "round_number",
    "totals",
    "winners",
}
VALUES = {
    "chain",
    "columns",
    "created_us",
    "decisions",
    "group_us",
    "last_us",
    "nonces",
    "requests",
    "seats",
    "state",
    "turn_actions",
    "version",
    "window_us",
}
POINTS = {"scoring": "winner_takes", "target_points": 200}


def whole(log: Sequence[Entry]) -> Match:
    """Return the match that a log tells of."""
    return replay(MATCH_ID, log, KEYS, seal())


def kept(log: Sequence[Entry]) -> Snapshot:
    """Return the snapshot of a match whose log ends before a round."""
    match = whole(log)
    assert match.state is not None
    return taken(match, match.state)


def boundaries(log: Sequence[Entry]) -> list[int]:
    """Return the versions after which a round starts."""
    return [entry.version - 1 for entry in log if entry.kind == EntryKind.ROUND_STARTED]


def resumed(snapshot: Snapshot, log: Sequence[Entry]) -> Match | None:
    """Return the match of a snapshot and what a log holds from there on."""
    match = resume(MATCH_ID, snapshot, log[snapshot.version - 1 :], KEYS, seal())
    assert match is None or not (match.events or match.opened or match.closed or match.unsaved)
    return match


@cache
def played() -> tuple[Entry, ...]:
    """Return the log of a match of several rounds with acts out of turn."""
    log = last(wild(SETUPS["race"], 4)).saved()
    assert len(boundaries(log)) > 2
    return tuple(log)


@pytest.mark.parametrize("name", SETUPS)
def test_every_boundary_gives_the_match_that_the_whole_log_gives(name: str) -> None:
    """Wherever it is cut, all of it is the same: turns, clocks, answers, requests, state."""
    log = last(wild(SETUPS[name], 1)).saved()
    starts = boundaries(log)[-few_or_all(6, 1000) :]
    ends = {*starts, *[version + 1 for version in starts], *range(0, len(log), 41), len(log)}
    match, pictures, kept_at = Match(MATCH_ID, KEYS, seal()), {}, {}
    for entry in log:
        if entry.version - 1 in starts and match.state is not None:
            kept_at[match.version] = taken(match, match.state)
        follow(match, [entry])
        if entry.version in ends:
            pictures[entry.version] = picture(match)
    assert list(kept_at) == starts
    for version, snapshot in kept_at.items():
        resumed_match = resumed(snapshot, log[: version + 1])
        assert resumed_match is not None
        for end in sorted(end for end in ends if end > version):
            follow(resumed_match, log[resumed_match.version : end])
            assert picture(resumed_match) == pictures[end], (version, end)


def test_repeats_and_histories_from_before_a_snapshot_are_known() -> None:
    """First outcomes and sealed heads outlive it; what was refused is refused for the reason."""
    setup = setup_of(3, preset="official_se", overrides=POINTS)
    table = Table(setup)
    table.ready()
    first = table.match.turns[table.match.state.turn]  # type: ignore[union-attr]
    answer = accepted(table.answer(first.seat, 0))
    token = table.match.history()
    table.play(lambda match: match.state is not None and match.state.round_number == 3)
    log = table.saved()
    match = resumed(kept(log[: boundaries(log)[2]]), log)
    assert match is not None
    table.match = match
    assert match.standing(token) is Standing.KNOWN
    repeat = accepted(table.answer(first.seat, 0, turn=first.turn))
    assert repeat.version == answer.version
    other = refused(table.answer(first.seat, 1, turn=first.turn))
    assert other.reason is Reason.TURN_ANSWERED
    assert match.version == len(log)


def test_no_card_and_no_key_stand_in_a_snapshot() -> None:
    """Of the state there are standing, dealer and leavers; of the deal what `created` says."""
    log = played()
    for version in boundaries(log):
        match = whole(log[:version])
        body = kept(log[:version]).body
        line, _, columns = body[32:].partition(b"\n")
        values = json.loads(line)
        assert set(values["state"]) == STATE
        assert set(values) == VALUES
        secret = match.deal.pool.secret(KEYS)
        for hidden in (secret, deal_key(secret, match.nonces)):
            assert hidden not in body
            assert hidden.hex().encode() not in body
        created, chains, *answers = columns_of(columns, values["columns"])
        assert created.decode() == log[0].body
        assert chains == b"".join(entry.chain[:8] for entry in log[:version])
        told = {entry.body.partition(" #")[0] for entry in log[:version]}
        assert {text for lines in answers[1::2] for text in lines.decode().split("\n")} <= told


def columns_of(octets: bytes, lengths: list[int]) -> list[bytes]:
    """Cut the columns apart; they are all there is."""
    ends = list(accumulate(lengths))
    assert ends[-1] == len(octets)
    return [octets[end - length : end] for end, length in zip(ends, lengths, strict=True)]


def test_other_cards_in_the_round_that_is_over_change_nothing() -> None:
    """Two matches that differ in cards alone have one snapshot."""
    log = played()
    match = whole(log[: boundaries(log)[-1]])
    assert match.state is not None
    before, found = taken(match, match.state), state_hash(match.state)
    match.state.hands.reverse()
    match.state.draw_pile.reverse()
    match.state.discards.clear()
    assert state_hash(match.state) != found
    assert taken(match, match.state) == before


def test_every_changed_byte_is_noticed() -> None:
    """A damaged body, a cut one, and one under another version, revision, match or key."""
    log = played()
    snapshot = kept(log[: boundaries(log)[-1]])
    version, revision, body = snapshot
    for at in range(0, len(body), few_or_all(11, 1)):
        wrong = bytearray(body)
        wrong[at] ^= 1 << at % 8
        assert read(MATCH_ID, Snapshot(version, revision, bytes(wrong)), KEYS, seal()) is None
    for length in (0, 1, 31, 32, 33, len(body) - 1):
        assert read(MATCH_ID, Snapshot(version, revision, body[:length]), KEYS, seal()) is None
    for other in (Snapshot(version + 1, revision, body), Snapshot(version, revision + 1, body)):
        assert read(MATCH_ID, other, KEYS, seal()) is None
    assert read(KEYS.match_id("key:creator", "other"), snapshot, KEYS, seal()) is None
    assert read(MATCH_ID, snapshot, ServerKeys({"k1": bytes(range(1, 33))}), seal()) is None
    assert read(MATCH_ID, snapshot, KEYS, seal()) is not None


def _fork(log: Sequence[Entry], version: int) -> list[Entry]:
    """Return a log of the same kinds whose entries differ from some version on, well chained."""
    forked = list(log[: version - 1])
    for entry in log[version - 1 :]:
        head = forked[-1].head
        values = (entry.kind, entry.time_us + 1, entry.seat, entry.body, entry.request_id)
        forked.append(chained(head, *values, entry.state_hash))
    return forked


def test_a_snapshot_is_read_with_the_key_of_its_deal_alone() -> None:
    """Another key of its name would deal other cards on it; the first key may be the same."""
    keys, other = (ServerKeys({"k0": bytes(32), "k1": bytes([n] * 32)}) for n in (1, 2))
    match = whole(played()[: boundaries(played())[2]])
    match.keys, match.deal = keys, deals.new_deal(keys, deals.Pool(MATCH_ID, "k1", bytes(32)))
    assert match.state is not None
    snapshot = taken(match, match.state)
    assert read(MATCH_ID, snapshot, keys, seal()) is not None
    with pytest.raises(UnknownKeyError, match="'k1' is another one"):
        read(MATCH_ID, snapshot, other, seal())


def test_a_snapshot_of_another_history_is_not_believed() -> None:
    """The entry at its version must be the one it was taken at, and a round must follow."""
    log = played()
    version = boundaries(log)[-1]
    snapshot = kept(log[:version])
    assert resumed(snapshot, log) is not None
    assert resumed(snapshot, _fork(log, version)) is None
    assert resumed(snapshot, _fork(log, 5)) is None
    assert resumed(snapshot, _fork(log, version + 1)) is not None
    assert resumed(snapshot, log[:version]) is None
    assert resumed(snapshot, log[: version - 1]) is None
    end = chained(log[version - 1].head, EntryKind.FROZEN, log[version].time_us, body="{}")
    assert resumed(snapshot, [*log[:version], end]) is None


def test_entries_that_do_not_follow_from_a_snapshot_are_not_folded_on_it() -> None:
    """A wrong hash or none, a broken chain, an impossible act: the whole log has to say so."""
    log = played()
    version = boundaries(log)[-2]
    snapshot = kept(log[:version])
    start = log[version]
    bare = chained(log[version - 1].head, start.kind, start.time_us)
    assert resumed(snapshot, [*log[:version], bare]) is None
    at = next(n for n, entry in enumerate(log) if n > version and entry.state_hash)
    values = (log[at].kind, log[at].time_us, log[at].seat, log[at].body, log[at].request_id)
    unlike = chained(log[at - 1].head, *values, bytes(32))
    assert resumed(snapshot, [*log[:at], unlike]) is None
    broken = list(log)
    broken[version + 3] = log[version + 3]._replace(time_us=1)
    assert resumed(snapshot, broken) is None
    impossible = chained(start.head, EntryKind.GROUP_CLOSED, start.time_us)
    assert resumed(snapshot, [*log[: version + 1], impossible]) is None


# Reading from a journal


class CountingJournal(MemoryJournal):
    """A journal in memory that notes what is read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[int] = []

    async def read(self, log: str, after: int = 0) -> list[Entry]:
        """Note after which version is read."""
        self.reads.append(after)
        return await super().read(log, after)


async def _journal(log: Sequence[Entry], snapshot: Snapshot | None) -> CountingJournal:
    """Return a journal that holds a match and a snapshot of it."""
    journal, name = CountingJournal(), log_of(MATCH_ID)
    index = Index(None, (), live=False, label="")
    await journal.append([Append(name, genesis(name), tuple(log), index)])
    if snapshot is not None:
        await journal.save_snapshot(name, snapshot)
    return journal


async def _load(journal: MemoryJournal) -> Match | None:
    return await load(journal, MATCH_ID, KEYS, seal(), RUNS)


async def test_only_what_came_after_a_snapshot_is_read() -> None:
    """The entry at its version is read too, for it is the link."""
    log = played()
    version = boundaries(log)[-1]
    journal = await _journal(log, kept(log[:version]))
    match = await _load(journal)
    assert match is not None
    assert match.snapshot_version == version
    assert picture(match) == picture(whole(log))
    assert journal.reads == [version - 1]


async def test_without_a_snapshot_everything_is_read() -> None:
    """Likewise a match that nobody knows is known to be unknown."""
    log = played()
    journal = await _journal(log, None)
    match = await _load(journal)
    assert match is not None
    assert match.snapshot_version == 0
    assert picture(match) == picture(whole(log))
    assert await _load(MemoryJournal()) is None


async def test_a_snapshot_of_another_revision_is_not_even_compared() -> None:
    """It is passed over without a word, and the whole log is read."""
    log = played()
    version, revision, body = kept(log[: boundaries(log)[-1]])
    journal = await _journal(log, Snapshot(version, revision + 1, body))
    match = await _load(journal)
    assert match is not None
    assert picture(match) == picture(whole(log))
    assert journal.reads == [0]


async def test_a_snapshot_that_does_not_fit_is_named_and_passed_over(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Damaged, or of another history: the match is what its log says."""
    log = played()
    version, revision, body = kept(log[: boundaries(log)[-1]])
    damaged = Snapshot(version, revision, body[:-1] + b" ")
    for wrong in (damaged, kept(_fork(log, 3)[:version]), Snapshot(0, revision, body)):
        journal = await _journal(log, wrong)
        match = await _load(journal)
        assert match is not None
        assert picture(match) == picture(whole(log))
        assert f"the snapshot of {log_of(MATCH_ID)} does not fit its log" in caplog.text
        caplog.clear()


async def test_a_log_that_is_wrong_after_a_snapshot_is_wrong() -> None:
    """A snapshot hides no fault of the log behind it."""
    log = list(played())
    version = boundaries(log)[-1]
    wrong = chained(log[version].head, EntryKind.GROUP_CLOSED, log[version].time_us)
    journal = await _journal([*log[: version + 1], wrong], kept(log[:version]))
    with pytest.raises(Diverged, match=f"entry {version + 2} "):
        await _load(journal)


# Taking them


def test_a_match_is_kept_when_it_has_grown_by_a_hundred_entries_and_by_a_quarter() -> None:
    """Taken before a round starts, never twice for little; the log holds nothing of it."""
    table = Table(setup_of(3, preset="official_se", overrides={**POINTS, "target_points": 2000}))
    taken_at: list[int] = []

    def note(match: Match) -> bool:
        if match.snapshot is not None:
            taken_at.append(match.snapshot.version)
            assert match.snapshot_version == match.snapshot.version
            match.snapshot = None
        return match.over

    table.play(note)
    log = table.saved()
    starts, before = boundaries(log), 0
    expected = []
    for version in starts:
        if version - before >= max(EVERY, version // 4):
            expected.append(version)
            before = version
    assert len(taken_at) > 3
    assert taken_at == expected


def test_what_play_keeps_is_what_a_replay_of_the_log_up_to_there_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Byte by byte: nothing that is not in the log has got into it."""
    monkeypatch.setattr(snapshots, "EVERY", 1)
    for name in ("race jump-in", "custom rules", "knock-out", "bank, two seats"):
        seen = 0
        table = None
        for table in wild(SETUPS[name], 6):
            snapshot, table.match.snapshot = table.match.snapshot, None
            if snapshot is not None:
                assert kept(table.saved()[: snapshot.version]) == snapshot
                seen += 1
        assert table is not None
        assert seen >= min(1, len(boundaries(table.saved())) - 1)
