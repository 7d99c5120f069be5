"""Is a match what its log says? Folding live and replaying give the same, entry by entry."""

import pytest

from lastcard_engine.invariants import violations
from lastcard_engine.record import EntryKind
from lastcard_engine.transition import legal_actions, to_act
from lastcard_server.journal.entry import ChainError, chained, verify_chain
from lastcard_server.matches.folding import HASH_EVERY, Diverged, replay
from lastcard_server.matches.match import Stage
from lastcard_server.secrets import ServerKeys, UnknownKeyError
from tests.depth import few_or_all
from tests.matches.table import KEYS, MATCH_ID, Table, seal, setup_of
from tests.matches.wild import SETUPS, last, picture, wild


@pytest.mark.parametrize("name", SETUPS)
def test_replay_equals_live_after_every_entry(name: str) -> None:
    """Whatever prefix of the log is replayed, turns, tables, clocks and state are the live ones."""
    pictures = {}
    for number, table in enumerate(wild(SETUPS[name], 1)):
        if number < 30 or number % few_or_all(71, 23) == 0 or table.match.over:
            pictures[table.match.version] = picture(table.match)
    log = table.saved()
    assert [entry.version for entry in log] == list(range(1, len(log) + 1))
    for version, live in pictures.items():
        assert picture(table.replayed(version)) == live, version


@pytest.mark.parametrize("name", SETUPS)
def test_the_open_turns_are_those_the_engine_asks(name: str) -> None:
    """After every step the open turns are the engine's, actions and all, and its state is sound."""
    for table in wild(SETUPS[name], 5):
        match = table.match
        if match.state is None or match.over:
            continue
        assert violations(match.state) == ()
        assert sorted(match.turns) == sorted(to_act(match.state))
        for seat, turn in match.turns.items():
            assert turn.seat == seat
            assert turn.turn <= match.version
            assert list(turn.actions) == legal_actions(match.state, seat)  # type: ignore[arg-type]
            assert 0 <= turn.default_choice < len(turn.actions)


@pytest.mark.parametrize("name", SETUPS)
def test_every_match_ends_in_an_ended_entry(name: str) -> None:
    """The last entry is `ended`, it holds the result, and nothing is due after it."""
    table = last(wild(SETUPS[name], 9))
    match = table.match
    assert table.saved()[-1].kind == EntryKind.ENDED
    assert match.stage is Stage.FINISHED
    assert match.result is not None
    assert min(match.result.places) == 1
    assert match.due_us() is None
    assert match.turns == {}


def test_round_ends_and_every_64th_entry_hold_the_state_they_found() -> None:
    """State hashes stand at what follows a round's end, and at every 64th version."""
    table = last(wild(SETUPS["polled, hold"], 2))
    hashed = {entry.version for entry in table.saved() if entry.state_hash}
    started = next(e.version for e in table.log if e.kind == EntryKind.STARTED)
    every = {n for n in range(HASH_EVERY, len(table.log) + 1, HASH_EVERY) if n > started}
    kinds = (EntryKind.ROUND_STARTED, EntryKind.ENDED)
    assert hashed == every | {entry.version for entry in table.log if entry.kind in kinds}


def test_a_wrong_state_hash_stops_the_match() -> None:
    """A log whose state hash is not the one found cannot be followed."""
    table = last(wild(SETUPS["polled"], 3))
    log = table.saved()
    at = next(n for n, entry in enumerate(log) if entry.state_hash)
    head = log[at - 1].head
    wrong = chained(head, log[at].kind, log[at].time_us, body=log[at].body, state_hash=bytes(32))
    with pytest.raises(Diverged, match=f"entry {at + 1} "):
        replay(MATCH_ID, [*log[:at], wrong], KEYS, seal())


def test_a_changed_entry_breaks_the_chain() -> None:
    """An entry that was changed after it was written is found before it is folded."""
    table = last(wild(SETUPS["polled"], 3))
    log = table.saved()
    log[20] = log[20]._replace(time_us=log[20].time_us + 1)
    with pytest.raises(ChainError, match="21"):
        replay(MATCH_ID, log, KEYS, seal())


def test_another_server_key_of_the_same_name_is_not_taken_for_another_engine() -> None:
    """What differs is the key, and the refusal says so before a card is dealt."""
    table = Table(setup_of(2))
    table.ready()
    other = ServerKeys({"k1": bytes(32)})
    for entries in (table.saved()[:1], table.saved()):
        with pytest.raises(UnknownKeyError, match="'k1' is another one"):
            replay(MATCH_ID, entries, other, seal())


def test_an_impossible_entry_is_refused() -> None:
    """An entry that the rules do not allow, well chained, cannot be followed."""
    table = Table(setup_of(2))
    table.ready()
    log = table.saved()
    wrong = chained(log[-1].head, EntryKind.GROUP_CLOSED, table.clock.us)
    verify_chain(log[-1].head, [wrong])
    with pytest.raises(Diverged):
        replay(MATCH_ID, [*log, wrong], KEYS, seal())


def test_entries_never_run_backwards_in_time() -> None:
    """Stamps that arrive out of order are written in order."""
    table = Table(setup_of(2))
    table.clock.advance(100)
    table.answer(0)
    table.answer(1, received_us=table.clock.us - 50_000)
    times = [entry.time_us for entry in table.saved()]
    assert times == sorted(times)
